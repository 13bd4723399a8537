"""The handed cases, in databases of several locales and sessions of several time zones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb

from tests.support.database import ROOT, Database, Turn, run_script

DATA = Path(__file__).resolve().parents[1] / "data"
GOLDEN = json.loads((DATA / "golden_block.json").read_text())
SUMMARIES = json.loads((DATA / "generic_summaries.json").read_text())["cases"]
ZONES = ["UTC", "Asia/Tokyo", "America/Los_Angeles"]


def record(database: Database, turn: Turn, snapshot: dict[str, Any], created_at: str) -> str:
    row = database.app_conn.execute(
        "with r as (select tool_recall.record_tool_result(%s, %s, %s, %s, %s, %s, %s, false, %s) "
        "as id) select id from r",
        [
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            snapshot["tool_name"],
            Jsonb(snapshot["tool_input"]),
            Jsonb(snapshot["tool_output"]),
            snapshot.get("tool_use_id"),
            created_at,
        ],
    ).fetchone()
    assert row is not None
    line = database.app_conn.execute(
        "select recall_line from tool_recall.message_tool_results where id = %s", [row[0]]
    ).fetchone()
    assert line is not None
    return str(line[0])


def test_the_golden_block_byte_for_byte(local: Database) -> None:
    for rule in sorted((ROOT / "sql" / "rules").glob("*.sql")):
        run_script(local.owner, rule)
    for zone in ZONES:
        local.app_conn.execute("select set_config('timezone', %s, false)", [zone])
        turn = local.new_turn()
        for snapshot in GOLDEN["snapshots_oldest_first"]:
            record(local, turn, snapshot, snapshot["created_at"])
        row = local.app_conn.execute(
            "select tool_recall._recall_block(%s, %s, '2026-05-20T00:00:00Z')",
            [turn.conversation_id, turn.user_id],
        ).fetchone()
        assert row is not None
        assert row[0].encode() == GOLDEN["block"].encode()


def test_the_other_golden_lines(local: Database) -> None:
    run_script(local.owner, ROOT / "sql" / "rules" / "update_customer_brain.sql")
    turn = local.new_turn()
    for also in GOLDEN["also"]:
        line = record(local, turn, also, "2026-05-08T16:40:11Z")
        assert line == "- 2026-05-08 " + also["line_after_date"]


def test_the_generic_summaries(local: Database) -> None:
    for case in SUMMARIES:
        row = local.app_conn.execute(
            "select tool_recall.summarize_tool_result(%s, '{}', %s, %s)",
            [case["tool_name"], Jsonb(case["tool_output"]), case.get("is_error", False)],
        ).fetchone()
        assert row is not None
        summary = row[0]
        assert len(summary) <= 120
        for part in case["has"]:
            assert part in summary, case["name"]
        for part in case["lacks"]:
            assert part not in summary, case["name"]
