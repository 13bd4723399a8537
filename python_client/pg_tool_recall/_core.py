"""Everything that does not depend on waiting: what is sent, what the answers mean, what a failure
becomes. ``_sync`` and ``_async`` lend a connection and wait; nothing else.

A call is an ``Operation``; its steps are a generator that yields statements and is sent their rows.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Generic, Literal, NamedTuple, TypeVar
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo

from pg_tool_recall import _sql
from pg_tool_recall._reading import from_json
from pg_tool_recall._redact import Redact, checked, redacted
from pg_tool_recall._repair import as_text, clean_text, to_json, truncated
from pg_tool_recall._signals import (
    FAILURES,
    INJECTION_TOKENS,
    LEFT_OUT,
    NOT_STORED,
    PERSISTED,
    REPAIRED,
    RETENTION_DELETES,
    Meter,
    Metrics,
)
from pg_tool_recall._tokens import TokenCounter, offline_counter
from pg_tool_recall._types import Block, Id, LeftOut, Line, StoredResult, ToolResult
from pg_tool_recall._version import __version__, release
from pg_tool_recall.errors import (
    InvalidResultError,
    ToolRecallError,
    VersionMismatchError,
    is_installation_fault,
    is_lost,
    is_not_storable,
    is_one_results_fault,
    is_transient,
    kind_of,
    translate,
)

logger = logging.getLogger("pg_tool_recall")

T = TypeVar("T")
Row = tuple[str | None, ...]
OnError = Literal["log", "raise"]
TokenChoice = TokenCounter | Literal["auto", "sql"]

# More JSON than this is sent one result at a time.
LARGEST_BATCH = 32 * 1024 * 1024
# After a refusal for size, what is larger than this is cut.
ORDINARY_SIZE = 64 * 1024


# -- statements and their messages


@dataclass(frozen=True)
class Statement:
    """One statement and how it is to be run.

    user_id: for row security, set for this statement only; '' is nobody, None leaves it be.
    alone:   nothing may be sent along with it, and no transaction may be open.
    """

    sql: str
    params: tuple[str | None, ...] = ()
    user_id: str | None = None
    writes: bool = False
    alone: bool = False


Steps = Generator[Statement, list[Row], T]


class Message(NamedTuple):
    """What goes to the server for a statement; parameters are merged in.

    before, after: around the statement; each of their parts is one of SQL's statements.
    undo:          to be sent if it fails with a transaction left open; None: not needed.
    """

    before: list[str]
    sql: str
    after: list[str]
    undo: str | None


def compose(
    statement: Statement, deadline: float | None, *, begin: str, savepoint: bool
) -> Message:
    """The message for a statement.

    begin:     begins the transaction first, in these words; empty: there is one, or none is wanted.
    savepoint: it runs in a savepoint, within a transaction of the caller's. Otherwise the message
               is a transaction by itself.
    """
    if statement.alone:
        return Message([], _sql.merge(statement.sql, statement.params), [], None)
    before = [begin] if begin else []
    after: list[str] = []
    if savepoint:
        before.append(_sql.SAVEPOINT)
    settings: list[str] = []
    restored: list[str] = []
    keep = savepoint and statement.writes
    params: list[str | None] = []
    if deadline is not None:
        limit = f"{max(1, math.ceil((deadline - time.monotonic()) * 1000))}ms"
        if keep:
            settings.append(_sql.KEEP_TIMEOUTS)
            restored.append(_sql.RESTORE_TIMEOUTS)
        settings.append(_sql.SET_TIMEOUTS)
        params += [limit] * 4
    if statement.user_id is not None:
        if keep:
            settings.append(_sql.KEEP_USER)
            restored.append(_sql.RESTORE_USER)
        settings.append(_sql.SET_USER)
        params.append(statement.user_id)
    if settings:
        before.append(_sql.merge("select " + ", ".join(settings), params))
    if restored:
        after.append("select " + ", ".join(restored))
    if savepoint:
        after += [_sql.RELEASE] if statement.writes else _sql.ROLLBACK.split("; ")
    return Message(
        before,
        _sql.merge(statement.sql, statement.params),
        after,
        _sql.ROLLBACK if savepoint else None,
    )


# -- what is stored


@dataclass(frozen=True)
class Snapshot:
    """A tool result, repaired and ready to be sent; everything is text."""

    tool_name: str
    tool_input: str
    tool_output: str
    tool_use_id: str | None
    is_error: bool
    created_at: str | None
    repairs: Counter[str]

    @classmethod
    def of(
        cls,
        tool_name: Any,
        tool_input: Any,
        tool_output: Any,
        tool_use_id: Any,
        is_error: Any,
        created_at: Any,
    ) -> Snapshot:
        repairs: Counter[str] = Counter()
        return cls(
            clean_text("" if tool_name is None else as_text(tool_name), repairs),
            to_json(tool_input, repairs),
            to_json(tool_output, repairs),
            None if tool_use_id is None else clean_text(as_text(tool_use_id), repairs),
            bool(is_error),
            _timestamp(created_at),
            repairs,
        )

    @property
    def size(self) -> int:
        return len(self.tool_input) + len(self.tool_output)

    @property
    def digest(self) -> bytes:
        """The same for the same call with the same result, whenever it came."""
        parts = (self.tool_use_id or "", self.tool_name, self.tool_input, self.tool_output)
        told = hashlib.sha256(b"1" if self.is_error else b"0")
        for part in parts:
            encoded = part.encode("utf-8")
            told.update(b"%d:" % len(encoded) + encoded)
        return told.digest()

    @property
    def repairs_json(self) -> str | None:
        return json.dumps(self.repairs) if self.repairs else None

    def statement(self, ids: Ids) -> Statement:
        return Statement(
            _sql.RECORD,
            (
                ids.conversation_id,
                ids.user_id,
                ids.message_id,
                self.tool_name,
                self.tool_input,
                self.tool_output,
                self.tool_use_id,
                "true" if self.is_error else "false",
                self.created_at,
                self.repairs_json,
            ),
            user_id=ids.user_id or "",
            writes=True,
        )

    def json(self) -> str:
        """As an element of a batch."""
        quoted = {
            "tool_name": json.dumps(self.tool_name),
            "tool_input": self.tool_input,
            "tool_output": self.tool_output,
            "tool_use_id": json.dumps(self.tool_use_id),
            "is_error": json.dumps(self.is_error),
            "created_at": json.dumps(self.created_at),
            "repairs": self.repairs_json or "null",
        }
        return "{" + ",".join(f'"{name}":{text}' for name, text in quoted.items()) + "}"

    def smaller(self) -> Snapshot:
        """With the large parts cut; with both cut where neither is large."""
        parts = (self.tool_input, self.tool_output)
        large = [len(part) > ORDINARY_SIZE for part in parts]
        if not any(large):
            large = [True, True]
        repairs = Counter(self.repairs)
        tool_input, tool_output = (
            truncated(part, repairs) if cut else part
            for part, cut in zip(parts, large, strict=True)
        )
        return Snapshot(
            self.tool_name,
            tool_input,
            tool_output,
            self.tool_use_id,
            self.is_error,
            self.created_at,
            repairs,
        )


class Ids(NamedTuple):
    conversation_id: str | None
    user_id: str | None
    message_id: str | None = None


def _id(value: Id | None) -> str | None:
    """A key as text; None and blank are None, which never means "all"."""
    text = "" if value is None else as_text(value)
    return text if text.strip() else None


def _timestamp(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        naive = value.utcoffset() is None
        return (value.replace(tzinfo=timezone.utc) if naive else value).isoformat()
    return as_text(value)


_FIELDS = frozenset(field.name for field in fields(ToolResult))


def _fields(result: Mapping[str, Any] | ToolResult) -> Mapping[str, Any]:
    """The fields of an element of a batch."""
    if isinstance(result, ToolResult):
        given: Mapping[str, Any] = {name: getattr(result, name) for name in _FIELDS}
    elif isinstance(result, Mapping):
        given = result
        unknown = sorted(as_text(name) for name in given if name not in _FIELDS)
        missing = sorted({"tool_name", "tool_input", "tool_output"} - set(given))
        if unknown or missing:
            raise InvalidResultError(
                "a result has "
                + " and ".join(
                    [f"no {name}" for name in missing] + [f"unknown {name!r}" for name in unknown]
                )
            )
    else:
        raise InvalidResultError(
            f"a result must be a mapping or a ToolResult, not {type(result).__name__}"
        )
    return given


# -- operations


@dataclass(frozen=True)
class Operation(Generic[T]):
    """One call of a client.

    steps:      a fresh generator each time, so that the call can be made again.
    fallback:   what a failure gives where failures are not raised; None: they always are.
    repeatable: whether doing it twice is as good as doing it once.
    deadline:   by time.monotonic(); None: no limit.
    records:    stores results of a message, which may still wait to be flushed.
    """

    name: str
    steps: Callable[[], Steps[T]]
    fallback: Callable[[], T] | None = None
    repeatable: Callable[[], bool] = lambda: True
    deadline: float | None = None
    records: bool = False

    @property
    def remaining(self) -> float | None:
        """Seconds until the deadline, at least 0."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class Core:
    """The state and the logic that both clients share."""

    def __init__(
        self,
        *,
        on_error: OnError,
        block_timeout: float | None,
        record_timeout: float | None,
        token_counter: TokenChoice,
        redact: Redact | None = None,
        metrics: Metrics = None,
    ) -> None:
        if on_error not in ("log", "raise"):
            raise ValueError(f'on_error must be "log" or "raise", not {on_error!r}')
        for name, limit in (("block_timeout", block_timeout), ("record_timeout", record_timeout)):
            if limit is not None and not limit > 0:
                raise ValueError(f"{name} is in seconds, above 0; None for no limit")
        self._on_error = on_error
        self._block_timeout = block_timeout
        self._record_timeout = record_timeout
        self._count: TokenCounter | None
        if callable(token_counter):
            self._count = token_counter
        elif token_counter in ("auto", "sql"):
            self._count = offline_counter() if token_counter == "auto" else None
        else:
            raise ValueError('token_counter must be a callable, "auto" or "sql"')
        self._checked = False
        self._lock = threading.Lock()
        self.failures: Counter[str] = Counter()
        self._redact = checked(redact)
        self._meter = Meter(metrics, self._metrics_broke)

    def snapshot(
        self,
        tool_name: Any,
        tool_input: Any,
        tool_output: Any,
        tool_use_id: Any,
        is_error: Any,
        created_at: Any,
    ) -> Snapshot | None:
        """A result as it will be stored, independent of what becomes of the values.

        None where the caller's redact says that it is not to be stored.
        """
        if self._redact is not None:
            kept = redacted(self._redact, tool_name, tool_input, tool_output)
            if kept is None:
                self._meter.count(NOT_STORED, as_text(tool_name)[:128])
                return None
            tool_input, tool_output = kept
        return Snapshot.of(tool_name, tool_input, tool_output, tool_use_id, is_error, created_at)

    # The calls. Building one never fails: whatever could, is in its steps.

    def record(
        self,
        conversation_id: Id,
        user_id: Id,
        message_id: Id,
        tool_name: str,
        tool_input: Any,
        tool_output: Any,
        tool_use_id: str | None,
        is_error: bool,
        created_at: datetime | None,
    ) -> Operation[UUID | None]:
        @functools.cache  # an iterator can be read once only
        def prepare() -> Snapshot | None:
            return self.snapshot(
                tool_name, tool_input, tool_output, tool_use_id, is_error, created_at
            )

        def steps() -> Steps[UUID | None]:
            ids = Ids(_id(conversation_id), _id(user_id), _id(message_id))
            snapshot = prepare()
            if snapshot is None:
                return None
            yield from self._ready()
            stored = yield from self._store(ids, snapshot)
            self._recorded(snapshot, stored)
            return stored

        return Operation(
            "record",
            steps,
            lambda: None,
            lambda: bool(tool_use_id),
            deadline=_from_now(self._record_timeout),
            records=True,
        )

    def record_many(
        self,
        conversation_id: Id,
        user_id: Id,
        message_id: Id,
        results: Iterable[Mapping[str, Any] | ToolResult | Snapshot],
        unstored: list[int] | None = None,
    ) -> Operation[list[UUID | None]]:
        """unstored: takes the places of results that are not to be stored, which is no failure."""
        given: list[Mapping[str, Any] | ToolResult | Snapshot] = []

        @functools.cache
        def prepare() -> list[Snapshot | Exception | None]:
            given.extend(results)
            prepared: list[Snapshot | Exception | None] = []
            for result in given:
                try:
                    prepared.append(self._prepared(result))
                except Exception as error:
                    prepared.append(error)
            return prepared

        def steps() -> Steps[list[UUID | None]]:
            ids = Ids(_id(conversation_id), _id(user_id), _id(message_id))
            prepared = prepare()
            refused = [each for each in prepared if isinstance(each, Exception)]
            places = [i for i, each in enumerate(prepared) if isinstance(each, Snapshot)]
            snapshots = [each for each in prepared if isinstance(each, Snapshot)]
            stored: list[UUID | None] = [None] * len(prepared)
            if snapshots:
                yield from self._ready()
                outcome = yield from self._store_all(ids, snapshots)
                if unstored is not None:
                    unstored.clear()
                for place, snapshot, each in zip(places, snapshots, outcome, strict=True):
                    if isinstance(each, Exception):
                        refused.append(each)
                        continue
                    stored[place] = each
                    self._recorded(snapshot, each)
                    if each is None and unstored is not None:
                        unstored.append(place)
            self._refuse(refused, stored)
            return stored

        def nothing() -> list[UUID | None]:
            with suppress(Exception):
                prepare()
            return [None] * len(given)

        return Operation(
            "record_many",
            steps,
            nothing,
            lambda: all(
                s is None or (isinstance(s, Snapshot) and s.tool_use_id) for s in prepare()
            ),
            deadline=_from_now(self._record_timeout),
            records=True,
        )

    def block(self, conversation_id: Id, user_id: Id, explain: bool) -> Operation[Block]:
        def steps() -> Steps[Block]:
            ids = Ids(_id(conversation_id), _id(user_id))
            yield from self._ready()
            rows = yield Statement(
                _sql.BLOCK_EXPLAINED if explain else _sql.BLOCK,
                (ids.conversation_id, ids.user_id),
                user_id=ids.user_id or "",
            )
            block = self._block(rows)
            self._meter.observe(INJECTION_TOKENS, block.tokens)
            for reason, lines in Counter(each.reason for each in block.left_out).items():
                self._meter.count(LEFT_OUT, reason, lines)
            return block

        return Operation("block", steps, Block, deadline=_from_now(self._block_timeout))

    def results(
        self,
        conversation_id: Id,
        user_id: Id,
        tool_name: str | None,
        since_days: int | None,
        max_results: int | None,
        before: UUID | str | None,
    ) -> Operation[list[StoredResult]]:
        def steps() -> Steps[list[StoredResult]]:
            yield from self._ready()
            rows = yield Statement(
                _sql.RESULTS,
                (
                    _id(conversation_id),
                    _id(user_id),
                    None if tool_name is None else clean_text(as_text(tool_name), Counter()),
                    None if since_days is None else str(since_days),
                    None if max_results is None else str(max_results),
                    _id(before),
                ),
                user_id=_id(user_id) or "",
            )
            return [_stored_result(row) for row in rows]

        return Operation("results", steps)

    def result(self, id: UUID | str, user_id: Id) -> Operation[StoredResult | None]:
        def steps() -> Steps[StoredResult | None]:
            yield from self._ready()
            params = (_id(id), _id(user_id))
            rows = yield Statement(_sql.RESULT, params, user_id=_id(user_id) or "")
            return _stored_result(rows[0]) if rows else None

        return Operation("result", steps)

    def forget_user(self, user_id: Id) -> Operation[int]:
        return self._forget("forget_user", _sql.FORGET_USER, user_id, user_id)

    def forget_conversation(self, conversation_id: Id, user_id: Id | None) -> Operation[int]:
        return self._forget(
            "forget_conversation", _sql.FORGET_CONVERSATION, conversation_id, user_id
        )

    def _forget(self, name: str, sql: str, key: Id, user_id: Id | None) -> Operation[int]:
        def steps() -> Steps[int]:
            yield from self._ready()
            rows = yield Statement(sql, (_id(key),), user_id=_id(user_id), writes=True)
            return int(rows[0][0] or 0)

        return Operation(name, steps)

    def purge(self, batch_size: int, max_seconds: int) -> Operation[int]:
        def steps() -> Steps[int]:
            yield from self._ready()
            rows = yield Statement(_sql.PURGE, (str(batch_size), str(max_seconds)), alone=True)
            deleted = int(rows[0][0] or 0)
            self._meter.count(RETENTION_DELETES, amount=deleted)
            return deleted

        return Operation("purge", steps)

    # Their parts.

    def _ready(self) -> Steps[None]:
        """Checks once that the installed schema is one that this client supports."""
        if self._checked:
            return
        rows = yield Statement(_sql.VERSION)
        installed = rows[0][0] or ""
        ours, theirs = release(__version__), release(installed)
        if ours != theirs:
            if theirs is not None and ours is not None and theirs > ours:
                remedy = (
                    f"upgrade the client: pip install 'pg-tool-recall=={theirs[0]}.{theirs[1]}.*'"
                )
            else:
                remedy = f"upgrade the schema: run pg_tool_recall.sql of version {__version__}"
            raise VersionMismatchError(
                f"the schema tool_recall is of version {installed or 'unknown'}, "
                f"this client of {__version__}: {remedy}",
                sqlstate="TR004",
            )
        self._checked = True

    def _prepared(self, result: Mapping[str, Any] | ToolResult | Snapshot) -> Snapshot | None:
        """An element of a batch; a turn's results are snapshots already."""
        if isinstance(result, Snapshot):
            return result
        given = _fields(result)
        return self.snapshot(
            given["tool_name"],
            given["tool_input"],
            given["tool_output"],
            given.get("tool_use_id"),
            given.get("is_error", False),
            given.get("created_at"),
        )

    def _recorded(self, snapshot: Snapshot, stored: UUID | None) -> None:
        """Counts a result that the database has answered for."""
        if stored is None:
            self._meter.count(NOT_STORED, snapshot.tool_name)
            return
        self._meter.count(PERSISTED, snapshot.tool_name)
        for kind in snapshot.repairs:
            self._meter.count(REPAIRED, kind)

    def _store(self, ids: Ids, snapshot: Snapshot) -> Steps[UUID | None]:
        """Its id; None where a capture rule of the database does not store it."""
        try:
            rows = yield snapshot.statement(ids)
        except psycopg.Error as error:
            if not is_not_storable(error):
                raise
            rows = yield snapshot.smaller().statement(ids)
        return _uuid_or_none(rows[0][0])

    def _store_all(
        self, ids: Ids, snapshots: list[Snapshot]
    ) -> Steps[list[UUID | Exception | None]]:
        """Each one's id or why it was refused: in one statement, or one by one if that fails."""
        if sum(snapshot.size for snapshot in snapshots) <= LARGEST_BATCH:
            batch = "[" + ",".join(snapshot.json() for snapshot in snapshots) + "]"
            try:
                rows = yield Statement(
                    _sql.RECORD_MANY, (*ids, batch), user_id=ids.user_id or "", writes=True
                )
                return [_uuid_or_none(row[0]) for row in rows]
            except psycopg.Error as error:
                if not is_one_results_fault(error):
                    raise
        outcome: list[UUID | Exception | None] = []
        for snapshot in snapshots:
            try:
                outcome.append((yield from self._store(ids, snapshot)))
            except psycopg.Error as error:
                if is_one_results_fault(error):
                    outcome.append(error)
                elif any(isinstance(each, UUID) for each in outcome):
                    # What is stored is worth telling; the rest would fail alike.
                    return outcome + [error] * (len(snapshots) - len(outcome))
                else:
                    raise
        return outcome

    def _refuse(self, refused: Sequence[Exception], stored: list[UUID | None]) -> None:
        errors = [self._translated(error) for error in refused]
        if self._on_error == "log":
            for error in errors:
                self.note("record_many", error)
        elif errors:
            first = errors[0]
            if isinstance(first, ToolRecallError):
                first.recorded = stored
            raise first

    def _block(self, rows: list[Row]) -> Block:
        lines: list[Line] = []
        left_out: list[LeftOut] = []
        for row in rows:
            id, created_at, tool_name, text, tokens, reason = row[:6]
            line = Line(_uuid(id), _utc(created_at), tool_name or "", text or "", int(tokens or 0))
            if reason is None:
                lines.append(line)
            else:
                left_out.append(LeftOut(line, reason))
        if not lines:
            return Block(left_out=tuple(left_out))
        budget, margin, header, instruction, frame_tokens = rows[0][6:]
        dropped: list[LeftOut] = []
        while lines:
            body = "\n".join(line.text for line in lines)
            whole = f"{header}\n{body}\n\n{instruction}"
            if self._count is None:
                count = int(frame_tokens or 0) + sum(line.tokens for line in lines)
                break
            count = self._count(whole)
            if count * Decimal(margin or 1) <= int(budget or 0):
                break
            dropped.append(LeftOut(lines.pop(), "recount"))
        else:
            whole, count = "", 0
        return Block(whole, count, tuple(lines), _newest_first(dropped + left_out, rows))

    # Failures.

    def failed(self, operation: Operation[T], error: Exception) -> T:
        """What a call that failed gives: its fallback, noted, or an exception."""
        shown = self._translated(error)
        if operation.fallback is None or self._on_error == "raise":
            raise shown
        self.note(operation.name, shown)
        return operation.fallback()

    def may_repeat(self, operation: Operation[Any], error: Exception, attempt: int) -> bool:
        """Whether a call that failed on a pool's connection is worth another connection."""
        if not isinstance(error, psycopg.Error):
            return False
        limit = LOST_IN_A_ROW if is_lost(error) else 1
        if not is_transient(error) or attempt >= limit or operation.remaining == 0:
            return False
        with suppress(Exception):
            return operation.repeatable()
        return False

    def _translated(self, error: Exception) -> Exception:
        if isinstance(error, psycopg.Error) and is_installation_fault(error):
            self._checked = False
        shown = translate(error)
        if shown is not error:
            shown.__cause__ = error
        return shown

    def discarded(self, results: int) -> None:
        """A turn ended without a message; its results are not stored."""
        with self._lock:
            self.failures["discarded"] += results
        logger.warning(
            "%s result(s) of a turn without a saved message discarded",
            results,
            extra={"tool_recall_operation": "turn", "tool_recall_kind": "discarded"},
        )
        self._meter.count(FAILURES, "discarded", results)

    def ignored(self, names: Sequence[str]) -> None:
        """A model gave the recall tool arguments that it does not have. Their names are its own."""
        scope = sorted({"user_id", "conversation_id"}.intersection(names))
        with self._lock:
            self.failures["ignored_argument"] += len(names)
        logger.warning(
            "%s argument(s) of the recall tool ignored%s",
            len(names),
            f", {' and '.join(scope)} among them" if scope else "",
            extra={"tool_recall_operation": "recall_tool", "tool_recall_kind": "ignored_argument"},
        )

    def note(self, name: str, error: Exception) -> None:
        """Logs and counts a failure that is not raised."""
        kind = kind_of(error)
        with self._lock:
            self.failures[kind] += 1
        logger.error(
            "%s failed (%s): %s",
            name,
            kind,
            error,
            extra={
                "tool_recall_operation": name,
                "tool_recall_kind": kind,
                "tool_recall_sqlstate": getattr(error, "sqlstate", None),
            },
        )
        if kind != "redact":  # whose traceback may show what it was to redact
            logger.debug("%s failed", name, exc_info=error)
        self._meter.count(FAILURES, kind)

    def _metrics_broke(self, error: Exception) -> None:
        """Counts what a metrics backend raised, and logs the first."""
        with self._lock:
            self.failures["metrics"] += 1
            first = self.failures["metrics"] == 1
        if first:
            logger.error(
                "metrics failed: %s",
                type(error).__name__,
                exc_info=error,
                extra={"tool_recall_operation": "metrics", "tool_recall_kind": "metrics"},
            )


