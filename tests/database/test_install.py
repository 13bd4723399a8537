"""Installing, installing again, and removing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.conftest import MakeDatabase
from tests.support.database import DIST, HOST_EXAMPLE, ROOT, Database, install, run_script

PSQL_FILE = DIST / "pg_tool_recall.sql"
CATALOG = """
select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) || p.proacl::text
  || coalesce(obj_description(p.oid), '')
from pg_proc as p where p.pronamespace = 'tool_recall'::regnamespace
union all
select 'relation', c.relname, c.relfilenode::text || c.oid || coalesce(c.relacl::text, '')
  || coalesce(obj_description(c.oid), '') || coalesce(pg_get_viewdef(c.oid), '')
from pg_class as c where c.relnamespace = 'tool_recall'::regnamespace
union all
select 'constraint', conname, oid || pg_get_constraintdef(oid)
from pg_constraint where connamespace = 'tool_recall'::regnamespace
union all
select 'trigger', tgname, t.oid || pg_get_triggerdef(t.oid)
from pg_trigger as t where tgrelid::regclass::text like 'tool_recall.%' and not tgisinternal
union all
select 'ledger', name, sha256 || applied_at from tool_recall._migrations
union all
select 'settings', xmin::text, s::text from tool_recall.settings as s
order by 1, 2, 3
"""


def catalog(database: Database) -> list[tuple[Any, ...]]:
    return database.owner_conn.execute(CATALOG).fetchall()


def installed(database: Database) -> bool:
    row = database.owner_conn.execute(
        "select to_regnamespace('tool_recall') is not null"
    ).fetchone()
    return row == (True,)


def with_host(make_database: MakeDatabase) -> Database:
    database = make_database()
    run_script(database.owner, HOST_EXAMPLE)
    return database


def psql(database: Database, file: Path) -> subprocess.CompletedProcess[str]:
    return database.cluster.run(
        "psql", "-X", "-d", database.owner, "-f", "-", check=False, stdin=file.read_text()
    )


def built(folder: Path) -> Path:
    """A copy of what the build reads, to change and build in."""
    for part in ("sql", "functions", "scripts"):
        shutil.copytree(ROOT / part, folder / part)
    return folder


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/build.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def core_of(folder: Path) -> Path:
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder / "sql" / "dist" / "pg_tool_recall.core.sql"


def test_both_files_install_the_same(make_database: MakeDatabase) -> None:
    by_psql, by_tool = with_host(make_database), with_host(make_database)
    done = psql(by_psql, PSQL_FILE)
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == ""
    install(by_tool.owner)
    count = "select count(*) from pg_proc where pronamespace = 'tool_recall'::regnamespace"
    assert (
        by_psql.owner_conn.execute(count).fetchone() == by_tool.owner_conn.execute(count).fetchone()
    )
    assert [row[:2] for row in catalog(by_psql) if row[0] != "settings"] == [
        row[:2] for row in catalog(by_tool) if row[0] != "settings"
    ]


def test_running_either_again_changes_nothing(database: Database) -> None:
    turn = database.new_turn()
    database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1')",
        [turn.conversation_id, turn.user_id, turn.message_id],
    )
    before = catalog(database)
    install(database.owner)
    assert catalog(database) == before
    done = psql(database, PSQL_FILE)
    assert done.returncode == 0, done.stderr
    assert catalog(database) == before


def test_running_again_takes_no_lock_that_blocks_writers(database: Database) -> None:
    with psycopg.connect(database.owner) as connection:
        connection.execute((DIST / "pg_tool_recall.core.sql").read_bytes())
        held = connection.execute(
            "select distinct l.relation::regclass::text, l.mode from pg_locks as l "
            "join pg_class as c on c.oid = l.relation and c.relkind = 'r' "
            "where l.pid = pg_backend_pid() and c.relnamespace <> 'pg_catalog'::regnamespace "
            "and l.mode not in ('AccessShareLock', 'RowShareLock')"
        ).fetchall()
    assert held == []


def test_a_failure_under_psql_leaves_nothing(make_database: MakeDatabase) -> None:
    database = make_database()
    done = psql(database, PSQL_FILE)
    assert done.returncode != 0
    assert "tool_recall.users" in done.stderr
    assert "create table" not in done.stderr
    assert not installed(database)


def test_core_leaves_the_callers_transaction_as_it_was(make_database: MakeDatabase) -> None:
    database = with_host(make_database)
    show = "select current_setting('search_path'), current_setting('lock_timeout'), "
    show += "current_setting('client_min_messages')"
    with psycopg.connect(database.owner) as connection:
        connection.execute("set search_path = public, pg_temp; set local lock_timeout = '7s'")
        before = connection.execute(show).fetchone()
        connection.execute((DIST / "pg_tool_recall.core.sql").read_bytes())
        assert connection.execute(show).fetchone() == before
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        connection.rollback()
    assert not installed(database)


def test_concurrent_installs_end_in_one(make_database: MakeDatabase) -> None:
    database = with_host(make_database)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: install(database.owner), range(8)))
    migrations = len(list((ROOT / "sql").glob("[0-9]*.sql")))
    assert database.owner_conn.execute(
        "select count(*) from tool_recall._migrations"
    ).fetchone() == (migrations,)


def test_grants_are_kept_and_extended(database: Database) -> None:
    database.owner_conn.execute("drop function tool_recall.count_tokens(text) cascade")
    install(database.owner)
    assert database.app_conn.execute("select tool_recall.count_tokens('a b')").fetchone() == (2,)
    assert database.app_conn.execute(
        "select has_table_privilege('tool_recall.message_tool_results', 'insert')"
    ).fetchone() == (True,)


def test_another_form_of_an_applied_migration_is_refused(
    database: Database, tmp_path: Path
) -> None:
    folder = built(tmp_path)
    migration = folder / "sql" / "0002_tables.sql"
    migration.write_text(migration.read_text() + "-- edited\n")
    with pytest.raises(psycopg.Error, match="0002_tables was applied in another form") as refused:
        run_script(database.owner, core_of(folder))
    assert refused.value.sqlstate == "55000"


def test_an_older_file_is_refused(database: Database, tmp_path: Path) -> None:
    folder = built(tmp_path)
    (folder / "sql" / "0004_more.sql").write_text("create table tool_recall.more ();\n")
    run_script(database.owner, core_of(folder))
    assert database.owner_conn.execute("select to_regclass('tool_recall.more')").fetchone() != (
        None,
    )
    with pytest.raises(psycopg.Error, match=r"older than the installation.*0004_more") as refused:
        install(database.owner)
    assert refused.value.sqlstate == "55000"


def test_the_build_refuses_an_edited_release(tmp_path: Path) -> None:
    folder = built(tmp_path)
    (folder / "sql" / "frozen.sha256").write_text(f"{'0' * 64}  sql/0002_tables.sql\n")
    done = build(folder)
    assert done.returncode == 1
    assert "0002_tables is released" in done.stderr


@pytest.mark.parametrize("place", ["sql/0002_tables.sql", "functions/recall/recall_block.sql"])
def test_the_build_refuses_what_is_not_ascii(tmp_path: Path, place: str) -> None:
    folder = built(tmp_path)
    file = folder / place
    file.write_text(file.read_text() + "-- \u2014\n", encoding="utf-8")
    done = build(folder)
    assert done.returncode == 1
    assert place in done.stderr


def test_the_build_refuses_an_unknown_folder(tmp_path: Path) -> None:
    folder = built(tmp_path)
    (folder / "functions" / "misc").mkdir()
    (folder / "functions" / "misc" / "a.sql").write_text("select 1;\n")
    done = build(folder)
    assert done.returncode == 1
    assert "misc" in done.stderr


def test_the_two_versions_agree() -> None:
    from pg_tool_recall import __version__

    text = (ROOT / "functions" / "version.sql").read_text()
    assert f"'{__version__}'" in text
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_another_encoding_is_refused(make_database: MakeDatabase, encoding: str) -> None:
    database = make_database(encoding=encoding, locale="C")
    run_script(database.owner, HOST_EXAMPLE)
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=encoding) as refused:
        install(database.owner)
    hint = refused.value.diag.message_hint or ""
    assert "encoding UTF8" in hint
    assert "pg_dump --encoding=UTF8" in hint
    assert not installed(database)
    done = psql(database, PSQL_FILE)
    assert done.returncode != 0
    assert encoding in done.stderr
    assert not installed(database)


def test_uninstall_leaves_the_host(database: Database) -> None:
    turn = database.new_turn()
    run_script(database.owner, ROOT / "sql" / "uninstall.sql")
    assert not installed(database)
    assert database.owner_conn.execute("select id from messages").fetchall() == [(turn.message_id,)]
    run_script(database.owner, ROOT / "sql" / "uninstall.sql")
    install(database.owner)
    assert installed(database)


def test_uninstall_names_what_depends_on_it(database: Database) -> None:
    database.owner_conn.execute(
        "create view mine as select id from tool_recall.message_tool_results"
    )
    with pytest.raises(psycopg.errors.DependentObjectsStillExist) as refused:
        run_script(database.owner, ROOT / "sql" / "uninstall.sql")
    assert "view public.mine" in (refused.value.diag.message_detail or "")
    assert installed(database)
    assert database.owner_conn.execute("select count(*) from mine").fetchone() == (0,)
