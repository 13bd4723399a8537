"""Purges that are killed or run out of time, at small size; evals/bench/retention.py at large."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from tests.database.test_concurrency import expired_rows, kept, record
from tests.support.database import Database

EXPIRED = (
    "select count(*) from tool_recall.message_tool_results "
    "where created_at < now() - interval '180 days'"
)


def slow_batches(database: Database, seconds: float) -> None:
    """Lets every batch of a purge take at least so long."""
    database.owner_conn.execute(
        "create function public.dawdle() returns trigger language plpgsql as "
        f"'begin perform pg_catalog.pg_sleep({seconds}); return null; end'"
    )
    database.owner_conn.execute(
        "create trigger dawdle after delete on tool_recall.message_tool_results "
        "for each statement execute function public.dawdle()"
    )


def expired(database: Database) -> int:
    row = database.owner_conn.execute(EXPIRED).fetchone()
    assert row is not None
    return int(row[0])


def test_a_killed_purge_keeps_its_batches_and_the_next_goes_on(database: Database) -> None:
    expired_rows(database, 400)
    other = database.new_turn()
    record(database.app_conn, other, 1)
    slow_batches(database, 0.02)
    connection = database.connect("recall_owner")
    pid = connection.info.backend_pid
    said: list[BaseException] = []

    def purge() -> None:
        try:
            connection.execute("call tool_recall.purge_expired(5)")
        except psycopg.Error as error:
            said.append(error)

    thread = threading.Thread(target=purge)
    thread.start()
    while expired(database) > 380:
        time.sleep(0.01)
    database.superuser_conn.execute("select pg_terminate_backend(%s)", [pid])
    thread.join()
    assert [type(error) for error in said] == [psycopg.errors.AdminShutdown]

    left = expired(database)
    assert 0 < left <= 380
    # Whole batches, nothing half done.
    assert left % 5 == 0
    counted = database.owner_conn.execute(
        "select sum(value) from tool_recall.metrics "
        "where name = 'tool_results_retention_deletes_total'"
    ).fetchone()
    assert counted == (400 - left,)
    row = database.owner_conn.execute("call tool_recall.purge_expired()").fetchone()
    assert row == (left,)
    assert expired(database) == 0
    assert kept(database.owner_conn, other) == [1]


def test_max_seconds_ends_a_purge_between_batches(database: Database) -> None:
    expired_rows(database, 100)
    slow_batches(database, 0.4)
    row = database.owner_conn.execute("call tool_recall.purge_expired(5, 1)").fetchone()
    assert row is not None
    # A second holds at most two batches that are done, and the third that ends after it.
    assert 5 <= row[0] <= 15
    assert expired(database) == 100 - row[0]


@pytest.mark.parametrize("purges", [2, 4])
def test_purges_at_once_delete_each_row_once(database: Database, purges: int) -> None:
    expired_rows(database, 300)
    slow_batches(database, 0.01)
    deleted: list[int] = []

    def purge() -> None:
        with psycopg.connect(database.owner, autocommit=True) as connection:
            row = connection.execute("call tool_recall.purge_expired(5)").fetchone()
            assert row is not None
            deleted.append(row[0])

    threads = [threading.Thread(target=purge) for _ in range(purges)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # None has failed, or its share would be missing.
    assert len(deleted) == purges
    assert sum(deleted) == 300 - expired(database)
    database.owner_conn.execute("call tool_recall.purge_expired()")
    assert expired(database) == 0
