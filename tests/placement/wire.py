"""What the vendors' SDKs and APIs accept."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

from tests.support.endpoint import endpoint

TYPES: dict[str, TypeAdapter[Any]] = {
    "anthropic": TypeAdapter(MessageCreateParamsNonStreaming),
    "openai": TypeAdapter(CompletionCreateParamsNonStreaming),
    "responses": TypeAdapter(ResponseCreateParamsNonStreaming),
}


def typed(request: Mapping[str, Any], sdk: str) -> None:
    """The SDK's own types take the request; what they leave to be read later is read."""
    exhaust(TYPES[sdk].validate_python(dict(request)))


def exhaust(value: Any) -> None:
    if isinstance(value, Mapping):
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            exhaust(each)


def sent(request: Mapping[str, Any], sdk: str) -> dict[str, Any]:
    """The body that the SDK's real client sends for a request."""
    with endpoint(lambda body: (418, {})) as server:
        options: dict[str, Any] = {"api_key": "none", "base_url": server.url, "max_retries": 0}
        create: Any
        if sdk == "anthropic":
            create = anthropic.Anthropic(**options).messages.create
        elif sdk == "openai":
            create = openai.OpenAI(**options).chat.completions.create
        else:
            create = openai.OpenAI(**options).responses.create
        with pytest.raises((anthropic.APIStatusError, openai.APIStatusError)):
            create(**request)
    (body,) = server.bodies
    return body


def legal(request: Mapping[str, Any], sdk: str) -> None:
    """The rules of the API that its types do not know."""
    if sdk == "anthropic":
        legal_anthropic(request["messages"])
    elif sdk == "openai":
        legal_chat(request["messages"])
    elif not isinstance(request["input"], str):
        legal_responses(request["input"])


def legal_anthropic(messages: list[dict[str, Any]]) -> None:
    """Turns are taken, the user begins, results come first and right after their calls."""
    assert messages[0]["role"] == "user"
    for one, other in itertools.pairwise(messages):
        assert one["role"] != other["role"]
    called: list[str] = []
    for message in messages:
        parts = message["content"] if isinstance(message["content"], list) else []
        kinds = [part["type"] for part in parts]
        if message["role"] == "user":
            results = kinds.count("tool_result")
            assert kinds[:results] == ["tool_result"] * results
            answered = [part["tool_use_id"] for part in parts[:results]]
            assert sorted(answered) == sorted(called)
        called = [part["id"] for part in parts if part["type"] == "tool_use"]
        assert not {part.get("text") for part in parts} & {""}
    assert not called


def legal_chat(messages: list[dict[str, Any]]) -> None:
    """Each call is answered before anything else is said, no result without a call."""
    called: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            called.remove(message["tool_call_id"])
            continue
        assert not called
        called = {each["id"] for each in message.get("tool_calls") or []}
        assert all(len(each) <= 40 for each in called)
    assert not called


def legal_responses(items: list[dict[str, Any]]) -> None:
    called = [item["call_id"] for item in items if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    assert called == answered
    assert all(len(each) <= 64 for each in called)
