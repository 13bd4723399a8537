"""Statements on an asyncpg connection, the caller's or ours.

Around a statement everything goes by the simple query protocol. The statement itself has to give
rows, so it is an unnamed prepared statement: it is in no cache, and gone with the next one. It is
parsed and run between two syncs, so a pooler in transaction mode keeps the server for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import psycopg

from pg_tool_recall._core import Row, Statement, compose
from pg_tool_recall._drivers import PATIENCE, SLACK, hangs
from pg_tool_recall.errors import ToolRecallError, has_remedy

ABORTED = "25P02"


def is_connection(given: object) -> bool:
    return isinstance(given, asyncpg.Connection)  # a pool's proxies count as such


def is_pool(given: object) -> bool:
    return isinstance(given, asyncpg.Pool)


def identity(connection: Any) -> Any:
    """The connection itself, where a pool has lent a proxy of it."""
    return getattr(connection, "_con", None) or connection


@asynccontextmanager
async def lend(pool: Any, remaining: float | None) -> AsyncIterator[Any]:
    """A pool's connection for a call."""
    with _psycopgs_exceptions(None):
        connection = await pool.acquire(timeout=remaining)
    try:
        yield identity(connection)  # the proxy is of no use once the connection is lost
    finally:
        with _psycopgs_exceptions(None):
            await pool.release(connection, timeout=PATIENCE)


class AsyncpgExecutor:
    """On an asyncpg connection; ours: nobody else needs it, so it may be closed."""

    def __init__(self, connection: Any, *, ours: bool) -> None:
        self._connection = connection
        self._ours = ours

    async def execute(self, statement: Statement, deadline: float | None) -> list[Row]:
        connection = self._connection
        with _psycopgs_exceptions(connection):
            within = connection.is_in_transaction()
            if statement.alone and within:
                raise ToolRecallError("a transaction is open", sqlstate="25001")
            begin = "" if within or statement.alone else "begin"
            message = compose(statement, deadline, begin=begin, savepoint=within)
            after = [*message.after, "commit"] if begin else message.after
            undo = "rollback" if begin else message.undo
            "".join([*message.before, message.sql]).encode()  # or nothing of it is sent
            try:
                if message.before:
                    await self._run(";\n".join(message.before), deadline)
                prepared = await connection.prepare(
                    message.sql, name="", timeout=_left(deadline, SLACK)
                )
                rows = await prepared.fetch(timeout=_left(deadline, SLACK))
                if after:
                    await self._run(";\n".join(after), deadline)
            except BaseException as error:
                await self._undo(undo, error, deadline)
                if isinstance(error, asyncio.TimeoutError) and connection.is_closed():
                    raise hangs(self._ours) from error
                raise
            return [tuple(row) for row in rows]

    async def _run(self, sql: str, deadline: float | None) -> None:
        await self._connection.execute(sql, timeout=_left(deadline, SLACK))

    async def _undo(self, undo: str | None, error: BaseException, deadline: float | None) -> None:
        """After a failure: the caller's transaction as it was; ours is rolled back."""
        connection = self._connection
        if isinstance(error, asyncpg.InterfaceError) or connection.is_closed():
            return  # it has not been sent, or there is nothing to be saved
        answered = isinstance(error, asyncpg.PostgresError)
        if self._ours and not answered:
            connection.terminate()  # in the middle of something: not for anybody else
            return
        # Aborted before: a savepoint of that name is not ours.
        if undo is None or (answered and error.sqlstate == ABORTED):  # type: ignore[attr-defined]
            return
        if answered and not connection.is_in_transaction():
            return
        try:
            # asyncpg has cancelled what was running, and waits for the answer first.
            await connection.execute(undo, timeout=_left(deadline, PATIENCE))
        except asyncio.TimeoutError:
            connection.terminate()
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            pass


def _left(deadline: float | None, more: float) -> float | None:
    """Seconds from now until so long after the deadline."""
    return None if deadline is None else max(0.0, deadline - time.monotonic()) + more


@contextmanager
def _psycopgs_exceptions(connection: Any) -> Iterator[None]:
    try:
        yield
    except asyncpg.PostgresError as error:
        raise as_psycopgs(error) from error
    except asyncpg.InterfaceError as error:
        if connection is not None and not connection.is_closed():
            raise ToolRecallError(
                "the connection is in the middle of another command", kind="busy"
            ) from error
        raise psycopg.OperationalError(str(error)) from error
    except asyncio.TimeoutError as error:
        raise ToolRecallError("the database does not answer in time", kind="timeout") from error
    except OSError as error:
        raise psycopg.OperationalError(str(error)) from error


def as_psycopgs(error: asyncpg.PostgresError) -> psycopg.Error:
    """The exception of psycopg with the same code; the message without detail and context."""
    code: str = error.sqlstate or ""
    message = str(error.args[0]) if error.args else ""
    if error.hint and not has_remedy(code):
        message = f"{message} ({error.hint})"
    try:
        return psycopg.errors.lookup(code)(message)
    except KeyError:
        made = psycopg.DatabaseError(message)
        made.sqlstate = code or None
        return made
