"""Reading results back in full, and erasing them."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus

from pg_tool_recall import NotInstalledError, RawJson, ToolRecallError
from pg_tool_recall._core import same_again
from tests.client.faces import Face, call, days_ago, ids, result, stored
from tests.client.test_block import record
from tests.support.database import Database, Turn


def test_result_is_read_whole(face: Face, client: Any, turn: Turn) -> None:
    at = days_ago(3).replace(microsecond=5)
    arguments = call(
        turn,
        tool_output={"ok": [1, 2.5, None, True, {"é": "\n"}]},
        tool_use_id="toolu_1",
        is_error=True,
        created_at=at,
    )
    id = face.run(client.record(**arguments))
    found = face.run(client.result(id, turn.user_id))
    assert found.id == id
    assert found.created_at == at
    assert found.created_at.utcoffset() == datetime.timedelta(0)
    assert found.repairs is None
    for name in (
        "message_id", "tool_use_id", "tool_name", "tool_input", "tool_output", "is_error",
    ):  # fmt: skip
        assert getattr(found, name) == arguments[name]
    assert face.run(client.result(str(id), turn.user_id)) == found


def test_result_of_somebody_else_is_none(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    id = face.run(client.record(**call(turn)))
    other = database.new_turn()
    assert face.run(client.result(id, other.user_id)) is None
    assert face.run(client.result(uuid.uuid4(), turn.user_id)) is None
    assert face.run(client.result(None, turn.user_id)) is None
    assert face.run(client.result(id, None)) is None
    assert (
        face.run(client.results(conversation_id=turn.conversation_id, user_id=other.user_id)) == []
    )


def test_results_are_newest_first_and_paged(face: Face, client: Any, turn: Turn) -> None:
    at = days_ago(1)  # a tie: the order of storing decides
    made = [record(face, client, turn, n, created_at=at) for n in range(7)][::-1]
    found = []
    before = None
    for _ in range(4):
        page = face.run(client.results(**ids(turn), max_results=3, before=before))
        found += [each.id for each in page]
        before = page[-1].id if page else before
    assert found == made
    assert len(face.run(client.results(**ids(turn)))) == 5


def test_results_are_filtered(face: Face, client: Any, turn: Turn) -> None:
    for number in range(3):
        record(face, client, turn, number, created_at=days_ago(number * 10), is_error=number == 0)
    record(face, client, turn, 3, tool_name="other", created_at=days_ago(5))
    found = face.run(client.results(**ids(turn), tool_name="query_site_data"))
    assert [each.tool_input["page"] for each in found] == [0, 1, 2]
    found = face.run(client.results(**ids(turn), since_days=7))
    assert [each.tool_input["page"] for each in found] == [0, 3]
    assert face.run(client.results(**ids(turn), tool_name="a\x00")) == []


def store_raw(database: Database, turn: Turn, output: str) -> Any:
    """A row of somebody who does not use this client."""
    row = database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 'raw', '{}', %s::jsonb)",
        [turn.conversation_id, turn.user_id, turn.message_id, output],
    ).fetchone()
    assert row is not None
    return row[0]


def test_rows_that_plain_json_loads_cannot_read(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    digits = "9" * 5000
    integer = store_raw(database, turn, f'{{"n": [{digits}, 1]}}')
    assert face.run(client.result(integer, turn.user_id)).tool_output == {
        "n": [decimal.Decimal(digits), 1]
    }
    deep = "[" * 5000 + "1" + "]" * 5000
    id = store_raw(database, turn, deep)
    value = face.run(client.result(id, turn.user_id)).tool_output
    assert isinstance(value, RawJson)
    assert value == deep
    # They cost the others nothing.
    assert len(face.run(client.results(**ids(turn)))) == 2


def test_failing_reads_always_raise(face: Face, client: Any, turn: Turn) -> None:
    failing: list[Callable[[], Any]] = [
        lambda: client.results(conversation_id="no key", user_id=turn.user_id),
        lambda: client.results(**ids(turn), max_results="many"),
        lambda: client.result("no key", turn.user_id),
        lambda: client.forget_user("no key"),
        lambda: client.forget_conversation("a\x00b"),
        lambda: client.forget_user("\ud800"),
    ]
    for awaited in failing:
        with pytest.raises(ToolRecallError) as caught:
            face.run(awaited())
        assert caught.value.__cause__ is not None
    assert not client.failures


# -- erasing


def test_forget_user(face: Face, client: Any, database: Database, turn: Turn) -> None:
    again = database.new_turn(turn.user_id)
    other = database.new_turn()
    for each in (turn, turn, again, other):
        face.run(client.record(**call(each)))
    assert face.run(client.forget_user(turn.user_id)) == 3
    assert face.run(client.forget_user(turn.user_id)) == 0
    assert stored(database) == 1


def test_forget_conversation(face: Face, client: Any, database: Database, turn: Turn) -> None:
    again = database.new_turn(turn.user_id)
    for each in (turn, turn, again):
        face.run(client.record(**call(each)))
    assert face.run(client.forget_conversation(turn.conversation_id)) == 2
    forgotten = client.forget_conversation(again.conversation_id, user_id=turn.user_id)
    assert face.run(forgotten) == 1
    assert stored(database) == 0


def test_nobody_is_not_everybody(face: Face, client: Any, database: Database, turn: Turn) -> None:
    face.run(client.record(**call(turn)))
    for nobody in (None, "", " "):
        for forget in (client.forget_user, client.forget_conversation):
            # Nothing or a refusal, but never everything.
            with suppress(ToolRecallError):
                assert face.run(forget(nobody)) == 0
    assert stored(database) == 1


def test_forgetting_joins_the_callers_transaction(
    face: Face, database: Database, turn: Turn
) -> None:
    connection = face.connect()
    client = face.client(database.app)
    face.run(client.record(**call(turn)))
    assert face.run(client.forget_user(turn.user_id, conn=connection)) == 1
    assert stored(database) == 1
    face.run(connection.rollback())
    assert face.run(client.forget_conversation(turn.conversation_id, conn=connection)) == 1
    face.run(connection.commit())
    assert stored(database) == 0


def expire(face: Face, database: Database, turn: Turn) -> None:
    client = face.client(database.app)
    for number in range(5):
        record(face, client, turn, number, created_at=days_ago(400 if number < 3 else 1))


@pytest.mark.parametrize("kind", ["conninfo", "pool", "connection"])
def test_purge(face: Face, database: Database, turn: Turn, kind: str) -> None:
    expire(face, database, turn)
    targets: dict[str, Callable[[], Any]] = {
        "conninfo": lambda: database.owner,
        "pool": lambda: face.pool(database.owner),
        "connection": lambda: face.connect(database.owner),
    }
    client = face.client(targets[kind]())
    assert face.run(client.purge(batch_size=2, max_seconds=60)) == 3
    assert face.run(client.purge()) == 0
    assert stored(database) == 2


def test_purge_does_not_touch_the_callers_transaction(
    face: Face, database: Database, turn: Turn
) -> None:
    expire(face, database, turn)
    connection = face.connect(database.owner)
    client = face.client(connection)
    face.run(connection.execute("create table theirs ()"))
    assert face.run(client.purge()) == 3
    assert stored(database) == 2
    assert connection.info.transaction_status == TransactionStatus.INTRANS
    face.run(connection.rollback())
    assert database.owner_conn.execute("select to_regclass('theirs')").fetchone() == (None,)


def test_connection_like_another_has_its_password(database: Database) -> None:
    password = "it's \\ secret"
    with psycopg.connect(
        database.conninfo("recall_owner", password=password, options="-c work_mem=5MB")
    ) as one:
        assert password not in one.info.dsn
        with psycopg.connect(same_again(one)) as other:
            assert other.info.password == password
            assert other.info.dsn == one.info.dsn
            assert other.execute("show work_mem").fetchone() == ("5MB",)


def test_purge_needs_its_role(face: Face, client: Any) -> None:
    with pytest.raises(NotInstalledError, match="grant_operator") as caught:
        face.run(client.purge())
    assert caught.value.sqlstate == "42501"


def test_many_results_at_once(face: Face, client: Any, turn: Turn) -> None:
    face.run(
        client.record_many(turn.conversation_id, turn.user_id, turn.message_id, [result()] * 30)
    )
    assert len(face.run(client.results(**ids(turn), max_results=20))) == 20
    assert len(face.run(client.results(**ids(turn), max_results=None))) == 30
