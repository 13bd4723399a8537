"""On a caller's connection: his transaction, his settings, his failures, and ours."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

from pg_tool_recall import AsyncToolRecall, ToolRecall, ToolRecallError
from tests.client.faces import AsyncFace, Face, call, ids, result, stored
from tests.support.database import Database, Turn

IDLE, INTRANS, INERROR = (
    TransactionStatus.IDLE,
    TransactionStatus.INTRANS,
    TransactionStatus.INERROR,
)


def add_message(face: Face, connection: Any, turn: Turn) -> uuid.UUID:
    """The host's own write, in the transaction of the connection."""
    id = uuid.uuid4()
    face.run(
        connection.execute(
            "insert into messages (id, conversation_id, role, content)"
            " values (%s, %s, 'assistant', '')",
            [id, turn.conversation_id],
        )
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


@pytest.mark.parametrize("given", ["built from it", "conn="])
def test_message_and_snapshot_are_committed_together(
    face: Face, database: Database, turn: Turn, given: str
) -> None:
    connection = face.connect()
    client = face.client(connection if given == "built from it" else face.pool())
    extra = {} if given == "built from it" else {"conn": connection}
    for end in ("rollback", "commit"):
        message = add_message(face, connection, turn)
        id = face.run(client.record(**call(turn, message_id=message), **extra))
        many = face.run(
            client.record_many(
                turn.conversation_id, turn.user_id, message, [result(), result()], **extra
            )
        )
        assert id
        assert None not in many
        assert len(face.run(client.results(**ids(turn), **extra))) == 3
        assert (messages(database), stored(database)) == (1, 0)
        face.run(getattr(connection, end)())
    assert (messages(database), stored(database)) == (2, 3)


def test_idle_connection_begins_a_transaction_and_leaves_it_open(
    face: Face, database: Database, turn: Turn
) -> None:
    connection = face.connect()
    client = face.client(connection)
    assert face.run(client.record(**call(turn)))
    assert connection.info.transaction_status == INTRANS
    assert stored(database) == 0
    face.run(connection.rollback())
    assert face.run(client.record(**call(turn)))
    face.run(connection.commit())
    assert stored(database) == 1


def test_autocommit_is_atomic_by_itself(face: Face, database: Database, turn: Turn) -> None:
    connection = face.connect(autocommit=True)
    client = face.client(connection)
    assert face.run(client.record(**call(turn)))
    assert connection.info.transaction_status == IDLE
    assert stored(database) == 1
    assert face.run(client.record(**call(turn, tool_name=" "))) is None
    assert connection.info.transaction_status == IDLE
    assert face.run(client.block(**ids(turn)))


def test_transaction_block_of_psycopg(face: Face, database: Database, turn: Turn) -> None:
    connection = face.connect(autocommit=True)
    client = face.client(connection)

    def sync() -> Any:
        with connection.transaction():
            client.record(**call(turn))
            with connection.transaction(force_rollback=True):
                client.record(**call(turn))
                client.record(**call(turn, tool_name=" "))
            client.record(**call(turn))

    async def with_await() -> None:
        async with connection.transaction():
            await client.record(**call(turn))
            async with connection.transaction(force_rollback=True):
                await client.record(**call(turn))
                await client.record(**call(turn, tool_name=" "))
            await client.record(**call(turn))

    face.run(with_await() if isinstance(face, AsyncFace) else sync())
    assert stored(database) == 2
    assert client.failures == {"invalid_result": 1}


FAILING: dict[str, Callable[[Any, Turn], Any]] = {
    "record": lambda client, turn: client.record(**call(turn, tool_name=" ")),
    "record_many": lambda client, turn: client.record_many(
        turn.conversation_id, uuid.uuid4(), turn.message_id, [result()]
    ),
    "block": lambda client, turn: client.block(conversation_id="no key", user_id=turn.user_id),
    "results": lambda client, turn: client.results(conversation_id="no key", user_id=turn.user_id),
    "result": lambda client, turn: client.result("no key", turn.user_id),
    "forget_user": lambda client, turn: client.forget_user("no key"),
    "forget_conversation": lambda client, turn: client.forget_conversation("no key"),
}


@pytest.mark.parametrize("on_error", ["log", "raise"])
def test_failure_never_costs_the_caller_his_transaction(
    face: Face, database: Database, turn: Turn, on_error: str
) -> None:
    connection = face.connect()
    for number, (name, failing) in enumerate(FAILING.items(), start=1):
        client = face.client(connection, on_error=on_error)
        add_message(face, connection, turn)
        if on_error == "log" and name in ("record", "record_many", "block"):
            assert not any(face.run(failing(client, turn)) or []), name
            assert sum(client.failures.values()) == 1
        else:
            with pytest.raises(ToolRecallError):
                face.run(failing(client, turn))
            assert not client.failures
        assert connection.info.transaction_status == INTRANS
        add_message(face, connection, turn)
        assert face.run(client.record(**call(turn)))
        face.run(connection.commit())
        assert (messages(database), stored(database)) == (1 + 2 * number, number)


def test_failure_on_an_idle_connection(face: Face, database: Database, turn: Turn) -> None:
    connection = face.connect()
    client = face.client(connection)
    assert face.run(client.record(**call(turn, tool_name=" "))) is None
    add_message(face, connection, turn)
    face.run(connection.commit())
    assert messages(database) == 2


def test_aborted_transaction_is_reported_and_left_alone(
    face: Face, database: Database, turn: Turn
) -> None:
    connection = face.connect()
    client = face.client(connection)
    # One that a rash rolling back would return to.
    face.run(connection.execute("savepoint tool_recall"))
    with pytest.raises(psycopg.errors.DivisionByZero):
        face.run(connection.execute("select 1/0"))
    assert face.run(client.record(**call(turn))) is None
    many = face.run(
        client.record_many(turn.conversation_id, turn.user_id, turn.message_id, [result()] * 2)
    )
    assert many == [None, None]
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"aborted_transaction": 3}
    with pytest.raises(ToolRecallError) as caught:
        face.run(client.results(**ids(turn)))
    assert caught.value.sqlstate == "25P02"
    assert connection.info.transaction_status == INERROR
    face.run(connection.rollback())
    assert face.run(client.record(**call(turn)))


