"""Fixtures of the example chat service's tests."""

from __future__ import annotations

from tests.adapters.conftest import vendor

__all__ = ["vendor"]
