"""Executors: a statement on a driver's connection, and its rows.

``Executor`` and ``AsyncExecutor`` are all that the clients ask of a driver. Here is psycopg's;
``_asyncpg`` has asyncpg's, and ``_sqlalchemy`` finds either beneath SQLAlchemy. Whatever the
driver, a failure is an exception of psycopg or of this package.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import psycopg
from psycopg import IsolationLevel, generators, pq
from psycopg.errors import error_from_result

from pg_tool_recall._core import Message, Row, Statement, busy, compose
from pg_tool_recall.errors import ToolRecallError

T = TypeVar("T")
SyncConnection = psycopg.Connection[Any]
AsyncConnection = psycopg.AsyncConnection[Any]

# The server ends a statement at its deadline by itself. One that has not answered so many seconds
# later hangs, or the network does: a connection of ours is closed.
SLACK = 0.1
# On a connection of the caller's it is cancelled then, and closed only so long after the deadline:
# that costs him his transaction.
PATIENCE = 1.0
# How often we look at the clock while we wait.
INTERVAL = 0.05


class Executor(Protocol):
    """Runs statements on a connection that is lent for a call."""

    def execute(self, statement: Statement, deadline: float | None) -> list[Row]: ...


class AsyncExecutor(Protocol):
    """Runs statements on a connection that is lent for a call; awaited."""

    async def execute(self, statement: Statement, deadline: float | None) -> list[Row]: ...


class Unanswered(Exception):
    """The server has not answered in time."""


def hangs(ours: bool) -> ToolRecallError:
    closed = "" if ours else "; your connection is closed"
    return ToolRecallError(f"the database does not answer{closed}", kind="timeout")


class PsycopgExecutor:
    """On a psycopg connection; ours: nobody else needs it, so it may be closed."""

    def __init__(self, connection: SyncConnection, *, ours: bool) -> None:
        self._connection = connection
        self._ours = ours

    def execute(self, statement: Statement, deadline: float | None) -> list[Row]:
        connection = self._connection
        _check(connection)
        _acquire(connection, deadline)
        try:
            message = _message(statement, connection, deadline)
            try:
                return self._send(_joined(message), len(message.before), deadline)
            except BaseException:
                if message.undo is not None and _failed(connection):
                    with suppress(psycopg.Error, ToolRecallError):
                        self._send(message.undo, 0, _until_undone(deadline))
                raise
        finally:
            connection.lock.release()

    def _send(self, sql: str, answer: int, deadline: float | None) -> list[Row]:
        connection = self._connection
        encoding = _encoding(connection)
        connection.pgconn.send_query(sql.encode(encoding))
        answers = generators.execute(connection.pgconn)
        try:
            results = connection.wait(_until(answers, _after(deadline, SLACK)), interval=INTERVAL)
        except Unanswered:
            results = self._give_up(answers, deadline)
        return _rows(results, answer, encoding)

    def _give_up(self, answers: Results, deadline: float | None) -> list[pq.abc.PGresult]:
        connection = self._connection
        try:
            if self._ours:
                raise Unanswered
            with suppress(psycopg.Error):
                connection.cancel_safe(timeout=PATIENCE / 2)
            return connection.wait(_until(answers, _after(deadline, PATIENCE)), interval=INTERVAL)
        except Unanswered:
            connection.close()
            raise hangs(self._ours) from None


class AsyncPsycopgExecutor:
    """``PsycopgExecutor`` on an asynchronous connection."""

    def __init__(self, connection: AsyncConnection, *, ours: bool) -> None:
        self._connection = connection
        self._ours = ours

    async def execute(self, statement: Statement, deadline: float | None) -> list[Row]:
        connection = self._connection
        _check(connection)
        await acquire(connection.lock, deadline)
        try:
            message = _message(statement, connection, deadline)
            try:
                return await self._send(_joined(message), len(message.before), deadline)
            except BaseException:
                if message.undo is not None and _failed(connection):
                    with suppress(psycopg.Error, ToolRecallError):
                        await self._send(message.undo, 0, _until_undone(deadline))
                raise
        finally:
            connection.lock.release()

    async def _send(self, sql: str, answer: int, deadline: float | None) -> list[Row]:
        connection = self._connection
        encoding = _encoding(connection)
        connection.pgconn.send_query(sql.encode(encoding))
        answers = generators.execute(connection.pgconn)
        try:
            results = await connection.wait(
                _until(answers, _after(deadline, SLACK)), interval=INTERVAL
            )
        except Unanswered:
            results = await self._give_up(answers, deadline)
        return _rows(results, answer, encoding)

    async def _give_up(self, answers: Results, deadline: float | None) -> list[pq.abc.PGresult]:
        connection = self._connection
        try:
            if self._ours:
                raise Unanswered
            with suppress(psycopg.Error):
                await connection.cancel_safe(timeout=PATIENCE / 2)
            return await connection.wait(
                _until(answers, _after(deadline, PATIENCE)), interval=INTERVAL
            )
        except Unanswered:
            await connection.close()
            raise hangs(self._ours) from None


# -- what both do


Results = Generator[Any, Any, "list[pq.abc.PGresult]"]


def _until(answers: Generator[Any, Any, T], end: float | None) -> Generator[Any, Any, T]:
    """What psycopg waits by, until then: Unanswered, and it may be waited for again."""
    ready = None
    try:
        while True:
            wanted = answers.send(ready)
            if end is not None and time.monotonic() >= end:
                raise Unanswered
            ready = yield wanted
    except StopIteration as stop:
        value: T = stop.value
        return value


def _check(connection: SyncConnection | AsyncConnection) -> None:
    """Refuses a connection that cannot take a statement as it is."""
    if (
        psycopg.capabilities.has_pipeline()
        and connection.pgconn.pipeline_status != pq.PipelineStatus.OFF
    ):
        raise ToolRecallError("the connection is in pipeline mode", kind="pipeline")
    status = connection.info.transaction_status
    if status == pq.TransactionStatus.INERROR:
        raise ToolRecallError(
            "the transaction is aborted: roll it back first",
            sqlstate="25P02",
            kind="aborted_transaction",
        )
    if status == pq.TransactionStatus.ACTIVE:
        raise ToolRecallError("the connection is in the middle of another command", kind="busy")


def _message(
    statement: Statement, connection: SyncConnection | AsyncConnection, deadline: float | None
) -> Message:
    if connection.closed:
        raise psycopg.OperationalError("the connection is closed")
    _check(connection)
    status = connection.info.transaction_status
    idle = status == pq.TransactionStatus.IDLE
    alone = idle and connection.autocommit
    begin = _begin(connection) if idle and not alone else ""
    return compose(statement, deadline, begin=begin, savepoint=not alone)


def _begin(connection: SyncConnection | AsyncConnection) -> str:
    """As psycopg would begin a transaction on it."""
    words = ["begin"]
    if connection.isolation_level is not None:
        level = IsolationLevel(connection.isolation_level)
        words.append("isolation level " + level.name.lower().replace("_", " "))
    if connection.read_only is not None:
        words.append("read only" if connection.read_only else "read write")
    if connection.deferrable is not None:
        words.append("deferrable" if connection.deferrable else "not deferrable")
    return " ".join(words)


def _joined(message: Message) -> str:
    return ";\n".join([*message.before, message.sql, *message.after])


def _rows(results: list[pq.abc.PGresult], answer: int, encoding: str) -> list[Row]:
    for result in results:
        if result.status == pq.ExecStatus.FATAL_ERROR:
            raise error_from_result(result, encoding=encoding)
    if len(results) <= answer:
        raise ToolRecallError("the server answered less than was asked", kind="database")
    rows = results[answer]
    return [
        tuple(
            None if (value := rows.get_value(row, column)) is None else value.decode(encoding)
            for column in range(rows.nfields)
        )
        for row in range(rows.ntuples)
    ]


def _failed(connection: SyncConnection | AsyncConnection) -> bool:
    return bool(connection.info.transaction_status == pq.TransactionStatus.INERROR)


def _encoding(connection: SyncConnection | AsyncConnection) -> str:
    """Of what is sent; a SQL_ASCII database takes whatever comes."""
    encoding = connection.info.encoding
    return "utf-8" if encoding == "ascii" else encoding


def _after(deadline: float | None, seconds: float) -> float | None:
    return None if deadline is None else max(deadline, time.monotonic()) + seconds


def _until_undone(deadline: float | None) -> float | None:
    """By when rolling back has to be done: it is all that saves the caller's transaction."""
    return None if deadline is None else max(deadline, time.monotonic() + PATIENCE)


def _acquire(connection: SyncConnection, deadline: float | None) -> None:
    remaining = -1 if deadline is None else max(0.0, deadline - time.monotonic())
    if not connection.lock.acquire(timeout=remaining):
        raise busy()


async def acquire(lock: asyncio.Lock, deadline: float | None) -> None:
    """Takes a lock by then. asyncio.wait_for may lose it before Python 3.12."""
    if deadline is None or not lock.locked():
        await lock.acquire()
        return
    waiter = asyncio.ensure_future(lock.acquire())
    try:
        await asyncio.wait({waiter}, timeout=max(0.0, deadline - time.monotonic()))
    except BaseException:
        if not waiter.cancel() and not waiter.cancelled():
            lock.release()
        raise
    if not waiter.done():
        waiter.cancel()
        raise busy()
