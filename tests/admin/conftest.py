"""Databases with and without the package, and the command as it is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pg_tool_recall import cli
from tests.conftest import MakeDatabase
from tests.support.database import HOST_EXAMPLE, Database, run_script

Command = Callable[..., str]


@pytest.fixture
def host(make_database: MakeDatabase, dist: Path) -> Database:
    """A host's database, without the package."""
    database = make_database()
    run_script(database.owner, HOST_EXAMPLE)
    return database


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command, and gives what it printed on both outputs."""

    def run(*arguments: str, status: int = 0) -> str:
        capsys.readouterr()
        ended = cli.main(list(arguments))
        printed = capsys.readouterr()
        said = printed.out + printed.err
        assert ended == status, said
        return said

    return run


def snapshot(database: Database) -> list[tuple[object, ...]]:
    """The catalog of everything that a preflight or a doctor might have touched."""
    return database.superuser_conn.execute(
        "select 'relation', c.oid::text, c.relname, c.relfilenode::text, c.xmin::text"
        " from pg_class as c where c.relnamespace not in ('pg_catalog'::regnamespace)"
        " and c.relnamespace::regnamespace::text not like 'pg_%' union all"
        " select 'function', p.oid::text, p.proname, p.xmin::text, '' from pg_proc as p"
        " where p.pronamespace <> 'pg_catalog'::regnamespace union all"
        " select 'schema', n.oid::text, n.nspname, n.xmin::text, '' from pg_namespace as n"
        " where n.nspname not like 'pg_%' union all"
        " select 'trigger', t.oid::text, t.tgname, t.xmin::text, '' from pg_trigger as t"
        " order by 1, 2"
    ).fetchall()
