"""A turn's results wait for its message."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.client.faces import Face, begun, found, stored
from tests.support.database import Database, Turn


def test_pairs_are_stored_with_the_message(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.call("a", "list_plans", {"site": 1})
        ours.call("b", "list_users", {})
        ours.result("b", {"users": []})
        ours.result("a", {"error": "no"}, is_error=True)
        ours.add("ping", None, "pong")
        assert stored(database) == 0
        assert ours.pending == 3
        saved = face.run(ours.save(turn.message_id))
        assert ours.pending == 0
    assert len(saved) == 3
    assert found(database) == [
        ("b", "list_users", {}, {"users": []}, False, turn.message_id),
        ("a", "list_plans", {"site": 1}, {"error": "no"}, True, turn.message_id),
        (None, "ping", None, "pong", False, turn.message_id),
    ]
    assert not client.failures


def test_a_result_may_come_before_its_call(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.result("a", 1)
        ours.call("a", "early", {})
        face.run(ours.save(turn.message_id))
    assert [row[:4] for row in found(database)] == [("a", "early", {}, 1)]


def test_what_is_incomplete_is_not_stored(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.call("a", "never_returned", {})
        ours.result("b", "never called")
        assert face.run(ours.save(turn.message_id)) == []
    assert stored(database) == 0
    assert client.failures == {"discarded": 1}


def test_a_repeated_call_id(face: Face, client: Any, database: Database, turn: Turn) -> None:
    with begun(face, client, turn) as ours:
        for output in (1, 1, 2):
            ours.call("a", "counted", {})
            ours.result("a", output)
        saved = face.run(ours.save(turn.message_id))
    assert saved[0] == saved[1] != saved[2]
    assert [(row[0], row[3]) for row in found(database)] == [("a", 1), (None, 2)]


def test_what_may_have_been_told_before_is_kept_once(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.add("own", {}, 0, tool_use_id="own")
        for _ in range(2):
            ours.result("early", "x", once=True)
        for _ in range(2):
            for round in (1, 2):  # the same id for another call
                ours.call("a", "counted", {"round": round})
                ours.result("a", "ok", once=True)
            ours.call("early", "early", {})
            ours.add("own", {}, 0, tool_use_id="own", once=True)
        assert ours.pending == 4
        face.run(ours.save(turn.message_id))
        ours.result("early", "x", once=True)
        assert ours.pending == 0
        ours.result("early", "x", is_error=True, once=True)
        assert ours.pending == 1
        face.run(ours.save(turn.message_id))
    assert stored(database) == 5


def test_saved_again_stores_only_what_is_new(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.add("first", {}, 1)
        assert len(face.run(ours.save(turn.message_id))) == 1
        ours.add("second", {}, 2)
        assert len(face.run(ours.save(turn.message_id))) == 1
    assert [row[1] for row in found(database)] == ["first", "second"]


def test_one_bad_result_costs_its_siblings_nothing(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.add("good", {}, 1)
        ours.add(" ", {}, 2)
        ours.add("better", {}, 3)
        saved = face.run(ours.save(turn.message_id))
    assert [each is None for each in saved] == [False, True, False]
    assert [row[1] for row in found(database)] == ["good", "better"]


def test_a_failed_turn_discards_and_counts(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    def fail() -> None:
        with begun(face, client, turn) as ours:
            ours.add("a_tool", {}, 1)
            raise KeyError("in the turn")

    with pytest.raises(KeyError):
        fail()
    assert stored(database) == 0
    assert client.failures == {"discarded": 1}


def test_a_cancelled_stream_keeps_what_its_partial_message_saved(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    def cancel() -> None:
        with begun(face, client, turn) as ours:
            ours.add("seen", {}, 1)
            face.run(ours.save(turn.message_id))
            ours.add("unseen", {}, 2)
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        cancel()
    assert [row[1] for row in found(database)] == ["seen"]
    assert client.failures == {"discarded": 1}


def test_it_commits_and_rolls_back_with_the_message(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    connection = face.connect()
    for end in (connection.rollback, connection.commit):
        with begun(face, client, turn) as ours:
            ours.add("a_tool", {}, 1)
            face.run(ours.save(turn.message_id, connection))
        face.run(end())
        assert stored(database) == (end == connection.commit)


def test_what_a_failure_kept_back_may_be_saved_again(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    with begun(face, client, turn) as ours:
        ours.add("a_tool", {}, 1)
        broken = face.connect()
        face.run(broken.close())
        assert face.run(ours.save(turn.message_id, broken)) == [None]
        assert ours.pending == 1
        assert len(face.run(ours.save(turn.message_id))) == 1
    assert stored(database) == 1
    assert "discarded" not in client.failures


def test_from_many_threads(face: Face, client: Any, database: Database, turn: Turn) -> None:
    with begun(face, client, turn) as ours:

        def work(n: int) -> None:
            ours.call(str(n), "a_tool", {"n": n})
            ours.result(str(n), n)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(150)))
        assert len(set(face.run(ours.save(turn.message_id)))) == 150
    assert {(row[0], row[2]["n"]) for row in found(database)} == {(str(n), n) for n in range(150)}


def test_what_is_collected_is_what_was_returned(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    output = {"plans": ["Pro"]}
    with begun(face, client, turn) as ours:
        ours.add("a_tool", {}, output)
        output["plans"].append("changed later")
        face.run(ours.save(turn.message_id))
    assert found(database)[0][3] == {"plans": ["Pro"]}
