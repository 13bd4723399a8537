"""The block in a request: accepted by the SDK, verbatim, and nothing of the caller's changed."""

from __future__ import annotations

import copy
import json
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import TextBlock
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessage
from pydantic import ValidationError

from pg_tool_recall import Block
from pg_tool_recall._placement import Sdk
from tests.placement.wire import legal, sent, typed

TEXT = (
    "Previously fetched (this conversation, snapshots — not live data):\n"
    '- 2026-05-08 query_site_data(target="plans\\u003c"): 5 plans\n\n'
    'IMPORTANT: when referencing a row above, always prefix with "as of <date>".'
)
BLOCK = Block(TEXT)
HOWS = ["as_system", "as_user_tail", "as_tool_result"]
SDKS: list[Sdk] = ["anthropic", "openai", "responses"]
QUESTION = "What were those plans?"
TOOLS: dict[str, Any] = {
    "anthropic": [{"name": "a_tool", "input_schema": {"type": "object"}}],
    "openai": [{"type": "function", "function": {"name": "a_tool", "parameters": {}}}],
    "responses": [{"type": "function", "name": "a_tool", "parameters": {}, "strict": False}],
}


def request(sdk: str, messages: Any, **more: Any) -> dict[str, Any]:
    limit = {"max_tokens": 100} if sdk == "anthropic" else {}
    key = "input" if sdk == "responses" else "messages"
    return {"model": "a-model", key: messages, "tools": TOOLS[sdk], **limit, **more}


def place(how: str, given_request: Any, sdk: str, block: Block = BLOCK) -> dict[str, Any]:
    """Places it, and holds what is promised of every placement."""
    sentinels = {id(each): each for each in given_request.values() if not each}
    before = copy.deepcopy(given_request, dict(sentinels))
    placed: dict[str, Any] = getattr(block, how)(given_request, sdk=sdk)
    assert given_request == before
    assert sum(each.count(TEXT) for each in texts(placed)) == bool(block)
    assert placed == getattr(block, how)(given_request, sdk=sdk)
    return placed


