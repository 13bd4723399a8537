"""Generic summaries: every shape of result that is known, and any that is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.database import ROOT, Database

KINDS = json.loads((ROOT / "tests" / "data" / "summary_kinds.json").read_text())["cases"]
FOLDER = ROOT / "functions" / "summary"
# Every word that the functions look for, so that arbitrary values meet each branch of them.
WORDS = sorted(
    {
        word
        for path in Path(FOLDER).glob("*.sql")
        for word in re.findall(r"'([A-Za-z_@.]{1,24})'", path.read_text())
    }
)
SHAPES = [
    "2026-05-01", "2026-05-01T10:00:00+02:00", "1775040000", '{"a": 1}', "[1,2", "null", "41",
    "a,b,c\n1,2,3\n4,5,6", "# h\n| a | b |\n|---|---|\n| 1 | 2 |", "<html><title>x</title>",
    "x" * 300, "\\", '"', "```json\n{}\n```", '{"a": 1}\n{"b": 2}', "9" * 30, "1e400", "\u202e",
    "Traceback (most recent call last):\n x", "bob@example.com", "+49 30 1234567",
]  # fmt: skip
SCALAR = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 404, 1775040000, 1775040000000, 10**40, -0.5, 1e-30])
    | st.sampled_from(SHAPES)
    | st.sampled_from(WORDS)
)
KEY = st.sampled_from(WORDS) | st.sampled_from(["", "x y", "\u00e9", "a" * 40, "name", "id"])
VALUE = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.builds(lambda item, n: [item] * n, inner, st.integers(1, 4))
        | st.dictionaries(KEY, inner, max_size=5)
    ),
    max_leaves=20,
)


def summarize(database: Database, outputs: list[Any], is_error: bool = False) -> list[str]:
    rows = database.app_conn.execute(
        "select tool_recall.summarize_tool_result('a_tool', '{}', o.value::jsonb, %s) "
        "from unnest(%s::text[]) with ordinality as o (value, place) order by o.place",
        [is_error, [json.dumps(output) for output in outputs]],
    ).fetchall()
    return [row[0] for row in rows]


def test_each_kind_has_its_summary(local: Database) -> None:
    found = summarize(local, [case["tool_output"] for case in KINDS])
    assert {c["name"]: s for c, s in zip(KINDS, found, strict=True)} == {
        case["name"]: case["summary"] for case in KINDS
    }


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(outputs=st.lists(VALUE, min_size=20, max_size=40), is_error=st.booleans())
def test_any_result_has_one(database: Database, outputs: list[Any], is_error: bool) -> None:
    """Nothing raises; one line of at most 120 characters, without a private text."""
    for summary in summarize(database, outputs, is_error):
        assert 0 < len(summary) <= 120
        assert "\n" not in summary
        assert "bob@" not in summary
        assert "1234567" not in summary


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(outputs=st.lists(VALUE, min_size=20, max_size=40), is_error=st.booleans())
def test_none_quotes_where_it_may_not(
    database: Database, outputs: list[Any], is_error: bool
) -> None:
    database.owner_conn.execute("update tool_recall.settings set quote_free_text = false")
    for summary in summarize(database, outputs, is_error):
        for quoted in re.findall(r'"[^"]*"', summary):
            assert re.fullmatch(r'"(\u2026|\d{4}-\d\d-\d\d.*)"', quoted)
