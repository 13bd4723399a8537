"""LangChain and LangGraph: a callback that needs no change to the chain or the graph.

graph.invoke(inputs, config={"callbacks": [RecallCallback(turn)]})
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters import _feeding as feeding
from pg_tool_recall.adapters._feeding import field, guarded

try:
    from langchain_core.callbacks import BaseCallbackHandler
except ImportError as error:
    raise ImportError(
        "this adapter needs langchain-core: pip install 'pg-tool-recall[langchain]'"
    ) from error

__all__ = ["RecallCallback"]


class RecallCallback(BaseCallbackHandler):
    """Tells a turn of each tool that ran, also under asyncio.

    Stored is what the model was given: a ToolMessage's content, never its artifact. A tool that
    raised, or whose message has the status error, is stored as an error.
    """

    # In the order of the events, also where they are awaited.
    run_inline = True

    def __init__(self, turn: Turn | AsyncTurn) -> None:
        self._turn = turn
        self._started: dict[UUID, tuple[str, Any]] = {}

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        inputs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        name = more.get("name") or (serialized or {}).get("name") or ""
        self._started[run_id] = (name, inputs if inputs is not None else input_str)

    def on_tool_end(self, output: Any, *, run_id: UUID, **more: Any) -> None:
        guarded(self._turn, self._returned, output, run_id)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        name, given = self._started.pop(run_id, ("", {}))
        failure = {"error": f"{type(error).__name__}: {error}"}
        self._turn.add(name, given, failure, is_error=True, tool_use_id=more.get("tool_call_id"))

    def _returned(self, result: Any, run_id: UUID) -> None:
        name, given = self._started.pop(run_id, ("", {}))
        is_message = field(result, "type") == "tool"
        self._turn.add(
            name,
            given,
            feeding.output(field(result, "content") if is_message else result),
            tool_use_id=field(result, "tool_call_id") if is_message else None,
            is_error=is_message and field(result, "status") == "error",
        )
