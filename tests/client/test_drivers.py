"""What holds on a psycopg connection holds on SQLAlchemy's and asyncpg's as well."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from pg_tool_recall import (
    AsyncToolRecall,
    InvalidResultError,
    NotInstalledError,
    OwnershipError,
    ToolRecall,
    ToolRecallError,
)
from tests.client.faces import call, ids, result, stored
from tests.client.ways import ALL, SQLALCHEMY, AsyncpgWay, Way
from tests.support.database import Database, Turn


def _only(ways: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("way", ways, indirect=True, ids=lambda way: way.name)


ONLY_SQLALCHEMY = _only(SQLALCHEMY)
ONLY_AWAITED = _only([way for way in ALL if way.client_class is AsyncToolRecall])


@pytest.fixture(params=ALL, ids=lambda way: way.name)
def way(request: pytest.FixtureRequest, database: Database) -> Iterator[Way]:
    made: Way = request.param(database.app)
    yield made
    made.close()


def add_message(way: Way, given: Any, turn: Turn) -> uuid.UUID:
    """The host's own write, in the transaction of what is given."""
    id = uuid.uuid4()
    way.execute(
        given,
        "insert into messages (id, conversation_id, role, content) values ($1, $2, $3, '')",
        id,
        turn.conversation_id,
        "assistant",
    )
    return id


def messages(database: Database) -> int:
    row = database.owner_conn.execute("select count(*) from messages").fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def table_locked(database: Database) -> Iterator[None]:
    """Nobody can read or write snapshots meanwhile."""
    with database.connect("recall_owner", autocommit=False) as connection:
        connection.execute("lock table tool_recall.message_tool_results in access exclusive mode")
        yield
        connection.rollback()


ODD = {"a": "it's \\ \\u0000 \\' \"quoted\" %s %% $1 :p1 é \U0001f600", "b": None, "c": [1.5]}


def test_all_calls_on_what_lends_connections(way: Way, database: Database, turn: Turn) -> None:
    client = way.client(on_error="raise")
    id = way.run(client.record(**call(turn, tool_output=ODD, tool_name="a'b\\c%s")))
    many = way.run(
        client.record_many(
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            [result(tool_use_id="toolu_1"), result(tool_use_id=None)],
        )
    )
    assert stored(database) == 3
    assert way.run(client.result(id, turn.user_id)).tool_output == ODD
    found = way.run(client.results(**ids(turn)))
    assert {each.id for each in found} == {id, *many}
    block = way.run(client.block(**ids(turn)))
    assert len(block.lines) == 2
    explained = way.run(client.block(**ids(turn), explain=True))
    assert [each.reason for each in explained.left_out] == ["repeated"]
    with pytest.raises(NotInstalledError, match="grant_operator"):
        way.run(client.purge())
    assert way.run(client.forget_conversation(turn.conversation_id)) == 3
    assert way.run(client.forget_user(turn.user_id)) == 0
    assert not client.failures


@pytest.mark.parametrize("built_from_it", [False, True])
def test_message_and_snapshot_are_committed_together(
    way: Way, database: Database, turn: Turn, built_from_it: bool
) -> None:
    given = way.given()
    client = way.client(given if built_from_it else None, on_error="raise")
    extra = {} if built_from_it else {"conn": given}
    for end in (way.rollback, way.commit):
        message = add_message(way, given, turn)
        id = way.run(client.record(**call(turn, message_id=message), **extra))
        many = way.run(
            client.record_many(
                turn.conversation_id, turn.user_id, message, [result(), result()], **extra
            )
        )
        assert id
        assert None not in many
        assert len(way.run(client.results(**ids(turn), **extra))) == 3
        assert way.run(client.block(**ids(turn), **extra)).lines
        assert (messages(database), stored(database)) == (1, 0)
        end(given)
    assert (messages(database), stored(database)) == (2, 3)


