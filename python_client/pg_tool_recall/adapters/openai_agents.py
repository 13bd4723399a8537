"""OpenAI Agents SDK: from the items of a run, so hosted tools count too.

    result = await Runner.run(agent, question)
    collect(turn, result)

A streamed run is collected once its events are consumed. Nothing of the package ``agents`` is
imported.
"""

from __future__ import annotations

from typing import Any

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters import openai
from pg_tool_recall.adapters._feeding import field, list_field

__all__ = ["collect"]

FAILED = "An error occurred while running the tool"
"""How the SDK's default failure_error_function begins what it tells the model of an exception."""


def collect(turn: Turn | AsyncTurn, *results: Any) -> None:
    """Tells the turn of all calls and results in runs' results, or in lists of their items.

    An output that begins as the SDK's own report of an exception is stored as an error. Given
    twice, nothing is doubled. Never raises.
    """
    for result in results:
        try:
            items = result if isinstance(result, list | tuple) else list_field(result, "new_items")
            raw = [field(item, "raw_item") for item in items]
        except Exception as error:
            turn.skipped(error)
            continue
        openai.collect(turn, *raw, failed=[str(each) for each in map(_failed_id, raw) if each])


def _failed_id(item: Any) -> Any:
    """The id of a call whose output says that it failed; None of anything else."""
    output = field(item, "output")
    if isinstance(output, str) and output.startswith(FAILED):
        return field(item, "call_id")
    return None