def test_closed_connection(face: Face, turn: Turn) -> None:
    connection = face.connect()
    client = face.client(connection)
    face.run(connection.close())
    assert face.run(client.record(**call(turn))) is None
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"connection": 2}
    with pytest.raises(ToolRecallError):
        face.run(client.results(**ids(turn)))


# -- the caller's ways


def nonsense(_: Any) -> Any:
    raise AssertionError("an adapter of the caller's was used")


class NonsenseLoader(psycopg.adapt.Loader):
    def load(self, data: Any) -> Any:
        return nonsense(data)


class NonsenseDumper(psycopg.adapt.Dumper):
    def dump(self, obj: Any) -> Any:
        return nonsense(obj)


def test_row_factory_cursor_factory_and_adapters_do_not_matter(
    face: Face, database: Database, turn: Turn
) -> None:
    raw = psycopg.AsyncRawCursor if isinstance(face, AsyncFace) else psycopg.RawCursor
    connection = face.connect(autocommit=True, row_factory=dict_row, cursor_factory=raw)
    set_json_loads(nonsense, connection)
    for name in ("text", "uuid", "timestamptz", "bool", "int4", "jsonb"):
        connection.adapters.register_loader(name, NonsenseLoader)
    connection.adapters.register_dumper(str, NonsenseDumper)
    client = face.client(connection, on_error="raise")
    id = face.run(client.record(**call(turn)))
    many = face.run(
        client.record_many(turn.conversation_id, turn.user_id, turn.message_id, [result()])
    )
    assert [each.id for each in face.run(client.results(**ids(turn)))] == [*many, id]
    assert len(face.run(client.block(**ids(turn))).lines) == 1
    assert len(face.run(client.block(**ids(turn), explain=True)).left_out) == 1
    assert face.run(client.forget_user(turn.user_id)) == 2
    assert connection.row_factory is dict_row
    assert connection.cursor_factory is raw


