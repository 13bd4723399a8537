"""Where the block goes: against the vendors' own types and clients; no database."""
