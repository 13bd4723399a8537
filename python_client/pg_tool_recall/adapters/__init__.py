"""Adapters: each feeds a turn from what one SDK hands around. See docs/adapters.md."""
