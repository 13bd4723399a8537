"""pg-tool-recall doctor: each thing that can be wrong is found, and its remedy works."""

from __future__ import annotations

import psycopg
import pytest

from tests.admin.conftest import Command, snapshot
from tests.support.cluster import APP, OWNER
from tests.support.database import Database

RESULTS = "tool_recall.message_tool_results"


@pytest.fixture
def healthy(database: Database, command: Command) -> Database:
    """An installation with its vocabulary, which has been purged."""
    command("load-vocabulary", "--dsn", database.owner)
    database.owner_conn.execute("call tool_recall.purge_expired()")
    return database


def record(database: Database, days_ago: int) -> None:
    turn = database.new_turn()
    database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1', created_at =>"
        " now() - %s * interval '1 day')",
        [turn.conversation_id, turn.user_id, turn.message_id, days_ago],
    )


def test_a_healthy_one(healthy: Database, command: Command) -> None:
    record(healthy, 181)  # one day late: tonight's purge will have it
    before = snapshot(healthy)
    said = command("doctor", "--dsn", healthy.owner)
    assert "0 problem(s), 0 warning(s)" in said
    assert f"role {APP} may record and recall" in said
    assert "are those of this release" in said
    assert snapshot(healthy) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            "delete from tool_recall._migrations where name like '0003%'",
            "0003_vocabulary is not applied",
        ),
        ("insert into tool_recall._migrations values ('9999_x', 'x', '9')", "9999_x is unknown"),
        (
            "update tool_recall._migrations set sha256 = 'x' where name like '0002%'",
            "0002_tables was applied in another form",
        ),
        (f"alter table {RESULTS} disable trigger user", "(disabled) is not in force"),
        ("drop index tool_recall.ix_message_tool_results_created_at", "created_at is missing"),
        (
            f"alter table {RESULTS} drop constraint message_tool_results_conversation_id_fkey",
            "foreign key message_tool_results_conversation_id_fkey is missing",
        ),
        (
            "create or replace function tool_recall._block_header() returns text"
            " language sql immutable as $$ select 'Current data:'::text $$",
            "tool_recall._block_header() is not as this release makes it",
        ),
        (
            "alter function tool_recall._block_header() set work_mem = '1MB'",
            "is not as this release",
        ),
        ("drop function tool_recall.recall_lines", "recall_lines(uuid,uuid) is missing"),
        ("drop view tool_recall.metrics", "view tool_recall.metrics is missing"),
        (
            "do $$ begin execute (select format('drop trigger %I on"
            " tool_recall.message_tool_results', t.tgname) from pg_trigger as t where t.tgrelid ="
            " 'tool_recall.message_tool_results'::regclass and not t.tgisinternal limit 1); end $$",
            "is missing",
        ),
        ("grant execute on function tool_recall.forget_user to public", "PUBLIC has rights on"),
        (f"grant select on {RESULTS} to public", "PUBLIC has rights on table"),
        (
            f"alter table {RESULTS} enable row level security, force row level security",
            "row security is forced on the owner",
        ),
        (
            "create or replace function tool_recall.version() returns text"
            " language sql immutable as $$ select '99.0.0'::text $$",
            "version 99.0.0 is installed",
        ),
    ],
)
def test_what_is_wrong(healthy: Database, command: Command, change: str, says: str) -> None:
    healthy.owner_conn.execute(change.encode())
    said = command("doctor", "--dsn", healthy.owner, status=1)
    assert says in said
    assert "-> " in said


def test_a_function_of_somebody_elses(healthy: Database, command: Command) -> None:
    healthy.owner_conn.execute(
        "create function tool_recall.mine() returns int language sql return 1"
    )
    healthy.owner_conn.execute("revoke all on function tool_recall.mine from public")
    said = command("doctor", "--dsn", healthy.owner)
    assert "tool_recall.mine() is not of this release" in said


def test_drift_is_put_right_by_an_upgrade(healthy: Database, command: Command) -> None:
    healthy.owner_conn.execute("drop function tool_recall.recall_lines")
    command("doctor", "--dsn", healthy.owner, status=1)
    command("upgrade", "--dsn", healthy.owner)
    command("doctor", "--dsn", healthy.owner)


def test_roles(healthy: Database, command: Command) -> None:
    superuser = healthy.superuser_conn
    superuser.execute(f"alter role {APP} bypassrls")
    try:
        said = command("doctor", "--dsn", healthy.owner)
        assert f"role {APP} is a superuser or bypasses row security" in said
        assert "1 warning(s)" in said
    finally:
        superuser.execute(f"alter role {APP} nobypassrls")
    superuser.execute("create role recall_child login")
    try:
        superuser.execute(f"grant {OWNER} to recall_child")
        healthy.owner_conn.execute("select tool_recall.grant_app('recall_child')")
        said = command("doctor", "--dsn", healthy.owner, status=1)
        assert "recall_child may act as the owner" in said
    finally:
        healthy.owner_conn.execute("select tool_recall.revoke_all('recall_child')")
        superuser.execute("drop role recall_child")
    healthy.owner_conn.execute(f"select tool_recall.revoke_all('{APP}')")
    assert "no role may record" in command("doctor", "--dsn", healthy.owner)


def test_rows_past_retention(healthy: Database, command: Command) -> None:
    record(healthy, 183)
    said = command("doctor", "--dsn", healthy.owner, status=1)
    assert "1 rows are past retention" in said
    healthy.owner_conn.execute("call tool_recall.purge_expired()")
    assert "which deleted 1" in command("doctor", "--dsn", healthy.owner)


def test_never_purged_and_no_vocabulary(database: Database, command: Command) -> None:
    said = command("doctor", "--dsn", database.owner)
    assert "nothing has purged yet" in said
    assert "the vocabulary is not loaded" in said
    assert "0 problem(s), 2 warning(s)" in said


def test_not_installed(host: Database, command: Command) -> None:
    assert "is not installed here" in command("doctor", "--dsn", host.owner, status=1)


def test_somebody_else(healthy: Database, command: Command) -> None:
    said = command("doctor", "--dsn", healthy.app, status=1)
    assert f"Connect as {OWNER}" in said


def test_it_waits_for_nobody(healthy: Database, command: Command) -> None:
    with psycopg.connect(healthy.owner) as other:
        other.execute("lock table tool_recall.metrics in access share mode")
        other.execute("lock table tool_recall.message_tool_results in row exclusive mode")
        said = command("doctor", "--dsn", healthy.owner)
    assert "0 problem(s)" in said


@pytest.mark.cron
def test_the_retention_job(cron_database: Database, command: Command) -> None:
    owner, superuser = cron_database.owner_conn, cron_database.superuser_conn
    command("load-vocabulary", "--dsn", cron_database.owner)
    owner.execute("select tool_recall.schedule_retention()")
    said = command("doctor", "--dsn", cron_database.owner)
    assert "retention is scheduled, pg_cron: 17 3 * * *" in said
    job = "(select jobid from cron.job where jobname = 'pg_tool_recall_retention')"
    superuser.execute(
        "insert into cron.job_run_details (jobid, runid, database, username, command, status,"
        f" return_message, start_time) values ({job}, 1000000, current_database(), %s, 'x',"
        " 'failed', 'connection failed', now())",
        [OWNER],
    )
    said = command("doctor", "--dsn", cron_database.owner, status=1)
    assert "the retention job failed" in said
    assert "connection failed" in said
    superuser.execute("delete from cron.job_run_details where runid = 1000000")
    superuser.execute(f"update cron.job set active = false where jobid = {job}")
    assert "is inactive" in command("doctor", "--dsn", cron_database.owner, status=1)
