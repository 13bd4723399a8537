"""A database that does not answer: frozen, locked, or behind a dead network. No turn waits for it.

That nothing waits is shown by what the calls outlive: whatever holds them up is let go only after
they have returned.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy

from pg_tool_recall import AsyncToolRecall, ToolRecall, _drivers
from tests.client.faces import Face, call, ids, stored
from tests.client.ways import Way, url
from tests.faults.proxy import Proxy
from tests.support.database import Database, Turn

pytestmark = pytest.mark.timeout(90)


@contextmanager
def frozen(database: Database) -> Iterator[None]:
    """Every backend of the chat service's stands still."""
    rows = database.superuser_conn.execute(
        "select pid from pg_stat_activity where usename = 'recall_app'"
        " and datname = current_database()"
    ).fetchall()
    assert rows
    try:
        for (pid,) in rows:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for (pid,) in rows:
            os.kill(pid, signal.SIGCONT)


@contextmanager
def dead_network(proxy: Proxy) -> Iterator[None]:
    proxy.hold = True
    try:
        yield
    finally:
        proxy.hold = False


@contextmanager
def table_locked(database: Database) -> Iterator[None]:
    with database.connect("recall_owner", autocommit=False) as connection:
        connection.execute("lock table tool_recall.message_tool_results in access exclusive mode")
        yield
        connection.rollback()


@pytest.mark.parametrize("what", ["frozen", "dead network", "locked"])
def test_pool(
    face: Face, proxy: Proxy, through: str, database: Database, turn: Turn, what: str
) -> None:
    client = face.client(through, record_timeout=0.5)
    assert face.run(client.record(**call(turn)))
    wrong: Any = {"frozen": frozen, "locked": table_locked}.get(what, dead_network)
    with wrong(proxy if what == "dead network" else database):
        assert not face.run(client.block(**ids(turn)))
        assert client.failures == {"timeout": 1}
        assert face.run(client.record(**call(turn, tool_use_id="toolu_1"))) is None
        assert client.failures == {"timeout": 2}
    # As soon as it answers again so do we: nothing is left of the connections that were given up.
    while not face.run(client.record(**call(turn, tool_use_id="toolu_1"))):
        assert set(client.failures) == {"timeout"}
    assert face.run(client.block(**ids(turn)))
    assert stored(database) == 2


@pytest.mark.parametrize("what", ["frozen", "dead network"])
def test_engine(way: Way, proxy: Proxy, database: Database, turn: Turn, what: str) -> None:
    client = way.client(record_timeout=0.5)
    assert way.run(client.record(**call(turn)))
    with frozen(database) if what == "frozen" else dead_network(proxy):
        assert not way.run(client.block(**ids(turn)))
        assert client.failures == {"timeout": 1}
        if what == "dead network":  # where a new connection does not come about either
            assert way.run(client.record(**call(turn, tool_use_id="toolu_1"))) is None
            assert client.failures == {"timeout": 2}
    while not way.run(client.record(**call(turn, tool_use_id="toolu_1"))):
        pass
    assert way.run(client.block(**ids(turn)))
    assert stored(database) == 2


def test_engine_that_tries_connections_first(
    proxy: Proxy, through: str, database: Database, turn: Turn
) -> None:
    # pool_pre_ping asks the network before it lends a connection, for as long as that takes.
    engine = sqlalchemy.create_engine(url(through, "psycopg"), pool_pre_ping=True)
    client = ToolRecall(engine)
    assert client.record(**call(turn))
    with dead_network(proxy):
        assert not client.block(**ids(turn))
        assert client.failures == {"timeout": 1}
    assert client.record(**call(turn))
    engine.dispose()


@pytest.mark.parametrize("what", ["frozen", "dead network"])
@pytest.mark.parametrize("call_name", ["block", "record"])
def test_connection_of_the_caller_is_given_up(
    face: Face,
    proxy: Proxy,
    through: str,
    database: Database,
    turn: Turn,
    what: str,
    call_name: str,
) -> None:
    connection = face.connect(through)
    client = face.client(connection, record_timeout=0.5)
    face.run(connection.execute("select 1"))
    with frozen(database) if what == "frozen" else dead_network(proxy):
        if call_name == "block":
            assert not face.run(client.block(**ids(turn)))
        else:
            assert face.run(client.record(**call(turn))) is None
        assert client.failures == {"timeout": 1}
        assert connection.closed
    assert stored(database) == 0


