"""What docs/ says a summary is, it is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.support.database import ROOT, Database

CODE = re.compile(r"`((?:[^`])+)`")


def rows(document: str, columns: int) -> list[list[str]]:
    """The code in each row of a document's tables of so many columns."""
    lines = (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return [row for row in cells if len(row) == columns and row[-1].startswith("`")]


def code(cell: str) -> str:
    found = CODE.search(cell)
    assert found is not None, cell
    return found[1]


@pytest.mark.parametrize(("result", "summary"), rows("summaries.md", 2))
def test_generic_summaries(database: Database, result: str, summary: str) -> None:
    row = database.app_conn.execute(
        "select tool_recall.summarize_tool_result('a_tool', '{}', %s::jsonb)", [code(result)]
    ).fetchone()
    assert row == (code(summary),)


def sample() -> tuple[Any, Any]:
    text = (ROOT / "docs" / "summary-rules.md").read_text(encoding="utf-8")
    called = re.search(r"with the input\n`([^`]*)`", text)
    output = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert called is not None
    assert output is not None
    return json.loads(called[1]), json.loads(output[1])


RULES = [row[-2:] for row in rows("summary-rules.md", 4)]
# The path with a filter stands in the text.
RULES.append(["`{count($.plans[*] ? (@.price > 0))} paid plans`", "`2 paid plans`"])


@pytest.mark.parametrize(("rule", "summary"), RULES)
def test_placeholders(database: Database, rule: str, summary: str) -> None:
    called, output = sample()
    database.owner_conn.execute("select tool_recall.set_summary_rule('ruled', %s)", [code(rule)])
    row = database.app_conn.execute(
        "select tool_recall.summarize_tool_result('ruled', %s::jsonb, %s::jsonb)",
        [json.dumps(called), json.dumps(output)],
    ).fetchone()
    assert row == (code(summary),)


def test_the_documents_have_examples() -> None:
    assert len(rows("summaries.md", 2)) == 11
    assert len(RULES) == 14
