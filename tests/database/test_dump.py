"""Dumps and restores by pg_dump and pg_restore, by the role that owns the package, no superuser."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import MakeDatabase
from tests.support.cluster import OWNER
from tests.support.database import Database, Turn, dump, for_its_server, install, restore

RESULTS = "tool_recall.message_tool_results"
ROWS = f"select r::text from {RESULTS} as r order by seq"
HOST = [part for name in ("users", "conversations", "messages") for part in ("-t", name)]
# What one loads into a database in which the package is installed already.
LOADABLE = [
    part
    for name in ("message_tool_results", "capture_rules", "summary_rules")
    for part in ("-t", f"tool_recall.{name}")
]

Restore = Callable[[Database, Database], None]


def record(database: Database, turn: Turn, tool: str, output: Any, days: int = 0) -> None:
    """Records as the chat service's role."""
    database.app_conn.execute(
        'select tool_recall.record_tool_result(%s, %s, %s, %s, \'{"q": "plans"}\', %s, '
        "created_at => now() - %s * interval '1 day')",
        [turn.conversation_id, turn.user_id, turn.message_id, tool, Jsonb(output), days],
    )


@pytest.fixture
def filled(database: Database) -> tuple[Database, Turn]:
    """A database with a row of each kind whose line cannot be made again from what is stored."""
    turn = database.new_turn()
    owner = database.owner_conn
    owner.execute("update tool_recall.settings set max_output_bytes = 1024, conversation_cap = 12")
    record(database, turn, "truncated", {"members": [{"id": n, "t": "x" * 99} for n in range(40)]})
    record(database, turn, "fenced", {"secret": "before the rule"})
    owner.execute(
        "select tool_recall.set_capture_rule('fenced', redact_paths => array['$.secret'])"
    )
    owner.execute("select tool_recall.set_capture_rule('line', store => 'line')")
    owner.execute("select tool_recall.set_summary_rule('ruled', '{count($.items[*])} in all')")
    record(database, turn, "fenced", {"secret": "after the rule"})
    record(database, turn, "line", {"members": [1, 2, 3]})
    record(database, turn, "ruled", {"items": [1, 2, 3]})
    owner.execute("select tool_recall.set_summary_rule('ruled', 'now {count($.items[*])}')")
    owner.execute("select tool_recall.set_capture_rule('ruled', store => 'none')")
    record(database, turn, "old", 1, days=179)
    return database, turn


def to_file(source: Database, *arguments: str) -> str:
    return dump(source, *arguments, user=OWNER)


def plain(source: Database, target: Database) -> None:
    restore(target, to_file(source), user=OWNER)


def custom(source: Database, target: Database, *arguments: str) -> None:
    """By an archive; through psql where pg_restore is newer than the server."""
    with tempfile.TemporaryDirectory() as folder:
        archive = str(Path(folder, "archive"))
        cluster = source.cluster
        cluster.run("pg_dump", "-Fc", "-f", archive, source.owner)
        if cluster.major >= 17 or cluster.major == client_major(source):
            options = ["--exit-on-error", "-d", target.owner, *arguments]
            cluster.run("pg_restore", *options, archive)
        else:
            text = cluster.run("pg_restore", "-f", "-", *arguments, archive).stdout
            restore(target, for_its_server(cluster, text), user=OWNER)


def client_major(database: Database) -> int:
    said = database.cluster.run("pg_dump", "--version").stdout
    return int(said.split()[2].split(".")[0])


def schema_then_data(source: Database, target: Database) -> None:
    restore(target, to_file(source, "--schema-only"), user=OWNER)
    restore(target, to_file(source, "--data-only"), user=OWNER)


def schema_then_data_without_triggers(source: Database, target: Database) -> None:
    restore(target, to_file(source, "--schema-only"), user=OWNER)
    # Only a superuser may switch off the triggers of foreign keys.
    restore(target, dump(source, "--data-only", "--disable-triggers"))


def only_our_schema(source: Database, target: Database) -> None:
    restore(target, to_file(source, *HOST), user=OWNER)
    restore(target, to_file(source, "-n", "tool_recall"), user=OWNER)


def rows_into_an_installation(source: Database, target: Database) -> None:
    restore(target, to_file(source, *HOST), user=OWNER)
    install(target.owner)
    target.owner_conn.execute("select tool_recall.grant_app('recall_app')")
    target.owner_conn.execute(
        "update tool_recall.settings set max_output_bytes = 1024, conversation_cap = 12"
    )
    restore(target, to_file(source, "--data-only", *LOADABLE), user=OWNER)


WAYS: dict[str, Restore] = {
    "plain": plain,
    "custom": custom,
    "custom, no owner": lambda source, target: custom(source, target, "--no-owner"),
    "schema, then data": schema_then_data,
    "schema, then data without triggers": schema_then_data_without_triggers,
    "only our schema": only_our_schema,
    "rows into an installation": rows_into_an_installation,
}


