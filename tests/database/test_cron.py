"""Retention by pg_cron: a job that really fires and really deletes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.support.cluster import CRON_DATABASE, OWNER, Cluster
from tests.support.database import Database, prepare

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


@pytest.mark.cron
def test_pg_cron_in_another_database_takes_the_answers_command(
    cron_database: Database, database: Database
) -> None:
    answer = database.owner_conn.execute(
        "select tool_recall.schedule_retention('0 0 1 1 *')"
    ).fetchone()
    assert answer is not None
    found = re.search(r"from the database that has pg_cron: (select .*;)$", answer[0])
    assert found is not None
    # pg_cron lets nobody but superusers do this, until one says otherwise.
    cron_database.superuser_conn.execute(
        f"grant execute on function cron.schedule_in_database to {OWNER}"
    )
    cron_database.owner_conn.execute(found[1].encode())
    assert jobs_everywhere(cron_database) == [
        (database.name, "0 0 1 1 *", "call tool_recall.purge_expired()", "recall_owner")
    ]
    # The command is one that pg_cron's worker can run as it is.
    database.owner_conn.execute("call tool_recall.purge_expired()")


def jobs_everywhere(database: Database) -> list[tuple[object, ...]]:
    return database.superuser_conn.execute(
        "select database, schedule, command, username from cron.job"
    ).fetchall()


@pytest.mark.cron
@pytest.mark.usefixtures("_cron_prepared")
def test_the_job_sleeps_on_a_standby_and_wakes_by_promotion(dist: Path) -> None:
    with Cluster(cron=True) as primary:
        source = Database(primary, CRON_DATABASE)
        source.superuser_conn.execute("create extension pg_cron")
        source.superuser_conn.execute("grant usage on schema cron to recall_owner")
        prepare(source)
        turn = source.new_turn()
        keys = [turn.conversation_id, turn.user_id]
        add = (
            "insert into tool_recall.message_tool_results (conversation_id, user_id, message_id, "
            "tool_name, tool_input, tool_output, created_at) "
            "select %s, %s, %s, 't', '{}', '1', now() - interval '181 days'"
        )
        source.owner_conn.execute(add, [*keys, turn.message_id])
        count = "select count(*) from tool_recall.message_tool_results"
        with primary.standby() as standby:
            # Early in a minute: the primary is gone before its job is due.
            while time.time() % 60 > 40:
                time.sleep(1)
            source.owner_conn.execute("select tool_recall.schedule_retention('* * * * *')")
            standby.catch_up()
            source.close()
            primary.stop("immediate")

            there = Database(standby, CRON_DATABASE)
            time.sleep(75)
            assert there.owner_conn.execute(count).fetchone() == (1,)
            runs = "select count(*) from cron.job_run_details"
            assert there.superuser_conn.execute(runs).fetchone() == (0,)
            assert there.owner_conn.execute(
                "select length(tool_recall.recall_block(%s, %s))", keys
            ).fetchone() == (0,)

            standby.promote()
            for _ in range(150):
                if there.owner_conn.execute(count).fetchone() == (0,):
                    break
                time.sleep(1)
            assert there.owner_conn.execute(count).fetchone() == (0,)
            there.owner_conn.execute("update tool_recall.settings set conversation_cap = 3")
            for n in range(5):
                there.app_conn.execute(
                    "select tool_recall.record_tool_result(%s, %s, %s, %s, '{}', '1')",
                    [*keys, turn.message_id, f"t{n}"],
                )
            assert there.owner_conn.execute(count).fetchone() == (3,)
            there.close()
