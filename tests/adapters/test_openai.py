"""OpenAI's Chat Completions and Responses APIs, by the vendor's SDK, to what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import openai
import pytest

from pg_tool_recall.adapters.openai import collect, watch
from tests.adapters.wire import PAUSE, Event, VendorServer, events
from tests.client.faces import AsyncFace, Face, begun, entered, found, ids, stored
from tests.support.database import Database, Turn

_numbers = count(1)
ASK: dict[str, Any] = {
    "model": "gpt-test",
    "messages": [{"role": "user", "content": "Which plans do we have?"}],
}
ASK_RESPONSES: dict[str, Any] = {"model": "gpt-test", "input": "Which plans do we have?"}


@pytest.fixture
def sdk(face: Face, vendor: VendorServer) -> Iterator[Any]:
    """The vendor's client, of the kind that the face has."""
    kind = openai.AsyncOpenAI if isinstance(face, AsyncFace) else openai.OpenAI
    made = kind(base_url=f"{vendor.url}/v1", api_key="test", max_retries=0)
    yield made
    face.run(made.close())


# -- Chat Completions


def call(id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


PLANS = call("call_1", "query_site_data", '{"target": "plans"}')
TREND = call("call_2", "query_kpi_trend", '{"metric": "active_members"}')


def answered(id: str, content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def completion(*calls: dict[str, Any], **message: Any) -> dict[str, Any]:
    """A completion's body."""
    said = {"role": "assistant", "content": None, "refusal": None, **message}
    if calls:
        said["tool_calls"] = list(calls)
    return {
        "id": f"chatcmpl-{next(_numbers)}",
        "object": "chat.completion",
        "created": 1770000000,
        "model": "gpt-test",
        "choices": [
            {
                "index": 0,
                "message": said,
                "logprobs": None,
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def chunk(delta: dict[str, Any] | None, finish_reason: str | None = None) -> Event:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1770000000,
        "model": "gpt-test",
        "choices": [] if delta is None else [choice],
    }


def chunks(*calls: dict[str, Any], finish: str | None = "tool_calls") -> list[Event]:
    """A completion as a stream, the arguments of parallel calls in turns."""
    sent = [chunk({"role": "assistant", "content": None})]
    for index, each in enumerate(calls):
        start = {**each["function"], "arguments": ""}
        sent.append(chunk({"tool_calls": [{**each, "index": index, "function": start}]}))
    pieces = {n: each["function"]["arguments"] for n, each in enumerate(calls)}
    while any(pieces.values()):
        for index, rest in pieces.items():
            if rest:
                piece = {"index": index, "function": {"arguments": rest[:9]}}
                sent.append(chunk({"tool_calls": [piece]}))
                pieces[index] = rest[9:]
    if finish:
        sent.append(chunk({}, finish))
    return [*sent, chunk(None)]


def test_a_call_and_its_result(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers += [completion(PLANS), completion(content="One plan.")]
    with begun(face, client, turn) as ours:
        first = face.run(sdk.chat.completions.create(**ASK))
        answer = answered("call_1", '{"plans": [{"name": "Pro", "active": 17}]}')
        history = [*ASK["messages"], first.choices[0].message, answer]
        last = face.run(sdk.chat.completions.create(**{**ASK, "messages": history}))
        collect(ours, first, answer, last)
        face.run(ours.save(turn.message_id))
    assert found(database) == [
        (
            "call_1",
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
    vendor.answers.append(completion(PLANS, TREND))
    with begun(face, client, turn) as ours:
        given = [
            face.run(sdk.chat.completions.create(**ASK)),
            answered("call_2", [{"type": "text", "text": "7 weeks"}]),
            answered("call_1", "no such site"),
        ]
        collect(ours, *(given[place] for place in order), failed={"call_1"})
        face.run(ours.save(turn.message_id))
    assert sorted(row[:5] for row in found(database)) == [
        ("call_1", "query_site_data", {"target": "plans"}, "no such site", True),
        ("call_2", "query_kpi_trend", {"metric": "active_members"}, "7 weeks", False),
    ]


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ("", {}),
        ("  ", {}),
        ("null", {}),
        ('{"a": 1', '{"a": 1'),
        ("{'a': 1}", "{'a': 1}"),
        ('{"a": NaN}', '{"a": NaN}'),
        ("[1]", [1]),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=["none", "blank", "null", "cut", "python", "nan", "list", "deep"],
)
def test_arguments(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: bool,
    arguments: str,
    kept: Any,
) -> None:
    made = call("call_1", "a_tool", arguments)
    vendor.answers.append(chunks(made) if streamed else completion(made))
    with begun(face, client, turn) as ours:
        got = face.run(sdk.chat.completions.create(**ASK, stream=streamed))
        if streamed:
            list(events(face, watch(got, ours)))
        else:
            collect(ours, got)
        collect(ours, answered("call_1", "done"))
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [("call_1", "a_tool", kept, "done")]
    assert not client.failures


def test_the_whole_history_again_doubles_nothing(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(completion(PLANS))
    with begun(face, client, turn) as ours:
        got = face.run(sdk.chat.completions.create(**ASK))
        history = [*ASK["messages"], got.choices[0].message.model_dump(), answered("call_1", "5")]
        collect(ours, got)
        for _ in range(2):
            collect(ours, history)
        assert ours.pending == 1
        face.run(ours.save(turn.message_id))
        collect(ours, history, history)
        assert ours.pending == 0
    assert stored(database) == 1
    assert not client.failures


def test_of_a_history_only_this_turn_counts(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    old: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What was it yesterday?"},
        {"role": "assistant", "tool_calls": [PLANS]},
        answered("call_1", "yesterday's"),
        {"role": "assistant", "content": "4 plans"},
    ]
    new = [
        {"role": "user", "content": "And now?"},
        {"role": "assistant", "tool_calls": [TREND]},
        answered("call_2", "today's"),
    ]
    with begun(face, client, turn) as ours:
        collect(ours, old + new)
        face.run(ours.save(turn.message_id))
    assert [row[:4:3] for row in found(database)] == [("call_2", "today's")]


def test_a_server_that_gives_every_call_the_same_id(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    history = [
        *ASK["messages"],
        {"role": "assistant", "tool_calls": [call("call_0", "a_tool", '{"n": 1}')]},
        answered("call_0", "ok"),
        {"role": "assistant", "tool_calls": [call("call_0", "a_tool", '{"n": 2}')]},
        answered("call_0", "ok"),
    ]
    with begun(face, client, turn) as ours:
        for end in (3, 5, 5):
            collect(ours, history[:end])
        face.run(ours.save(turn.message_id))
    assert [(row[2], row[3]) for row in found(database)] == [({"n": 1}, "ok"), ({"n": 2}, "ok")]


def test_a_custom_tool_of_chat_streamed(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    begin = {"index": 0, "id": "call_1", "type": "custom"}
    pieces = [
        {**begin, "custom": {"name": "run_sql", "input": ""}},
        {"index": 0, "custom": {"input": "[1"}},
        {"index": 0, "custom": {"input": "]"}},
    ]
    vendor.answers.append([*(chunk({"tool_calls": [p]}) for p in pieces), chunk({}, "tool_calls")])
    with begun(face, client, turn) as ours:
        made = face.run(sdk.chat.completions.create(**ASK, stream=True))
        list(events(face, watch(made, ours)))
        collect(ours, answered("call_1", "1 row"))
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [("call_1", "run_sql", "[1]", "1 row")]


def test_a_custom_tool_of_chat(face: Face, client: Any, database: Database, turn: Turn) -> None:
    custom = {"id": "call_1", "type": "custom", "custom": {"name": "run_sql", "input": "[1]"}}
    message = openai.types.chat.ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": None, "tool_calls": [custom]}
    )
    with begun(face, client, turn) as ours:
        collect(ours, message, answered("call_1", "1 row"))
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [("call_1", "run_sql", "[1]", "1 row")]


@pytest.mark.parametrize("helper", ["stream", "create"])
def test_a_chat_stream_passes_unchanged_and_is_collected(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    helper: str,
) -> None:
    sent = chunks(PLANS, TREND, call("call_3", "no_arguments", ""))
    vendor.answers += [sent, sent]

    def read(watching: Any) -> list[Any]:
        if helper == "create":
            made = face.run(sdk.chat.completions.create(**ASK, stream=True))
            return list(events(face, watch(made, watching) if watching else made))
        with entered(face, sdk.chat.completions.stream(**ASK)) as made:
            seen = list(events(face, watch(made, watching) if watching else made))
            if watching:
                collect(watching, face.run(made.get_final_completion()))
            return seen

    with begun(face, client, turn) as ours:
        watched, bare = read(ours), read(None)
        assert [each.to_json() for each in watched] == [each.to_json() for each in bare]
        collect(ours, *(answered(f"call_{n}", str(n)) for n in (3, 2, 1)))
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [
        ("call_3", "no_arguments", {}, "3"),
        ("call_2", "query_kpi_trend", {"metric": "active_members"}, "2"),
        ("call_1", "query_site_data", {"target": "plans"}, "1"),
    ]
    assert not client.failures


@pytest.mark.parametrize("finish", ["tool_calls", None], ids=["finished", "unfinished"])
def test_a_chat_stream_of_a_server_that_numbers_no_calls(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    finish: str | None,
) -> None:
    calls = [{**each, "index": 0} for each in (PLANS, TREND)]
    sent = [chunk({"tool_calls": [each]}) for each in calls]
    vendor.answers.append([*sent, chunk({}, finish)])
    with begun(face, client, turn) as ours:
        made = face.run(sdk.chat.completions.create(**ASK, stream=True))
        list(events(face, watch(made, ours)))
        collect(ours, answered("call_1", 1), answered("call_2", 2))
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [
        ("call_1", "query_site_data", {"target": "plans"}, 1),
        ("call_2", "query_kpi_trend", {"metric": "active_members"}, 2),
    ]


def test_a_cancelled_chat_stream(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    sent = chunks(PLANS)
    vendor.answers += [completion(TREND), [*sent[:4], PAUSE]]
    with begun(face, client, turn) as ours:
        collect(ours, face.run(sdk.chat.completions.create(**ASK)), answered("call_2", "up"))
        made = face.run(sdk.chat.completions.create(**ASK, stream=True))
        seen = events(face, watch(made, ours))
        for _ in range(4):
            next(seen)
        seen.close()  # type: ignore[attr-defined]
        face.run(made.close())
        collect(ours, answered("call_1", "odd"))
        face.run(ours.save(turn.message_id))
    assert [row[0] for row in found(database)] == ["call_2"]
    assert client.failures == {"discarded": 1}  # a result of a call that nobody made


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
    if streamed:
        vendor.answers += [[chunk({"refusal": "No."}), chunk({}, "stop")], chunks(PLANS)]
    else:
        vendor.answers += [completion(refusal="No."), completion(PLANS)]
    with begun(face, client, turn) as ours:
        for _ in range(2):
            got = face.run(sdk.chat.completions.create(**ASK, stream=streamed))
            if streamed:
                list(events(face, watch(got, ours)))
            else:
                collect(ours, got)
        assert face.run(ours.save(turn.message_id)) == []
    assert stored(database) == 0
    assert not client.failures


# -- Responses


def item(kind: str, id: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "status": "completed", **fields}


F_PLANS = item(
    "function_call",
    "fc_1",
    call_id="call_1",
    name="query_site_data",
    arguments='{"target": "plans"}',
)
F_BROKEN = item("function_call", "fc_2", call_id="call_2", name="a_tool", arguments="{oops")
F_NONE = item("function_call", "fc_3", call_id="call_3", name="no_arguments", arguments="")
SAID = item(
    "message",
    "msg_1",
    role="assistant",
    content=[{"type": "output_text", "text": "One plan.", "annotations": []}],
)

HOSTED = {
    "web_search": (
        item(
            "web_search_call",
            "ws_1",
            action={
                "type": "search",
                "query": "gym prices",
                "sources": [{"type": "url", "url": "https://example.com/prices"}],
            },
        ),
        {"type": "search", "query": "gym prices"},
        {"sources": [{"type": "url", "url": "https://example.com/prices"}]},
        False,
    ),
    "file_search": (
        item(
            "file_search_call",
            "fs_1",
            queries=["refunds"],
            results=[{"file_id": "file_1", "filename": "refunds.md", "score": 0.5, "text": "…"}],
        ),
        {"queries": ["refunds"]},
        {"results": [{"file_id": "file_1", "filename": "refunds.md", "score": 0.5, "text": "…"}]},
        False,
    ),
    "code_interpreter": (
        item(
            "code_interpreter_call",
            "ci_1",
            code="print(6 * 7)",
            container_id="cntr_1",
            outputs=[{"type": "logs", "logs": "42\n"}],
        ),
        {"code": "print(6 * 7)"},
        "42\n",
        False,
    ),
    "list_invoices": (
        item(
            "mcp_call",
            "mcp_1",
            name="list_invoices",
            server_label="billing",
            arguments='{"open": true}',
            output='{"invoices": [{"id": "in_1"}]}',
            error=None,
        ),
        {"open": True},
        {"invoices": [{"id": "in_1"}]},
        False,
    ),
    "pay": (
        item(
            "mcp_call",
            "mcp_2",
            name="pay",
            server_label="billing",
            arguments='{"id": "in_1"}',
            output=None,
            error={
                "type": "mcp_tool_execution_error",
                "content": [{"type": "text", "text": "not allowed"}],
            },
        )
        | {"status": "failed"},
        {"id": "in_1"},
        {
            "type": "mcp_tool_execution_error",
            "content": [{"type": "text", "text": "not allowed"}],
        },
        True,
    ),
}


def response(*output: dict[str, Any], status: str = "completed") -> dict[str, Any]:
    """A response's body."""
    return {
        "id": f"resp_{next(_numbers)}",
        "object": "response",
        "created_at": 1770000000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "gpt-test",
        "output": list(output),
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }


def response_events(*output: dict[str, Any], bare: bool = False) -> list[Event]:
    """The same as a stream. bare: as of a server that tells of the whole only."""
    whole = response(*output)
    started = {**whole, "output": [], "status": "in_progress"}
    sent: list[Event] = [
        {"type": "response.created", "response": started},
        {"type": "response.in_progress", "response": started},
    ]
    for place, each in enumerate([] if bare else output):
        at = {"output_index": place, "item_id": each["id"]}
        opened = {**each, "status": "in_progress"}
        if "arguments" in each:
            opened["arguments"] = ""
        if each["type"] == "message":
            opened["content"] = []
        sent.append({"type": "response.output_item.added", "output_index": place, "item": opened})
        if each["type"] == "function_call":
            text = each["arguments"]
            sent += [
                {"type": "response.function_call_arguments.delta", "delta": text[n : n + 6], **at}
                for n in range(0, len(text), 6)
            ]
            sent.append(
                {"type": "response.function_call_arguments.done", "arguments": text, **at}
                | {"name": each["name"]}
            )
        elif each["type"] == "web_search_call":
            sent += [
                {"type": f"response.web_search_call.{state}", **at}
                for state in ("in_progress", "searching", "completed")
            ]
        sent.append({"type": "response.output_item.done", "output_index": place, "item": each})
    sent.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": n} for n, event in enumerate(sent)]


def returned(call_id: str, output: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


@pytest.mark.parametrize("streamed", ["whole", "create", "stream", "bare"])
def test_functions_of_responses(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: str,
) -> None:
    output = (F_PLANS, F_BROKEN, F_NONE)
    with begun(face, client, turn) as ours:
        if streamed == "whole":
            vendor.answers.append(response(*output))
            collect(ours, face.run(sdk.responses.create(**ASK_RESPONSES)))
        elif streamed == "stream":
            # The SDK's own helper raises on arguments that are no JSON.
            vendor.answers.append(response_events(F_PLANS))
            with entered(face, sdk.responses.stream(**ASK_RESPONSES)) as made:
                list(events(face, watch(made, ours)))
                collect(ours, face.run(made.get_final_response()), F_BROKEN, F_NONE)
        else:
            vendor.answers.append(response_events(*output, bare=streamed == "bare"))
            made = face.run(sdk.responses.create(**ASK_RESPONSES, stream=True))
            list(events(face, watch(made, ours)))
        given = [
            returned("call_3", "nothing"),
            returned("call_1", [{"type": "input_text", "text": '{"plans": [{"name": "Pro"}]}'}]),
            returned("call_2", "bad arguments"),
        ]
        collect(ours, *given, failed=["call_2"])
        face.run(ours.save(turn.message_id))
    assert [row[:5] for row in found(database)] == [
        ("call_3", "no_arguments", {}, "nothing", False),
        ("call_1", "query_site_data", {"target": "plans"}, {"plans": [{"name": "Pro"}]}, False),
        ("call_2", "a_tool", "{oops", "bad arguments", True),
    ]
    assert not client.failures


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_hosted_tools(
    face: Face,
    client: Any,
    database: Database,
    turn: Turn,
    vendor: VendorServer,
    sdk: Any,
    streamed: bool,
) -> None:
    output = [each[0] for each in HOSTED.values()]
    with begun(face, client, turn) as ours:
        if streamed:
            vendor.answers.append(response_events(*output, SAID))
            made = face.run(sdk.responses.create(**ASK_RESPONSES, stream=True))
            list(events(face, watch(made, ours)))
        else:
            vendor.answers.append(response(*output, SAID))
            collect(ours, face.run(sdk.responses.create(**ASK_RESPONSES)))
        face.run(ours.save(turn.message_id))
    assert {row[1]: row[:5] for row in found(database)} == {
        name: (sent["id"], name, tool_input, tool_output, failed)
        for name, (sent, tool_input, tool_output, failed) in HOSTED.items()
    }
    block = face.run(client.block(**ids(turn)))
    assert [line.text[13:] for line in block.lines] == [
        "list_invoices(open=true): 1 invoice",
        'code_interpreter(code="print(6 * 7)"): 42',
        'file_search(queries=["refunds"]): 1 result, score 0.5',
        'web_search(type="search", query="gym prices"): 1 source',
    ]
    assert not client.failures


def test_hosted_tools_that_show_nothing_or_have_not_ended(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(
        response(
            item("web_search_call", "ws_1", action={"type": "search", "query": "x"}),
            item("file_search_call", "fs_1", queries=["x"], results=None),
            item("image_generation_call", "ig_1", result="iVBORw0KGgo=", size="1024x1024"),
            {**item("web_search_call", "ws_2", action={"type": "search"}), "status": "failed"},
            {**item("file_search_call", "fs_2", queries=["y"]), "status": "searching"},
            {**HOSTED["code_interpreter"][0], "status": "incomplete"},
        )
    )
    with begun(face, client, turn) as ours:
        collect(ours, face.run(sdk.responses.create(**ASK_RESPONSES)))
        face.run(ours.save(turn.message_id))
    assert [(row[0], row[3], row[4]) for row in found(database)] == [
        ("ws_1", {"status": "completed"}, False),
        ("fs_1", {"status": "completed"}, False),
        ("ig_1", {"size": "1024x1024"}, False),
        ("ws_2", {"status": "failed"}, True),
    ]


def test_other_calls_of_responses(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    vendor.answers.append(
        response(
            item("custom_tool_call", "ctc_1", call_id="call_1", name="run_sql", input="[1]"),
            item(
                "shell_call",
                "sh_1",
                call_id="call_2",
                action={"commands": ["ls"], "timeout_ms": None, "max_output_length": None},
            ),
            item(
                "shell_call_output",
                "sho_1",
                call_id="call_2",
                output=[
                    {"stdout": "a\n", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
                ],
            ),
        )
    )
    with begun(face, client, turn) as ours:
        collect(ours, face.run(sdk.responses.create(**ASK_RESPONSES)))
        collect(ours, {"type": "custom_tool_call_output", "call_id": "call_1", "output": "1 row"})
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [
        (
            "call_2",
            "shell",
            {"commands": ["ls"], "timeout_ms": None, "max_output_length": None},
            [{"stdout": "a\n", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
        ),
        ("call_1", "run_sql", "[1]", "1 row"),
    ]


def test_items_given_back_as_input_double_nothing_and_are_of_their_turn(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    hosted = HOSTED["web_search"][0]
    vendor.answers += [response(F_PLANS, hosted), response(SAID)]
    old = item("function_call", "fc_0", call_id="call_0", name="old", arguments="{}")
    history: list[Any] = [
        {"role": "user", "content": "Hello"},
        HOSTED["pay"][0],
        old,
        returned("call_0", "yesterday's"),
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Now?"}]},
    ]
    with begun(face, client, turn) as ours:
        first = face.run(sdk.responses.create(model="gpt-test", input=history))
        collect(ours, first)
        history += first.output
        history.append(returned("call_1", "5"))
        collect(ours, history)
        last = face.run(sdk.responses.create(model="gpt-test", input=history))
        history += last.output
        collect(ours, history, last)
        collect(ours, [each.model_dump() for each in first.output])
        assert ours.pending == 2
        face.run(ours.save(turn.message_id))
    assert [row[1] for row in found(database)] == ["web_search", "query_site_data"]
    assert not client.failures


def test_a_cancelled_stream_of_responses_keeps_what_was_whole(
    face: Face, client: Any, database: Database, turn: Turn, vendor: VendorServer, sdk: Any
) -> None:
    sent = response_events(HOSTED["web_search"][0], F_PLANS)
    cut = next(n for n, each in enumerate(sent) if "arguments.delta" in each["type"])
    vendor.answers.append([*sent[: cut + 1], PAUSE])
    with begun(face, client, turn) as ours:
        made = face.run(sdk.responses.create(**ASK_RESPONSES, stream=True))
        for event in events(face, watch(made, ours)):
            if event.type == "response.function_call_arguments.delta":
                break
        face.run(made.close())
        collect(ours, returned("call_1", "odd"))
        face.run(ours.save(turn.message_id))
    assert [row[1] for row in found(database)] == ["web_search"]
    assert client.failures == {"discarded": 1}


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
        {"role": "assistant", "tool_calls": {"secret": 1}},
        {"role": "assistant", "tool_calls": [None, Hostile(), {"function": {"name": "secret"}}]},
        {"role": "tool", "content": "secret"},
        {"role": "function", "name": "old", "content": "secret"},
        {"type": "function_call_output", "output": "secret"},
    ]
    asked = {"role": "assistant", "tool_calls": [Hostile(), PLANS]}
    with begun(face, client, turn) as ours:
        collect(ours, *odd, None, "text", [*odd, asked, answered("call_1", 5)])
        for broken in (
            {"choices": [{"delta": {"tool_calls": 3}}]},
            {"type": "response.output_item.done", "item": 3},
            Hostile(),
        ):
            assert list(watch([broken], ours)) == [broken]
        face.run(ours.save(turn.message_id))
    assert [row[0] for row in found(database)] == ["call_1"]
    assert client.failures == {"unreadable": 2 * 10 + 1 + 3}
    assert "secret" not in caplog.text
    assert "mine" not in caplog.text


def test_json_arguments_lose_nothing(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    text = '{"cents": 12345678901234567890.12, "id": 90071992547409931, "far": 1e400}'
    with begun(face, client, turn) as ours:
        collect(ours, {"role": "assistant", "tool_calls": [call("call_1", "pay", text)]})
        collect(ours, answered("call_1", text))
        face.run(ours.save(turn.message_id))
    exact = database.owner_conn.execute(
        "select tool_input = %s::jsonb, tool_output = %s::jsonb"
        " from tool_recall.message_tool_results",
        [text, text],
    ).fetchall()
    assert exact == [(True, True)]
