"""Helpers of the tests: real PostgreSQL clusters and databases in them."""
