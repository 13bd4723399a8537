"""The version of this package, the same text as in pyproject.toml."""

__version__ = "0.1.0.dev0"
