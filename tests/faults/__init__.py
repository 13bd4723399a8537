"""What the clients do when the database, the network or the disk fails."""
