"""MCP: records each tool that is called through a client session.

    session = wrap(session, turn)
    result = await session.call_tool("query_site_data", {"target": "memberships"})

Nothing of the package ``mcp`` is imported: any object with an awaited ``call_tool`` will do.
"""

from __future__ import annotations

from typing import Any

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters._feeding import plain

__all__ = ["RecordedSession", "wrap"]


class RecordedSession:
    """A ``ClientSession`` whose ``call_tool`` also tells a turn; all else is the session's."""

    def __init__(self, session: Any, turn: Turn | AsyncTurn) -> None:
        self._session = session
        self._turn = turn

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def call_tool(
        self, name: str, arguments: dict[str, Any] | None = None, *more: Any, **options: Any
    ) -> Any:
        """The session's ``call_tool``: its result and its exceptions are passed on unchanged.

        The result is stored as it came over the wire, with ``isError`` as the row's is_error. A
        call that raised is stored as an error that says so; one that was cancelled is not.
        """
        try:
            result = await self._session.call_tool(name, arguments, *more, **options)
        except Exception as error:
            failure = {"error": f"{type(error).__name__}: {error}"}
            self._turn.add(name, arguments or {}, failure, is_error=True)
            raise
        try:
            output = plain(result)
            is_error = bool(output.get("isError")) if isinstance(output, dict) else False
        except Exception as error:
            self._turn.skipped(error)
        else:
            self._turn.add(name, arguments or {}, output, is_error=is_error)
        return result


def wrap(session: Any, turn: Turn | AsyncTurn) -> RecordedSession:
    """The session, recorded: each ``call_tool`` tells the turn what it returned."""
    return RecordedSession(session, turn)
