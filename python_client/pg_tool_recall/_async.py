"""The client that is awaited: ``AsyncToolRecall``; the same surface as ``ToolRecall``."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from psycopg import pq
from psycopg.rows import tuple_row

from pg_tool_recall._core import (
    PARAMETERS,
    POOL,
    POOL_MISSING,
    Core,
    OnError,
    Operation,
    Row,
    Statement,
    Steps,
    TokenChoice,
    busy,
    compose,
    is_pool,
    prepare_cursor,
    same_again,
    wrong_target,
)
from pg_tool_recall._redact import Redact
from pg_tool_recall._signals import Metrics
from pg_tool_recall._turn import AsyncTurn
from pg_tool_recall._types import Block, Id, StoredResult, ToolResult

T = TypeVar("T")
Connection = psycopg.AsyncConnection[Any]


class AsyncPool(Protocol):
    """What is asked of a pool; ``psycopg_pool.AsyncConnectionPool`` has it."""

    def connection(
        self, timeout: float | None = None
    ) -> AbstractAsyncContextManager[Connection]: ...


class AsyncToolRecall:
    """``ToolRecall`` for asyncio: the same arguments, and each call is awaited.

    target: a psycopg.AsyncConnection, a psycopg_pool.AsyncConnectionPool, or a conninfo string,
            whose pool is opened by the first call, in the event loop of that call.

    A call that is cancelled raises CancelledError, whatever ``on_error`` says; your transaction
    stays usable.
    """

    def __init__(
        self,
        target: Connection | AsyncPool | str,
        *,
        on_error: OnError = "log",
        block_timeout: float | None = 0.25,
        token_counter: TokenChoice = "auto",
        redact: Redact | None = None,
        metrics: Metrics = None,
    ) -> None:
        self._core = Core(
            on_error=on_error,
            block_timeout=block_timeout,
            token_counter=token_counter,
            redact=redact,
            metrics=metrics,
        )
        self._conn: Connection | None = None
        self._pool: AsyncPool | None = None
        self._opened = None
        self._locks: WeakKeyDictionary[Connection, asyncio.Lock] = WeakKeyDictionary()
        if isinstance(target, str):
            try:
                from psycopg_pool import AsyncConnectionPool
            except ImportError as error:
                raise ImportError(POOL_MISSING) from error
            self._pool = self._opened = AsyncConnectionPool(
                target, kwargs=PARAMETERS, open=False, **POOL
            )
        elif isinstance(target, psycopg.AsyncConnection):
            self._conn = target
        elif is_pool(target, awaited=True):
            self._pool = target
        else:
            raise wrong_target("AsyncToolRecall", "psycopg.AsyncConnection", target)

    @property
    def failures(self) -> Counter[str]:
        """How many failures have been logged instead of raised, by kind."""
        return self._core.failures

    async def close(self) -> None:
        """Closes the pool that was opened for a conninfo; what was given is left as it is."""
        if self._opened is not None:
            await self._opened.close()

    async def __aenter__(self) -> AsyncToolRecall:
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    # -- the calls, each documented at ToolRecall

    async def record(
        self,
        *,
        conversation_id: Id,
        user_id: Id,
        message_id: Id,
        tool_name: str,
        tool_input: Any,
        tool_output: Any,
        tool_use_id: str | None = None,
        is_error: bool = False,
        created_at: datetime | None = None,
        conn: Connection | None = None,
    ) -> UUID | None:
        """Stores one tool result and returns its id; None where that failed and is not raised."""
        operation = self._core.record(
            conversation_id,
            user_id,
            message_id,
            tool_name,
            tool_input,
            tool_output,
            tool_use_id,
            is_error,
            created_at,
        )
        return await self._perform(operation, conn)

    async def record_many(
        self,
        conversation_id: Id,
        user_id: Id,
        message_id: Id,
        results: Iterable[Mapping[str, Any] | ToolResult],
        *,
        conn: Connection | None = None,
    ) -> list[UUID | None]:
        """Stores the results of one message in one statement; their ids, None for a refused one."""
        operation = self._core.record_many(conversation_id, user_id, message_id, results)
        return await self._perform(operation, conn)

    def turn(self, *, conversation_id: Id, user_id: Id) -> AsyncTurn:
        """See ``ToolRecall.turn``."""
        return AsyncTurn(self._core, conversation_id, user_id, lambda *call: self._perform(*call))

    async def block(
        self,
        *,
        conversation_id: Id,
        user_id: Id,
        explain: bool = False,
        conn: Connection | None = None,
    ) -> Block:
        """The block for the next turn; ``explain`` also looks up what was left out and why."""
        return await self._perform(self._core.block(conversation_id, user_id, explain), conn)

    async def results(
        self,
        *,
        conversation_id: Id,
        user_id: Id,
        tool_name: str | None = None,
        since_days: int | None = None,
        max_results: int | None = 5,
        before: UUID | str | None = None,
        conn: Connection | None = None,
    ) -> list[StoredResult]:
        """Stored results in full, newest first; ``before`` pages by the last one's id."""
        operation = self._core.results(
            conversation_id, user_id, tool_name, since_days, max_results, before
        )
        return await self._perform(operation, conn)

    async def result(
        self, id: UUID | str, user_id: Id, *, conn: Connection | None = None
    ) -> StoredResult | None:
        """One stored result in full; None where this user has none of that id."""
        return await self._perform(self._core.result(id, user_id), conn)

    async def forget_user(self, user_id: Id, *, conn: Connection | None = None) -> int:
        """Deletes all that is stored of a user; the number of rows."""
        return await self._perform(self._core.forget_user(user_id), conn)

    async def forget_conversation(
        self,
        conversation_id: Id,
        *,
        user_id: Id | None = None,
        conn: Connection | None = None,
    ) -> int:
        """Deletes all that is stored of a conversation; the number of rows."""
        return await self._perform(self._core.forget_conversation(conversation_id, user_id), conn)

    async def purge(self, *, batch_size: int = 1000, max_seconds: int = 300) -> int:
        """Deletes what is past retention or over a lowered cap, on a connection of its own."""
        return await self._perform(self._core.purge(batch_size, max_seconds), None, apart=True)

    # -- waiting

    async def _perform(
        self, operation: Operation[T], conn: Connection | None, apart: bool = False
    ) -> T:
        try:
            for attempt in itertools.count():
                try:
                    return await self._attempt(operation, conn, apart)
                except psycopg.Error as error:
                    pooled = conn is None and self._pool is not None
                    if not pooled or not self._core.may_repeat(operation, error, attempt):
                        raise
            raise AssertionError  # never here
        except Exception as error:
            return self._core.failed(operation, error)

    async def _attempt(self, operation: Operation[T], conn: Connection | None, apart: bool) -> T:
        async with self._lend(operation, conn, apart) as connection:
            return await self._drive(operation.steps(), connection, operation.deadline)

    async def _drive(self, steps: Steps[T], connection: Connection, deadline: float | None) -> T:
        try:
            statement = next(steps)
            while True:
                try:
                    rows = await self._execute(statement, connection, deadline)
                except Exception as error:
                    statement = steps.throw(error)
                else:
                    statement = steps.send(rows)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _execute(
        self, statement: Statement, connection: Connection, deadline: float | None
    ) -> list[Row]:
        message = compose(statement, connection, deadline)
        cursor = psycopg.AsyncClientCursor(connection, row_factory=tuple_row)
        prepare_cursor(cursor)
        # As in ToolRecall._execute.
        threshold, connection.prepare_threshold = connection.prepare_threshold, None
        try:
            await cursor.execute(message.sql.encode("ascii"), message.params)
            for _ in range(message.answer):
                cursor.nextset()
            return await cursor.fetchall()
        except BaseException:
            failed = connection.info.transaction_status == pq.TransactionStatus.INERROR
            if message.undo is not None and failed:
                with suppress(psycopg.Error):
                    await cursor.execute(message.undo.encode("ascii"))
            raise
        finally:
            connection.prepare_threshold = threshold

    # -- connections

    async def _open(self) -> None:
        if self._opened is not None and self._opened.closed:
            await self._opened.open()

    @asynccontextmanager
    async def _lend(
        self, operation: Operation[Any], conn: Connection | None, apart: bool
    ) -> AsyncIterator[Connection]:
        if conn is None and self._pool is not None:
            await self._open()
            async with (
                self._pool.connection(timeout=operation.remaining) as pooled,
                _autocommit(pooled),
            ):
                yield pooled
            return
        given = conn if conn is not None else self._conn
        if not isinstance(given, psycopg.AsyncConnection):
            raise wrong_target("conn", "psycopg.AsyncConnection", given)
        if apart:
            conninfo = same_again(given)
            async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as fresh:
                yield fresh
            return
        lock = self._locks.setdefault(given, asyncio.Lock())
        await _acquire(lock, operation.remaining)
        try:
            yield given
        finally:
            lock.release()


async def _acquire(lock: asyncio.Lock, timeout: float | None) -> None:
    """Takes a lock within so many seconds. asyncio.wait_for may lose it before Python 3.12."""
    if timeout is None or not lock.locked():
        await lock.acquire()
        return
    waiter = asyncio.ensure_future(lock.acquire())
    try:
        await asyncio.wait({waiter}, timeout=timeout)
    except BaseException:
        if not waiter.cancel() and not waiter.cancelled():
            lock.release()
        raise
    if not waiter.done():
        waiter.cancel()
        raise busy()


@asynccontextmanager
async def _autocommit(connection: Connection) -> AsyncIterator[None]:
    """A pool's connection in autocommit while it is ours: each call is one message."""
    before = connection.autocommit
    if not before:
        await connection.set_autocommit(True)
    try:
        yield
    finally:
        if not before:
            try:
                await connection.set_autocommit(before)
            except psycopg.Error:  # lost, or left in the middle: not for anybody else
                await connection.close()
