"""Fixtures of the faults: a proxy before the cluster, and everybody who may go through it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from psycopg.conninfo import make_conninfo

from tests.client.faces import AsyncFace, Face, SyncFace
from tests.client.ways import ALL, Way
from tests.faults.proxy import Proxy
from tests.support.database import Database, Turn


@pytest.fixture
def proxy(database: Database) -> Iterator[Proxy]:
    """Before the server of ``database``; nothing is wrong with it yet."""
    with Proxy(database.cluster.host, database.cluster.port) as running:
        yield running
        running.hold = False


@pytest.fixture
def through(proxy: Proxy, database: Database) -> str:
    """Conninfo of the chat service's role through the proxy."""
    return make_conninfo(database.app, host=proxy.host, port=proxy.port)


@pytest.fixture(params=[SyncFace, AsyncFace], ids=["sync", "async"])
def face(request: pytest.FixtureRequest, database: Database) -> Iterator[Face]:
    made: Face = request.param(database)
    yield made
    made.close()


@pytest.fixture(params=ALL, ids=lambda way: way.name)
def way(request: pytest.FixtureRequest, through: str) -> Iterator[Way]:
    """SQLAlchemy's and asyncpg's ways, through the proxy."""
    made: Way = request.param(through)
    yield made
    made.close()


@pytest.fixture
def turn(database: Database) -> Turn:
    return database.new_turn()
