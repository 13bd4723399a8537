"""Adapters are tested with the vendors' own clients, talking to a server of ours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.adapters.wire import VendorServer
from tests.client.conftest import client, face, turn

__all__ = ["client", "face", "turn", "vendor"]


@pytest.fixture
def vendor() -> Iterator[VendorServer]:
    """A server that answers as it is told to, over HTTP."""
    with VendorServer() as server:
        yield server
