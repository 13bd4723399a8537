"""The Python client against a real database."""
