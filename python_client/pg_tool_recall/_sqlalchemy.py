"""SQLAlchemy's sessions, connections and engines, down to the driver's connection beneath.

What we send goes past SQLAlchemy: no events, no echo, nothing of a session's is expired. It only
has to know that a transaction has begun, so that its commit and rollback are for ours too.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Connection, Engine, exc
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_scoped_session,
)
from sqlalchemy.orm import Session, scoped_session

from pg_tool_recall._core import wrong_target
from pg_tool_recall.errors import ToolRecallError

T = TypeVar("T")
DRIVERS = "an engine of postgresql+psycopg"
ASYNC_DRIVERS = "an engine of postgresql+psycopg or postgresql+asyncpg"


def is_engine(given: object, awaited: bool) -> bool:
    return isinstance(given, AsyncEngine if awaited else Engine)


def is_connection(given: object, awaited: bool) -> bool:
    if awaited:
        return isinstance(given, AsyncConnection | AsyncSession | async_scoped_session)
    return isinstance(given, Connection | Session | scoped_session)


# -- waiting


def flush(given: Any) -> None:
    """Sends a session's pending objects, the message among them. A failure is the caller's."""
    if isinstance(given, Session | scoped_session):
        with suppress(exc.PendingRollbackError):  # told when its connection is asked for
            given.flush()


@contextmanager
def lend(engine: Engine, remaining: float | None) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the engine's for a call; given up where it was lost."""
    with translated():
        connection = engine.connect() if remaining is None else _within(remaining, engine.connect)
    try:
        with translated():
            driver = _driver(connection.connection.driver_connection)
        yield driver
    finally:
        with translated():
            if getattr(connection.connection.driver_connection, "closed", False):
                connection.invalidate()
            connection.close()


@contextmanager
def join(given: Any) -> Iterator[psycopg.Connection[Any]]:
    """The driver's connection of a session's or connection's transaction, which has begun."""
    with translated():
        connection: Connection = given if isinstance(given, Connection) else given.connection()
        driver = _driver(connection.connection.driver_connection)
        if not connection.in_transaction():
            connection.begin()
    try:
        yield driver
    finally:
        if driver.closed:  # which SQLAlchemy has not seen
            with suppress(exc.SQLAlchemyError):
                connection.invalidate()


def engine_of(given: Any) -> Engine:
    """Where a session's or connection's connection comes from."""
    with translated():
        bind: Engine | Connection = given if isinstance(given, Connection) else given.get_bind()
        return bind.engine


def _driver(given: Any) -> psycopg.Connection[Any]:
    if not isinstance(given, psycopg.Connection):
        raise wrong_target("ToolRecall", DRIVERS, given)
    return given


def _within(seconds: float, connect: Callable[[], Connection]) -> Connection:
    """A connection within so many seconds; one that comes later goes back.

    Neither a pool's checking nor a driver's connecting can be told to be quick, so a thread does
    it, and is left to it.
    """
    made: list[Connection] = []
    failed: list[BaseException] = []
    lock = threading.Lock()
    done = threading.Event()
    left = False

    def work() -> None:
        try:
            connection = connect()
        except BaseException as error:
            failed.append(error)
        else:
            with lock:
                made.append(connection)
            if left:
                connection.close()
        done.set()

    threading.Thread(
        target=contextvars.copy_context().run, args=(work,), daemon=True, name="pg_tool_recall"
    ).start()
    done.wait(seconds)
    with lock:
        if made:
            return made[0]
        left = True
    if failed:
        raise failed[0]
    raise ToolRecallError("no connection in time", kind="timeout")


# -- awaited


async def aflush(given: Any) -> None:
    """``flush`` of an asynchronous session."""
    if isinstance(given, AsyncSession | async_scoped_session):
        with suppress(exc.PendingRollbackError):
            await given.flush()


