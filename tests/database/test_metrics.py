"""Counting under concurrent writers, over prepared transactions, isolation levels and a restore."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.conftest import MakeDatabase
from tests.database.test_concurrency import RECORD, deadlocks, expired_rows, in_parallel
from tests.support.database import Database, Turn, dump, restore


def metrics(database: Database) -> dict[tuple[str, str | None], int]:
    """Each counter's value by its name and label."""
    rows = database.owner_conn.execute(
        "select name, (select value from jsonb_each_text(labels)), value from tool_recall.metrics "
        "where kind = 'counter'"
    )
    return {(name, label): int(value) for name, label, value in rows}


def persisted(database: Database) -> dict[str, int]:
    return {
        label: value
        for (name, label), value in metrics(database).items()
        if name == "tool_results_persisted_total" and label is not None
    }


def record(connection: psycopg.Connection[Any], turn: Turn, tool: str) -> None:
    connection.execute(
        RECORD, [turn.conversation_id, turn.user_id, turn.message_id, tool, "{}", "1", None]
    )


def test_32_writers_over_two_tools_in_opposite_orders(database: Database) -> None:
    turns = [database.new_turn() for _ in range(32)]

    def write(writer: int) -> None:
        tools = ("a", "b") if writer % 2 else ("b", "a")
        with psycopg.connect(database.app) as connection:
            for k in range(10):
                for tool in tools:
                    record(connection, turns[writer], tool)
                if k == 5:
                    connection.rollback()
                else:
                    connection.commit()

    in_parallel(32, write)
    assert persisted(database) == {"a": 32 * 9, "b": 32 * 9}
    assert deadlocks(database) == 0


def test_no_writer_waits_for_another(database: Database) -> None:
    # In all slots, so that whatever process comes next shares one with an open transaction.
    turn, other = database.new_turn(), database.new_turn()
    database.owner_conn.execute(
        "select tool_recall._count_tool('tool_results_persisted_total', 'a', 1)"
    )
    database.owner_conn.execute(
        "insert into tool_recall._counters (name, label, slot, part, value) "
        "select 'tool_results_persisted_total', 'a', n, 0, 1 from generate_series(0, 63) as n"
    )
    with psycopg.connect(database.owner) as holder:
        holder.execute("select from tool_recall._counters for update")
        database.app_conn.execute("set lock_timeout = '2s'")
        record(database.app_conn, turn, "a")
        # Nor does a purge, which leaves what is held.
        database.owner_conn.execute("set lock_timeout = '2s'")
        database.owner_conn.execute("call tool_recall.purge_expired()")
    record(database.app_conn, other, "a")
    assert persisted(database) == {"a": 67}


def test_folding_while_32_write_loses_nothing(database: Database) -> None:
    turns = [database.new_turn() for _ in range(16)]

    def work(n: int) -> None:
        user = database.owner if n % 8 == 0 else database.app
        with psycopg.connect(user, autocommit=True) as connection:
            for _ in range(30):
                if n % 8 == 0:
                    connection.execute("select tool_recall._fold_counters()")
                else:
                    record(connection, turns[n], "a")

    in_parallel(16, work)
    assert persisted(database) == {"a": 14 * 30}
    database.owner_conn.execute("call tool_recall.purge_expired()")
    assert persisted(database) == {"a": 14 * 30}
    assert database.owner_conn.execute("select count(*) from tool_recall._counters").fetchone() == (
        1,
    )
    assert deadlocks(database) == 0


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_above_read_committed_folding_fails_no_recording(database: Database, level: str) -> None:
    turn = database.new_turn()
    with psycopg.connect(database.app) as connection:
        record(connection, turn, "a")
        connection.commit()
        connection.execute(f"set transaction isolation level {level}".encode())
        connection.execute("select 1 from tool_recall.settings")
        database.owner_conn.execute("call tool_recall.purge_expired()")
        record(connection, turn, "a")
    assert persisted(database) == {"a": 2}


def test_copy_is_counted(database: Database) -> None:
    turn = database.new_turn()
    with (
        database.app_conn.cursor() as cursor,
        cursor.copy(
            "copy tool_recall.message_tool_results "
            "(conversation_id, user_id, message_id, tool_name, tool_input, tool_output) from stdin"
        ) as copy,
    ):
        for n in range(300):
            copy.write_row(
                (turn.conversation_id, turn.user_id, turn.message_id, f"t{n % 3}", "{}", "1")
            )
    assert persisted(database) == {"t0": 100, "t1": 100, "t2": 100}
    assert metrics(database)["tool_results_cap_deletes_total", None] == 100


def test_a_purge_counts_retention_and_cap_apart(database: Database) -> None:
    turn = expired_rows(database, 25)
    for _ in range(10):
        record(database.app_conn, turn, "a")
    database.owner_conn.execute("update tool_recall.settings set conversation_cap = 6")
    row = database.owner_conn.execute("call tool_recall.purge_expired(10)").fetchone()
    assert row == (29,)
    found = metrics(database)
    assert found["tool_results_retention_deletes_total", None] == 25
    assert found["tool_results_cap_deletes_total", None] == 4


def test_erasure_takes_nothing_away(database: Database) -> None:
    turn = database.new_turn()
    record(database.app_conn, turn, "a")
    database.owner_conn.execute("delete from users where id = %s", [turn.user_id])
    assert persisted(database) == {"a": 1}


def test_a_dump_keeps_counts_and_rules(database: Database, make_database: MakeDatabase) -> None:
    turn = database.new_turn()
    for _ in range(3):
        record(database.app_conn, turn, "a")
    database.owner_conn.execute(
        "select tool_recall.set_capture_rule('a', redact_paths => array['$.p'])"
    )
    before = metrics(database)
    copied = make_database()
    restore(copied, dump(database))
    assert metrics(copied) == before
    copied.app_conn.execute(
        RECORD,
        [turn.conversation_id, turn.user_id, turn.message_id, "a", "{}", '{"p": 1}', None],
    )
    assert persisted(copied) == {"a": 4}
    assert copied.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results where repairs ? 'redacted'"
    ).fetchone() == (1,)


def test_counts_stay_cheap_under_an_old_snapshot(database: Database) -> None:
    # Versions that an old snapshot keeps are not passed again and again: few buffers are read.
    with psycopg.connect(database.owner) as old:
        old.execute("set transaction isolation level repeatable read")
        old.execute("select count(*) from tool_recall._counters")
        database.owner_conn.execute(
            "do $$ begin for n in 1..3000 loop perform "
            "tool_recall._count('tool_results_persisted_total', 'a', 1); end loop; end $$"
        )
        row = database.owner_conn.execute(
            "explain (analyze, buffers, format json, timing off) select ctid "
            "from tool_recall._counters where name = 'tool_results_persisted_total' "
            "and label = 'a' and slot = pg_backend_pid() & 63 order by part desc limit 1"
        ).fetchone()
        assert row is not None
        plan = row[0][0]["Plan"]
    parts = database.owner_conn.execute("select part from tool_recall._counters").fetchall()
    assert parts == [(3000 // 128,)]
    pages = database.owner_conn.execute(
        "select pg_relation_size('tool_recall._counters') / 8192"
    ).fetchone()
    assert pages is not None
    assert pages[0] > 25
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 12
