"""The cap and idempotency under concurrent writers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from tests.support.database import Database, Turn

CAP = 200
RECORD = "select tool_recall.record_tool_result(%s, %s, %s, %s, %s::jsonb, %s::jsonb, %s)"


def record(
    connection: psycopg.Connection[Any], turn: Turn, n: int, tool_use_id: str | None = None
) -> Any:
    row = connection.execute(
        RECORD,
        [
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            "t",
            f'{{"n": {n}}}',
            str(n),
            tool_use_id,
        ],
    ).fetchone()
    assert row is not None
    return row[0]


def kept(connection: psycopg.Connection[Any], turn: Turn) -> list[int]:
    """The numbers that are kept, newest first by (created_at, seq)."""
    rows = connection.execute(
        "select tool_output::int from tool_recall.message_tool_results "
        "where conversation_id = %s order by created_at desc, seq desc",
        [turn.conversation_id],
    )
    return [row[0] for row in rows]


def in_parallel(count: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of work(0..count-1), all begun at once; raises what any of them raised."""
    barrier = threading.Barrier(count)

    def begin(n: int) -> Any:
        barrier.wait(30)
        return work(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def fill(connection: psycopg.Connection[Any], turn: Turn, count: int) -> None:
    connection.execute(
        "insert into tool_recall.message_tool_results "
        "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output) "
        "select %s, %s, %s, 't', '{}', to_jsonb(-n) from generate_series(%s::int, 1, -1) as n",
        [turn.conversation_id, turn.user_id, turn.message_id, count],
    )


def deadlocks(database: Database) -> int:
    row = database.superuser_conn.execute(
        "select deadlocks from pg_stat_database where datname = current_database()"
    ).fetchone()
    assert row is not None
    return int(row[0])


def test_32_writers_keep_exactly_the_newest(database: Database) -> None:
    turn = database.new_turn()
    fill(database.owner_conn, turn, CAP)
    stored: list[tuple[Any, int, int]] = []

    def write(writer: int) -> None:
        with psycopg.connect(database.app, autocommit=True) as connection:
            for k in range(10):
                number = writer * 10 + k
                assert record(connection, turn, number) is not None
                stored.append((None, number, 0))

    in_parallel(32, write)
    now = kept(database.owner_conn, turn)
    assert len(stored) == 320
    assert len(now) == CAP
    # All of the filling was older, so all that is kept is of the writers', none twice.
    assert len({n for n in now if n >= 0}) == CAP
    assert deadlocks(database) == 0


def test_writers_over_conversations_in_opposite_orders(database: Database) -> None:
    turns = [database.new_turn() for _ in range(12)]
    insert = (
        "insert into tool_recall.message_tool_results "
        "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output) "
        "select c, u, m, 't', '{}', '1' "
        "from unnest(%s::uuid[], %s::uuid[], %s::uuid[]) as x (c, u, m)"
    )

    def write(writer: int) -> None:
        order = turns if writer % 2 else turns[::-1]
        columns = [
            [t.conversation_id for t in order],
            [t.user_id for t in order],
            [t.message_id for t in order],
        ]
        with psycopg.connect(database.app, autocommit=True) as connection:
            for _ in range(30):
                connection.execute(insert, columns)

    in_parallel(8, write)
    assert [len(kept(database.owner_conn, turn)) for turn in turns] == [CAP] * 12
    assert deadlocks(database) == 0


def test_a_raced_call_id_is_stored_once(database: Database) -> None:
    turn = database.new_turn()

    def write(_: int) -> Any:
        with psycopg.connect(database.app, autocommit=True) as connection:
            return record(connection, turn, 1, "toolu_1")

    assert len(set(in_parallel(16, write))) == 1
    assert kept(database.owner_conn, turn) == [1]


def test_a_raced_call_id_with_other_contents_loses_none(database: Database) -> None:
    turn = database.new_turn()

    def write(n: int) -> Any:
        with psycopg.connect(database.app, autocommit=True) as connection:
            return record(connection, turn, n, "toolu_1")

    assert len(set(in_parallel(16, write))) == 16
    assert sorted(kept(database.owner_conn, turn)) == list(range(16))
    reused = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results where repairs ->> 'id_reused' = '1'"
    ).fetchone()
    assert reused == (15,)


