"""Both clients behind one way of calling them, so that each test is written once."""

from __future__ import annotations

import asyncio
import datetime
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import psycopg_pool

from pg_tool_recall import AsyncToolRecall, ToolRecall
from tests.support.database import Database, Turn


class Face:
    """Makes clients, connections and pools of one kind, and closes them at the end.

    Whatever a call gives goes through ``run``, which awaits it where that is needed.
    """

    connection_class: Any
    client_class: Any
    pool_class: Any

    def __init__(self, database: Database) -> None:
        self.database = database
        self._to_close: list[Callable[[], Any]] = []

    def run(self, result: Any) -> Any:
        raise NotImplementedError

    def client(self, target: Any, **options: Any) -> Any:
        made = self.client_class(target, **options)
        self._to_close.append(made.close)
        return made

    def connect(self, conninfo: str | None = None, **options: Any) -> Any:
        """A connection; as the chat service's role unless told otherwise."""
        made = self.run(self.connection_class.connect(conninfo or self.database.app, **options))
        self._to_close.append(made.close)
        return made

    def pool(self, conninfo: str | None = None, **options: Any) -> Any:
        made = self.pool_class(
            conninfo or self.database.app, open=False, min_size=1, max_size=2, **options
        )
        self.run(made.open())
        self._to_close.append(made.close)
        return made

    def fetch(self, connection: Any, query: str, params: Sequence[Any] = ()) -> Any:
        """The rows of a query on a connection of ours."""
        cursor = self.run(connection.execute(query, params))
        return self.run(cursor.fetchall())

    def close(self) -> None:
        for close in reversed(self._to_close):
            self.run(close())


class SyncFace(Face):
    connection_class = psycopg.Connection
    client_class = ToolRecall
    pool_class = psycopg_pool.ConnectionPool

    def run(self, result: Any) -> Any:
        return result


class AsyncFace(Face):
    connection_class = psycopg.AsyncConnection
    client_class = AsyncToolRecall
    pool_class = psycopg_pool.AsyncConnectionPool

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.loop = asyncio.new_event_loop()

    def run(self, result: Any) -> Any:
        if not inspect.isawaitable(result):
            return result

        async def wait() -> Any:
            return await result

        return self.loop.run_until_complete(wait())

    def close(self) -> None:
        super().close()
        self.loop.close()


@contextmanager
def entered(face: Face, manager: Any) -> Iterator[Any]:
    """A context manager of either kind, entered and left again as a with statement would."""
    if not hasattr(manager, "__aenter__"):
        with manager as made:
            yield made
        return
    made = face.run(manager.__aenter__())
    try:
        yield made
    except BaseException as error:
        face.run(manager.__aexit__(type(error), error, error.__traceback__))
        raise
    face.run(manager.__aexit__(None, None, None))


def begun(face: Face, client: Any, turn: Turn) -> Any:
    """client.turn(...) entered, for a with statement."""
    return entered(face, client.turn(**ids(turn)))


def ids(turn: Turn) -> dict[str, Any]:
    """Whose block: arguments of block and results."""
    return {"conversation_id": turn.conversation_id, "user_id": turn.user_id}


def call(turn: Turn, **changes: Any) -> dict[str, Any]:
    """Arguments of record: an ordinary result."""
    return {
        **ids(turn),
        "message_id": turn.message_id,
        "tool_name": "query_site_data",
        "tool_input": {"target": "memberships"},
        "tool_output": {"memberships": [{"name": "Pro", "active": 17}]},
        **changes,
    }


def result(**changes: Any) -> dict[str, Any]:
    """An ordinary element of record_many."""
    return {
        "tool_name": "query_site_data",
        "tool_input": {"target": "memberships"},
        "tool_output": {"memberships": []},
        **changes,
    }


def stored(database: Database) -> int:
    """How many snapshots there are, as anybody else sees it."""
    row = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone()
    assert row is not None
    return int(row[0])


def found(database: Database) -> list[tuple[Any, ...]]:
    """What is stored, oldest first: id of the call, name, input, output, is_error, message."""
    return database.owner_conn.execute(
        "select tool_use_id, tool_name, tool_input, tool_output, is_error, message_id "
        "from tool_recall.message_tool_results order by created_at, seq"
    ).fetchall()


def days_ago(days: float) -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
