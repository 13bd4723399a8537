"""The client that is awaited: ``AsyncToolRecall``; the same surface as ``ToolRecall``."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg

from pg_tool_recall._connections import (
    AsyncConnection,
    AsyncEngine,
    asyncpg_adapter,
    sqlalchemy_adapter,
)
from pg_tool_recall._core import (
    PARAMETERS,
    POOL,
    POOL_MISSING,
    Core,
    OnError,
    Operation,
    Steps,
    TokenChoice,
    is_pool,
    same_again,
    wrong_target,
)
from pg_tool_recall._drivers import AsyncExecutor, AsyncPsycopgExecutor, acquire
from pg_tool_recall._redact import Redact
from pg_tool_recall._signals import Metrics
from pg_tool_recall._turn import AsyncTurn
from pg_tool_recall._types import Block, Id, StoredResult, ToolResult
from pg_tool_recall.errors import ToolRecallError

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
            whose pool is opened by the first call, in the event loop of that call; an asyncpg
            connection or pool; with SQLAlchemy 2 over psycopg or asyncpg an AsyncEngine,
            AsyncConnection or AsyncSession.

    A call that is cancelled raises CancelledError, whatever ``on_error`` says; your transaction
    stays usable.
    """

    def __init__(
        self,
        target: AsyncConnection | AsyncEngine | AsyncPool | str,
        *,
        on_error: OnError = "log",
        block_timeout: float | None = 0.25,
        record_timeout: float | None = 5.0,
        token_counter: TokenChoice = "auto",
        redact: Redact | None = None,
        metrics: Metrics = None,
    ) -> None:
        self._core = Core(
            on_error=on_error,
            block_timeout=block_timeout,
            record_timeout=record_timeout,
            token_counter=token_counter,
            redact=redact,
            metrics=metrics,
        )
        self._opened = None
        self._locks: WeakKeyDictionary[Any, asyncio.Lock] = WeakKeyDictionary()
        self._target: Any = target
        if isinstance(target, str):
            try:
                from psycopg_pool import AsyncConnectionPool
            except ImportError as error:
                raise ImportError(POOL_MISSING) from error
            self._target = self._opened = AsyncConnectionPool(
                target, kwargs=PARAMETERS, open=False, **POOL
            )
        # Whether each call gets a connection of its own; a lost one is then replaced.
        self._lends = _lends(self._target)
        if not self._lends and not _is_connection(self._target):
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
        conn: AsyncConnection | None = None,
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
        conn: AsyncConnection | None = None,
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
        conn: AsyncConnection | None = None,
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
        conn: AsyncConnection | None = None,
    ) -> list[StoredResult]:
        """Stored results in full, newest first; ``before`` pages by the last one's id."""
        operation = self._core.results(
            conversation_id, user_id, tool_name, since_days, max_results, before
        )
        return await self._perform(operation, conn)

    async def result(
        self, id: UUID | str, user_id: Id, *, conn: AsyncConnection | None = None
    ) -> StoredResult | None:
        """One stored result in full; None where this user has none of that id."""
        return await self._perform(self._core.result(id, user_id), conn)

    async def forget_user(self, user_id: Id, *, conn: AsyncConnection | None = None) -> int:
        """Deletes all that is stored of a user; the number of rows."""
        return await self._perform(self._core.forget_user(user_id), conn)

    async def forget_conversation(
        self,
        conversation_id: Id,
        *,
        user_id: Id | None = None,
        conn: AsyncConnection | None = None,
    ) -> int:
        """Deletes all that is stored of a conversation; the number of rows."""
        return await self._perform(self._core.forget_conversation(conversation_id, user_id), conn)

    async def purge(self, *, batch_size: int = 1000, max_seconds: int = 300) -> int:
        """Deletes what is past retention or over a lowered cap, on a connection of its own."""
        return await self._perform(self._core.purge(batch_size, max_seconds), None, apart=True)

    # -- waiting

    async def _perform(
        self, operation: Operation[T], conn: AsyncConnection | None, apart: bool = False
    ) -> T:
        if operation.records and (adapter := sqlalchemy_adapter()):
            await adapter.aflush(self._target if conn is None else conn)
        try:
            for attempt in itertools.count():
                try:
                    return await self._attempt(operation, conn, apart)
                except Exception as error:
                    ours = conn is None and self._lends
                    if not ours or not self._core.may_repeat(operation, error, attempt):
                        raise
            raise AssertionError  # never here
        except Exception as error:
            return self._core.failed(operation, error)

    async def _attempt(
        self, operation: Operation[T], conn: AsyncConnection | None, apart: bool
    ) -> T:
        async with self._lend(operation, conn, apart) as executor:
            return await self._drive(operation.steps(), executor, operation.deadline)

    async def _drive(self, steps: Steps[T], executor: AsyncExecutor, deadline: float | None) -> T:
        try:
            statement = next(steps)
            while True:
                try:
                    rows = await executor.execute(statement, deadline)
                except Exception as error:
                    statement = steps.throw(error)
                else:
                    statement = steps.send(rows)
        except StopIteration as end:
            value: T = end.value
            return value

    # -- connections

    async def _open(self) -> None:
        if self._opened is not None and self._opened.closed:
            await self._opened.open()

    @asynccontextmanager
    async def _lend(
        self, operation: Operation[Any], conn: AsyncConnection | None, apart: bool
    ) -> AsyncIterator[AsyncExecutor]:
        """A connection for a call: of what lends them, or the caller's own, one call at a time."""
        if conn is None and self._lends:
            await self._open()
            async with _lent(self._target, operation.remaining) as executor:
                yield executor
            return
        given: Any = self._target if conn is None else conn
        if not _is_connection(given):
            raise wrong_target("conn", "psycopg.AsyncConnection", given)
        if apart:
            async with _another(given) as executor:
                yield executor
            return
        joined: AbstractAsyncContextManager[Any] = nullcontext(given)
        if (adapter := sqlalchemy_adapter()) and adapter.is_connection(given, awaited=True):
            joined = adapter.ajoin(given, operation.remaining)
        async with joined as connection:
            if isinstance(connection, psycopg.AsyncConnection):
                executor = AsyncPsycopgExecutor(connection, ours=False)
            else:
                connection = asyncpg_adapter().identity(connection)
                executor = asyncpg_adapter().AsyncpgExecutor(connection, ours=False)
            lock = self._locks.setdefault(connection, asyncio.Lock())
            await acquire(lock, operation.deadline)
            try:
                yield executor
            finally:
                lock.release()