def _from_now(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


def _uuid(text: str | None) -> UUID:
    if text is None:
        raise ToolRecallError("the database answered without an id")
    return UUID(text)


def _uuid_or_none(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)


def _utc(text: str | None) -> datetime:
    return datetime.fromisoformat(text or "").replace(tzinfo=timezone.utc)


def _stored_result(row: Row) -> StoredResult:
    (
        id,
        created_at,
        message_id,
        message_id_type,
        tool_use_id,
        tool_name,
        tool_input,
        tool_output,
        is_error,
        repairs,
    ) = row
    return StoredResult(
        _uuid(id),
        _utc(created_at),
        _host_id(message_id or "", message_id_type or ""),
        tool_use_id,
        tool_name or "",
        from_json(tool_input or "null"),
        from_json(tool_output or "null"),
        is_error == "true",
        None if repairs is None else json.loads(repairs),
    )


def _host_id(text: str, type_name: str) -> Id:
    if type_name == "uuid":
        return UUID(text)
    return int(text) if type_name == "bigint" else text


def _newest_first(left_out: list[LeftOut], rows: list[Row]) -> tuple[LeftOut, ...]:
    place = {row[0]: number for number, row in enumerate(rows)}
    return tuple(sorted(left_out, key=lambda each: place[str(each.id)]))


# -- connections

# A pool of our own; a call fails after so many seconds without a connection.
POOL: dict[str, Any] = {"min_size": 1, "max_size": 10, "timeout": 5.0}
# After a restart of the server every connection of a pool is lost, and each is found out by use.
LOST_IN_A_ROW = 20
POOL_MISSING = "a conninfo needs psycopg_pool: pip install 'pg-tool-recall[pool]'"
# Parameters of the connections that we open ourselves.
PARAMETERS: dict[str, Any] = {
    "autocommit": True,
    "prepare_threshold": None,
    "fallback_application_name": "pg_tool_recall",
    "client_encoding": "utf8",
}


def is_pool(target: object, awaited: bool) -> bool:
    """Whether it is a pool, of connections that are awaited or not; psycopg_pool may be missing."""
    close = getattr(target, "close", None)
    return hasattr(target, "connection") and inspect.iscoroutinefunction(close) == awaited


def same_again(connection: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> str:
    """The conninfo of another connection like this one, its password included."""
    password = connection.info.password
    return make_conninfo(connection.info.dsn, **({"password": password} if password else {}))


def wrong_target(name: str, expected: str, given: object) -> TypeError:
    return TypeError(f"{name} takes a {expected}, not a {type(given).__name__}")


def busy() -> ToolRecallError:
    return ToolRecallError("another call on this connection takes too long", kind="timeout")
