"""Every test of the client runs twice: with ToolRecall and with AsyncToolRecall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.client.faces import AsyncFace, Face, SyncFace
from tests.support.database import Database, Turn


@pytest.fixture(params=[SyncFace, AsyncFace], ids=["sync", "async"])
def face(request: pytest.FixtureRequest, database: Database) -> Iterator[Face]:
    """A way to make and to call clients, connections and pools; closes them all."""
    made: Face = request.param(database)
    yield made
    made.close()


@pytest.fixture
def turn(database: Database) -> Turn:
    return database.new_turn()


@pytest.fixture
def client(face: Face) -> Any:
    """A client with a pool of its own, as the chat service's role."""
    return face.client(face.database.app)