@pytest.mark.parametrize("autocommit", [True, False])
def test_prepared_statements_of_the_caller_stay(face: Face, turn: Turn, autocommit: bool) -> None:
    connection = face.connect(autocommit=autocommit, prepare_threshold=0)
    client = face.client(connection, on_error="raise")

    def prepared() -> set[Any]:
        rows = face.fetch(connection, "select name from pg_prepared_statements")
        return {name for (name,) in rows}

    before = prepared() | prepared()
    assert before
    for _ in range(8):
        face.run(client.record(**call(turn)))
        face.run(client.block(**ids(turn)))
        face.run(client.results(**ids(turn)))
    assert prepared() == before
    assert connection.prepare_threshold == 0


SETTINGS = (
    "select current_setting('tool_recall.user_id', true), current_setting('statement_timeout'),"
    " current_setting('lock_timeout')"
)


@pytest.mark.parametrize("theirs", [None, "somebody"])
def test_settings_of_the_transaction_are_put_back(
    face: Face, turn: Turn, theirs: str | None
) -> None:
    connection = face.connect()
    client = face.client(connection, on_error="raise")
    if theirs:
        face.fetch(
            connection,
            "select set_config('tool_recall.user_id', %s, true),"
            " set_config('statement_timeout', '77s', true), set_config('lock_timeout', '7s', true)",
            [theirs],
        )
    before = face.fetch(connection, SETTINGS)
    face.run(client.record(**call(turn)))
    face.run(client.block(**ids(turn)))
    face.run(client.results(**ids(turn)))
    with pytest.raises(ToolRecallError):
        face.run(client.record(**call(turn, tool_name=" ")))
    with pytest.raises(ToolRecallError):
        face.run(client.block(conversation_id="no key", user_id=turn.user_id))
    face.run(client.forget_user(turn.user_id))
    user, *timeouts = face.fetch(connection, SETTINGS)[0]
    assert (user or None, *timeouts) == (before[0][0] or None, *before[0][1:])


def test_settings_outside_a_transaction_are_left_alone(face: Face, turn: Turn) -> None:
    connection = face.connect(autocommit=True)
    client = face.client(connection, on_error="raise")
    before = face.fetch(connection, SETTINGS)
    face.run(client.record(**call(turn)))
    face.run(client.block(**ids(turn)))
    user, *timeouts = face.fetch(connection, SETTINGS)[0]
    assert (user or None, *timeouts) == before[0]


def test_user_is_set_for_each_call(face: Face, database: Database, turn: Turn) -> None:
    # What row security would go by, as a trigger and a function see it.
    database.owner_conn.execute("""
        create table seen (who text); grant insert, select on seen to public;
        create function see() returns trigger language plpgsql as $$ begin
          insert into public.seen values (current_setting('tool_recall.user_id', true));
          return null;
        end $$;
        create trigger a_see before insert on tool_recall.message_tool_results
          for each statement execute function see()""")
    for autocommit in (True, False):
        connection = face.connect(autocommit=autocommit)
        client = face.client(connection, on_error="raise")
        face.run(client.record(**call(turn)))
        face.run(
            client.record_many(turn.conversation_id, turn.user_id, turn.message_id, [result()])
        )
        face.run(connection.commit())
    rows = database.owner_conn.execute("select who from seen").fetchall()
    assert rows == [(str(turn.user_id),)] * 4


# -- pools


def test_pool_of_the_caller_gets_its_connections_back_as_they_were(
    face: Face, database: Database, turn: Turn
) -> None:
    pool = face.pool()
    client = face.client(pool)
    assert face.run(client.record(**call(turn)))
    assert stored(database) == 1
    assert face.run(client.record(**call(turn, tool_name=" "))) is None
    assert face.run(client.block(**ids(turn)))

    async def autocommits() -> list[bool]:
        async with pool.connection() as one, pool.connection() as two:
            return [one.autocommit, two.autocommit]

    def autocommits_sync() -> list[bool]:
        with pool.connection() as one, pool.connection() as two:
            return [one.autocommit, two.autocommit]

    found = face.run(autocommits() if isinstance(face, AsyncFace) else autocommits_sync())
    assert found == [False, False]
    face.run(client.close())
    assert not pool.closed


