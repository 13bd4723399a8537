"""The client that waits: ``ToolRecall``."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg

from pg_tool_recall._connections import SyncConnection, SyncEngine, sqlalchemy_adapter
from pg_tool_recall._core import (
    PARAMETERS,
    POOL,
    POOL_MISSING,
    Core,
    OnError,
    Operation,
    Steps,
    TokenChoice,
    busy,
    is_pool,
    same_again,
    wrong_target,
)
from pg_tool_recall._drivers import Executor, PsycopgExecutor
from pg_tool_recall._redact import Redact
from pg_tool_recall._signals import Metrics
from pg_tool_recall._turn import Turn
from pg_tool_recall._types import Block, Id, StoredResult, ToolResult

T = TypeVar("T")
Connection = psycopg.Connection[Any]


class Pool(Protocol):
    """What is asked of a pool; ``psycopg_pool.ConnectionPool`` has it."""

    def connection(self, timeout: float | None = None) -> AbstractContextManager[Connection]: ...


class ToolRecall:
    """Stores tool results in ``tool_recall`` and recalls them; safe to share between threads.

    target:        a psycopg connection, a psycopg_pool pool, or a conninfo string; of SQLAlchemy 2
                   over psycopg an Engine, Connection or Session. A conninfo opens a pool of up to
                   10 connections at the first call (it needs psycopg_pool), without prepared
                   statements, so that PgBouncer may stand between; a call that gets none of them
                   within 5 seconds fails.
    on_error:      "log": record, record_many and block never raise; a failure is logged to
                   "pg_tool_recall" and counted in ``failures``. "raise": they raise.
                   Everything else always raises, a ToolRecallError as a rule.
    block_timeout: seconds that ``block`` may take, waiting for a connection included; None: any.
                   Neither a lock nor a frozen server nor a dead network makes it take longer, but
                   on a connection of yours up to a second is added before that is closed.
    record_timeout: the same for ``record``, ``record_many`` and a turn's ``save``.
    token_counter: counts each block again: "auto" with tiktoken where its vocabulary is at hand
                   (never downloaded), "sql" leaves it at the database's count; or a callable from
                   text to tokens of your own model.
    redact:        called with each result's tool name, input and output before anything of it is
                   kept; gives the input and output to be stored, as new values, or None: nothing is
                   stored. Where it raises nothing is stored either: a failure of kind "redact".
    metrics:       "prometheus", "opentelemetry", or an object with the methods of ``Signals``. The
                   logger "pg_tool_recall.signals" gets all in any case.

    On a connection or session of yours (given here, or as ``conn``) a call joins your transaction
    in a savepoint: it is committed or rolled back by you, and its failure costs you nothing. An
    idle connection that is not in autocommit begins a transaction, as psycopg does. On an idle
    autocommit connection, and on a pool's, each call is a transaction of its own.
    """

    def __init__(
        self,
        target: SyncConnection | SyncEngine | Pool | str,
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
        self._locks: WeakKeyDictionary[Any, threading.Lock] = WeakKeyDictionary()
        self._locks_lock = threading.Lock()
        self._target: Any = target
        if isinstance(target, str):
            try:
                from psycopg_pool import ConnectionPool
            except ImportError as error:
                raise ImportError(POOL_MISSING) from error
            self._target = self._opened = ConnectionPool(
                target, kwargs=PARAMETERS, open=False, **POOL
            )
        # Whether each call gets a connection of its own; a lost one is then replaced.
        self._lends = _lends(self._target)
        if not self._lends and not _is_connection(self._target):
            raise wrong_target("ToolRecall", "psycopg.Connection", target)

    @property
    def failures(self) -> Counter[str]:
        """How many failures have been logged instead of raised, by kind."""
        return self._core.failures

    def close(self) -> None:
        """Closes the pool that was opened for a conninfo; what was given is left as it is."""
        if self._opened is not None:
            self._opened.close()

    def __enter__(self) -> ToolRecall:
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing

    def record(
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
        conn: SyncConnection | None = None,
    ) -> UUID | None:
        """Stores one tool result and returns its id; None where that failed and is not raised.

        tool_input, tool_output: any Python value. What jsonb cannot hold is replaced by the nearest
                     value and counted in the row's ``repairs``.
        tool_use_id: the provider's id of the call: recording it again returns the first id.
        is_error:    the tool failed; the row is kept and never part of a block.
        created_at:  when the tool returned; without a time zone it is taken as UTC. None: now.

        In a transaction of yours record last: the conversation stays locked until you commit.
        """
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
        return self._perform(operation, conn)

    def record_many(
        self,
        conversation_id: Id,
        user_id: Id,
        message_id: Id,
        results: Iterable[Mapping[str, Any] | ToolResult],
        *,
        conn: SyncConnection | None = None,
    ) -> list[UUID | None]:
        """Stores the results of one message in one statement; their ids, in order.

        A result that is refused costs its siblings nothing: it is None in the answer, logged and
        counted. With ``on_error="raise"`` the first refusal is raised once the others are stored;
        its ``recorded`` is the answer.
        """
        operation = self._core.record_many(conversation_id, user_id, message_id, results)
        return self._perform(operation, conn)

    def turn(self, *, conversation_id: Id, user_id: Id) -> Turn:
        """A turn: collects calls and results until its message is saved.

        with recall.turn(conversation_id=c, user_id=u) as turn:
            turn.call(call_id, "query_site_data", arguments)
            turn.result(call_id, output)
            ...
            turn.save(message_id, conn)
        """
        return Turn(self._core, conversation_id, user_id, lambda *call: self._perform(*call))

    # -- reading

    def block(
        self,
        *,
        conversation_id: Id,
        user_id: Id,
        explain: bool = False,
        conn: SyncConnection | None = None,
    ) -> Block:
        """The block for the next turn; empty where there is nothing, or where it failed.

        explain: also look up what was left out and why. It reads every row of the conversation
                 rather than the few of the block, so leave it off in a chat turn.
        """
        return self._perform(self._core.block(conversation_id, user_id, explain), conn)

    def results(
        self,
        *,
        conversation_id: Id,
        user_id: Id,
        tool_name: str | None = None,
        since_days: int | None = None,
        max_results: int | None = 5,
        before: UUID | str | None = None,
        conn: SyncConnection | None = None,
    ) -> list[StoredResult]:
        """Stored results in full, newest first, errors included.

        since_days:  only those of the last so many times 24 hours.
        max_results: None for all of them.
        before:      the id of the last result of one page, to get the next.
        """
        operation = self._core.results(
            conversation_id, user_id, tool_name, since_days, max_results, before
        )
        return self._perform(operation, conn)

    def result(
        self, id: UUID | str, user_id: Id, *, conn: SyncConnection | None = None
    ) -> StoredResult | None:
        """One stored result in full; None where this user has none of that id."""
        return self._perform(self._core.result(id, user_id), conn)

    # -- erasing

    def forget_user(self, user_id: Id, *, conn: SyncConnection | None = None) -> int:
        """Deletes all that is stored of a user; the number of rows."""
        return self._perform(self._core.forget_user(user_id), conn)

    def forget_conversation(
        self,
        conversation_id: Id,
        *,
        user_id: Id | None = None,
        conn: SyncConnection | None = None,
    ) -> int:
        """Deletes all that is stored of a conversation; the number of rows.

        user_id: its owner, needed only where row security is enabled.
        """
        return self._perform(self._core.forget_conversation(conversation_id, user_id), conn)

    def purge(self, *, batch_size: int = 1000, max_seconds: int = 300) -> int:
        """Deletes what is past retention or over a lowered cap; the number of rows.

        It commits after each batch, so it never runs in a transaction of yours: given a connection,
        it opens another one like it. The role needs tool_recall.grant_operator.
        """
        return self._perform(self._core.purge(batch_size, max_seconds), None, apart=True)

    # -- waiting

    def _perform(
        self, operation: Operation[T], conn: SyncConnection | None, apart: bool = False
    ) -> T:
        if operation.records and (adapter := sqlalchemy_adapter()):
            adapter.flush(self._target if conn is None else conn)
        try:
            for attempt in itertools.count():
                try:
                    return self._attempt(operation, conn, apart)
                except Exception as error:
                    ours = conn is None and self._lends
                    if not ours or not self._core.may_repeat(operation, error, attempt):
                        raise
            raise AssertionError  # never here
        except Exception as error:
            return self._core.failed(operation, error)

    def _attempt(self, operation: Operation[T], conn: SyncConnection | None, apart: bool) -> T:
        with self._lend(operation, conn, apart) as executor:
            return self._drive(operation.steps(), executor, operation.deadline)

    def _drive(self, steps: Steps[T], executor: Executor, deadline: float | None) -> T:
        try:
            statement = next(steps)
            while True:
                try:
                    rows = executor.execute(statement, deadline)
                except Exception as error:
                    statement = steps.throw(error)
                else:
                    statement = steps.send(rows)
        except StopIteration as end:
            value: T = end.value
            return value

    # -- connections

    def _open(self) -> None:
        if self._opened is not None and self._opened.closed:
            self._opened.open()

    @contextmanager
    def _lend(
        self, operation: Operation[Any], conn: SyncConnection | None, apart: bool
    ) -> Iterator[Executor]:
        """A connection for a call: of what lends them, or the caller's own, one call at a time."""
        if conn is None and self._lends:
            self._open()
            with _lent(self._target, operation.remaining) as lent, _autocommit(lent):
                yield PsycopgExecutor(lent, ours=True)
            return
        given: Any = self._target if conn is None else conn
        if not _is_connection(given):
            raise wrong_target("conn", "psycopg.Connection", given)
        if apart:
            with _another(given) as lent, _autocommit(lent):
                yield PsycopgExecutor(lent, ours=True)
            return
        if isinstance(given, psycopg.Connection):
            joined: AbstractContextManager[Connection] = nullcontext(given)
        else:
            joined = sqlalchemy_adapter().join(given)
        with joined as connection, self._alone(connection, operation.remaining):
            yield PsycopgExecutor(connection, ours=False)

    @contextmanager
    def _alone(self, connection: Connection, remaining: float | None) -> Iterator[None]:
        with self._locks_lock:
            lock = self._locks.setdefault(connection, threading.Lock())
        if not lock.acquire(timeout=-1 if remaining is None else remaining):
            raise busy()
        try:
            yield
        finally:
            lock.release()