@ONLY_SQLALCHEMY
def test_call_before_anything_else_is_in_the_callers_transaction(
    way: Way, database: Database, turn: Turn
) -> None:
    given = way.given()
    client = way.client(on_error="raise")
    for end, expected in ((way.rollback, 0), (way.commit, 1)):
        assert way.run(client.record(**call(turn), conn=given))
        assert stored(database) == 0
        end(given)
        assert stored(database) == expected


def test_idle_asyncpg_connection_is_atomic_by_itself(database: Database, turn: Turn) -> None:
    way = AsyncpgWay(database.app)
    given = way.given()
    client = way.client(given)
    assert way.run(client.record(**call(turn)))
    assert way.run(client.record(**call(turn, tool_name=" "))) is None
    assert not given.is_in_transaction()
    assert stored(database) == 1
    assert way.run(client.block(**ids(turn)))
    with pytest.raises(ToolRecallError, match="pool"):
        way.run(client.purge())
    way.close()


def test_turn_is_saved_with_its_message(way: Way, database: Database, turn: Turn) -> None:
    client = way.client(on_error="raise")
    given = way.given()
    collected = client.turn(conversation_id=turn.conversation_id, user_id=turn.user_id)
    collected.add("query", {"n": 1}, [1])
    message = add_message(way, given, turn)
    assert None not in way.run(collected.save(message, given))
    assert stored(database) == 0
    way.commit(given)
    assert stored(database) == 1


@pytest.mark.parametrize("on_error", ["log", "raise"])
def test_failure_never_costs_the_caller_his_transaction(
    way: Way, database: Database, turn: Turn, on_error: str, caplog: pytest.LogCaptureFixture
) -> None:
    given = way.given()
    client = way.client(on_error=on_error)
    failing: list[tuple[type[Exception], Callable[[], Any]]] = [
        (InvalidResultError, lambda: client.record(**call(turn, tool_name=" "), conn=given)),
        (
            OwnershipError,
            lambda: client.record_many(
                turn.conversation_id, uuid.uuid4(), turn.message_id, [result()], conn=given
            ),
        ),
        (
            ToolRecallError,
            lambda: client.block(conversation_id="no key", user_id=turn.user_id, conn=given),
        ),
    ]
    for number, (expected, fails) in enumerate(failing, start=1):
        add_message(way, given, turn)
        if on_error == "log":
            assert not any(way.run(fails()) or [])
            assert sum(client.failures.values()) == number
        else:
            with pytest.raises(expected) as caught:
                way.run(fails())
            assert isinstance(caught.value, ToolRecallError)
            assert caught.value.sqlstate in ("TR002", "TR001", "22P02")
        add_message(way, given, turn)
        assert way.run(client.record(**call(turn), conn=given))
    way.commit(given)
    assert (messages(database), stored(database)) == (7, 3)
    if on_error == "log":
        records = [each for each in caplog.records if each.name == "pg_tool_recall"]
        assert [r.__dict__["tool_recall_sqlstate"] for r in records] == ["TR002", "TR001", "22P02"]
        assert all(record.levelno == logging.ERROR for record in records)
        assert client.failures == {"invalid_result": 1, "ownership": 1, "database": 1}


def test_one_refused_result_costs_its_siblings_nothing(
    way: Way, database: Database, turn: Turn
) -> None:
    client = way.client()
    for conn in (None, way.given()):
        made = way.run(
            client.record_many(
                turn.conversation_id,
                turn.user_id,
                turn.message_id,
                [result(), result(tool_name=" "), result()],
                conn=conn,
            )
        )
        assert [each is None for each in made] == [False, True, False]
        if conn is not None and not isinstance(way, AsyncpgWay):
            way.commit(conn)
    assert stored(database) == 4
    assert client.failures == {"invalid_result": 2}


def test_aborted_transaction_is_reported_and_left_alone(way: Way, turn: Turn) -> None:
    given = way.given()
    client = way.client()
    way.execute(given, "select 1")
    way.execute(given, "savepoint tool_recall")  # one that a rash rolling back would return to
    with pytest.raises(Exception, match="zero"):
        way.execute(given, "select 1/0")
    assert way.run(client.record(**call(turn), conn=given)) is None
    assert not way.run(client.block(**ids(turn), conn=given))
    assert client.failures == {"aborted_transaction": 2}
    with pytest.raises(Exception, match=r"abort|rolled back|rollback"):
        way.execute(given, "select 1")
    way.rollback(given)
    assert way.run(client.record(**call(turn), conn=given))


