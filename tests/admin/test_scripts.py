"""pg-tool-recall install, upgrade, uninstall, sql: what they run, and what a lock does to them."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pg_tool_recall import cli
from pg_tool_recall.admin import scripts
from tests.admin.conftest import Command
from tests.support.database import DIST, ROOT, Database, run_script


def is_installed(database: Database) -> bool:
    row = database.owner_conn.execute(
        "select to_regnamespace('tool_recall') is not null"
    ).fetchone()
    return row == (True,)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between attempts as they are, but short."""
    monkeypatch.setattr(scripts, "LONGEST_PAUSE", 0.2)


def test_a_lock_makes_it_start_over(host: Database, command: Command, hasty: None) -> None:
    with psycopg.connect(host.owner) as writer:
        writer.execute("insert into users (id, name) values (gen_random_uuid(), 'Ada')")
        threading.Timer(1.0, writer.commit).start()
        said = command(
            "install", "--dsn", host.owner, "--no-vocabulary", "--lock-timeout", "100ms",
            "--attempts", "100",
        )  # fmt: skip
    assert "attempt 1 of 100 left nothing behind" in said
    assert is_installed(host)


def test_it_gives_up_and_leaves_nothing(host: Database, command: Command, hasty: None) -> None:
    arguments = ["--no-vocabulary", "--lock-timeout", "50ms", "--attempts", "2"]
    with psycopg.connect(host.owner) as writer:
        writer.execute("lock table messages in share update exclusive mode")
        said = command("install", "--dsn", host.owner, *arguments, status=1)
        assert "attempt 1 of 2" in said
        assert "lock timeout" in said
        assert not is_installed(host)
        # Nobody waits behind it either.
        writer.execute("insert into users (id, name) values (gen_random_uuid(), 'Ada')")
    assert not is_installed(host)


def test_an_interrupted_installation_leaves_nothing(host: Database) -> None:
    with psycopg.connect(host.owner) as writer:
        writer.execute("lock table messages in row exclusive mode")
        with psycopg.connect(host.owner) as installer, ThreadPoolExecutor(1) as pool:
            script = (DIST / "pg_tool_recall.core.sql").read_bytes()
            done = pool.submit(installer.execute, script)
            waiting = "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s"
            pid = installer.info.backend_pid
            while host.superuser_conn.execute(waiting, [pid]).fetchone() != (True,):
                assert not done.done()
                time.sleep(0.01)
            host.superuser_conn.execute("select pg_terminate_backend(%s)", [pid])
            with pytest.raises(psycopg.OperationalError):
                done.result()
    assert not is_installed(host)
    assert cli.main(["install", "--dsn", host.owner, "--no-vocabulary"]) == 0


def test_twenty_at_once_end_in_one(host: Database) -> None:
    with ThreadPoolExecutor(20) as pool:
        ended = list(
            pool.map(
                lambda _: cli.main(["install", "--dsn", host.owner, "--no-vocabulary"]), range(20)
            )
        )
    assert ended == [0] * 20
    row = host.owner_conn.execute("select count(*) from tool_recall._migrations").fetchone()
    assert row == (len(scripts.migrations(scripts.core_sql())),)


def test_upgrade_needs_an_installation(host: Database, command: Command) -> None:
    assert "pg-tool-recall install" in command("upgrade", "--dsn", host.owner, status=1)
    assert not is_installed(host)


def test_upgrade(database: Database, command: Command) -> None:
    database.owner_conn.execute("drop function tool_recall.recall_lines")
    assert "is installed" in command("upgrade", "--dsn", database.owner)
    database.app_conn.execute("select tool_recall.recall_lines(null, null)")


def test_uninstall_wants_a_yes(database: Database, command: Command) -> None:
    said = command("uninstall", "--dsn", database.owner, status=1)
    assert "add --yes" in said
    assert is_installed(database)
    command("uninstall", "--dsn", database.owner, "--yes")
    assert not is_installed(database)
    assert "not installed" in command("uninstall", "--dsn", database.owner, "--yes")


def test_uninstall_gives_way(database: Database, command: Command, hasty: None) -> None:
    with psycopg.connect(database.owner) as reader:
        reader.execute("select from users")
        said = command(
            "uninstall", "--dsn", database.owner, "--yes", "--attempts", "2",
            "--lock-timeout", "50ms", status=1,
        )  # fmt: skip
    assert "attempt 1 of 2" in said
    assert is_installed(database)


def test_uninstall_dry_run_uninstalls(
    database: Database, command: Command, tmp_path: pytest.TempPathFactory
) -> None:
    printed = command("uninstall", "--dsn", database.owner, "--dry-run")
    assert is_installed(database)
    with psycopg.connect(database.owner, autocommit=True) as connection:
        connection.execute(printed.encode())
    assert not is_installed(database)


def test_sql_needs_no_database(command: Command) -> None:
    assert command("sql") == (DIST / "pg_tool_recall.core.sql").read_text()
    assert command("sql", "--uninstall") == (ROOT / "sql" / "uninstall.sql").read_text()


def test_sql_installs(host: Database, command: Command) -> None:
    script = command("sql")
    with psycopg.connect(host.owner) as connection:
        connection.execute(script.encode())
    assert is_installed(host)
    assert scripts.function_names(script) == {
        row[0]
        for row in host.owner_conn.execute(
            "select proname from pg_proc where pronamespace = 'tool_recall'::regnamespace"
        )
    }


def test_every_migration_says_what_it_locks() -> None:
    for path in sorted((ROOT / "sql").glob("[0-9]*.sql")):
        header = []
        for line in path.read_text().splitlines():
            if not line.startswith("--"):
                break
            header.append(line.removeprefix("--").strip())
        told = " ".join(header)
        for word in ("Locks: ", "Rewrite: ", "Breaking: ", "Runs: "):
            assert word in told, f"{path.name} does not say {word}"


def test_nothing_locks_a_host_table_before_the_mark(host: Database) -> None:
    rehearsed, mark, _ = scripts.core_sql().partition(scripts.HOST_LOCKS)
    assert mark
    with psycopg.connect(host.owner) as connection:
        connection.execute(rehearsed.encode())
        modes = connection.execute(
            "select distinct l.mode from pg_locks as l where l.pid = pg_backend_pid()"
            " and l.relation in ('public.users'::regclass, 'public.conversations'::regclass,"
            " 'public.messages'::regclass)"
        ).fetchall()
        assert modes == [("AccessShareLock",)]
        connection.rollback()


def test_run_script_is_what_a_migration_tool_would_do(host: Database) -> None:
    run_script(host.owner, DIST / "pg_tool_recall.core.sql")
    assert is_installed(host)
