"""Connections that are lost, before and after the commit; failover; conflicts."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import make_conninfo

from pg_tool_recall import AsyncToolRecall
from tests.client.faces import AsyncFace, Face, SyncFace, call, ids, result, stored
from tests.client.ways import Way
from tests.faults.proxy import Proxy
from tests.support.cluster import Cluster
from tests.support.database import Database, Turn, create_database, prepare

NAMED = {"tool_use_id": "toolu_1"}


def kill(database: Database) -> None:
    database.superuser_conn.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
        " where usename = 'recall_app' and datname = current_database()"
    )


DYING = """
    create sequence lives; grant usage, select on lives to public;
    create function die() returns trigger language plpgsql security definer as $$ begin
      if nextval('public.lives') = 1 then
        perform pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());
      end if;
      return null;
    end $$;
    create trigger z_die after insert on tool_recall.message_tool_results
      for each statement execute function die()"""


def test_killed_before_commit(face: Face, database: Database, turn: Turn) -> None:
    database.superuser_conn.execute(DYING)  # in the insert itself
    client = face.client(database.app)
    assert face.run(client.record(**call(turn, **NAMED)))
    assert stored(database) == 1
    database.superuser_conn.execute("alter sequence lives restart")
    many = [result(tool_use_id=f"toolu_{n}") for n in (2, 3)]
    made = face.run(client.record_many(turn.conversation_id, turn.user_id, turn.message_id, many))
    assert None not in made
    assert stored(database) == 3
    assert not client.failures
    # Nobody can tell this from one that was killed after the commit.
    database.superuser_conn.execute("alter sequence lives restart")
    assert face.run(client.record(**call(turn))) is None
    assert stored(database) == 3
    assert client.failures == {"connection": 1}


RECORDING = b"tool_recall.record_tool_result"


def test_killed_after_commit(
    face: Face, proxy: Proxy, through: str, database: Database, turn: Turn
) -> None:
    client = face.client(through, record_timeout=60)
    assert face.run(client.record(**call(turn)))
    proxy.lose_answer(RECORDING)
    made = face.run(client.record(**call(turn, **NAMED)))
    assert proxy.lost == 1
    assert made
    assert stored(database) == 2
    assert not client.failures
    assert face.run(client.result(made, turn.user_id)).tool_use_id == "toolu_1"
    # Without an id of the call nobody knows, and nothing is done twice.
    proxy.lose_answer(RECORDING)
    assert face.run(client.record(**call(turn))) is None
    assert proxy.lost == 2
    assert stored(database) == 3
    assert client.failures == {"connection": 1}


def test_killed_after_commit_with_sqlalchemy_and_asyncpg(
    way: Way, proxy: Proxy, database: Database, turn: Turn
) -> None:
    client = way.client(record_timeout=60)
    assert way.run(client.record(**call(turn)))
    # asyncpg has an answer to the statement, to its running and to the commit.
    answers = 3 if "asyncpg" in way.name else 1
    for skip in range(answers):
        proxy.lose_answer(RECORDING, skip)
        assert way.run(client.record(**call(turn, tool_use_id=f"toolu_{skip}")))
        assert proxy.lost == skip + 1
        assert stored(database) == skip + 2
    assert not client.failures
    proxy.lose_answer(RECORDING, answers - 1)
    assert way.run(client.record(**call(turn))) is None
    assert stored(database) == answers + 2
    assert client.failures == {"connection": 1}


def test_killed_connection_of_the_caller(face: Face, database: Database, turn: Turn) -> None:
    connection = face.connect()
    client = face.client(connection)
    face.run(connection.execute("select 1"))
    kill(database)
    # Nothing is tried again: that would be outside his transaction.
    assert face.run(client.record(**call(turn, **NAMED))) is None
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"connection": 2}
    assert stored(database) == 0


CONFLICTS = """
    create sequence tries; grant usage, select on tries to public;
    create function conflict() returns trigger language plpgsql as $$ begin
      if nextval('public.tries') <= {times} then
        raise exception using errcode = '{code}', message = 'by a test';
      end if;
      return null;
    end $$;
    create trigger z_conflict after insert on tool_recall.message_tool_results
      for each statement execute function conflict()"""


def tries(database: Database) -> int:
    row = database.owner_conn.execute("select last_value from tries").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("code", ["40P01", "40001"])
def test_conflict_is_tried_again_only_where_that_is_safe(
    face: Face, database: Database, turn: Turn, code: str
) -> None:
    database.owner_conn.execute(CONFLICTS.format(times=1, code=code))
    client = face.client(database.app)
    assert face.run(client.record(**call(turn, **NAMED)))
    assert (tries(database), stored(database)) == (2, 1)
    assert not client.failures
    attempts: list[Callable[[], Any]] = [
        lambda: client.record(**call(turn)),
        lambda: client.record_many(
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            [result(tool_use_id="toolu_9"), result()],
        ),
    ]
    for number, attempt in enumerate(attempts, start=1):
        database.owner_conn.execute("alter sequence tries restart")
        assert not any(face.run(attempt()) or [])
        assert tries(database) == 1
        assert client.failures == {"conflict": number}
    # In a transaction of the caller's it is his to begin again.
    database.owner_conn.execute("alter sequence tries restart")
    connection = face.connect()
    face.run(connection.execute("create temporary table kept ()"))
    assert face.run(client.record(**call(turn, tool_use_id="toolu_2"), conn=connection)) is None
    assert tries(database) == 1
    face.run(connection.execute("select from kept"))
    face.run(connection.commit())


def test_conflict_that_stays_is_given_up(face: Face, database: Database, turn: Turn) -> None:
    database.owner_conn.execute(CONFLICTS.format(times=1000, code="40P01"))
    client = face.client(database.app)
    assert face.run(client.record(**call(turn, **NAMED))) is None
    assert tries(database) == 2
    assert client.failures == {"conflict": 1}


def test_failover_to_a_promoted_standby(dist: Path) -> None:
    with Cluster(cron=False) as primary:
        database = create_database(primary, "recall")
        prepare(database)
        turn = database.new_turn()
        with primary.standby() as standby:
            # Acknowledged is what the standby has as well: otherwise a failover may lose it.
            for setting in ("synchronous_commit = 'on'", "synchronous_standby_names = '*'"):
                primary.psql(f"alter system set {setting}")
            primary.psql("select pg_reload_conf()")
            database.close()
            conninfo = make_conninfo(
                database.app,
                host=f"{primary.host},{standby.host}",
                port=f"{primary.port},{standby.port}",
                target_session_attrs="read-write",
                connect_timeout="2",
            )
            faces: list[Face] = [SyncFace(database), AsyncFace(database)]
            clients = [face.client(conninfo) for face in faces]
            acknowledged = []
            names = iter(range(1_000_000))
            failed = 0

            def record_all(again: bool) -> int:
                """One result by each client; how many of them were acknowledged at once."""
                nonlocal failed
                at_once = 0
                for face, client in zip(faces, clients, strict=True):
                    named = {"tool_use_id": f"toolu_{next(names)}"}
                    deadline = time.monotonic() + 60
                    for attempt in range(1000):
                        id = face.run(client.record(**call(turn, **named)))
                        if id:
                            acknowledged.append(id)
                            at_once += attempt == 0
                            break
                        failed += 1
                        if not again or time.monotonic() > deadline:
                            break
                        time.sleep(0.2)
                return at_once

            for _ in range(20):
                assert record_all(again=False) == 2
            primary.stop("immediate")
            assert record_all(again=False) == 0  # nobody to write to; no exception either
            standby.promote()
            record_all(again=True)
            for _ in range(20):
                assert record_all(again=False) == 2
            there = Database(standby, "recall")
            found = [
                row[0]
                for row in there.superuser_conn.execute(
                    "select id from tool_recall.message_tool_results"
                )
            ]
            assert len(acknowledged) == 82
            assert set(acknowledged) <= set(found)
            assert len(found) == len(set(found)) <= 84
            for face, client in zip(faces, clients, strict=True):
                assert len(face.run(client.block(**ids(turn))).lines) == 1
                assert sum(client.failures.values()) >= 1
                face.close()
            assert isinstance(clients[1], AsyncToolRecall)
            there.close()
