"""What goes into a client and what comes out of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from pg_tool_recall import _placement
from pg_tool_recall._placement import Request, Sdk

Id = UUID | int | str
"""A key of the host's: whatever its table has. None and '' never mean "all"."""


@dataclass(frozen=True)
class ToolResult:
    """One tool result to be stored by ``record_many``; a mapping of the same names does as well.

    tool_input, tool_output: any Python value; see the module ``_repair`` for what becomes of it.
    tool_use_id: the provider's id of the call; makes recording it again harmless.
    created_at:  when the tool returned it; without a time zone it is taken as UTC. None: now.
    """

    tool_name: str
    tool_input: Any
    tool_output: Any
    tool_use_id: str | None = None
    is_error: bool = False
    created_at: datetime | None = None


@dataclass(frozen=True)
class StoredResult:
    """One snapshot as it was stored, read back whole.

    message_id:  of the host's type: UUID, int or str.
    tool_input, tool_output: JSON values; an integer is int, another number is float where a float
                 says exactly the same, else Decimal. Nested too deep to be read: ``RawJson``.
    created_at:  aware, in UTC.
    repairs:     what had to be changed to store it, by kind; None: nothing.
    """

    id: UUID
    created_at: datetime
    message_id: Id
    tool_use_id: str | None
    tool_name: str
    tool_input: Any
    tool_output: Any
    is_error: bool
    repairs: dict[str, int] | None


@dataclass(frozen=True)
class Line:
    """One line of a block.

    created_at: aware, in UTC; the day in ``text`` is that of the setting ``time_zone``.
    tokens:     the database's count of the line, its line break included.
    """

    id: UUID
    created_at: datetime
    tool_name: str
    text: str
    tokens: int


@dataclass(frozen=True)
class LeftOut:
    """A stored result that is not in the block, and why.

    reason: ``error``, ``hidden`` (its tool never uses a line), ``repeated`` (a newer row says the
            same day, tool and arguments), ``max_rows``, ``token_budget``, ``expired``; or
            ``recount``: the database let it in, the client's own token count did not.
    """

    line: Line
    reason: str

    @property
    def id(self) -> UUID:
        return self.line.id


@dataclass(frozen=True)
class Block:
    """What the next turn carries. ``str(block)`` is its text; an empty block is false.

    ``as_system``, ``as_user_tail`` and ``as_tool_result`` put it into a request:
    ``client.messages.create(**block.as_system(request, sdk="anthropic"))``. A request is the
    arguments of the SDK's create call, sdk ``anthropic``, ``openai`` (Chat Completions) or
    ``responses``. They return a new dict and leave the caller's lists and messages as they are; an
    empty block changes nothing. docs/placement.md says which to choose.

    text:     the exact block, or ''.
    tokens:   of the whole text: by the client's counter where it has one (``token_margin`` not
              applied), else the database's sum of the parts.
    lines:    newest first.
    left_out: newest first. Without ``explain=True`` only what the client's recount dropped.
    sha256:   hex digest of the text in UTF-8: equal digests, equal prompt caches.
    """

    text: str = ""
    tokens: int = 0
    lines: tuple[Line, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha256(self.text.encode("utf-8")).hexdigest()
        object.__setattr__(self, "sha256", digest)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    def as_system(self, request: Request, *, sdk: Sdk) -> dict[str, Any]:
        """The request with the block at the end of its system prompt; the default."""
        return _placement.as_system(self.text, request, sdk)

    def as_user_tail(self, request: Request, *, sdk: Sdk) -> dict[str, Any]:
        """The request with the block before the newest text of the user's.

        What comes before stays as it was, and so does the provider's cache of it. Store the user's
        message without the block.
        """
        return _placement.as_user_tail(self.text, request, sdk)

    def as_tool_result(self, request: Request, *, sdk: Sdk) -> dict[str, Any]:
        """Experimental. The request with the block as the result of a made-up call.

        As ``as_user_tail`` where Anthropic would refuse it: without tools, or with thinking on.
        """
        return _placement.as_tool_result(self.text, request, sdk)