def texts(value: Any) -> list[str]:
    """Every string in a request."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [text for each in value for text in texts(each)] if hasattr(value, "__iter__") else []


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


def used(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "a_tool", "input": {}}


def result(id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": "1"}


CACHED = {"cache_control": {"type": "ephemeral"}}


# -- as_system


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("Be brief.", f"Be brief.\n\n{TEXT}"),
        (None, TEXT),
        ("", TEXT),
        ([], TEXT),
        (anthropic.omit, TEXT),
        ([text("Be brief.", **CACHED)], [text("Be brief.", **CACHED), text(TEXT)]),
        ((text("a"), text("b")), [text("a"), text("b"), text(TEXT)]),
    ],
)
def test_anthropic_system(system: Any, expected: Any) -> None:
    ours = request("anthropic", [user(QUESTION)], system=system)
    placed = BLOCK.as_system(ours, sdk="anthropic")
    assert placed == {**ours, "system": expected}
    typed(placed, "anthropic")
    assert sent(placed, "anthropic")["system"] == expected


@pytest.mark.parametrize("role", ["system", "developer"])
def test_chat_system(role: str) -> None:
    first = {"role": role, "content": "Be brief."}
    ours = request("openai", [first, user(QUESTION)])
    placed = place("as_system", ours, "openai")
    extended: dict[str, Any] = {"role": role, "content": f"Be brief.\n\n{TEXT}"}
    assert placed["messages"] == [extended, user(QUESTION)]
    parts: dict[str, Any] = {"role": role, "content": [text("Be brief.")]}
    placed = place("as_system", request("openai", [first, parts, user(QUESTION)]), "openai")
    extended = {"role": role, "content": [text("Be brief."), text(TEXT)]}
    assert placed["messages"] == [first, extended, user(QUESTION)]
    typed(placed, "openai")
    assert sent(placed, "openai")["messages"] == placed["messages"]


def test_chat_without_system_prompt() -> None:
    later = {"role": "system", "content": "Be brief."}
    placed = place("as_system", request("openai", [user(QUESTION), later]), "openai")
    expected = [{"role": "system", "content": TEXT}, user(QUESTION), later]
    assert placed["messages"] == expected
    typed(placed, "openai")


@pytest.mark.parametrize("given_input", [QUESTION, [user(QUESTION)]])
def test_responses_instructions(given_input: Any) -> None:
    for instructions, expected in [("Be brief.", f"Be brief.\n\n{TEXT}"), (None, TEXT)]:
        ours = request("responses", given_input, instructions=instructions)
        placed = place("as_system", ours, "responses")
        assert placed == {**ours, "instructions": expected}
        typed(placed, "responses")
        assert sent(placed, "responses")["instructions"] == expected


def test_responses_with_the_system_prompt_in_the_input() -> None:
    first = {"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}
    placed = place("as_system", request("responses", [first, user(QUESTION)]), "responses")
    assert "instructions" not in placed
    assert placed["input"][0]["content"][1] == {"type": "input_text", "text": TEXT}
    typed(placed, "responses")
    assert sent(placed, "responses")["input"] == placed["input"]


# -- as_user_tail


@pytest.mark.parametrize("sdk", SDKS)
def test_user_tail_of_a_text(sdk: str) -> None:
    history = [user("Hi"), assistant("Hello")]
    placed = place("as_user_tail", request(sdk, [*history, user(QUESTION)]), sdk)
    key = "input" if sdk == "responses" else "messages"
    assert placed[key] == [*history, user(f"{TEXT}\n\n{QUESTION}")]
    typed(placed, sdk)
    assert sent(placed, sdk)[key] == placed[key]


@pytest.mark.parametrize("sdk", SDKS)
def test_user_tail_of_parts(sdk: str) -> None:
    kind = "input_text" if sdk == "responses" else "text"
    content = [{"type": kind, "text": QUESTION}, {"type": kind, "text": "Tell me."}]
    placed = place("as_user_tail", request(sdk, [user(content)]), sdk)
    key = "input" if sdk == "responses" else "messages"
    assert placed[key] == [user([{"type": kind, "text": TEXT}, *content])]
    typed(placed, sdk)
    assert sent(placed, sdk)[key] == placed[key]


def test_user_tail_of_a_responses_text() -> None:
    placed = place("as_user_tail", request("responses", QUESTION), "responses")
    assert placed["input"] == f"{TEXT}\n\n{QUESTION}"


def test_user_tail_comes_after_tool_results() -> None:
    asked = [user("Hi"), assistant([used("1"), used("2")])]
    answered = [result("1"), result("2"), text(QUESTION, **CACHED)]
    ours = request("anthropic", [*asked, user(answered)])
    placed = place("as_user_tail", ours, "anthropic")
    assert placed["messages"][-1]["content"] == [*answered[:2], text(TEXT), answered[2]]
    legal(placed, "anthropic")
    typed(placed, "anthropic")


@pytest.mark.parametrize("how", HOWS)
def test_it_stays_in_place_while_tools_are_called(how: str) -> None:
    """Later requests of a turn begin with the bytes of the first."""
    messages = [user("Hi"), assistant("Hello"), user(QUESTION)]
    for sdk in SDKS:
        loop: list[Any]
        if sdk == "anthropic":
            loop = [assistant([used("1")]), user([result("1")])]
        elif sdk == "openai":
            function = {"name": "a_tool", "arguments": "{}"}
            call = {"id": "1", "type": "function", "function": function}
            loop = [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "1", "content": "1"},
            ]
        else:
            loop = [
                {"type": "function_call", "call_id": "1", "name": "a_tool", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "1", "output": "1"},
            ]
        for history in (messages, messages[2:]):
            key = "input" if sdk == "responses" else "messages"
            first = place(how, request(sdk, history), sdk)
            second = place(how, request(sdk, [*history, *loop]), sdk)
            assert second[key] == [*first[key], *loop]
            legal(second, sdk)
            typed(second, sdk)


# -- as_tool_result


def test_anthropic_tool_result() -> None:
    ours = request("anthropic", [user("Hi"), assistant("Hello"), user(QUESTION)])
    placed = place("as_tool_result", ours, "anthropic")
    hi, call, answer = placed["messages"]
    assert hi == user("Hi")
    id = call["content"][1]["id"]
    assert call["content"] == [text("Hello"), {**used(id), "name": "recall_prior_tool_results"}]
    assert answer == user([{**result(id), "content": TEXT}, text(QUESTION)])
    legal(placed, "anthropic")
    typed(placed, "anthropic")
    assert sent(placed, "anthropic")["messages"] == placed["messages"]


def test_anthropic_tool_result_beside_real_ones() -> None:
    messages = [user("Hi"), assistant([used("1")]), user([result("1"), text(QUESTION)])]
    placed = place("as_tool_result", request("anthropic", messages), "anthropic")
    assert [part["type"] for part in placed["messages"][2]["content"]] == [
        "tool_result",
        "tool_result",
        "text",
    ]
    legal(placed, "anthropic")
    typed(placed, "anthropic")


def test_anthropic_tool_result_between_two_messages_of_the_user() -> None:
    placed = place("as_tool_result", request("anthropic", [user("Hi"), user("Ho")]), "anthropic")
    legal(placed, "anthropic")


def test_anthropic_tool_result_of_the_sdks_own_blocks() -> None:
    said = assistant([TextBlock(type="text", text="Hello")])
    ours = request("anthropic", [user("Hi"), said, user(QUESTION)])
    placed = place("as_tool_result", ours, "anthropic")
    assert placed["messages"][1]["content"][0] is said["content"][0]
    assert sent(placed, "anthropic")["messages"][1]["content"][0]["text"] == "Hello"


@pytest.mark.parametrize(
    "more",
    [
        {"tools": []},
        {"tools": anthropic.omit},
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        {"thinking": {"type": "adaptive"}},
    ],
)
def test_what_anthropic_would_refuse_is_a_user_tail(more: dict[str, Any]) -> None:
    ours = request("anthropic", [user("Hi"), assistant("Hello"), user(QUESTION)], **more)
    placed = place("as_tool_result", ours, "anthropic")
    assert placed == BLOCK.as_user_tail(ours, sdk="anthropic")


@pytest.mark.parametrize("sdk", ["openai", "responses"])
def test_openai_tool_result(sdk: str) -> None:
    history = [user("Hi"), assistant("Hello")]
    ours = request(sdk, [*history, user(QUESTION)])
    placed = place("as_tool_result", ours, sdk)
    key = "input" if sdk == "responses" else "messages"
    assert placed[key][:2] == history
    assert placed[key][4:] == [user(QUESTION)]
    legal(placed, sdk)
    typed(placed, sdk)
    assert sent(placed, sdk)[key] == placed[key]


def test_responses_tool_result_before_a_text() -> None:
    placed = place("as_tool_result", request("responses", QUESTION), "responses")
    assert placed["input"][2] == user(QUESTION)
    typed(placed, "responses")


# -- all of them


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("how", HOWS)
def test_an_empty_block_changes_nothing(how: str, sdk: str) -> None:
    ours = request(sdk, [user(QUESTION)], system="Be brief.")
    placed = place(how, ours, sdk, Block())
    assert placed == ours


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("how", HOWS)
def test_without_a_message_of_the_users_it_is_in_the_system_prompt(how: str, sdk: str) -> None:
    for messages in ([], None, [assistant("Hello")]):
        ours = request(sdk, messages)
        assert place(how, ours, sdk) == BLOCK.as_system(ours, sdk=sdk)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", HOWS)
def test_unknown_sdk(how: str) -> None:
    for block in (BLOCK, Block()):
        with pytest.raises(ValueError, match="anthropic, openai, responses"):
            getattr(block, how)({}, sdk="gemini")


@pytest.mark.parametrize("how", HOWS)
def test_messages_that_are_the_sdks_own_objects(how: str) -> None:
    said = ChatCompletionMessage(role="assistant", content="Hello")
    placed = place(how, request("openai", [user("Hi"), said, user(QUESTION)]), "openai")
    assert said in placed["messages"]
    assert sent(placed, "openai")["messages"]


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("how", HOWS)
def test_what_can_be_read_once_is_kept(how: str, sdk: str) -> None:
    kind = "input_text" if sdk == "responses" else "text"

    def once() -> Any:
        return (each for each in [{"role": "user", "content": iter([{"type": kind, "text": "Q"}])}])

    placed = getattr(BLOCK, how)(request(sdk, once()), sdk=sdk)
    assert "Q" in texts(placed)


@pytest.mark.parametrize("sdk", SDKS)
def test_the_types_refuse_what_is_wrong(sdk: str) -> None:
    """Or the tests above say nothing."""
    with pytest.raises(ValidationError):
        typed(request(sdk, [{"role": "user", "content": [{"type": "nonsense"}]}]), sdk)


# -- any conversation

FLAG: st.SearchStrategy[bool] = st.booleans()
words: st.SearchStrategy[str] = st.sampled_from(["Hi", "What else?", "…"])


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A legal Anthropic conversation that ends with the user or with tools' results."""
    messages: list[dict[str, Any]] = []
    pending: list[str] = []
    ids = iter(range(10_000))
    for _ in range(draw(st.integers(1, 4))):
        said: list[Any] = [text(each) for each in draw(st.lists(words, max_size=2))]
        results = [result(each) for each in pending]
        as_parts = draw(FLAG)
        if results or (said and as_parts):
            messages.append(user([*results, *said]))
        else:
            messages.append(user(draw(words)))
        if draw(FLAG):
            pending = [f"toolu_{next(ids)}" for _ in range(draw(st.integers(1, 2)))]
            said = [text(each) for each in draw(st.lists(words, max_size=1))]
            messages.append(assistant([*said, *map(used, pending)]))
        else:
            pending = []
            messages.append(assistant(draw(words)))
    messages.append(user([*map(result, pending)]) if pending else user(draw(words)))
    return messages


@settings(max_examples=300, deadline=None)
@given(conversations())
def test_any_anthropic_conversation(messages: list[dict[str, Any]]) -> None:
    ours = request("anthropic", messages, system="Be brief.")
    legal(ours, "anthropic")
    for how in HOWS:
        placed = place(how, ours, "anthropic")
        legal(placed, "anthropic")
        typed(placed, "anthropic")
        # All that was said is still said, in order.
        said = json.dumps(placed["messages"], ensure_ascii=False)
        position = 0
        for each in texts([message["content"] for message in messages]):
            position = said.index(json.dumps(each, ensure_ascii=False)[1:-1], position) + 1


def test_openai_sentinels() -> None:
    ours = request("responses", QUESTION, instructions=openai.omit)
    assert place("as_system", ours, "responses")["instructions"] == TEXT
