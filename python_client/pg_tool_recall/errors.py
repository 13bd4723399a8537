"""Exceptions, and how the database's SQLSTATE codes become them.

Only codes are mapped, never message texts. Every exception here carries the code as ``sqlstate``
(None where the failure never reached the server), a short ``kind`` (the key under which a client
counts it in ``failures``), and the original as ``__cause__``.
"""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

import psycopg

__all__ = [
    "HostBindingError",
    "InvalidResultError",
    "InvalidRuleError",
    "NotInstalledError",
    "OwnershipError",
    "ToolRecallError",
    "VersionMismatchError",
]


class ToolRecallError(Exception):
    """Anything that went wrong in or on the way to ``tool_recall``; base of all below.

    sqlstate: the server's five-character code, or None.
    kind:     a short name for counting: ``timeout``, ``connection``, ``aborted_transaction``,
              ``conflict``, ``busy``, ``pipeline``, ``redact``, ``unreadable`` (by an adapter),
              ``database``, or that of a subclass.
    recorded: only from ``record_many`` with ``on_error="raise"``: what it would have returned;
              the results that were not refused are stored.
    """

    default_kind: ClassVar[str] = "database"

    def __init__(
        self, message: str, *, sqlstate: str | None = None, kind: str | None = None
    ) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate
        self.kind = kind or self.default_kind
        self.recorded: list[UUID | None] | None = None


class OwnershipError(ToolRecallError):
    """TR001: user, conversation and message do not belong together, or one of them is gone."""

    default_kind = "ownership"


class InvalidResultError(ToolRecallError):
    """TR002: a blank or over-long tool name, an impossible ``created_at``, a result of no form."""

    default_kind = "invalid_result"


class InvalidRuleError(ToolRecallError):
    """TR003: a summary template or a path to redact that does not parse; the message says where."""

    default_kind = "invalid_rule"


class NotInstalledError(ToolRecallError):
    """TR004: the schema ``tool_recall`` is missing here, or this role may not use it."""

    default_kind = "not_installed"


class VersionMismatchError(ToolRecallError):
    """TR004: the installed schema is of another version than this client supports."""

    default_kind = "version_mismatch"


class HostBindingError(ToolRecallError):
    """TR005: the host's tables are not usable (installation only)."""

    default_kind = "host_binding"


_BY_CODE: dict[str, type[ToolRecallError]] = {
    "TR001": OwnershipError,
    "23503": OwnershipError,  # the user, conversation or message went away meanwhile
    "TR002": InvalidResultError,
    "22007": InvalidResultError,  # created_at is no timestamp
    "22008": InvalidResultError,  # created_at is out of range
    "TR003": InvalidRuleError,
    "TR004": VersionMismatchError,
    "TR005": HostBindingError,
    "3F000": NotInstalledError,  # no such schema
    "42883": NotInstalledError,  # no such function
    "42P01": NotInstalledError,  # no such table
    "42501": NotInstalledError,  # not allowed
}

_REMEDY = {
    "3F000": "run pg_tool_recall.sql in this database",
    "42883": "run pg_tool_recall.sql of this client's version in this database",
    "42P01": "run pg_tool_recall.sql of this client's version in this database",
    "42501": "as the owner: select tool_recall.grant_app('<role>'), or grant_operator for purge",
}

_KIND_BY_CODE = {
    "57014": "timeout",  # statement_timeout, or cancelled
    "55P03": "timeout",  # lock_timeout
    "25P02": "aborted_transaction",
    "40001": "conflict",
    "40P01": "conflict",
}


def has_remedy(sqlstate: str) -> bool:
    """Whether ``translate`` says what to do, whatever the server's hint is."""
    return sqlstate in _REMEDY


def translate(error: Exception) -> Exception:
    """The exception of this module for a driver's one; any other is returned as it is.

    Messages keep the server's primary message and hint only: DETAIL, CONTEXT and the quoted
    query may hold a user's data, and messages end up in logs.
    """
    if isinstance(error, UnicodeEncodeError):
        # An id that no client encoding can express.
        return ToolRecallError(f"text that cannot be sent: {error.reason}", kind="argument")
    if not isinstance(error, psycopg.Error):
        return error
    code = error.sqlstate
    message = error.diag.message_primary or str(error)
    remedy = _REMEDY.get(code or "") or error.diag.message_hint
    if remedy:
        message = f"{message} ({remedy})"
    return _BY_CODE.get(code or "", ToolRecallError)(message, sqlstate=code, kind=_kind(error))


def _kind(error: psycopg.Error) -> str | None:
    """The kind of a driver's error where its class here does not give it; else None."""
    code = error.sqlstate
    if code in _BY_CODE:
        return None
    if code is None:
        if type(error).__name__ in ("PoolTimeout", "TooManyRequests", "ConnectionTimeout"):
            return "timeout"  # by name: psycopg_pool may not be installed
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return "connection"
        return "argument" if isinstance(error, psycopg.DataError) else None
    if code[:2] == "08" or code[:3] == "57P":
        return "connection"
    return _KIND_BY_CODE.get(code)


def kind_of(error: Exception) -> str:
    """The key under which a failure is counted."""
    if isinstance(error, ToolRecallError):
        return error.kind
    return "argument" if isinstance(error, TypeError | ValueError) else "internal"


def is_transient(error: psycopg.Error) -> bool:
    """Whether the same call may well succeed on another connection."""
    return is_lost(error) or error.sqlstate in ("40001", "40P01", "55P03")


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone."""
    return _kind(error) == "connection"


def is_not_storable(error: psycopg.Error) -> bool:
    """Whether a smaller or plainer value may be accepted instead."""
    code = error.sqlstate or ""
    # Past a limit (54), out of memory (53200), a fault of the data (22) other than created_at's.
    return code[:2] == "54" or code == "53200" or (code[:2] == "22" and code not in _BY_CODE)


def is_one_results_fault(error: psycopg.Error) -> bool:
    """Whether a refused batch may be down to one of its results rather than to all of them."""
    code = error.sqlstate
    if code is None:
        return isinstance(error, psycopg.DataError)
    if code == "23503":
        return False
    return code == "TR002" or code[:2] in ("22", "23") or is_not_storable(error)


def is_installation_fault(error: psycopg.Error) -> bool:
    """Whether the installed schema should be looked at again before the next call."""
    return _BY_CODE.get(error.sqlstate or "") in (NotInstalledError, VersionMismatchError)
