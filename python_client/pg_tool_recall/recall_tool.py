"""The tool with which a model looks up what it was shown: ``recall_prior_tool_result``.

    tool = RecallTool(recall, conversation_id=c, user_id=u)
    client.messages.create(..., tools=[*TOOLS, tool.anthropic])
    ...
    answer = tool.call(tool_use.input)      # JSON text for the tool_result

Nothing offers it unless you do. Whose results it reads is said here, by the service; whatever the
model says of that is ignored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pg_tool_recall import _sql
from pg_tool_recall._async import AsyncToolRecall
from pg_tool_recall._connections import AsyncConnection, SyncConnection
from pg_tool_recall._core import Core, Operation, Row, Statement, Steps, _id, _stored_result
from pg_tool_recall._paging import MIN_BYTES, Cursor, Page, Query, Shown, error, json_text
from pg_tool_recall._repair import clean_text
from pg_tool_recall._sync import ToolRecall
from pg_tool_recall._types import Id

__all__ = ["NAME", "AsyncRecallTool", "RecallTool"]

NAME = "recall_prior_tool_result"

# Rows read at once; each may have a mebibyte.
_BATCH = 5
_LONGEST_NAME = 128
# Retention is far below; an integer of the database's holds it.
_MOST_DAYS = 36_500

_DESCRIPTION = (
    "Looks up what tools returned earlier in this conversation: the stored results, newest first, "
    "exact and in full, each with the day on which it was fetched. Use it when the user asks what "
    "was shown or said before and the answer is not in the conversation. The results are snapshots "
    "of the past: say 'as of <date>' with whatever you take from them. For the present state call "
    "the tool itself."
)
_PROPERTIES: dict[str, dict[str, Any]] = {
    "tool_name": {
        "type": "string",
        "description": "Only results of the tool of this name. Leave it out for those of all.",
    },
    "since_days": {
        "type": "integer",
        "minimum": 1,
        "description": "Only results of the last so many days. Leave it out for all.",
    },
    "cursor": {
        "type": "string",
        "description": "To read on: the cursor of the answer before, with the same other arguments."
        " Never make one up.",
    },
}
_UNAVAILABLE = (
    "The earlier results cannot be read at the moment. That says nothing about what was shown: tell"
    " the user so, and do not guess."
)
_BAD_CURSOR = (
    "This cursor cannot be used (any more): call the tool again without it to begin with the newest"
    " results."
)


class _Refused(Exception):
    """What the model is told about its arguments."""


@dataclass(frozen=True)
class _Scope:
    """Whose results, and how much of them at once."""

    conversation_id: Id
    user_id: Id
    max_bytes: int
    timeout: float | None


class _Tool:
    """The tool's definitions, in each SDK's shape, and what a call does."""

    def __init__(
        self,
        core: Core,
        conversation_id: Id,
        user_id: Id,
        max_bytes: int,
        timeout: float | None,
    ) -> None:
        if max_bytes < MIN_BYTES:
            raise ValueError(f"max_bytes must be at least {MIN_BYTES}")
        if timeout is not None and not timeout > 0:
            raise ValueError("timeout is in seconds, above 0; None for no limit")
        self.name = NAME
        self._core = core
        self._scope = _Scope(conversation_id, user_id, max_bytes, timeout)

    @property
    def anthropic(self) -> dict[str, Any]:
        """An element of ``tools`` of Anthropic Messages."""
        return {"name": NAME, "description": _DESCRIPTION, "input_schema": _schema()}

    @property
    def openai(self) -> dict[str, Any]:
        """An element of ``tools`` of OpenAI Chat Completions."""
        function = {"name": NAME, "description": _DESCRIPTION, "parameters": _schema()}
        return {"type": "function", "function": function}

    @property
    def responses(self) -> dict[str, Any]:
        """An element of ``tools`` of OpenAI Responses."""
        return {
            "type": "function",
            "name": NAME,
            "description": _DESCRIPTION,
            "parameters": _schema(),
            "strict": False,
        }

    @property
    def mcp(self) -> dict[str, Any]:
        """An MCP tool as it is on the wire: ``mcp.types.Tool.model_validate(tool.mcp)``."""
        return {
            "name": NAME,
            "description": _DESCRIPTION,
            "inputSchema": _schema(),
            "annotations": {
                "readOnlyHint": True,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }

    def _operation(self, arguments: Any) -> Operation[str]:
        scope = self._scope

        def steps() -> Steps[str]:
            try:
                query = self._query(arguments)
            except _Refused as refused:
                return error(str(refused))
            yield from self._core._ready()
            return (yield from _answer(scope, query))

        deadline = None if scope.timeout is None else monotonic() + scope.timeout
        return Operation("recall_tool", steps, lambda: error(_UNAVAILABLE), deadline=deadline)

    def _query(self, arguments: Any) -> Query:
        given = _mapping(arguments)
        unknown = [str(name) for name in given if name not in _PROPERTIES]
        if unknown:
            self._core.ignored(unknown)
        return Query(
            _tool_name(given.get("tool_name")),
            _since_days(given.get("since_days")),
            _cursor(given.get("cursor")),
        )


class RecallTool(_Tool):
    """The recall tool for one conversation of one user; make one for each turn.

    max_bytes: of an answer, in UTF-8; what is more is reached through its cursor.
    timeout:   seconds that a call may take, waiting for a connection included; None: any.
    """

    def __init__(
        self,
        client: ToolRecall,
        *,
        conversation_id: Id,
        user_id: Id,
        max_bytes: int = 16 * 1024,
        timeout: float | None = 5.0,
    ) -> None:
        super().__init__(client._core, conversation_id, user_id, max_bytes, timeout)
        self._perform: Callable[..., str] = client._perform

    def call(self, arguments: Any = None, *, conn: SyncConnection | None = None) -> str:
        """The answer to the model's call, as JSON text; it has ``error`` where there is none.

        arguments: what the model gave: a mapping, or JSON text as OpenAI sends it. Whatever it is,
                   nothing is raised; nor when the database fails, unless the client was made with
                   ``on_error="raise"``.
        """
        return self._perform(self._operation(arguments), conn)


class AsyncRecallTool(_Tool):
    """``RecallTool`` for asyncio: ``call`` is awaited."""

    def __init__(
        self,
        client: AsyncToolRecall,
        *,
        conversation_id: Id,
        user_id: Id,
        max_bytes: int = 16 * 1024,
        timeout: float | None = 5.0,
    ) -> None:
        super().__init__(client._core, conversation_id, user_id, max_bytes, timeout)
        self._client = client

    async def call(self, arguments: Any = None, *, conn: AsyncConnection | None = None) -> str:
        """See ``RecallTool.call``."""
        return await self._client._perform(self._operation(arguments), conn)


def _answer(scope: _Scope, query: Query) -> Steps[str]:
    ids = (_id(scope.conversation_id), _id(scope.user_id))
    page = Page(scope.max_bytes, query, NAME)
    before: str | None = None
    if query.cursor is not None:
        before = str(query.cursor.row_id)
        rows = yield Statement(_sql.SHOWN_ROW, (before, ids[1], ids[0]), user_id=ids[1] or "")
        if not rows or query.tool_name not in (None, rows[0][5]):
            return error(_BAD_CURSOR)
        page.add(_shown(rows[0]), query.cursor)
    while page.open:
        rows = yield Statement(
            _sql.SHOWN,
            (
                *ids,
                query.tool_name,
                None if query.since_days is None else str(query.since_days),
                str(_BATCH),
                before,
            ),
            user_id=ids[1] or "",
        )
        for row in rows:
            if page.open:
                page.add(_shown(row))
                before = row[0]
        if len(rows) < _BATCH:
            break
    return page.text()


def _shown(row: Row) -> Shown:
    return Shown(_stored_result(row[:10]), row[10] or "", row[11] or "")


# -- the model's arguments


def _schema() -> dict[str, Any]:
    properties = {name: dict(each) for name, each in _PROPERTIES.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _mapping(arguments: Any) -> Mapping[Any, Any]:
    if isinstance(arguments, str | bytes | bytearray):
        try:
            arguments = json.loads(arguments) if arguments.strip() else None
        except (ValueError, RecursionError):
            raise _Refused("The arguments are not valid JSON.") from None
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise _Refused("The arguments must be an object.")
    return arguments


def _tool_name(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _Refused(f"tool_name must be a string, not {json_text(value, 60)}.")
    if len(value) > _LONGEST_NAME:
        raise _Refused(f"tool_name has more than {_LONGEST_NAME} characters.")
    # As the name of a stored result is cleaned.
    return clean_text(value, Counter()) if value.strip() else None


def _since_days(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _Refused(f"since_days must be a whole number from 1 on, not {json_text(value, 60)}.")
    return min(value, _MOST_DAYS)


def _cursor(value: Any) -> Cursor | None:
    if value is None or value == "":
        return None
    cursor = Cursor.read(value) if isinstance(value, str) else None
    if cursor is None:
        raise _Refused(_BAD_CURSOR)
    return cursor