@ONLY_SQLALCHEMY
def test_savepoints_of_the_caller(way: Way, database: Database, turn: Turn) -> None:
    given = way.given()
    client = way.client()
    assert way.run(client.record(**call(turn), conn=given))
    nested = way.savepoint(given)
    assert way.run(client.record(**call(turn), conn=given))
    assert way.run(client.record(**call(turn, tool_name=" "), conn=given)) is None
    way.run(nested.rollback())
    nested = way.savepoint(given)
    assert way.run(client.record(**call(turn), conn=given))
    way.run(nested.commit())
    way.commit(given)
    assert stored(database) == 2


SETTINGS = (
    "select coalesce(current_setting('tool_recall.user_id', true), ''),"
    " current_setting('statement_timeout'), current_setting('lock_timeout')"
)


def test_settings_of_the_transaction_are_put_back(way: Way, turn: Turn) -> None:
    given = way.given()
    client = way.client()
    way.execute(
        given,
        "select set_config('tool_recall.user_id', 'somebody', true),"
        " set_config('statement_timeout', '77s', true), set_config('lock_timeout', '7s', true)",
    )
    way.run(client.record(**call(turn), conn=given))
    way.run(client.block(**ids(turn), conn=given))
    way.run(client.record(**call(turn, tool_name=" "), conn=given))
    assert way.execute(given, SETTINGS) == [("somebody", "77s", "7s")]


def test_nothing_is_left_in_the_session(way: Way, turn: Turn) -> None:
    given = way.given()
    client = way.client()
    left = (
        "select (select count(*) from pg_prepared_statements"
        " where statement like '%tool_recall.re%' and statement not like '%pg_prepared%'),"
        " coalesce(current_setting('tool_recall.user_id', true), ''),"
        " current_setting('statement_timeout'), current_setting('lock_timeout')"
    )
    for _ in range(8):
        way.execute(given, "select 1")
        assert way.run(client.record(**call(turn), conn=given))
        way.run(client.block(**ids(turn), conn=given))
        way.run(client.results(**ids(turn), conn=given))
        way.commit(given)
    assert way.execute(given, left) == [(0, "", "0", "0")]


@pytest.mark.parametrize("on_a_connection_of_his", [False, True])
def test_block_and_record_do_not_wait_for_a_lock(
    way: Way, database: Database, turn: Turn, on_a_connection_of_his: bool
) -> None:
    client = way.client(record_timeout=0.5)
    given = way.given() if on_a_connection_of_his else None
    assert way.run(client.record(**call(turn)))
    if given is not None:
        add_message(way, given, turn)
    with table_locked(database):
        assert not way.run(client.block(**ids(turn), conn=given))
        assert client.failures == {"timeout": 1}
        assert way.run(client.record(**call(turn), conn=given)) is None
        assert client.failures == {"timeout": 2}
    assert way.run(client.block(**ids(turn), conn=given))
    assert way.run(client.record(**call(turn), conn=given))
    if given is not None:
        way.commit(given)
    assert stored(database) == 2
    assert messages(database) == (2 if given is not None else 1)


def test_lost_connection_is_replaced_where_that_is_safe(
    way: Way, database: Database, turn: Turn
) -> None:
    client = way.client()

    def cut() -> None:
        database.superuser_conn.execute(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
            " where usename = 'recall_app' and datname = current_database()"
        )

    assert way.run(client.record(**call(turn)))
    cut()
    assert way.run(client.block(**ids(turn)))
    cut()
    assert way.run(client.record(**call(turn, tool_use_id="toolu_1")))
    assert not client.failures
    cut()
    if isinstance(way, AsyncpgWay):  # its pool sees that a connection is lost before it lends it
        return
    assert way.run(client.record(**call(turn))) is None or stored(database) == 3
    assert set(client.failures) <= {"connection"}