def test_lost_connection_of_a_pool_is_replaced_where_that_is_safe(
    face: Face, database: Database, turn: Turn
) -> None:
    client = face.client(database.app)

    def cut() -> None:
        database.superuser_conn.execute(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
            " where application_name = 'pg_tool_recall' and datname = current_database()"
        )

    assert face.run(client.record(**call(turn)))
    cut()
    assert face.run(client.block(**ids(turn)))
    cut()
    assert face.run(client.record(**call(turn, tool_use_id="toolu_1")))
    cut()
    # Iterators can be read once only, whatever is tried again.
    named = (result(tool_use_id=f"toolu_{n}", tool_output=iter([n])) for n in (2, 3))
    made = face.run(client.record_many(turn.conversation_id, turn.user_id, turn.message_id, named))
    outputs = [face.run(client.result(id, turn.user_id)).tool_output for id in made]
    assert outputs == [[2], [3]]
    assert not client.failures
    cut()
    # It may have been stored before the connection was lost: nobody knows.
    assert face.run(client.record(**call(turn))) is None
    assert client.failures == {"connection": 1}


def test_conninfo_client_opens_late_and_closes(face: Face, database: Database, turn: Turn) -> None:
    def backends() -> Any:
        return database.superuser_conn.execute(
            "select count(*) from pg_stat_activity"
            " where application_name = 'pg_tool_recall' and datname = current_database()"
        ).fetchone()

    client = face.client(database.app)
    assert backends() == (0,)
    assert face.run(client.record(**call(turn)))
    assert backends() >= (1,)
    face.run(client.close())
    assert face.run(client.record(**call(turn))) is None
    assert client.failures == {"connection": 1}


def test_context_manager(database: Database, turn: Turn) -> None:
    with ToolRecall(database.app) as client:
        assert client.record(**call(turn))
    assert client.record(**call(turn)) is None

    async def awaited() -> None:
        async with AsyncToolRecall(database.app) as client:
            assert await client.record(**call(turn))
        assert await client.record(**call(turn)) is None

    asyncio.run(awaited())


# -- waiting


def test_block_does_not_wait_for_a_lock(face: Face, database: Database, turn: Turn) -> None:
    connection = face.connect()
    client = face.client(connection)
    add_message(face, connection, turn)
    assert face.run(client.record(**call(turn)))
    face.run(connection.commit())
    with table_locked(database):
        assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"timeout": 1}
    assert face.run(client.block(**ids(turn)))


def test_block_does_not_wait_for_the_pool(face: Face, turn: Turn) -> None:
    pool = face.pool()
    client = face.client(pool)
    taken = [face.run(pool.getconn()) for _ in range(2)]
    try:
        assert not face.run(client.block(**ids(turn)))
        assert client.failures == {"timeout": 1}
    finally:
        for one in taken:
            face.run(pool.putconn(one))


def test_block_does_not_wait_for_another_call_on_the_connection(
    database: Database, turn: Turn
) -> None:
    async def run() -> None:
        async with await psycopg.AsyncConnection.connect(database.app) as connection:
            client = AsyncToolRecall(connection)
            with table_locked(database):
                record = asyncio.ensure_future(client.record(**call(turn)))
                await asyncio.sleep(0.05)
                assert not await client.block(**ids(turn))
                assert client.failures == {"timeout": 1}
            assert await record
            assert await client.block(**ids(turn))

    asyncio.run(run())


def test_calls_on_one_connection_take_turns(database: Database, turn: Turn) -> None:
    client = ToolRecall(database.app_conn)
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: client.record(**call(turn)), range(40)))
    assert None not in made
    assert stored(database) == 40

    async def run() -> None:
        async with await psycopg.AsyncConnection.connect(database.app) as connection:
            client = AsyncToolRecall(database.app)
            tasks = [client.record(**call(turn), conn=connection) for _ in range(40)]
            assert None not in await asyncio.gather(*tasks)
            assert not client.failures
            await connection.commit()
            await client.close()

    asyncio.run(run())
    assert stored(database) == 80