def _lends(target: Any) -> bool:
    """Whether it gives each call a connection of its own."""
    if (adapter := sqlalchemy_adapter()) and adapter.is_engine(target, awaited=True):
        return True
    if (adapter := asyncpg_adapter()) and adapter.is_pool(target):
        return True
    return not _is_connection(target) and is_pool(target, awaited=True)


def _is_connection(given: Any) -> bool:
    if (adapter := sqlalchemy_adapter()) and adapter.is_connection(given, awaited=True):
        return True
    if (adapter := asyncpg_adapter()) and adapter.is_connection(given):
        return True
    return isinstance(given, psycopg.AsyncConnection)


@asynccontextmanager
async def _lent(target: Any, remaining: float | None) -> AsyncIterator[AsyncExecutor]:
    """A connection of a pool's or an engine's."""
    if (adapter := asyncpg_adapter()) and adapter.is_pool(target):
        lending = adapter.lend(target, remaining)
    elif (adapter := sqlalchemy_adapter()) and adapter.is_engine(target, awaited=True):
        lending = adapter.alend(target, remaining)
    else:
        lending = target.connection(timeout=remaining)
    async with lending as lent:
        if isinstance(lent, psycopg.AsyncConnection):
            async with _autocommit(lent):
                yield AsyncPsycopgExecutor(lent, ours=True)
        else:
            yield asyncpg_adapter().AsyncpgExecutor(lent, ours=True)


@asynccontextmanager
async def _another(given: Any) -> AsyncIterator[AsyncExecutor]:
    """A connection of our own, to where a given one goes."""
    if isinstance(given, psycopg.AsyncConnection):
        conninfo = same_again(given)
        async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as fresh:
            yield AsyncPsycopgExecutor(fresh, ours=True)
    elif (adapter := sqlalchemy_adapter()) and adapter.is_connection(given, awaited=True):
        async with _lent(adapter.aengine_of(given), None) as executor:
            yield executor
    else:
        raise ToolRecallError("with asyncpg, purge needs a pool or an engine", kind="argument")


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
