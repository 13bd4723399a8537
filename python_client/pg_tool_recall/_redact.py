"""The caller's own redaction: what it is given, what it may answer, what becomes of failures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pg_tool_recall.errors import ToolRecallError

Redact = Callable[[str, Any, Any], "tuple[Any, Any] | None"]
"""From tool name, input and output to the input and output to be stored; None: store nothing."""


def checked(redact: Redact | None) -> Redact | None:
    if redact is None:
        return None
    if not callable(redact):
        raise ValueError("redact must be a callable of (tool_name, tool_input, tool_output)")
    if inspect.iscoroutinefunction(redact) or inspect.iscoroutinefunction(
        getattr(redact, "__call__", None)  # noqa: B004 - an object whose calls are awaited
    ):
        raise ValueError("redact must not be async: it is called where nothing is awaited")
    return redact


def redacted(
    redact: Redact, tool_name: Any, tool_input: Any, tool_output: Any
) -> tuple[Any, Any] | None:
    """Its answer; a ToolRecallError of kind ``redact``, without any data, where it has none."""
    try:
        answer: Any = redact(tool_name, tool_input, tool_output)
    except Exception as error:
        raise _failure(f"it raised {type(error).__name__}") from error
    if answer is None:
        return None
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise _failure("it must be awaited")
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise _failure(f"it gave a {type(answer).__name__}, not an input and an output")
    return answer[0], answer[1]


def _failure(why: str) -> ToolRecallError:
    return ToolRecallError(f"redact failed, the result is not stored: {why}", kind="redact")