def test_repeatable_read_may_pass_the_cap_until_the_next_insert(database: Database) -> None:
    turn = database.new_turn()
    fill(database.owner_conn, turn, CAP)
    writers = [database.connect() for _ in range(5)]
    for connection in writers:
        connection.autocommit = False
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        # The snapshot is taken before any of them writes.
        connection.execute("select 1 from tool_recall.settings").fetchone()
    for n, connection in enumerate(writers):
        record(connection, turn, n)
        connection.commit()
    assert CAP <= len(kept(database.owner_conn, turn)) <= CAP + 5

    record(database.app_conn, turn, 100)
    now = kept(database.owner_conn, turn)
    assert len(now) == CAP
    assert now[:6] == [100, 4, 3, 2, 1, 0]


def test_copy_of_1000_rows(database: Database) -> None:
    turn = database.new_turn()
    with (
        database.app_conn.cursor() as cursor,
        cursor.copy(
            "copy tool_recall.message_tool_results "
            "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output) from stdin"
        ) as copy,
    ):
        for n in range(1000):
            copy.write_row((turn.conversation_id, turn.user_id, turn.message_id, "t", "{}", str(n)))
    assert kept(database.owner_conn, turn) == list(range(999, 799, -1))


def test_one_insert_over_15000_conversations(database: Database) -> None:
    owner = database.owner_conn
    owner.execute(
        """insert into users (id, name) values (md5('u')::uuid, 'Ada');
        insert into conversations (id, user_id)
        select md5('c' || n)::uuid, md5('u')::uuid from generate_series(1, 15000) as n;
        insert into messages (id, conversation_id, role)
        select md5('m' || n)::uuid, md5('c' || n)::uuid, 'assistant'
        from generate_series(1, 15000) as n;"""
    )
    assert owner.execute("show max_locks_per_transaction").fetchone() == ("64",)
    database.app_conn.execute(
        "insert into tool_recall.message_tool_results "
        "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output) "
        "select md5('c' || n)::uuid, md5('u')::uuid, md5('m' || n)::uuid, 't', '{}', '1' "
        "from generate_series(1, 15000) as n"
    )
    assert owner.execute(
        "select count(distinct conversation_id) from tool_recall.message_tool_results"
    ).fetchone() == (15000,)


def test_ties_in_created_at_are_broken_by_seq(database: Database) -> None:
    turn = database.new_turn()
    database.app_conn.execute(
        "insert into tool_recall.message_tool_results "
        "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output, created_at) "
        "select %s, %s, %s, 't', '{}', to_jsonb(n), now() from generate_series(1, 300) as n",
        [turn.conversation_id, turn.user_id, turn.message_id],
    )
    assert kept(database.owner_conn, turn) == list(range(300, 100, -1))


def test_a_lowered_cap_is_enforced_by_the_next_purge(database: Database) -> None:
    first, second = database.new_turn(), database.new_turn()
    fill(database.owner_conn, first, 120)
    fill(database.owner_conn, second, 30)
    database.owner_conn.execute("update tool_recall.settings set conversation_cap = 50")
    assert len(kept(database.owner_conn, first)) == 120
    row = database.owner_conn.execute("call tool_recall.purge_expired(7)").fetchone()
    assert row == (70,)
    assert kept(database.owner_conn, first) == list(range(-1, -51, -1))
    assert len(kept(database.owner_conn, second)) == 30
    assert database.owner_conn.execute("call tool_recall.purge_expired()").fetchone() == (0,)
    record(database.app_conn, first, 5)
    assert kept(database.owner_conn, first)[:2] == [5, -1]
    assert len(kept(database.owner_conn, first)) == 50


