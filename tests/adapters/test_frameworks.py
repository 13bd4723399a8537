"""Agent frameworks, each run for real with a scripted model, to what is stored."""

from __future__ import annotations

import asyncio
import json
from typing import Any, ClassVar

import pytest

from tests.client.faces import begun, found, ids
from tests.support.database import Database, Turn

PLANS = {"memberships": [{"name": "Pro", "active": 17}]}


def in_loop(awaited: Any) -> Any:
    return asyncio.new_event_loop().run_until_complete(awaited)


def stored_rows(database: Database) -> list[tuple[Any, ...]]:
    """(tool_use_id, name, input, output, is_error) in the order of their results."""
    return [row[:5] for row in found(database)]


# -- LangGraph


def graph() -> Any:
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    @tool(response_format="content_and_artifact")
    def query_site_data(target: str) -> tuple[str, dict[str, str]]:
        """Data of the site."""
        return json.dumps(PLANS), {"secret": "never stored"}

    @tool
    def broken(x: int) -> str:
        """Fails."""
        raise ValueError("no such site")

    def model(state: MessagesState) -> dict[str, Any]:
        if state["messages"][-1].type == "tool":
            return {"messages": [AIMessage("You have Pro.")]}
        calls = [
            {"name": "query_site_data", "args": {"target": "memberships"}, "id": "call_1"},
            {"name": "broken", "args": {"x": 1}, "id": "call_2"},
        ]
        return {"messages": [AIMessage("", tool_calls=calls)]}

    made = StateGraph(MessagesState)
    made.add_node("model", model)
    made.add_node(
        "tools", ToolNode([query_site_data, broken], handle_tool_errors=lambda e: f"Error: {e}")
    )
    made.add_edge(START, "model")
    made.add_conditional_edges(
        "model", lambda state: "tools" if state["messages"][-1].tool_calls else END
    )
    made.add_edge("tools", "model")
    return made.compile()


@pytest.mark.parametrize("awaited", [False, True])
def test_langgraph(face: Any, client: Any, database: Database, turn: Turn, awaited: bool) -> None:
    from pg_tool_recall.adapters.langchain import RecallCallback

    question = {"messages": [("user", "Which plans do we have?")]}
    with begun(face, client, turn) as ours:
        config = {"callbacks": [RecallCallback(ours)]}
        if awaited:
            in_loop(graph().ainvoke(question, config=config))
        else:
            graph().invoke(question, config=config)
        face.run(ours.save(turn.message_id))
    rows = {row[1]: row for row in stored_rows(database)}
    assert rows["query_site_data"] == (
        "call_1", "query_site_data", {"target": "memberships"}, PLANS, False,
    )  # fmt: skip
    assert rows["broken"][2] == {"x": 1}
    assert rows["broken"][4] is True
    assert "no such site" in json.dumps(rows["broken"][3])
    assert len(rows) == 2
    assert "never stored" not in json.dumps([row[3] for row in rows.values()])


# -- pydantic-ai


def test_pydantic_ai(face: Any, client: Any, database: Database, turn: Turn) -> None:
    from pydantic_ai import Agent, ModelResponse, ModelRetry, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from pg_tool_recall.adapters.pydantic_ai import collect

    def model(messages: list[Any], info: AgentInfo) -> ModelResponse:
        asked = sum(isinstance(message, ModelResponse) for message in messages)
        if asked == 0:
            calls = [
                ToolCallPart("query_site_data", {"target": "memberships"}, "call_1"),
                ToolCallPart("picky", '{"x": 1}', "call_2"),
            ]
            return ModelResponse(parts=calls)
        return ModelResponse(parts=[TextPart("You have Pro.")])

    agent = Agent(FunctionModel(model))

    @agent.tool_plain
    def query_site_data(target: str) -> dict[str, Any]:
        return PLANS

    @agent.tool_plain
    def picky(x: int) -> str:
        raise ModelRetry("x must be even")

    messages = in_loop(agent.run("Which plans do we have?")).new_messages()
    with begun(face, client, turn) as ours:
        collect(ours, messages)
        collect(ours, messages)
        face.run(ours.save(turn.message_id))
    assert stored_rows(database) == [
        ("call_1", "query_site_data", {"target": "memberships"}, PLANS, False),
        ("call_2", "picky", {"x": 1}, "x must be even", True),
    ]
    assert not client.failures


