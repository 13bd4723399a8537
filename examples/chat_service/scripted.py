"""A stand-in for a model, so that the service runs without one: it follows a few rules.

It is an HTTP endpoint that speaks Chat Completions, and the service reaches it as any other,
through the openai package. What it is asked about the past it answers from the prompt, as a model
should; about the present it calls tools.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from pg_tool_recall.recall_tool import NAME as RECALL_TOOL

PAST = re.compile(r"\b(showed|shown|told|did you|were)\b", re.IGNORECASE)
IN_FULL = re.compile(r"\b(which|what were|names?)\b", re.IGNORECASE)
TOOLS = {"plan": "list_plans", "member": "count_members"}
# A line of the block: day, tool, arguments, what was found.
LINE = re.compile(r"^- (\d{4}-\d{2}-\d{2}) (\w+)\((.*?)\): (.*)$", re.MULTILINE)


@contextmanager
def scripted_endpoint(seconds_a_word: float = 0.03) -> Iterator[str]:
    """The base URL of an endpoint on a free port, for as long as the context lasts."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(scripted_app(seconds_a_word), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join()


def scripted_app(seconds_a_word: float) -> FastAPI:
    app = FastAPI(title="A scripted model")

    @app.post("/v1/chat/completions")
    async def completions(request: dict[str, Any]) -> StreamingResponse:
        return StreamingResponse(
            _stream(_decide(request["messages"]), seconds_a_word), media_type="text/event-stream"
        )

    return app


def _decide(messages: list[dict[str, Any]]) -> dict[str, Any] | str:
    """The call of a tool, or the answer."""
    last = messages[-1]
    if last["role"] == "tool":
        return _report(json.loads(last["content"]))
    question = last["content"]
    tool = next((name for word, name in TOOLS.items() if word in question.lower()), None)
    if tool is None:
        return "Noted."
    if not PAST.search(question):
        return {"name": tool, "arguments": {}}
    if IN_FULL.search(question):
        return {"name": RECALL_TOOL, "arguments": {"tool_name": tool}}
    for day, name, _, found in LINE.findall(str(messages[0]["content"])):
        if name == tool:
            return f"As of {day}, {tool} showed {found}."
    return "I have not shown you that."


def _report(output: dict[str, Any]) -> str:
    """What a tool gave, in words."""
    if "results" in output:
        if not output["results"]:
            return "I find nothing of that."
        newest = output["results"][0]
        return f"As of {newest['as_of']}: {_values(newest['output'])}."
    return f"Right now: {_values(output)}."


def _values(output: dict[str, Any]) -> str:
    if "plans" in output:
        plans = (f"{plan['name']} at {plan['price']:g} euros" for plan in output["plans"])
        return ", ".join(plans)
    return ", ".join(f"{value} {name}" for name, value in output.items())


async def _stream(decided: dict[str, Any] | str, seconds_a_word: float) -> AsyncIterator[str]:
    if isinstance(decided, str):
        for word in re.findall(r"\S+\s*", decided):
            yield _chunk({"content": word})
            await asyncio.sleep(seconds_a_word)
        yield _chunk({}, "stop")
    else:
        function = {"name": decided["name"], "arguments": json.dumps(decided["arguments"])}
        call = {"index": 0, "id": f"call_{uuid4().hex}", "type": "function", "function": function}
        yield _chunk({"role": "assistant", "tool_calls": [call]})
        yield _chunk({}, "tool_calls")
    yield "data: [DONE]\n\n"


def _chunk(delta: dict[str, Any], finish_reason: str | None = None) -> str:
    chunk = {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }
    return f"data: {json.dumps(chunk)}\n\n"
