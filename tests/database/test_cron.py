"""Retention by pg_cron: a job that really fires and really deletes."""

from __future__ import annotations

import time

import pytest

from tests.support.database import Database

JOB = "pg_tool_recall_retention"


def jobs(database: Database) -> list[tuple[object, ...]]:
    return database.superuser_conn.execute(
        "select schedule, command, username from cron.job where jobname = %s", [JOB]
    ).fetchall()


@pytest.mark.cron
def test_the_job_fires_and_deletes(cron_database: Database) -> None:
    turn = cron_database.new_turn()
    for created_at in ("now() - interval '181 days'", "now()"):
        cron_database.owner_conn.execute(
            "insert into tool_recall.message_tool_results (conversation_id, user_id, message_id, "
            f"tool_name, tool_input, tool_output, created_at) select %s, %s, %s, 't', '{{}}', '1', "
            f"{created_at}",
            [turn.conversation_id, turn.user_id, turn.message_id],
        )
    answer = cron_database.owner_conn.execute(
        "select tool_recall.schedule_retention('* * * * *')"
    ).fetchone()
    assert answer is not None
    assert answer[0].startswith("Scheduled pg_tool_recall_retention")

    count = "select count(*) from tool_recall.message_tool_results"
    # The schedule's shortest period is a minute.
    for _ in range(150):
        if cron_database.owner_conn.execute(count).fetchone() == (1,):
            break
        time.sleep(1)
    assert cron_database.owner_conn.execute(count).fetchone() == (1,)
    for _ in range(30):
        details = cron_database.superuser_conn.execute(
            "select status from cron.job_run_details where command like '%purge_expired%' limit 1"
        ).fetchone()
        if details == ("succeeded",):
            break
        time.sleep(1)
    assert details == ("succeeded",)
    status = cron_database.owner_conn.execute(
        "select scheduler, last_purge_deleted from tool_recall.status"
    ).fetchone()
    assert status is not None
    assert status[0] == "pg_cron: * * * * *"


@pytest.mark.cron
def test_scheduling_again_keeps_one_job(cron_database: Database) -> None:
    cron_database.owner_conn.execute("select tool_recall.schedule_retention()")
    cron_database.owner_conn.execute("select tool_recall.schedule_retention('5 4 * * *')")
    assert jobs(cron_database) == [
        ("5 4 * * *", "call tool_recall.purge_expired()", "recall_owner")
    ]


@pytest.mark.cron
def test_unscheduling_removes_the_job(cron_database: Database) -> None:
    unschedule = "select tool_recall.unschedule_retention()"
    cron_database.owner_conn.execute("select tool_recall.schedule_retention()")
    assert cron_database.owner_conn.execute(unschedule).fetchone() == (f"Unscheduled {JOB}",)
    assert jobs(cron_database) == []
    assert cron_database.owner_conn.execute(unschedule).fetchone() == (
        f"Nothing unscheduled: no job {JOB}",
    )


@pytest.mark.cron
def test_a_role_without_pg_cron_is_told_the_grant(cron_database: Database) -> None:
    cron_database.superuser_conn.execute("revoke usage on schema cron from recall_owner")
    try:
        answer = cron_database.owner_conn.execute(
            "select tool_recall.schedule_retention()"
        ).fetchone()
    finally:
        cron_database.superuser_conn.execute("grant usage on schema cron to recall_owner")
    assert answer is not None
    assert "grant usage on schema cron to recall_owner" in answer[0]


def test_without_pg_cron_the_answer_has_the_command(database: Database) -> None:
    answer = database.owner_conn.execute("select tool_recall.schedule_retention()").fetchone()
    assert answer is not None
    assert f"pg_cron is not in database {database.name}" in answer[0]
    assert "call tool_recall.purge_expired()" in answer[0]
    assert "cron.schedule_in_database(" in answer[0]
