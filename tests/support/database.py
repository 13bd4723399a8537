"""Databases in a test cluster, with the host's example tables and the package in them."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.support.cluster import APP, OWNER, Cluster

ROOT = Path(__file__).resolve().parents[2]
HOST_EXAMPLE = ROOT / "sql" / "host_example.sql"
DIST = ROOT / "sql" / "dist"
CORE = "pg_tool_recall.core.sql"

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Turn:
    """An assistant message of the host's, which a tool result can belong to."""

    user_id: uuid.UUID
    conversation_id: uuid.UUID
    message_id: uuid.UUID


@dataclass
class Database:
    """A database of a cluster, and the connections that were opened to it."""

    cluster: Cluster
    name: str
    _opened: list[Connection] = field(default_factory=list, repr=False)

    @property
    def owner(self) -> str:
        """Conninfo of the role that owns the database, the host tables and the package."""
        return self.conninfo(OWNER)

    @property
    def app(self) -> str:
        """Conninfo of the chat service's role."""
        return self.conninfo(APP)

    @property
    def superuser(self) -> str:
        return self.conninfo(self.cluster.superuser)

    def conninfo(self, user: str, **parameters: str | int) -> str:
        return self.cluster.conninfo(self.name, user, **parameters)

    def connect(
        self, user: str = APP, *, autocommit: bool = True, **parameters: str | int
    ) -> Connection:
        """A new connection, closed by close() at the latest."""
        connection = psycopg.connect(self.conninfo(user, **parameters), autocommit=autocommit)
        self._opened.append(connection)
        return connection

    @cached_property
    def owner_conn(self) -> Connection:
        """A ready connection as the owner, autocommit."""
        return self.connect(OWNER)

    @cached_property
    def app_conn(self) -> Connection:
        """A ready connection as the chat service, autocommit."""
        return self.connect(APP)

    @cached_property
    def superuser_conn(self) -> Connection:
        return self.connect(self.cluster.superuser)

    def new_turn(
        self,
        user_id: uuid.UUID | None = None,
        conversation_id: uuid.UUID | None = None,
        content: str = "",
    ) -> Turn:
        """Adds a message to the example host tables; with new parents where none are given."""
        host = self.owner_conn
        if user_id is None:
            user_id = uuid.uuid4()
            host.execute("insert into users (id, name) values (%s, 'Ada')", [user_id])
        if conversation_id is None:
            conversation_id = uuid.uuid4()
            host.execute(
                "insert into conversations (id, user_id, title) values (%s, %s, 'Test')",
                [conversation_id, user_id],
            )
        message_id = uuid.uuid4()
        host.execute(
            "insert into messages (id, conversation_id, role, content)"
            " values (%s, %s, 'assistant', %s)",
            [message_id, conversation_id, content],
        )
        return Turn(user_id, conversation_id, message_id)

    def close(self) -> None:
        """Closes every connection made by connect()."""
        while self._opened:
            self._opened.pop().close()
        for name in ("owner_conn", "app_conn", "superuser_conn"):
            self.__dict__.pop(name, None)


def create_database(
    cluster: Cluster,
    name: str,
    *,
    owner: str = OWNER,
    template: str | None = None,
    encoding: str | None = None,
    locale: str | None = None,
    icu_locale: str | None = None,
) -> Database:
    """Makes a database. With an encoding or a locale it is made from template0.

    locale:     of the C library, for collation and character types ("C", "C.UTF-8").
    icu_locale: the default collation by ICU instead ("und", "tr-TR"); PostgreSQL 15 or newer.
    """
    if template is None and (encoding or locale or icu_locale):
        template = "template0"
    words = [
        sql.SQL("create database {} owner {}").format(sql.Identifier(name), sql.Identifier(owner))
    ]
    if template:
        words.append(sql.SQL("template {}").format(sql.Identifier(template)))
    if encoding:
        words.append(sql.SQL("encoding {}").format(sql.Literal(encoding)))
    if locale:
        words.append(sql.SQL("locale {}").format(sql.Literal(locale)))
    if icu_locale:
        words.append(sql.SQL("locale_provider icu icu_locale {}").format(sql.Literal(icu_locale)))
    with psycopg.connect(cluster.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL(" ").join(words))
    return Database(cluster, name)


def drop_database(database: Database) -> None:
    """Drops a database, whoever is connected to it."""
    database.close()
    with psycopg.connect(database.cluster.conninfo(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(database.name))
        )


def build_dist() -> Path:
    """Builds the installation scripts; the folder they are in."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "build.py")], check=True, cwd=ROOT)
    return DIST


def install(
    conninfo: str, settings: Mapping[str, str] | None = None, *, host_example: bool = False
) -> None:
    """Installs or upgrades the package as the conninfo's role, in one transaction.

    settings:     custom settings for the session, tool_recall.users and the like.
    host_example: make the example host tables first, in a transaction of their own.
    """
    if host_example:
        run_script(conninfo, HOST_EXAMPLE)
    run_script(conninfo, DIST / CORE, settings)


def run_script(conninfo: str, script: Path, settings: Mapping[str, str] | None = None) -> None:
    """Runs a plain SQL file in one transaction, with settings of the session."""
    with psycopg.connect(conninfo) as connection:
        for name, value in (settings or {}).items():
            connection.execute("select pg_catalog.set_config(%s, %s, false)", [name, value])
        # Without parameters psycopg sends the text as it is, all statements at once.
        connection.execute(script.read_bytes())


def dump(database: Database, *arguments: str, user: str | None = None) -> str:
    """What pg_dump writes of a database, as text, for psql on a server of the same version.

    arguments: more of pg_dump's options.
    user:      the role that dumps; the superuser unless told otherwise.
    """
    who = user or database.cluster.superuser
    text = database.cluster.run("pg_dump", *arguments, database.conninfo(who)).stdout
    return for_its_server(database.cluster, text)


def for_its_server(cluster: Cluster, script: str) -> str:
    """A dump without the setting that a newer pg_dump writes and an older server does not know."""
    if cluster.major >= 17:
        return script
    return script.replace("\nSET transaction_timeout = 0;\n", "\n", 1)


def restore(database: Database, script: str, *, user: str | None = None) -> None:
    """Runs a dump's text with psql and stops at the first error."""
    quiet = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull]
    who = user or database.cluster.superuser
    database.cluster.run("psql", *quiet, "-d", database.conninfo(who), stdin=script)


def prepare(database: Database) -> None:
    """Host tables, package and grants: a chat service's database, as recall_app finds it."""
    install(database.owner, host_example=True)
    with psycopg.connect(database.owner) as connection:
        connection.execute(
            sql.SQL("select tool_recall.grant_app({})").format(sql.Literal(APP)),
        )
        # The host's own business: its service writes users, conversations and messages.
        connection.execute(
            sql.SQL(
                "grant select, insert, update, delete on users, conversations, messages to {}"
            ).format(sql.Identifier(APP))
        )
