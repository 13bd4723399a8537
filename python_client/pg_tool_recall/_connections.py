"""Whose connections the clients take, for type checkers. Only psycopg has to be installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import psycopg

if TYPE_CHECKING:
    import asyncpg
    import sqlalchemy
    from sqlalchemy import orm
    from sqlalchemy.ext import asyncio as sqlalchemy_asyncio

# Of the caller's, to be joined.
SyncConnection: TypeAlias = (
    "psycopg.Connection[Any] | sqlalchemy.Connection | orm.Session | orm.scoped_session[Any]"
)
AsyncConnection: TypeAlias = (
    "psycopg.AsyncConnection[Any] | asyncpg.Connection | sqlalchemy_asyncio.AsyncConnection"
    " | sqlalchemy_asyncio.AsyncSession | sqlalchemy_asyncio.async_scoped_session[Any]"
)
# What lends connections.
SyncEngine: TypeAlias = "sqlalchemy.Engine"
AsyncEngine: TypeAlias = "asyncpg.Pool | sqlalchemy_asyncio.AsyncEngine"


def sqlalchemy_adapter() -> Any:
    """Our module for SQLAlchemy; None where the caller cannot have given anything of it."""
    if "sqlalchemy" not in sys.modules:
        return None
    try:
        from pg_tool_recall import _sqlalchemy
    except ImportError:  # SQLAlchemy 1
        return None
    return _sqlalchemy


def asyncpg_adapter() -> Any:
    """Our module for asyncpg; None where the caller cannot have given anything of it."""
    if "asyncpg" not in sys.modules:
        return None
    from pg_tool_recall import _asyncpg

    return _asyncpg