def _lends(target: Any) -> bool:
    """Whether it gives each call a connection of its own."""
    if (adapter := sqlalchemy_adapter()) and adapter.is_engine(target, awaited=False):
        return True
    return not _is_connection(target) and is_pool(target, awaited=False)


def _is_connection(given: Any) -> bool:
    if (adapter := sqlalchemy_adapter()) and adapter.is_connection(given, awaited=False):
        return True
    return isinstance(given, psycopg.Connection)


def _lent(target: Any, remaining: float | None) -> AbstractContextManager[Connection]:
    """A connection of a pool's or an engine's."""
    lending: AbstractContextManager[Connection]
    if (adapter := sqlalchemy_adapter()) and adapter.is_engine(target, awaited=False):
        lending = adapter.lend(target, remaining)
    else:
        lending = target.connection(timeout=remaining)
    return lending


def _another(given: Any) -> AbstractContextManager[Connection]:
    """A connection of our own, to where a given one goes."""
    if isinstance(given, psycopg.Connection):
        return psycopg.connect(same_again(given))
    adapter = sqlalchemy_adapter()
    return _lent(adapter.engine_of(given), None)


@contextmanager
def _autocommit(connection: Connection) -> Iterator[None]:
    """A pool's connection in autocommit while it is ours: each call is one message."""
    before = connection.autocommit
    if not before:
        connection.autocommit = True
    try:
        yield
    finally:
        if not before:
            try:
                connection.autocommit = before
            except psycopg.Error:  # lost, or left in the middle: not for anybody else
                connection.close()
