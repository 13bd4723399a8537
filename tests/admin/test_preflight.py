"""pg-tool-recall preflight: what would stand in the way, with nothing changed."""

from __future__ import annotations

import psycopg
import pytest

from tests.admin.conftest import Command, snapshot
from tests.conftest import MakeDatabase
from tests.support.cluster import APP, Cluster
from tests.support.database import HOST_EXAMPLE, Database, install, run_script

HOST = "users, conversations, messages"


def test_nothing_in_the_way(host: Database, command: Command) -> None:
    before = snapshot(host)
    said = command("preflight", "--dsn", host.owner)
    assert "0 problem(s), 0 warning(s)" in said
    assert "conversations: public.conversations, key id as uuid" in said
    assert "recall_owner will own the schema" in said
    assert snapshot(host) == before


def test_it_never_waits_for_more_than_access_share(host: Database, command: Command) -> None:
    """Beside everything that lets readers of the host's tables go on."""
    with psycopg.connect(host.owner) as writer:
        writer.execute(f"lock table {HOST} in exclusive mode")
        said = command("preflight", "--dsn", host.owner + " options='-c lock_timeout=1s'")
    assert "0 problem(s)" in said


def test_an_old_transaction_that_wrote(
    host: Database, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pg_tool_recall.admin import preflight

    monkeypatch.setattr(preflight, "LONG", "0 seconds")
    with psycopg.connect(host.owner) as writer, psycopg.connect(host.owner) as reader:
        reader.execute("select from users")
        writer.execute("insert into users (id, name) values (gen_random_uuid(), 'Ada')")
        said = command("preflight", "--dsn", host.owner)
        assert f"process {writer.info.backend_pid} has written to or locked public.users" in said
        assert f"process {reader.info.backend_pid}" not in said
    assert "0 warning(s)" in command("preflight", "--dsn", host.owner)


@pytest.mark.parametrize(
    ("change", "says", "remedy"),
    [
        ("drop table messages", "'messages' does not exist", "set tool_recall.messages"),
        ("alter table messages drop constraint messages_pkey", "no primary key", "to go without"),
        (
            "alter table conversations add column writer uuid references users",
            "by more than one column",
            "conversations_user_id",
        ),
        ("create schema tool_recall", "not ours", "rename"),
        ("alter table users owner to postgres", "may not read and reference", "grant select"),
        (
            "alter table users enable row level security, force row level security",
            "row security hides rows of public.users",
            "BYPASSRLS",
        ),
    ],
)
def test_the_hosts_tables(
    host: Database, command: Command, change: str, says: str, remedy: str
) -> None:
    host.superuser_conn.execute(change.encode())
    before = snapshot(host)
    said = command("preflight", "--dsn", host.owner, status=1)
    assert "problem  " in said
    assert says in said
    assert remedy in said
    assert snapshot(host) == before


def test_the_binding_is_judged_as_it_will_be_given(host: Database, command: Command) -> None:
    host.owner_conn.execute("alter table users rename to accounts")
    command("preflight", "--dsn", host.owner, status=1)
    said = command("preflight", "--dsn", host.owner, "--users", "public.accounts")
    assert "users: public.accounts" in said


def test_another_encoding(make_database: MakeDatabase, command: Command) -> None:
    database = make_database(encoding="LATIN1", locale="C")
    run_script(database.owner, HOST_EXAMPLE)
    said = command("preflight", "--dsn", database.owner, status=1)
    assert "the database is in LATIN1" in said
    assert "1 problem(s)" in said


def test_a_role_that_may_not(host: Database, command: Command) -> None:
    said = command("preflight", "--dsn", host.app, status=1)
    assert f"role {APP} may not create a schema here" in said


def test_a_superuser_is_warned_of(host: Database, command: Command) -> None:
    said = command("preflight", "--dsn", host.superuser)
    assert "is a superuser" in said
    assert "0 problem(s), 1 warning(s)" in said


def test_an_installed_one(host: Database, command: Command) -> None:
    install(host.owner)
    before = snapshot(host)
    assert "would run" in command("preflight", "--dsn", host.owner)
    assert snapshot(host) == before
    host.owner_conn.execute("delete from tool_recall._migrations where name like '0003%'")
    assert "to be applied: 0003_vocabulary" in command("preflight", "--dsn", host.owner)
    host.owner_conn.execute("insert into tool_recall._migrations values ('9999_new', 'x', '9.0.0')")
    said = command("preflight", "--dsn", host.owner, status=1)
    assert "newer than" in said
    assert "9999_new" in said


def test_an_installed_one_of_another_role(host: Database, command: Command) -> None:
    install(host.owner)
    said = command("preflight", "--dsn", host.app, status=1)
    assert "by another role" in said


def test_without_pg_cron_it_says_what_to_run(host: Database, command: Command) -> None:
    said = command("preflight", "--dsn", host.owner)
    assert "call tool_recall.purge_expired()" in said


def test_a_standby(tmp_path_factory: pytest.TempPathFactory, command: Command) -> None:
    with Cluster() as primary, primary.standby() as standby:
        said = command("preflight", "--dsn", standby.conninfo("postgres"), status=1)
    assert "this is a standby" in said