def test_connection_in_the_middle_of_a_copy(database: Database, turn: Turn) -> None:
    connection = database.connect(autocommit=False)
    client = ToolRecall(connection)
    with connection.cursor().copy("copy (select 1) to stdout") as copy:
        assert client.record(**call(turn)) is None
        assert list(copy.rows()) == [("1",)]
    assert client.failures == {"busy": 1}
    assert client.record(**call(turn))


def test_connection_in_pipeline_mode(face: Face, turn: Turn) -> None:
    connection = face.connect()
    client = face.client(connection)

    def sync() -> Any:
        with connection.pipeline():
            cursor = connection.execute("select 1")
            assert client.record(**call(turn)) is None
            return cursor.fetchall()

    async def with_await() -> Any:
        async with connection.pipeline():
            cursor = await connection.execute("select 1")
            assert await client.record(**call(turn)) is None
            return await cursor.fetchall()

    assert face.run(with_await() if isinstance(face, AsyncFace) else sync()) == [(1,)]
    assert client.failures == {"pipeline": 1}
    assert face.run(client.record(**call(turn)))


def test_cancelled_task_is_cancelled_and_the_transaction_stays(
    database: Database, turn: Turn
) -> None:
    async def run() -> None:
        async with await psycopg.AsyncConnection.connect(database.app) as connection:
            client = AsyncToolRecall(connection)
            await connection.execute("create temporary table kept ()")
            with table_locked(database):
                task = asyncio.ensure_future(client.record(**call(turn)))
                await asyncio.sleep(0.2)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert connection.info.transaction_status == INTRANS
            assert await client.record(**call(turn))
            await connection.execute("select from kept")
            await connection.commit()
            assert not client.failures

    asyncio.run(run())
    assert stored(database) == 1


def test_interrupt_is_never_swallowed(database: Database, turn: Turn) -> None:
    connection = database.connect(autocommit=False)
    client = ToolRecall(connection)
    connection.execute("create temporary table kept ()")
    with table_locked(database):
        timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            client.record(**call(turn))
        timer.join()
    assert client.record(**call(turn))
    connection.execute("select from kept")
    assert not client.failures


@pytest.mark.parametrize("target", [5, None, object()])
def test_target_of_another_kind(target: Any) -> None:
    for client in (ToolRecall, AsyncToolRecall):
        with pytest.raises(TypeError):
            client(target)


def test_connection_of_the_other_kind(face: Face, database: Database, turn: Turn) -> None:
    async def connect() -> Any:
        return await psycopg.AsyncConnection.connect(database.app)

    if isinstance(face, AsyncFace):
        other: Any = database.connect()
    else:
        other = asyncio.run(connect())
    with pytest.raises(TypeError):
        face.client(other)
    client = face.client(database.app)
    assert face.run(client.record(**call(turn), conn=other)) is None
    assert client.failures == {"argument": 1}
    if not isinstance(face, AsyncFace):
        asyncio.run(other.close())


def test_options_are_checked(database: Database) -> None:
    wrong: list[dict[str, Any]] = [
        {"on_error": "ignore"},
        {"block_timeout": 0},
        {"block_timeout": -1},
        {"token_counter": "gpt"},
    ]
    for options in wrong:
        with pytest.raises(ValueError, match=next(iter(options))):
            ToolRecall(database.app, **options)


def test_json_survives_the_callers_settings(face: Face, turn: Turn) -> None:
    # Backslashes and quotes mean something else there.
    connection = face.connect(autocommit=True)
    face.run(connection.execute("set escape_string_warning = on"))
    face.run(connection.execute("set backslash_quote = off"))
    client = face.client(connection, on_error="raise")
    value = {"a": "it's \\ \\u0000 \\' \"quoted\" %s %% $1 é", "b": json.dumps({"c": "\n"})}
    id = face.run(client.record(**call(turn, tool_output=value, tool_name="a'b\\c%s")))
    found = face.run(client.result(id, turn.user_id))
    assert found.tool_output == value
    assert found.tool_name == "a'b\\c%s"