def expired_rows(database: Database, count: int) -> Turn:
    turn = database.new_turn()
    database.owner_conn.execute("alter table tool_recall.message_tool_results disable trigger user")
    database.owner_conn.execute(
        "insert into tool_recall.message_tool_results (conversation_id, user_id, message_id, "
        "tool_name, tool_input, tool_output, created_at, recall_line, recall_tokens) "
        "select %s, %s, %s, 't', '{}', to_jsonb(n), now() - interval '181 days', '- t', 1 "
        "from generate_series(1, %s) as n",
        [turn.conversation_id, turn.user_id, turn.message_id, count],
    )
    database.owner_conn.execute("alter table tool_recall.message_tool_results enable trigger user")
    return turn


def test_purges_and_writers_do_not_collide(database: Database) -> None:
    turn = expired_rows(database, 3000)
    other = database.new_turn()

    def work(n: int) -> int:
        if n < 2:
            with psycopg.connect(database.owner, autocommit=True) as connection:
                row = connection.execute("call tool_recall.purge_expired(50)").fetchone()
                assert row is not None
                return int(row[0])
        with psycopg.connect(database.app, autocommit=True) as connection:
            for k in range(60):
                record(connection, other, n * 100 + k)
                record(connection, turn, n * 100 + k)
        return 0

    purged = in_parallel(6, work)
    assert deadlocks(database) == 0
    assert sum(purged) <= 3000
    row = database.owner_conn.execute("call tool_recall.purge_expired()").fetchone()
    left = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results "
        "where created_at < now() - interval '180 days'"
    ).fetchone()
    assert row is not None
    assert left == (0,)
    assert len(kept(database.owner_conn, other)) == CAP
    assert len(kept(database.owner_conn, turn)) == CAP


def test_a_refresh_waits_for_no_writer(database: Database) -> None:
    turn = database.new_turn()
    fill(database.app_conn, turn, 10)
    database.owner_conn.execute("select tool_recall.set_summary_rule('t', 'n {first($)}')")
    held = "select id from tool_recall.message_tool_results order by id limit 3 for update"
    with psycopg.connect(database.owner) as writer:
        writer.execute(held.encode())
        database.owner_conn.execute("set lock_timeout = '5s'")
        database.owner_conn.execute("call tool_recall.refresh_recall_lines()")
    refreshed = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results where recall_line ~ 'n -[0-9]+$'"
    ).fetchone()
    assert refreshed == (7,)


def test_an_interrupted_purge_resumes(database: Database) -> None:
    expired_rows(database, 2000)
    connection = database.connect("recall_owner")
    threading.Timer(0.05, connection.cancel).start()
    # Where the purge is done before it can be cancelled there is nothing left to resume.
    with contextlib.suppress(psycopg.errors.QueryCanceled):
        connection.execute("call tool_recall.purge_expired(5)")
    row = database.owner_conn.execute("call tool_recall.purge_expired()").fetchone()
    assert row is not None
    assert database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone() == (0,)


def test_max_seconds_bounds_a_purge(database: Database) -> None:
    expired_rows(database, 100)
    row = database.owner_conn.execute("call tool_recall.purge_expired(10, 0)").fetchone()
    assert row == (10,)


def test_a_purge_leaves_its_traces(database: Database) -> None:
    expired_rows(database, 25)
    database.owner_conn.execute("call tool_recall.purge_expired(10)")
    row = database.owner_conn.execute(
        "select last_purge_at is not null, last_purge_deleted from tool_recall.status"
    ).fetchone()
    assert row == (True, 25)


@pytest.mark.parametrize("arguments", ["0", "null", "10, -1"])
def test_a_purge_refuses_bad_bounds(database: Database, arguments: str) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        database.owner_conn.execute(f"call tool_recall.purge_expired({arguments})")
