"""Anthropic's Messages API, by its own SDK, to what is stored."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from itertools import count
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError

from pg_tool_recall.adapters.anthropic import collect, watch
from tests.adapters.wire import PAUSE, Event, VendorServer, events
from tests.client.faces import AsyncFace, Face, begun, entered, found, ids, stored
from tests.support.database import Database, Turn

_numbers = count(1)
ASK: dict[str, Any] = {
    "model": "claude-test",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "Which plans do we have?"}],
}


def message(*content: dict[str, Any], stop_reason: str = "tool_use") -> dict[str, Any]:
    """A response's body."""
    return {
        "id": f"msg_{next(_numbers)}",
        "type": "message",
        "role": "assistant",
        "model": "claude-test",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 34},
    }


def stream(*content: dict[str, Any], stop_reason: str = "tool_use") -> list[Event]:
    """The same as a stream: arguments in pieces, a ping, results of server tools whole."""
    sent: list[Event] = [
        {"type": "message_start", "message": {**message(), "stop_reason": None}},
        {"type": "ping"},
    ]
    for index, block in enumerate(content):
        pieces: list[dict[str, Any]] = []
        start = dict(block)
        if "input" in block:
            text = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            start["input"] = {}
            pieces = [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in ("", text[:7], text[7:])
            ]
        elif block["type"] == "text":
            start["text"] = ""
            pieces = [{"type": "text_delta", "text": block["text"]}]
        sent.append({"type": "content_block_start", "index": index, "content_block": start})
        sent += [{"type": "content_block_delta", "index": index, "delta": p} for p in pieces]
        sent.append({"type": "content_block_stop", "index": index})
    sent.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": None},
            "usage": {"output_tokens": 34},
        }
    )
    sent.append({"type": "message_stop"})
    return sent


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def tool_use(id: str, name: str, input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def server_tool_use(id: str, name: str, input: Any) -> dict[str, Any]:
    return {"type": "server_tool_use", "id": id, "name": name, "input": input}


def tool_result(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def results(*content: dict[str, Any]) -> dict[str, Any]:
    """The next message of the user's."""
    return {"role": "user", "content": list(content)}


PLANS = tool_use("toolu_1", "query_site_data", {"target": "plans"})
TREND = tool_use("toolu_2", "query_kpi_trend", {"metric": "active_members"})
SEARCH = server_tool_use("srvtoolu_1", "web_search", {"query": "gym prices"})
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [
        {
            "type": "web_search_result",
            "title": "Prices of gyms",
            "url": "https://example.com/prices",
            "encrypted_content": "RXF4",
        }
    ],
}


@pytest.fixture
def sdk(face: Face, vendor: VendorServer) -> Iterator[Any]:
    """The vendor's client, of the kind that the face has."""
    kind = anthropic.AsyncAnthropic if isinstance(face, AsyncFace) else anthropic.Anthropic
    made = kind(base_url=vendor.url, api_key="test", max_retries=0)
    yield made
    face.run(made.close())


def test_a_call_and_its_result(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers += [message(text("Let me see."), PLANS), message(stop_reason="end_turn")]
    with begun(face, client, turn) as ours:
        first = face.run(sdk.messages.create(**ASK))
        answer = results(tool_result("toolu_1", '{"plans": [{"name": "Pro", "active": 17}]}'))
        last = face.run(
            sdk.messages.create(
                **{
                    **ASK,
                    "messages": [
                        *ASK["messages"],
                        {"role": "assistant", "content": first.content},
                        answer,
                    ],
                }
            )
        )
        collect(ours, first, answer, last)
        face.run(ours.save(turn.message_id))
    assert found(database) == [
        (
            "toolu_1",
            "query_site_data",
            {"target": "plans"},
            {"plans": [{"name": "Pro", "active": 17}]},
            False,
            turn.message_id,
        )
    ]
    block = face.run(client.block(**ids(turn)))
    assert [line.text[13:] for line in block.lines] == [
        'query_site_data(target="plans"): 1 plan, active 17'
    ]
    assert not client.failures


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_messages_come_in_any_order(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    order: tuple[int, ...],
) -> None:
    vendor.answers.append(message(PLANS, TREND))
    with begun(face, client, turn) as ours:
        given = [
            face.run(sdk.messages.create(**ASK)),
            results(tool_result("toolu_2", "7 weeks", is_error=False)),
            results(tool_result("toolu_1", "no such site", is_error=True)),
        ]
        collect(ours, *(given[place] for place in order))
        face.run(ours.save(turn.message_id))
    assert sorted(row[:5] for row in found(database)) == [
        ("toolu_1", "query_site_data", {"target": "plans"}, "no such site", True),
        ("toolu_2", "query_kpi_trend", {"metric": "active_members"}, "7 weeks", False),
    ]


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("plain words", "plain words"),
        ([{"type": "text", "text": "plain words"}], "plain words"),
        (
            [{"type": "text", "text": "[1, 2.50]", "cache_control": {"type": "ephemeral"}}],
            [1, 2.5],
        ),
        ("[not JSON]", "[not JSON]"),
        ('{"n": NaN}', '{"n": NaN}'),
        ("17", "17"),
        ('{"n": 1e400}', {"n": 10**400}),
        (None, None),
        (
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        ),
    ],
)
def test_what_is_kept_of_a_content(
    face: Face, client: Any, database: Database, turn: Turn, content: Any, kept: Any
) -> None:
    asked = {"role": "assistant", "content": [PLANS]}
    with begun(face, client, turn) as ours:
        collect(ours, asked, results(tool_result("toolu_1", content)))
        face.run(ours.save(turn.message_id))
    assert [row[3] for row in found(database)] == [kept]


