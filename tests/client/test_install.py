"""The installed schema is looked at once: missing, of another version, not granted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pg_tool_recall
from pg_tool_recall import NotInstalledError, ToolRecallError, VersionMismatchError
from tests.client.faces import Face, call, ids
from tests.conftest import MakeDatabase
from tests.support.database import ROOT, Database, Turn

VERSION = pg_tool_recall.__version__
MAJOR, MINOR = (int(number) for number in VERSION.split(".")[:2])


def set_version(database: Database, version: str) -> None:
    database.owner_conn.execute(
        "create or replace function tool_recall.version() returns text"
        f" language sql immutable as $$ select '{version}'::text $$"
    )


def test_version_is_the_same_everywhere(database: Database) -> None:
    assert database.app_conn.execute("select tool_recall.version()").fetchone() == (VERSION,)
    project = Path(ROOT, "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'^version = "(.*)"$', project, re.MULTILINE) == [VERSION]


def test_not_installed(face: Face, make_database: MakeDatabase, turn: Turn) -> None:
    empty = make_database()
    connection = face.connect(empty.owner)
    client = face.client(connection)
    face.run(connection.execute("create temporary table kept ()"))
    assert face.run(client.record(**call(turn))) is None
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"not_installed": 2}
    failing: list[Callable[[], Any]] = [
        lambda: client.results(**ids(turn)),
        lambda: client.result(turn.message_id, turn.user_id),
        lambda: client.forget_user(turn.user_id),
        lambda: client.purge(),
    ]
    for awaited in failing:
        with pytest.raises(NotInstalledError, match=r"pg_tool_recall\.sql") as caught:
            face.run(awaited())
        assert caught.value.sqlstate == "3F000"
    face.run(connection.execute("select from kept"))


def test_not_granted(face: Face, database: Database, turn: Turn) -> None:
    database.owner_conn.execute("revoke usage on schema tool_recall from recall_app")
    client = face.client(database.app, on_error="raise")
    with pytest.raises(NotInstalledError, match="grant_app") as caught:
        face.run(client.record(**call(turn)))
    assert caught.value.sqlstate == "42501"
    database.owner_conn.execute("grant usage on schema tool_recall to recall_app")
    assert face.run(client.record(**call(turn)))


@pytest.mark.parametrize(
    ("version", "remedy"),
    [
        (f"{MAJOR}.{MINOR + 1}.0", rf"pip install 'pg-tool-recall=={MAJOR}\.{MINOR + 1}\.\*'"),
        (f"{MAJOR + 1}.0.0", rf"pip install 'pg-tool-recall=={MAJOR + 1}\.0\.\*'"),
        ("0.0.9", rf"pg_tool_recall\.sql of version {re.escape(VERSION)}"),
        ("unheard of", r"pg_tool_recall\.sql"),
    ],
)
def test_other_version(
    face: Face, database: Database, turn: Turn, version: str, remedy: str
) -> None:
    set_version(database, version)
    connection = face.connect()
    client = face.client(connection)
    with pytest.raises(VersionMismatchError, match=remedy) as caught:
        face.run(client.results(**ids(turn)))
    assert version in str(caught.value)
    assert VERSION in str(caught.value)
    assert caught.value.sqlstate == "TR004"
    assert face.run(client.record(**call(turn))) is None
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"version_mismatch": 2}
    face.run(connection.rollback())
    # Once the schema is put right the same client works.
    set_version(database, VERSION)
    assert face.run(client.record(**call(turn)))


@pytest.mark.parametrize("patch", ["7", "0", "0.dev3", "0rc1"])
def test_other_patch_level_is_fine(face: Face, database: Database, turn: Turn, patch: str) -> None:
    set_version(database, f"{MAJOR}.{MINOR}.{patch}")
    client = face.client(database.app)
    assert face.run(client.record(**call(turn)))


def test_version_is_asked_once(face: Face, database: Database, turn: Turn) -> None:
    client = face.client(database.app)
    assert not face.run(client.block(**ids(turn)))
    set_version(database, "99.0")
    assert face.run(client.record(**call(turn)))
    assert face.run(client.block(**ids(turn)))


def test_version_is_asked_again_after_something_was_missing(
    face: Face, database: Database, turn: Turn
) -> None:
    client: Any = face.client(database.app, on_error="raise")
    face.run(client.record(**call(turn)))
    owner = database.owner_conn
    owner.execute("alter function tool_recall.recall_lines rename to moved")
    set_version(database, "99.0")
    with pytest.raises(NotInstalledError) as caught:
        face.run(client.block(**ids(turn)))
    assert caught.value.sqlstate == "42883"
    with pytest.raises(VersionMismatchError):
        face.run(client.block(**ids(turn)))
    owner.execute("alter function tool_recall.moved rename to recall_lines")
    set_version(database, VERSION)
    assert face.run(client.block(**ids(turn)))


def test_schema_dropped_meanwhile(face: Face, database: Database, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True))
    assert face.run(client.record(**call(turn)))
    database.owner_conn.execute("drop schema tool_recall cascade")
    assert face.run(client.record(**call(turn))) is None
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"not_installed": 2}
    with pytest.raises(ToolRecallError):
        face.run(client.results(**ids(turn)))