def test_lost_connection_of_the_caller(way: Way, database: Database, turn: Turn) -> None:
    client = way.client()
    given = way.given()
    way.execute(given, "select 1")
    database.superuser_conn.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
        " where usename = 'recall_app' and datname = current_database()"
    )
    assert way.run(client.record(**call(turn), conn=given)) is None
    assert client.failures == {"connection": 1}
    with pytest.raises(Exception, match=r"(?i)clos|rolled back"):
        way.execute(given, "select 1")
    if not isinstance(way, AsyncpgWay):
        way.rollback(given)
        assert way.execute(given, "select 1") == [(1,)]


@ONLY_AWAITED
def test_cancelled_task_is_cancelled_and_the_transaction_stays(
    way: Way, database: Database, turn: Turn
) -> None:
    given = way.given()
    client = way.client()
    way.execute(given, "create temporary table kept ()")

    async def run(conn: Any) -> None:
        task = asyncio.ensure_future(client.record(**call(turn), conn=conn))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for conn in (given, None):
        with table_locked(database):
            way.run(run(conn))
        assert way.run(client.record(**call(turn), conn=conn))
        if conn is given:
            way.execute(given, "select from kept")
        way.commit(given)
    assert not client.failures
    assert stored(database) == 2


@ONLY_AWAITED
def test_many_at_once(way: Way, database: Database, turn: Turn) -> None:
    client = way.client(on_error="raise", block_timeout=None)

    async def run() -> None:
        tasks = [client.record(**call(turn, tool_input={"n": n})) for n in range(40)]
        tasks += [client.block(**ids(turn)) for _ in range(10)]
        await asyncio.gather(*tasks)

    way.run(run())
    assert stored(database) == 40


def test_wrong_arguments_break_no_turn(way: Way, turn: Turn) -> None:
    given = way.given()
    client = way.client()
    nonsense: list[Any] = [object(), b"x", "\ud800", "a\x00", "'", "\\"]
    for value in nonsense:
        for name in ("conversation_id", "user_id", "message_id", "created_at"):
            before = sum(client.failures.values())
            assert way.run(client.record(**call(turn, **{name: value}), conn=given)) is None
            assert sum(client.failures.values()) == before + 1
        assert way.run(client.record(**call(turn), conn=given))


def test_other_things_are_refused(way: Way, database: Database, turn: Turn) -> None:
    other = ToolRecall if way.client_class is AsyncToolRecall else AsyncToolRecall
    with pytest.raises(TypeError):
        other(way.pool)
    client = way.client()
    # What lends connections is no transaction that could be joined.
    assert way.run(client.record(**call(turn), conn=way.pool)) is None
    assert client.failures == {"argument": 1}


@pytest.mark.parametrize("kind", SQLALCHEMY, ids=lambda way: way.name)
def test_purge_opens_a_connection_of_its_own(kind: Any, database: Database, turn: Turn) -> None:
    way = kind(database.owner)
    given = way.given()
    client = way.client(given)
    add_message(way, given, turn)
    assert way.run(client.purge()) == 0
    way.rollback(given)
    assert messages(database) == 1
    way.close()


def test_neither_is_imported_by_the_package() -> None:
    code = (
        "import sys, pg_tool_recall; "
        "assert not {'sqlalchemy', 'asyncpg', 'alembic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@ONLY_SQLALCHEMY
def test_autocommit_connection(way: Way, database: Database, turn: Turn) -> None:
    engine = way.pool.execution_options(isolation_level="AUTOCOMMIT")
    connection = engine.connect()
    way.run(connection.start() if hasattr(connection, "start") else None)
    client = way.client(connection)
    assert way.run(client.record(**call(turn)))
    assert stored(database) == 1
    assert way.run(client.record(**call(turn, tool_name=" "))) is None
    assert way.run(client.block(**ids(turn)))
    way.run(connection.close())
    assert isinstance(database.app_conn, psycopg.Connection)
