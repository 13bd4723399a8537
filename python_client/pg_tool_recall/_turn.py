"""What a turn's tools returned, kept until the turn's message is saved."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timezone
from types import TracebackType
from typing import Any
from uuid import UUID

from pg_tool_recall._connections import AsyncConnection, SyncConnection
from pg_tool_recall._core import Core, Operation, Snapshot
from pg_tool_recall._repair import as_text
from pg_tool_recall._types import Id

Stored = list[UUID | None]


class Collector:
    """Joins calls with their results, in whatever order and from whatever thread they come.

    None of its methods raises or touches the database: a result that cannot be kept is logged and
    counted in the client's ``failures``. A pair is read when its second half comes, and may change
    afterwards.
    """

    def __init__(self, core: Core, conversation_id: Id, user_id: Id) -> None:
        self.conversation_id = conversation_id
        self.user_id = user_id
        self._core = core
        self._lock = threading.Lock()
        self._calls: dict[str, tuple[str, Any]] = {}
        self._early: dict[str, list[tuple[Any, bool, datetime, bool]]] = {}
        self._pending: list[Snapshot] = []
        self._known: set[bytes] = set()
        self._met: set[str] = set()

    def call(self, tool_use_id: str, tool_name: str, tool_input: Any) -> None:
        """The model called a tool. Nothing is stored until its result is known."""
        key = as_text(tool_use_id)
        with self._lock:
            self._calls[key] = (tool_name, tool_input)
            early = self._early.pop(key, [])
        for tool_output, is_error, created_at, once in early:
            self.add(
                tool_name,
                tool_input,
                tool_output,
                tool_use_id=key,
                is_error=is_error,
                created_at=created_at,
                once=once,
            )

    def result(
        self,
        tool_use_id: str,
        tool_output: Any,
        *,
        is_error: bool = False,
        created_at: datetime | None = None,
        once: bool = False,
    ) -> None:
        """The tool of that call returned; before or after ``call`` was told of it.

        created_at: when it returned; None: now.
        once:       whether it may have been told before: the same pair is not kept again.
        """
        key = as_text(tool_use_id)
        at = created_at or datetime.now(timezone.utc)
        with self._lock:
            called = self._calls.get(key)
            if called is None:
                self._early.setdefault(key, []).append((tool_output, is_error, at, once))
                return
        self.add(*called, tool_output, tool_use_id=key, is_error=is_error, created_at=at, once=once)

    def add(
        self,
        tool_name: str,
        tool_input: Any,
        tool_output: Any,
        *,
        tool_use_id: str | None = None,
        is_error: bool = False,
        created_at: datetime | None = None,
        once: bool = False,
    ) -> None:
        """A call and its result at once; ``once`` as for ``result``."""
        at = created_at or datetime.now(timezone.utc)
        try:
            snapshot = self._core.snapshot(
                tool_name, tool_input, tool_output, tool_use_id, is_error, at
            )
        except Exception as error:
            self._core.note("turn", error)
            return
        if snapshot is None:
            return
        digest = snapshot.digest
        with self._lock:
            if once and digest in self._known:
                return
            self._known.add(digest)
            self._pending.append(snapshot)

    def is_new(self, tool_use_id: str) -> bool:
        """For adapters: whether this is the first time that they ask about that id."""
        with self._lock:
            if tool_use_id in self._met:
                return False
            self._met.add(tool_use_id)
            return True

    def skipped(self, error: Exception) -> None:
        """For adapters: something could not be read. Logged and counted, never raised."""
        self._core.note("turn", error)

    @property
    def pending(self) -> int:
        """How many results wait for ``save``."""
        return len(self._pending)

    def _waiting(self) -> list[Snapshot]:
        with self._lock:
            return list(self._pending)

    def _saving(
        self, message_id: Id, snapshots: list[Snapshot], unstored: list[int]
    ) -> Operation[Stored]:
        return self._core.record_many(
            self.conversation_id, self.user_id, message_id, snapshots, unstored
        )

    def _taken(
        self, snapshots: Sequence[Snapshot], stored: Sequence[UUID | None], unstored: Sequence[int]
    ) -> None:
        """What is stored, or is not to be, waits no more."""
        done = {id(each) for each, row in zip(snapshots, stored, strict=True) if row is not None}
        done |= {id(snapshots[place]) for place in unstored}
        with self._lock:
            self._pending = [each for each in self._pending if id(each) not in done]

    def _end(self) -> None:
        """What is left unsaved is discarded, and counted."""
        with self._lock:
            results = len(self._pending) + sum(len(each) for each in self._early.values())
            self._calls.clear()
            self._early.clear()
            self._pending.clear()
            self._known.clear()
            self._met.clear()
        if results:
            self._core.discarded(results)


class Turn(Collector):
    """One turn of a conversation: ``with recall.turn(conversation_id=c, user_id=u) as turn``.

    Tell it of calls and results as they happen; once the assistant's message has its row, ``save``
    stores them all in one statement. Results that were not saved when the block ends, because the
    turn failed or its stream was cancelled without a message, are discarded and counted in the
    client's ``failures["discarded"]``; those that were saved stay.
    """

    def __init__(
        self,
        core: Core,
        conversation_id: Id,
        user_id: Id,
        perform: Callable[[Operation[Stored], SyncConnection | None], Stored],
    ) -> None:
        super().__init__(core, conversation_id, user_id)
        self._perform = perform

    def save(self, message_id: Id, conn: SyncConnection | None = None) -> Stored:
        """Stores what was collected as that message's; the ids, in the order of the results.

        conn: the connection whose open transaction has just inserted the message: both are
              committed or rolled back together. Save last: the conversation stays locked until you
              commit. What could not be stored is None in the answer and waits for another save.
        """
        snapshots = self._waiting()
        unstored: list[int] = []
        stored = self._perform(self._saving(message_id, snapshots, unstored), conn)
        self._taken(snapshots, stored, unstored)
        return stored

    def __enter__(self) -> Turn:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()


class AsyncTurn(Collector):
    """``Turn`` for asyncio: ``async with``, and ``save`` is awaited. The rest is not."""

    def __init__(
        self,
        core: Core,
        conversation_id: Id,
        user_id: Id,
        perform: Callable[[Operation[Stored], AsyncConnection | None], Awaitable[Stored]],
    ) -> None:
        super().__init__(core, conversation_id, user_id)
        self._perform = perform

    async def save(self, message_id: Id, conn: AsyncConnection | None = None) -> Stored:
        """See ``Turn.save``."""
        snapshots = self._waiting()
        unstored: list[int] = []
        stored = await self._perform(self._saving(message_id, snapshots, unstored), conn)
        self._taken(snapshots, stored, unstored)
        return stored

    async def __aenter__(self) -> AsyncTurn:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()