def test_connection_of_the_caller_that_answers_late_is_kept(
    face: Face, database: Database, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_drivers, "PATIENCE", 30)
    connection = face.connect()
    client = face.client(connection)
    face.run(connection.execute("create temporary table kept ()"))
    pid = connection.info.backend_pid
    os.kill(pid, signal.SIGSTOP)
    thawing = threading.Timer(1.0, os.kill, [pid, signal.SIGCONT])
    thawing.start()
    try:
        assert not face.run(client.block(**ids(turn)))
    finally:
        thawing.join()
    assert client.failures == {"timeout": 1}
    assert face.run(client.record(**call(turn)))
    face.run(connection.execute("select from kept"))
    face.run(connection.commit())
    assert stored(database) == 1


@pytest.mark.parametrize("what", ["frozen", "dead network"])
def test_callers_session_is_given_up(
    way: Way, proxy: Proxy, database: Database, turn: Turn, what: str
) -> None:
    given = way.given()
    client = way.client()
    way.execute(given, "select 1")
    with frozen(database) if what == "frozen" else dead_network(proxy):
        assert not way.run(client.block(**ids(turn), conn=given))
        assert client.failures == {"timeout": 1}
    with pytest.raises(Exception, match=r"(?i)clos|rolled back|released"):
        way.execute(given, "select 1")


def test_cancelled_task_on_a_dead_network(proxy: Proxy, through: str, turn: Turn) -> None:
    async def run() -> None:
        async with AsyncToolRecall(through, record_timeout=0.5) as client:
            assert await client.record(**call(turn))
            with dead_network(proxy):
                task = asyncio.ensure_future(client.record(**call(turn)))
                await asyncio.sleep(0.1)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    asyncio.run(run())


# -- limits of the server


def test_record_has_a_limit_unless_told_otherwise(
    face: Face, database: Database, turn: Turn
) -> None:
    client = face.client(database.app)
    unlimited = face.client(database.app, record_timeout=None)
    database.owner_conn.execute("""
        create table seen (was text); grant insert on seen to public;
        create function see() returns trigger language plpgsql as $$ begin
          insert into public.seen values (current_setting('statement_timeout'));
          return null;
        end $$;
        create trigger z_see after insert on tool_recall.message_tool_results
          for each statement execute function see()""")
    assert face.run(unlimited.record(**call(turn)))
    assert face.run(client.record(**call(turn)))
    rows = database.owner_conn.execute("select extract(epoch from was::interval) from seen")
    without, limit = [row[0] for row in rows]
    assert without == 0
    assert 0 < limit <= 5


@pytest.mark.parametrize("setting", ["statement_timeout", "lock_timeout"])
def test_shorter_limit_of_the_callers_is_kept(
    face: Face, database: Database, turn: Turn, setting: str
) -> None:
    connection = face.connect()
    client = face.client(connection, record_timeout=None, block_timeout=3600)
    limited = face.client(connection, record_timeout=3600)
    face.run(connection.execute(f"set {setting} = '50ms'"))
    face.run(connection.execute("create temporary table kept ()"))
    with table_locked(database):
        assert face.run(client.record(**call(turn))) is None
        assert face.run(limited.record(**call(turn))) is None
        assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"timeout": 2}
    assert limited.failures == {"timeout": 1}
    assert face.run(client.record(**call(turn)))
    face.run(connection.execute("select from kept"))
    assert face.fetch(connection, f"show {setting}") == [("50ms",)]
    face.run(connection.commit())
    assert stored(database) == 1


def test_statement_timeout_of_the_role(face: Face, database: Database, turn: Turn) -> None:
    database.superuser_conn.execute(
        f"alter role recall_app in database {database.name} set statement_timeout = '50ms'"
    )
    client = face.client(database.app)
    with table_locked(database):
        assert face.run(client.record(**call(turn, tool_use_id="toolu_1"))) is None
        assert face.run(client.record(**call(turn))) is None
    assert client.failures == {"timeout": 2}
    assert face.run(client.record(**call(turn, tool_use_id="toolu_1")))
