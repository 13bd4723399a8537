"""Through PgBouncer in transaction mode: other calls, other server connections."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from pg_tool_recall import ToolRecall
from tests.client.faces import Face, call, ids, result
from tests.client.ways import AsyncpgSessionWay, AsyncpgWay, AsyncSessionWay, SessionWay, Way, url
from tests.support.cluster import APP, free_port
from tests.support.database import Database, Turn

PROGRAM = shutil.which("pgbouncer", path=os.pathsep.join([os.environ["PATH"], "/usr/sbin"]))
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="pgbouncer is not installed: Debian package pgbouncer"
)

CONFIGURATION = """\
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 2
"""


@pytest.fixture
def bouncer(database: Database) -> Iterator[str]:
    """Conninfo of the chat service's role through a PgBouncer with two server connections."""
    folder = Path(tempfile.mkdtemp(prefix="recall-bouncer-"))
    folder.chmod(0o755)
    listen = free_port()
    (folder / "users").write_text(f'"{APP}" ""\n')
    (folder / "ini").write_text(
        CONFIGURATION.format(
            host=database.cluster.host, port=database.cluster.port, listen=listen, folder=folder
        )
    )
    # It refuses to run as root.
    user = [] if os.geteuid() else ["-u", pwd.getpwnam("postgres").pw_name]
    process = subprocess.Popen(
        [str(PROGRAM), *user, str(folder / "ini")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    conninfo = psycopg.conninfo.make_conninfo(database.app, host="127.0.0.1", port=listen)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(conninfo).close()
                break
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        yield conninfo
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)


def test_many_users_at_once(bouncer: str, database: Database) -> None:
    turns = [database.new_turn() for _ in range(8)]

    with ToolRecall(bouncer, block_timeout=None) as client:

        def talk(turn: Turn) -> None:
            for number in range(15):
                many = client.record_many(
                    turn.conversation_id, turn.user_id, turn.message_id, [result()]
                )
                arguments = {"tool_input": {"u": str(turn.user_id)[:8], "n": number}}
                made = client.record(**call(turn, **arguments))
                assert made
                block = client.block(**ids(turn))
                assert block.lines[0].id == made
                assert block.text.count("query_site_data") == len(block.lines)
                for other in turns:
                    assert other is turn or str(other.user_id)[:8] not in block.text
                assert many[0] in {each.id for each in client.results(**ids(turn))}

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(talk, turns))
        assert not client.failures


def test_nothing_is_left_behind_on_the_servers_connections(
    face: Face, bouncer: str, turn: Turn
) -> None:
    client = face.client(bouncer, on_error="raise")
    for _ in range(3):
        face.run(client.record(**call(turn)))
        face.run(client.block(**ids(turn)))
    with psycopg.connect(bouncer, autocommit=True, prepare_threshold=None) as other:
        for _ in range(4):
            row = other.execute(
                "select coalesce(current_setting('tool_recall.user_id', true), ''),"
                " current_setting('statement_timeout'), current_setting('lock_timeout'),"
                " (select count(*) from pg_prepared_statements)"
            ).fetchone()
            assert row == ("", "0", "0", 0)


def test_transaction_of_a_caller(face: Face, bouncer: str, database: Database, turn: Turn) -> None:
    connection = face.connect(bouncer, prepare_threshold=None)
    client = face.client(connection)
    for end in ("rollback", "commit"):
        for _ in range(8):
            assert face.run(client.record(**call(turn)))
            assert face.run(client.block(**ids(turn)))
            assert face.run(client.record(**call(turn, tool_name=" "))) is None
        face.run(getattr(connection, end)())
    rows = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone()
    assert rows == (8,)


class BouncedAsyncpgWay(AsyncpgWay):
    # What asyncpg's documentation asks of whoever has PgBouncer between; ours needs nothing.
    options = {"statement_cache_size": 0}  # noqa: RUF012


class BouncedAsyncpgSessionWay(AsyncpgSessionWay):
    def make_pool(self) -> Any:
        return create_async_engine(
            url(self.conninfo, "asyncpg"),
            connect_args={
                "statement_cache_size": 0,
                "prepared_statement_cache_size": 0,
                "prepared_statement_name_func": lambda: f"p_{uuid.uuid4()}",
            },
        )


WAYS = [SessionWay, AsyncSessionWay, BouncedAsyncpgSessionWay, BouncedAsyncpgWay, AsyncpgWay]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def way(request: pytest.FixtureRequest, bouncer: str) -> Iterator[Way]:
    made: Way = request.param(bouncer)
    yield made
    made.close()


def test_sqlalchemy_and_asyncpg_many_at_once(way: Way, database: Database) -> None:
    client = way.client(block_timeout=None, on_error="raise")
    turns = [database.new_turn() for _ in range(6)]

    async def talk(turn: Turn) -> None:
        for number in range(10):
            made = await client.record(**call(turn, tool_input={"n": number}))
            block = await client.block(**ids(turn))
            assert block.lines[0].id == made
            assert len(await client.results(**ids(turn), max_results=None)) == number + 1

    def talk_sync(turn: Turn) -> None:
        for number in range(10):
            made = client.record(**call(turn, tool_input={"n": number}))
            assert client.block(**ids(turn)).lines[0].id == made

    async def all_of_them() -> None:
        await asyncio.gather(*map(talk, turns))

    if isinstance(client, ToolRecall):
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(talk_sync, turns))
    else:
        way.run(all_of_them())
    with psycopg.connect(way.conninfo, autocommit=True, prepare_threshold=None) as other:
        for _ in range(4):
            row = other.execute(
                "select coalesce(current_setting('tool_recall.user_id', true), ''),"
                " current_setting('statement_timeout'), current_setting('lock_timeout'),"
                " (select count(*) from pg_prepared_statements where statement ~ 'tool_recall')"
            ).fetchone()
            assert row == ("", "0", "0", 0)


def test_sqlalchemy_and_asyncpg_in_a_callers_transaction(
    way: Way, database: Database, turn: Turn
) -> None:
    client = way.client()
    given = way.given()
    for end in (way.rollback, way.commit):
        if type(way) is AsyncpgWay:  # its own statements are cached by name, ours are not
            way.run(given.execute("begin"))
        else:
            way.execute(given, "select 1")
        for _ in range(8):
            assert way.run(client.record(**call(turn), conn=given))
            assert way.run(client.block(**ids(turn), conn=given))
            assert way.run(client.record(**call(turn, tool_name=" "), conn=given)) is None
        end(given)
    rows = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone()
    assert rows == (8,)
    assert client.failures == {"invalid_result": 16}