# -- OpenAI Agents SDK


def test_openai_agents(face: Any, client: Any, database: Database, turn: Turn) -> None:
    from agents import Agent, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
    from agents.models.interface import Model
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseFunctionWebSearch,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    from pg_tool_recall.adapters.openai_agents import collect

    set_tracing_disabled(True)

    @function_tool
    def query_site_data(target: str) -> str:
        return json.dumps(PLANS)

    @function_tool
    def broken(x: int) -> str:
        raise ValueError("no such site")

    def called(id: str, name: str, arguments: str) -> ResponseFunctionToolCall:
        return ResponseFunctionToolCall(
            type="function_call", call_id=id, name=name, arguments=arguments
        )

    searched = ResponseFunctionWebSearch.model_validate(
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "plans"},
        }
    )
    said = ResponseOutputMessage(
        id="m",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", text="You have Pro.", annotations=[])],
    )

    class Scripted(Model):
        answers: ClassVar[list[Any]] = [
            [
                searched,
                called("call_1", "query_site_data", '{"target": "memberships"}'),
                called("call_2", "broken", '{"x": 1}'),
            ],
            [said],
        ]

        async def get_response(self, *given: Any, **more: Any) -> ModelResponse:
            return ModelResponse(output=self.answers.pop(0), usage=Usage(), response_id=None)

        def stream_response(self, *given: Any, **more: Any) -> Any:
            raise NotImplementedError

    agent = Agent(name="a", model=Scripted(), tools=[query_site_data, broken])
    result = in_loop(Runner.run(agent, "Which plans do we have?"))
    with begun(face, client, turn) as ours:
        collect(ours, result)
        collect(ours, result)
        face.run(ours.save(turn.message_id))
    rows = {row[0]: row for row in stored_rows(database)}
    assert rows["call_1"] == (
        "call_1", "query_site_data", {"target": "memberships"}, PLANS, False,
    )  # fmt: skip
    assert rows["call_2"][4] is True
    assert rows["call_2"][3].startswith("An error occurred")
    assert set(rows) == {"call_1", "call_2", "ws_1"}
    assert not client.failures


# -- MCP


def test_mcp(face: Any, client: Any, database: Database, turn: Turn) -> None:
    from mcp import Client
    from mcp.server import MCPServer

    from pg_tool_recall.adapters.mcp import wrap

    server = MCPServer("site")

    @server.tool()
    def query_site_data(target: str) -> dict[str, Any]:
        return PLANS

    @server.tool()
    def broken(x: int) -> str:
        raise ValueError("no such site")

    async def talk(ours: Any) -> None:
        async with Client(server) as session:
            recorded = wrap(session, ours)
            result = await recorded.call_tool("query_site_data", {"target": "memberships"})
            assert result.content
            await recorded.call_tool("broken", {"x": 1})
            assert (await recorded.list_tools()).tools

    with begun(face, client, turn) as ours:
        in_loop(talk(ours))
        face.run(ours.save(turn.message_id))
    first, second = stored_rows(database)
    assert first[1:3] == ("query_site_data", {"target": "memberships"})
    assert first[4] is False
    assert first[3]["structuredContent"] == PLANS
    assert second[1:3] == ("broken", {"x": 1})
    assert second[4] is True
    block = face.run(client.block(**ids(turn)))
    assert '(target="memberships"): 1 membership, active 17' in block.text


def test_mcp_passes_exceptions_on(face: Any, client: Any, database: Database, turn: Turn) -> None:
    from pg_tool_recall.adapters.mcp import wrap

    class Broken:
        async def call_tool(self, name: str, arguments: Any) -> Any:
            raise ConnectionError("gone")

    with begun(face, client, turn) as ours:
        with pytest.raises(ConnectionError):
            in_loop(wrap(Broken(), ours).call_tool("a_tool", {"x": 1}))
        face.run(ours.save(turn.message_id))
    assert stored_rows(database) == [
        (None, "a_tool", {"x": 1}, {"error": "ConnectionError: gone"}, True)
    ]