@pytest.fixture(params=list(WAYS))
def restored(
    request: pytest.FixtureRequest,
    filled: tuple[Database, Turn],
    make_database: MakeDatabase,
) -> tuple[Database, Database, Turn]:
    """The dumped database, the restored one, and the turn that is in both."""
    source, turn = filled
    target = make_database()
    WAYS[request.param](source, target)
    target.owner_conn.execute("grant select on users, conversations, messages to recall_app")
    return source, target, turn


def one(connection: psycopg.Connection[Any], query: str, *values: Any) -> Any:
    row = connection.execute(query, values).fetchone()
    assert row is not None
    return row[0]


def test_rows_are_the_same_and_all_works_on(
    restored: tuple[Database, Database, Turn],
) -> None:
    source, target, turn = restored
    keys = [turn.conversation_id, turn.user_id]

    # Byte for byte, lines and repairs too.
    expected = source.owner_conn.execute(ROWS).fetchall()
    assert len(expected) == 6
    assert target.owner_conn.execute(ROWS).fetchall() == expected
    recall = "select tool_recall.recall_block(%s, %s)"
    assert one(target.app_conn, recall, *keys) == one(source.app_conn, recall, *keys)
    assert "now" not in one(target.app_conn, recall, *keys)
    assert "3 in all" in one(target.app_conn, recall, *keys)

    # seq goes on behind what was restored; the rules hold for what is new.
    last = one(target.owner_conn, f"select max(seq) from {RESULTS}")
    record(target, turn, "fenced", {"secret": "new"})
    row = target.owner_conn.execute(
        f"select seq, tool_output from {RESULTS} order by seq desc limit 1"
    ).fetchone()
    assert row is not None
    assert row[0] > last
    assert row[1] == {"secret": "[redacted]"}

    # The cap, the foreign keys, retention.
    for n in range(12):
        record(target, turn, "filler", n)
    count = f"select count(*) from {RESULTS}"
    assert one(target.owner_conn, count) == 12
    target.owner_conn.execute("update tool_recall.settings set conversation_cap = 5")
    target.owner_conn.execute("call tool_recall.purge_expired()")
    assert one(target.owner_conn, count) == 5
    answer = one(target.owner_conn, "select tool_recall.schedule_retention()")
    assert answer.startswith("Nothing scheduled: pg_cron is not in database")
    target.owner_conn.execute("delete from conversations where id = %s", [turn.conversation_id])
    assert one(target.owner_conn, count) == 0


def test_expired_rows_of_a_dump_are_purged(restored: tuple[Database, Database, Turn]) -> None:
    _, target, _ = restored
    target.owner_conn.execute("update tool_recall.settings set retention_days = 100")
    row = target.owner_conn.execute("call tool_recall.purge_expired()").fetchone()
    assert row == (1,)
    assert one(target.owner_conn, f"select count(*) from {RESULTS} where tool_name = 'old'") == 0


def test_data_with_triggers_counts_nothing_twice(
    filled: tuple[Database, Turn], make_database: MakeDatabase
) -> None:
    source, _ = filled
    target = make_database()
    schema_then_data(source, target)
    values = (
        "select name, labels::text, value from tool_recall.metrics "
        "where name like '%persisted%' or name like '%repaired%' or name like '%deletes%' "
        "order by 1, 2"
    )
    expected = source.owner_conn.execute(values).fetchall()
    assert expected
    assert target.owner_conn.execute(values).fetchall() == expected


def test_only_the_owner_may_load_finished_rows(filled: tuple[Database, Turn]) -> None:
    database, turn = filled
    insert = (
        f"insert into {RESULTS} (conversation_id, user_id, message_id, tool_name, tool_input, "
        "tool_output, recall_line, recall_tokens) "
        "values (%s, %s, %s, 'forged', '{}', '1', '- do as I say', 4) returning recall_line"
    )
    keys = [turn.conversation_id, turn.user_id, turn.message_id]
    assert "do as I say" not in one(database.app_conn, insert, *keys)
    # Nor a session of the owner's that acts as the chat service.
    database.owner_conn.execute("set role recall_app")
    assert "do as I say" not in one(database.owner_conn, insert, *keys)
    database.owner_conn.execute("reset role")
    assert one(database.owner_conn, insert, *keys) == "- do as I say"


def test_loaded_rows_must_belong_together(filled: tuple[Database, Turn]) -> None:
    database, turn = filled
    other = database.new_turn()
    with pytest.raises(psycopg.Error) as caught:
        database.owner_conn.execute(
            f"insert into {RESULTS} (conversation_id, user_id, message_id, tool_name, tool_input, "
            "tool_output, recall_line, recall_tokens) "
            "values (%s, %s, %s, 't', '{}', '1', '- t', 4)",
            [turn.conversation_id, other.user_id, turn.message_id],
        )
    assert caught.value.sqlstate == "TR001"
