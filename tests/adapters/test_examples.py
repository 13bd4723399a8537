"""The examples run as they stand, against endpoints that speak the vendors' protocols."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timezone
from pathlib import Path
from typing import Any

import pytest

from tests.adapters import test_anthropic as anthropic
from tests.adapters import test_openai as openai
from tests.adapters.wire import VendorServer
from tests.client.faces import found
from tests.support.database import ROOT, Database

PLANS = {"plans": [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]}
SAID = "Two plans, as of today."


def run(name: str, database: Database, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        env={**os.environ, "DATABASE_URL": database.owner, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(printed: str, database: Database, requests: list[dict[str, Any]]) -> None:
    ((name, arguments, output),) = [row[1:4] for row in found(database)]
    assert (name, arguments) == ("list_plans", {"gym": "Nord"})
    # MCP's result is kept as it came over the wire.
    assert output.get("structuredContent", output) == PLANS
    assert printed.count(SAID) == 2
    (stored,) = database.owner_conn.execute(
        "select created_at from tool_recall.message_tool_results"
    ).fetchall()
    day = stored[0].astimezone(timezone.utc)
    line = f'- {day:%Y-%m-%d} list_plans(gym="Nord"): 2 plans'
    assert line in printed
    assert [line in str(request) for request in requests] == [False, False, True]


def test_anthropic(database: Database, vendor: VendorServer) -> None:
    vendor.answers += [
        anthropic.stream(anthropic.tool_use("toolu_1", "list_plans", {"gym": "Nord"})),
        anthropic.stream(anthropic.text(SAID), stop_reason="end_turn"),
        anthropic.stream(anthropic.text(SAID), stop_reason="end_turn"),
    ]
    printed = run(
        "anthropic_turn.py", database, ANTHROPIC_BASE_URL=vendor.url, ANTHROPIC_API_KEY="test"
    )
    check(printed, database, vendor.requests)


# Those whose example speaks Chat Completions, by whichever package.
@pytest.mark.parametrize(
    "example",
    ["openai_turn", "langchain_turn", "openai_agents_turn", "pydantic_ai_turn", "mcp_turn"],
)
def test_openai(example: str, database: Database, vendor: VendorServer) -> None:
    vendor.answers += [
        openai.completion(openai.call("call_1", "list_plans", '{"gym": "Nord"}')),
        openai.completion(content=SAID),
        openai.completion(content=SAID),
    ]
    printed = run(
        f"{example}.py", database, OPENAI_BASE_URL=f"{vendor.url}/v1", OPENAI_API_KEY="test"
    )
    check(printed, database, vendor.requests)


def test_every_example_is_run() -> None:
    source = Path(__file__).read_text()
    recall_tool = (ROOT / "tests" / "client" / "test_recall_tool_wire.py").read_text()
    for path in (ROOT / "examples").glob("*.py"):
        assert path.stem in source or path.name in recall_tool, path.name