def test_blocks_of_the_sdk_are_read_as_well(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    block = anthropic.types.ToolUseBlock.model_validate(PLANS)
    shown = anthropic.types.TextBlock(type="text", text="five", citations=None)
    with begun(face, client, turn) as ours:
        collect(ours, [block], tool_result("toolu_1", [shown, shown]))
        face.run(ours.save(turn.message_id))
    five = {"type": "text", "text": "five", "citations": None}
    assert [row[3] for row in found(database)] == [[five, five]]


def test_the_whole_history_again_doubles_nothing(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(message(PLANS, SEARCH, FOUND))
    with begun(face, client, turn) as ours:
        history: list[Any] = list(ASK["messages"])
        response = face.run(sdk.messages.create(**ASK))
        history.append({"role": "assistant", "content": response.content})
        collect(ours, response)
        history.append(results(tool_result("toolu_1", "5 plans")))
        for _ in range(2):
            collect(ours, history)
        # Kept by the service with empty fields and all.
        collect(ours, {"role": "assistant", "content": [b.model_dump() for b in response.content]})
        # A mark for the provider's cache moves along with the history.
        two = [text("5 plans"), text("2 open")]
        for blocks in (two, [two[0], {**two[1], "cache_control": {"type": "ephemeral"}}]):
            collect(ours, response, results(tool_result("toolu_1", blocks)))
        assert ours.pending == 3
        face.run(ours.save(turn.message_id))
        collect(ours, history)
        assert ours.pending == 0
    # Other content under a known id is another result, without the id.
    assert [row[0] for row in found(database)] == ["srvtoolu_1", "toolu_1", None]
    assert not client.failures


def test_of_a_history_only_this_turn_counts(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    old: list[dict[str, Any]] = [
        {"role": "user", "content": "What was it yesterday?"},
        {"role": "assistant", "content": [PLANS, SEARCH, FOUND]},
        results(tool_result("toolu_1", "yesterday's")),
        {"role": "assistant", "content": "4 plans"},
    ]
    new = [
        results(text("And now?")),
        {"role": "assistant", "content": [TREND]},
        results(tool_result("toolu_2", "today's"), text("Keep it short.")),
        {"role": "assistant", "content": [tool_use("toolu_3", "a_tool", {})]},
        results(tool_result("toolu_3", "more")),
    ]
    with begun(face, client, turn) as ours:
        collect(ours, old + new)
        face.run(ours.save(turn.message_id))
    assert [row[:4:3] for row in found(database)] == [
        ("toolu_2", "today's"),
        ("toolu_3", "more"),
    ]


SERVER_TOOLS: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "web_search": (
        SEARCH,
        {**FOUND, "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"}},
        True,
    ),
    "web_fetch": (
        server_tool_use("srvtoolu_2", "web_fetch", {"url": "https://example.com"}),
        {
            "type": "web_fetch_tool_result",
            "tool_use_id": "srvtoolu_2",
            "content": {"type": "web_fetch_tool_result_error", "error_code": "url_not_accessible"},
        },
        True,
    ),
    "bash_code_execution": (
        server_tool_use("srvtoolu_3", "bash_code_execution", {"command": "wc -l a.csv"}),
        {
            "type": "bash_code_execution_tool_result",
            "tool_use_id": "srvtoolu_3",
            "content": {
                "type": "bash_code_execution_result",
                "stdout": "41 a.csv\n",
                "stderr": "",
                "return_code": 0,
                "content": [],
            },
        },
        False,
    ),
    "code_execution": (
        server_tool_use("srvtoolu_4", "code_execution", {"code": "print(6 * 7)"}),
        {
            "type": "code_execution_tool_result",
            "tool_use_id": "srvtoolu_4",
            "content": {
                "type": "code_execution_tool_result_error",
                "error_code": "execution_time_exceeded",
            },
        },
        True,
    ),
}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_server_tools(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: bool,
) -> None:
    content: list[dict[str, Any]] = [text("I shall look.")]
    for use, answer, _ in SERVER_TOOLS.values():
        content += [use, answer]
    vendor.answers.append((stream if streamed else message)(*content, stop_reason="end_turn"))
    with begun(face, client, turn) as ours:
        if streamed:
            with entered(face, sdk.messages.stream(**ASK)) as watched:
                for _ in events(face, watch(watched, ours)):
                    pass
        else:
            collect(ours, face.run(sdk.messages.create(**ASK)))
        face.run(ours.save(turn.message_id))
    assert {row[1]: row[:5] for row in found(database)} == {
        name: (use["id"], name, use["input"], answer["content"], failed)
        for name, (use, answer, failed) in SERVER_TOOLS.items()
    }
    block = face.run(client.block(**ids(turn)))
    assert [line.text[13:] for line in block.lines] == [
        'bash_code_execution(command="wc -l a.csv"): "41 a.csv"'
    ]


def test_tools_of_an_mcp_server(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(
        message(
            {**tool_use("mcptoolu_1", "list_invoices", {}), "type": "mcp_tool_use"}
            | {"server_name": "billing"},
            {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False}
            | {"content": [text('{"invoices": [{"id": "in_1"}]}')]},
            {**tool_use("mcptoolu_2", "pay", {"id": "in_1"}), "type": "mcp_tool_use"}
            | {"server_name": "billing"},
            {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_2", "is_error": True}
            | {"content": [text("not allowed")]},
            stop_reason="end_turn",
        )
    )
    with begun(face, client, turn) as ours:
        collect(ours, face.run(sdk.beta.messages.create(**ASK)))
        face.run(ours.save(turn.message_id))
    assert [row[:5] for row in found(database)] == [
        ("mcptoolu_1", "list_invoices", {}, {"invoices": [{"id": "in_1"}]}, False),
        ("mcptoolu_2", "pay", {"id": "in_1"}, "not allowed", True),
    ]


@pytest.mark.parametrize("helper", ["stream", "create"])
def test_a_stream_passes_unchanged_and_is_collected(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    helper: str,
) -> None:
    content = (text("Both."), PLANS, tool_use("toolu_0", "no_arguments", {}), TREND, SEARCH, FOUND)
    vendor.answers += [stream(*content), stream(*content)]

    def read(watching: Any) -> list[Any]:
        if helper == "create":
            made = face.run(sdk.messages.create(**ASK, stream=True))
            seen = list(events(face, watch(made, watching) if watching else made))
            face.run(made.close())
            return seen
        with entered(face, sdk.messages.stream(**ASK)) as made:
            seen = list(events(face, watch(made, watching) if watching else made))
            final = face.run(made.get_final_message())
            if watching:
                collect(watching, final)
            return seen

    with begun(face, client, turn) as ours:
        watched, bare = read(ours), read(None)
        assert [_dumped(each) for each in watched] == [_dumped(each) for each in bare]
        collect(
            ours,
            results(
                tool_result("toolu_2", "up"),
                tool_result("toolu_0", "none"),
                tool_result("toolu_1", "five"),
            ),
        )
        face.run(ours.save(turn.message_id))
    assert sorted(row[:4] for row in found(database)) == [
        ("srvtoolu_1", "web_search", SEARCH["input"], FOUND["content"]),
        ("toolu_0", "no_arguments", {}, "none"),
        ("toolu_1", "query_site_data", {"target": "plans"}, "five"),
        ("toolu_2", "query_kpi_trend", {"metric": "active_members"}, "up"),
    ]
    assert not client.failures


def _dumped(event: Any) -> Any:
    dumped = event.model_dump(mode="json", warnings=False)
    for each in (dumped, dumped.get("message") or {}):
        each.pop("id", None)
    return dumped


def test_a_cancelled_stream_keeps_what_was_whole(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    whole = stream(SEARCH, FOUND, TREND, PLANS)
    # Within the arguments of the last call.
    cut = next(
        place
        for place, event in enumerate(whole)
        if event.get("index") == 3 and event["type"] == "content_block_delta"
    )
    vendor.answers.append([*whole[: cut + 2], PAUSE])
    with begun(face, client, turn) as ours:
        with entered(face, sdk.messages.stream(**ASK)) as made:
            for event in events(face, watch(made, ours)):
                if event.type == "input_json" and event.partial_json.startswith('{"targ'):
                    break
        # What the service has of it when it saves the partial message.
        collect(ours, results(tool_result("toolu_2", "up"), tool_result("toolu_1", "odd")))
        face.run(ours.save(turn.message_id))
    assert [row[0] for row in found(database)] == ["srvtoolu_1", "toolu_2"]
    assert client.failures == {"discarded": 1}  # a result of a call that nobody made


def test_arguments_that_are_cut_off_are_kept_as_text(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(
        stream(tool_use("toolu_1", "write_note", '{"text": "half a se'), stop_reason="max_tokens")
    )
    with begun(face, client, turn) as ours:
        made = face.run(sdk.messages.create(**ASK, stream=True))
        for _ in events(face, watch(made, ours)):
            pass
        collect(ours, results(tool_result("toolu_1", "not written", is_error=True)))
        face.run(ours.save(turn.message_id))
    assert [row[2] for row in found(database)] == ['{"text": "half a se']


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_nothing_is_kept_of_a_refusal_or_a_call_without_result(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: bool,
) -> None:
    vendor.answers += [message(text("No."), stop_reason="refusal"), message(PLANS, SEARCH)]
    if streamed:
        vendor.answers.clear()
        vendor.answers += [stream(text("No."), stop_reason="refusal"), stream(PLANS, SEARCH)]
    with begun(face, client, turn) as ours:
        for _ in range(2):
            if streamed:
                with entered(face, sdk.messages.stream(**ASK)) as made:
                    list(events(face, watch(made, ours)))
            else:
                collect(ours, face.run(sdk.messages.create(**ASK)))
        assert face.run(ours.save(turn.message_id)) == []
    assert stored(database) == 0
    assert not client.failures


class Hostile:
    @property
    def type(self) -> str:
        raise RuntimeError("mine")


def test_what_is_odd_is_skipped_and_counted(
    face: Face, client: Any, database: Database, turn: Turn, caplog: pytest.LogCaptureFixture
) -> None:
    odd = [
        17,
        Hostile(),
        {},
        {"role": "assistant", "content": {"secret": 1}},
        {"role": "assistant", "content": [None, Hostile(), {"type": "tool_use", "name": "secret"}]},
        results({"type": "tool_result", "content": "secret"}),
    ]
    asked = {"role": "assistant", "content": [Hostile(), PLANS]}
    with begun(face, client, turn) as ours:
        collect(ours, *odd, None, "text", [*odd, asked, results(tool_result("toolu_1", 5))])
        for broken in (
            {"type": "content_block_stop", "index": 9},
            {"type": "content_block_delta", "index": 9, "delta": {"type": "input_json_delta"}},
            Hostile(),
            3,
        ):
            assert list(watch([broken], ours)) == [broken]
        face.run(ours.save(turn.message_id))
    assert [row[0] for row in found(database)] == ["toolu_1"]
    assert client.failures == {"unreadable": 2 * 8 + 1 + 3}
    assert "secret" not in caplog.text
    assert "mine" not in caplog.text


def test_a_stream_that_fails_fails_as_before(face: Face, client: Any, turn: Turn) -> None:
    def broken() -> Iterator[int]:
        yield from ()
        raise KeyError("of the stream's own")

    with begun(face, client, turn) as ours, pytest.raises(KeyError):
        next(iter(watch(broken(), ours)))
    assert not client.failures


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_the_tool_runner(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: bool,
) -> None:
    ran: list[str] = []

    def query_site_data(target: str) -> str:
        """Data of the site."""
        ran.append(target)
        return '{"plans": [{"name": "Pro"}, {"name": "Basic"}]}'

    def query_kpi_trend(metric: str) -> str:
        """A trend."""
        ran.append(metric)
        raise ToolError("no such metric")

    tools: list[Any]
    if isinstance(face, AsyncFace):

        async def query_site_data_later(target: str) -> str:
            """Data of the site."""
            return query_site_data(target)

        async def query_kpi_trend_later(metric: str) -> str:
            """A trend."""
            return query_kpi_trend(metric)

        tools = [
            anthropic.beta_async_tool(query_site_data_later, name="query_site_data"),
            anthropic.beta_async_tool(query_kpi_trend_later, name="query_kpi_trend"),
        ]
    else:
        tools = [anthropic.beta_tool(query_site_data), anthropic.beta_tool(query_kpi_trend)]

    answer = stream if streamed else message
    vendor.answers += [
        answer(PLANS, TREND),
        answer(text("Two plans."), stop_reason="end_turn"),
    ]
    with begun(face, client, turn) as ours, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        runner = sdk.beta.messages.tool_runner(**ASK, tools=tools, stream=streamed)
        for given in events(face, runner):
            if streamed:
                list(events(face, watch(given, ours)))
                given = face.run(given.get_final_message())
            if given.stop_reason == "tool_use":
                collect(ours, given, face.run(runner.generate_tool_call_response()))
        face.run(ours.save(turn.message_id))
    assert len(vendor.requests) == 2
    assert ran == ["plans", "active_members"]
    assert [row[:5] for row in found(database)] == [
        (
            "toolu_1",
            "query_site_data",
            {"target": "plans"},
            {"plans": [{"name": "Pro"}, {"name": "Basic"}]},
            False,
        ),
        ("toolu_2", "query_kpi_trend", {"metric": "active_members"}, "no such metric", True),
    ]
    assert not client.failures
