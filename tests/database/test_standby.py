"""Recall on a hot standby, and recording after its promotion."""

from __future__ import annotations

from pathlib import Path

import psycopg

from tests.support.cluster import Cluster
from tests.support.database import Database, create_database, prepare

READS = [
    "select tool_recall.recall_block(%s, %s)",
    "select array_agg(l.*::text) from tool_recall.recall_lines(%s, %s) as l",
    "select array_agg(r.*::text) from tool_recall.recall_tool_results(%s, %s) as r",
    "select tool_recall.count_tokens(%s::text || %s::text)",
]


def test_recall_on_a_standby_and_after_promotion(dist: Path) -> None:
    with Cluster(cron=False) as primary:
        database = create_database(primary, "recall")
        prepare(database)
        turn = database.new_turn()
        keys = [turn.conversation_id, turn.user_id]
        record = "select tool_recall.record_tool_result(%s, %s, %s, %s, '{}', '41')"
        database.app_conn.execute(record, [*keys, turn.message_id, "first"])
        with primary.standby() as standby:
            standby.catch_up()
            there = Database(standby, "recall")
            assert there.app_conn.execute("select pg_is_in_recovery()").fetchone() == (True,)
            for read in READS:
                expected = database.app_conn.execute(read, keys).fetchone()
                assert expected is not None
                assert expected[0]
                assert there.app_conn.execute(read, keys).fetchone() == expected
            status = there.owner_conn.execute("select version from tool_recall.status").fetchone()
            assert status is not None
            try:
                there.app_conn.execute(record, [*keys, turn.message_id, "refused"])
            except psycopg.errors.ReadOnlySqlTransaction:
                pass
            else:
                raise AssertionError("a standby took a write")

            standby.promote()
            there.app_conn.execute(record, [*keys, turn.message_id, "second"])
            block = there.app_conn.execute(READS[0], keys).fetchone()
            assert block is not None
            assert " second(): 41\n" in block[0]
            assert " first(): 41\n" in block[0]
            there.close()
        database.close()
