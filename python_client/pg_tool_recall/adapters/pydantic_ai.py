"""pydantic-ai: from the messages of a run.

    result = await agent.run(question, message_history=history)
    collect(turn, result.new_messages())

Nothing of the package ``pydantic_ai`` is imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters._feeding import (
    Call,
    Half,
    Result,
    arguments,
    feed,
    field,
    list_field,
    output,
    text_field,
)

__all__ = ["collect"]


class _Reader:
    def parts(self, message: Any) -> Iterable[Any]:
        return list_field(message, "parts")

    def halves(self, part: Any) -> Iterable[Half]:
        kind = text_field(part, "part_kind")
        id = field(part, "tool_call_id")
        if kind in ("tool-call", "builtin-tool-call"):
            yield Call(id, field(part, "tool_name"), arguments(field(part, "args")))
        elif kind in ("tool-return", "builtin-tool-return"):
            failed = field(part, "outcome") in ("failed", "denied", "retried")
            yield Result(id, output(field(part, "content")), is_error=failed)
        elif kind == "retry-prompt" and field(part, "tool_name"):
            yield Result(id, {"error": output(field(part, "content"))}, is_error=True)

    def is_question(self, message: Any) -> bool:
        return any(
            text_field(part, "part_kind") == "user-prompt" for part in list_field(message, "parts")
        )


def collect(turn: Turn | AsyncTurn, *messages: Any) -> None:
    """Tells the turn of all calls and results in messages, or in lists of them.

    Of a list, which is a history, only what came after the last user prompt counts. A retry that
    the tool or its validation asked for is an error. Given twice, nothing is doubled. Never raises.
    """
    feed(turn, messages, _Reader())
