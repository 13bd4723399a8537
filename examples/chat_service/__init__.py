"""A chat service whose model knows what it was shown before: see README.md."""