@asynccontextmanager
async def alend(engine: AsyncEngine, remaining: float | None) -> AsyncIterator[Any]:
    """``lend`` of an asynchronous engine: psycopg's or asyncpg's connection."""
    connection = engine.connect()
    with translated():
        await _awaited_within(remaining, connection.start())
    try:
        with translated():
            driver = (await connection.get_raw_connection()).driver_connection
            checked = _async_driver(driver)
        yield checked
    finally:
        with translated():
            if _is_lost(driver):
                await connection.invalidate()
            await connection.close()


@asynccontextmanager
async def ajoin(given: Any, remaining: float | None) -> AsyncIterator[Any]:
    """``join`` of an asynchronous session or connection: psycopg's or asyncpg's connection."""
    with translated():
        connection, driver = await _awaited_within(remaining, _joined(given))
    try:
        yield driver
    finally:
        if _is_lost(driver):
            with suppress(exc.SQLAlchemyError):
                await connection.invalidate()


async def _joined(given: Any) -> tuple[AsyncConnection, Any]:
    connection: AsyncConnection = (
        given if isinstance(given, AsyncConnection) else await given.connection()
    )
    raw = await connection.get_raw_connection()
    driver = _async_driver(raw.driver_connection)
    if not connection.in_transaction():
        await connection.begin()
    if (
        not isinstance(driver, psycopg.AsyncConnection)
        and not driver.is_in_transaction()
        and not getattr(raw.dbapi_connection, "autocommit", False)
    ):
        # Its adapter begins with the first statement, which must not be one that it does not see.
        await connection.exec_driver_sql("select 1")
    return connection, driver


def aengine_of(given: Any) -> AsyncEngine:
    with translated():
        bind: Any = given if isinstance(given, AsyncConnection) else given.bind
        if bind is None:
            raise ToolRecallError("the session has no bind of its own", kind="argument")
        engine: AsyncEngine = bind.engine if isinstance(bind, AsyncConnection) else bind
        return engine


def _async_driver(given: Any) -> Any:
    if isinstance(given, psycopg.AsyncConnection) or type(given).__module__.startswith("asyncpg."):
        return given
    raise wrong_target("AsyncToolRecall", ASYNC_DRIVERS, given)


def _is_lost(driver: Any) -> bool:
    if isinstance(driver, psycopg.AsyncConnection):
        return driver.closed
    return type(driver).__module__.startswith("asyncpg.") and bool(driver.is_closed())


async def _awaited_within(seconds: float | None, work: Awaitable[T]) -> T:
    if seconds is None:
        return await work
    try:
        return await asyncio.wait_for(work, seconds)
    except asyncio.TimeoutError as error:
        raise ToolRecallError("no connection in time", kind="timeout") from error


# -- failures


@contextmanager
def translated() -> Iterator[None]:
    """SQLAlchemy's exceptions as the driver's, or as ours."""
    try:
        yield
    except exc.TimeoutError as error:
        raise ToolRecallError("no connection in time", kind="timeout") from error
    except exc.PendingRollbackError as error:
        raise ToolRecallError(
            "the transaction is aborted: roll it back first",
            sqlstate="25P02",
            kind="aborted_transaction",
        ) from error
    except exc.DBAPIError as error:
        raise _drivers(error) from error
    except exc.SQLAlchemyError as error:
        raise ToolRecallError(
            f"the session or connection cannot be used: {type(error).__name__}", kind="connection"
        ) from error
    except OSError as error:
        raise psycopg.OperationalError(str(error)) from error


def _drivers(error: exc.DBAPIError) -> psycopg.Error:
    """The driver's own; asyncpg's is behind what SQLAlchemy's adapter makes of it."""
    if isinstance(error.orig, psycopg.Error):
        return error.orig
    cause = error.orig.__cause__ if error.orig is not None else None
    code = getattr(cause, "sqlstate", None)
    if cause is not None and code is not None:
        from pg_tool_recall._asyncpg import as_psycopgs

        return as_psycopgs(cause)
    return psycopg.OperationalError(str(error.orig))
