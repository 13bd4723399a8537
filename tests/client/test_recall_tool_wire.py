"""The recall tool over the vendors' protocols."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

import psycopg_pool
from mcp import types
from mcp.client import Client
from mcp.server.lowlevel import Server

from pg_tool_recall import AsyncToolRecall, ToolRecall
from pg_tool_recall.recall_tool import AsyncRecallTool
from tests.client.faces import call, ids
from tests.placement.wire import legal, typed
from tests.support.database import ROOT, Database
from tests.support.endpoint import endpoint


def model(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """A model that looks up what it was shown, and says what it found."""
    newest = body["messages"][-1]["content"]
    if isinstance(newest, str):
        content: list[Any] = [
            {"type": "text", "text": "Let me look."},
            {
                "type": "tool_use",
                "id": "toolu_1",
                "name": body["tools"][0]["name"],
                "input": {"tool_name": "query_site_data", "user_id": "somebody"},
            },
        ]
    else:
        (shown,) = json.loads(newest[0]["content"])["results"]
        plan = shown["output"]["memberships"][0]["name"]
        content = [{"type": "text", "text": f"As of {shown['as_of']}: {plan}"}]
    return 200, {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def test_the_example(database: Database) -> None:
    turn = database.new_turn()
    with ToolRecall(database.app, on_error="raise") as recall:
        recall.record(**call(turn))
    command = [sys.executable, "examples/recall_tool.py", database.app]
    with endpoint(model) as server:
        done = subprocess.run(
            [*command, str(turn.conversation_id), str(turn.user_id), "What were those plans?"],
            cwd=ROOT,
            env={**os.environ, "ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": server.url},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"As of \d{4}-\d\d-\d\d: Pro\n", done.stdout)
    assert "1 argument(s) of the recall tool ignored, user_id among them" in done.stderr
    first, second = server.bodies
    for body in (first, second):
        typed(body, "anthropic")
        legal(body, "anthropic")
        assert "Previously fetched" in body["system"]
    assert second["messages"][0] == first["messages"][0]


async def test_over_mcp(database: Database) -> None:
    turn = database.new_turn()
    async with psycopg_pool.AsyncConnectionPool(database.app, min_size=1, open=False) as pool:
        recall = AsyncToolRecall(pool, on_error="raise")
        await recall.record(**call(turn))
        tool = AsyncRecallTool(recall, **ids(turn))

        async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
            return types.ListToolsResult(tools=[types.Tool.model_validate(tool.mcp)])

        async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
            text = await tool.call(params.arguments)
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

        server = Server("a-service", on_list_tools=list_tools, on_call_tool=call_tool)
        async with Client(server) as client:
            (listed,) = (await client.list_tools()).tools
            assert listed.name == tool.name
            answer = await client.call_tool(listed.name, {"since_days": 7})
    (content,) = answer.content
    assert isinstance(content, types.TextContent)
    assert json.loads(content.text)["results"][0]["tool_name"] == "query_site_data"
