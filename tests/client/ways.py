"""SQLAlchemy and asyncpg behind one way of using them, so that each test is written once.

A ``Way`` makes what lends connections (an engine, a pool), what a caller works with (a session, a
connection), and the client of its kind. ``run`` awaits where that is needed.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable
from typing import Any

import asyncpg
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import orm
from sqlalchemy.ext import asyncio as sqlalchemy_asyncio

from pg_tool_recall import AsyncToolRecall, ToolRecall


def url(conninfo: str, driver: str) -> sqlalchemy.URL:
    parts: dict[str, Any] = conninfo_to_dict(conninfo)
    return sqlalchemy.URL.create(
        f"postgresql+{driver}",
        username=parts["user"],
        host=parts["host"],
        port=int(parts["port"]),
        database=parts["dbname"],
    )


class Way:
    """One driver, and what the caller holds of it."""

    name = ""
    client_class: Any

    def __init__(self, conninfo: str) -> None:
        self.conninfo = conninfo
        self.loop = asyncio.new_event_loop()
        self._to_close: list[Callable[[], Any]] = []
        self.pool = self.run(self.make_pool())

    # -- what differs

    def make_pool(self) -> Any:
        raise NotImplementedError

    def make_given(self) -> Any:
        raise NotImplementedError

    def execute(self, given: Any, sql: str, *params: Any) -> list[Any]:
        """The rows of a statement; parameters are $1 and so on."""
        names = {f"p{n}": param for n, param in enumerate(params, start=1)}
        text = sqlalchemy.text(re.sub(r"\$(\d+)", r":p\1", sql))
        found = self.run(given.execute(text, names))
        return [tuple(row) for row in found] if found.returns_rows else []

    def commit(self, given: Any) -> None:
        self.run(given.commit())

    def rollback(self, given: Any) -> None:
        self.run(given.rollback())

    def savepoint(self, given: Any) -> Any:
        return self.run(given.begin_nested())

    # -- what does not

    def run(self, result: Any) -> Any:
        if not inspect.isawaitable(result):
            return result

        async def wait() -> Any:
            return await result

        return self.loop.run_until_complete(wait())

    def client(self, target: Any = None, **options: Any) -> Any:
        """On the engine or pool unless told otherwise."""
        return self.client_class(self.pool if target is None else target, **options)

    def given(self) -> Any:
        """A session or connection of the caller's, closed at the end."""
        made = self.make_given()
        self._to_close.append(lambda: self.run(made.close()))
        return made

    def close(self) -> None:
        for close in reversed(self._to_close):
            close()
        self.close_pool()
        self.loop.close()

    def close_pool(self) -> None:
        self.run(self.pool.dispose())


class SessionWay(Way):
    name = "session-psycopg"
    client_class = ToolRecall

    def make_pool(self) -> Any:
        return sqlalchemy.create_engine(url(self.conninfo, "psycopg"))

    def make_given(self) -> Any:
        return orm.Session(self.pool)


class ConnectionWay(SessionWay):
    name = "connection-psycopg"

    def make_given(self) -> Any:
        return self.pool.connect()


class AsyncSessionWay(Way):
    name = "async-session-psycopg"
    client_class = AsyncToolRecall
    driver = "psycopg"

    def make_pool(self) -> Any:
        return sqlalchemy_asyncio.create_async_engine(url(self.conninfo, self.driver))

    def make_given(self) -> Any:
        return sqlalchemy_asyncio.AsyncSession(self.pool)


class AsyncConnectionWay(AsyncSessionWay):
    name = "async-connection-psycopg"

    def make_given(self) -> Any:
        return self.run(self.pool.connect().start())


class AsyncpgSessionWay(AsyncSessionWay):
    name = "async-session-asyncpg"
    driver = "asyncpg"


class AsyncpgConnectionWay(AsyncConnectionWay):
    name = "async-connection-asyncpg"
    driver = "asyncpg"


class AsyncpgWay(Way):
    """asyncpg alone: its transactions are the caller's own words."""

    name = "asyncpg"
    client_class = AsyncToolRecall
    options: dict[str, Any] = {}  # noqa: RUF012

    def make_pool(self) -> Any:
        async def make() -> Any:
            parts = conninfo_to_dict(self.conninfo)
            return await asyncpg.create_pool(
                host=parts["host"],
                port=int(str(parts["port"])),
                user=parts["user"],
                database=parts["dbname"],
                min_size=1,
                max_size=4,
                **self.options,
            )

        return make()

    def make_given(self) -> Any:
        async def make() -> Any:
            parts = conninfo_to_dict(self.conninfo)
            return await asyncpg.connect(
                host=parts["host"],
                port=int(str(parts["port"])),
                user=parts["user"],
                database=parts["dbname"],
                **self.options,
            )

        return self.run(make())

    def execute(self, given: Any, sql: str, *params: Any) -> list[Any]:
        if not given.is_closed() and not given.is_in_transaction():
            self.run(given.execute("begin"))
        return [tuple(row) for row in self.run(given.fetch(sql, *params))]

    def commit(self, given: Any) -> None:
        self.run(given.execute("commit"))

    def rollback(self, given: Any) -> None:
        self.run(given.execute("rollback"))

    def close_pool(self) -> None:
        self.run(self.pool.close())


SQLALCHEMY = [
    SessionWay,
    ConnectionWay,
    AsyncSessionWay,
    AsyncConnectionWay,
    AsyncpgSessionWay,
    AsyncpgConnectionWay,
]
ALL = [*SQLALCHEMY, AsyncpgWay]
SESSIONS = [SessionWay, AsyncSessionWay, AsyncpgSessionWay]
