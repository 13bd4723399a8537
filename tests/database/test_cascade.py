"""Rows go with their user, conversation or message, by an index."""

from __future__ import annotations

import pytest

from tests.support.database import Database, Turn

COUNT = "select count(*) from tool_recall.message_tool_results"


def record(database: Database, turn: Turn) -> None:
    database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1')",
        [turn.conversation_id, turn.user_id, turn.message_id],
    )


@pytest.mark.parametrize(
    ("table", "key"),
    [("users", "user_id"), ("conversations", "conversation_id"), ("messages", "message_id")],
)
def test_rows_go_with_their_parent_and_no_others(database: Database, table: str, key: str) -> None:
    gone, stays = database.new_turn(), database.new_turn()
    record(database, gone)
    record(database, stays)
    database.app_conn.execute(f"delete from {table} where id = %s", [getattr(gone, key)])
    assert database.owner_conn.execute(
        "select conversation_id from tool_recall.message_tool_results"
    ).fetchall() == [(stays.conversation_id,)]


@pytest.mark.parametrize("key", ["user_id", "conversation_id", "message_id"])
def test_each_cascade_has_an_index(database: Database, key: str) -> None:
    turn = database.new_turn()
    for _ in range(3):
        record(database, turn)
    database.owner_conn.execute(
        "set enable_seqscan = off; analyze tool_recall.message_tool_results"
    )
    plan = database.owner_conn.execute(
        f"explain delete from only tool_recall.message_tool_results where {key} = %s",
        [getattr(turn, key)],
    ).fetchall()
    text = "\n".join(row[0] for row in plan)
    assert f"Index Cond: ({key} =" in text


def test_a_removed_message_leaves_the_others_of_its_conversation(database: Database) -> None:
    first = database.new_turn()
    second = database.new_turn(first.user_id, first.conversation_id)
    record(database, first)
    record(database, second)
    database.app_conn.execute("delete from messages where id = %s", [first.message_id])
    assert database.owner_conn.execute(COUNT).fetchone() == (1,)
