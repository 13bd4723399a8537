"""What a client's redact and the database's capture rules leave of a result."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from pg_tool_recall import ToolRecallError
from tests.client.faces import Face, call, ids, result, stored
from tests.support.database import Turn

SECRET = "4111 1111"


def without_card(tool_name: str, tool_input: Any, tool_output: Any) -> tuple[Any, Any]:
    return tool_input, {**tool_output, "card": "[redacted]"}


def rows(face: Face) -> str:
    """All that is stored, as text."""
    found = face.database.owner_conn.execute(
        "select m::text from tool_recall.message_tool_results as m"
    ).fetchall()
    return "\n".join(row[0] for row in found)


def test_record_stores_what_redact_gives(face: Face, turn: Turn) -> None:
    client = face.client(face.database.app, redact=without_card)
    id = face.run(client.record(**call(turn, tool_output={"card": SECRET, "n": 1})))
    assert face.run(client.result(id, turn.user_id)).tool_output == {"card": "[redacted]", "n": 1}
    assert SECRET not in rows(face)


def test_redact_is_given_the_call(face: Face, turn: Turn) -> None:
    given: list[Any] = []

    def redact(*arguments: Any) -> Any:
        given.append(arguments)
        return {"i": 1}, {"o": 2}

    client = face.client(face.database.app, redact=redact)
    marker = object()
    id = face.run(
        client.record(**call(turn, tool_name="t", tool_input=marker, tool_output=[marker]))
    )
    assert given == [("t", marker, [marker])]
    saved = face.run(client.result(id, turn.user_id))
    assert (saved.tool_input, saved.tool_output) == ({"i": 1}, {"o": 2})


def test_record_many_and_turns_redact_too(face: Face, turn: Turn) -> None:
    client = face.client(face.database.app, redact=without_card)
    batch = [result(tool_output={"card": SECRET})]
    assert len(face.run(client.record_many(*turn_ids(turn), batch))) == 1
    collected = client.turn(**ids(turn))
    collected.call("1", "t", {})
    collected.result("1", {"card": SECRET})
    assert len(face.run(collected.save(turn.message_id))) == 1
    assert stored(face.database) == 2
    assert SECRET not in rows(face)


def turn_ids(turn: Turn) -> tuple[Any, Any, Any]:
    return turn.conversation_id, turn.user_id, turn.message_id


def test_none_is_not_stored_and_no_failure(face: Face, turn: Turn) -> None:
    def redact(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
        return None if tool_name == "secret" else (tool_input, tool_output)

    client = face.client(face.database.app, redact=redact)
    assert face.run(client.record(**call(turn, tool_name="secret"))) is None
    batch = [result(), result(tool_name="secret"), result()]
    ids_ = face.run(client.record_many(*turn_ids(turn), batch))
    assert [id is None for id in ids_] == [False, True, False]
    assert face.run(client.record_many(*turn_ids(turn), [result(tool_name="secret")])) == [None]
    collected = client.turn(**ids(turn))
    collected.add("secret", {}, {})
    assert collected.pending == 0
    assert stored(face.database) == 2
    assert not client.failures


def broken(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
    raise KeyError(tool_output["card"])


def no_pair(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
    return tool_output


def awaited(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
    async def redact() -> tuple[Any, Any]:
        return tool_input, tool_output

    return redact()


@pytest.mark.parametrize("redact", [broken, no_pair, awaited])
def test_redact_that_fails_stores_nothing(
    face: Face, turn: Turn, redact: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client = face.client(face.database.app, redact=redact)
    secret = {"card": SECRET}
    with caplog.at_level(logging.DEBUG):
        assert face.run(client.record(**call(turn, tool_output=secret))) is None
        batch = [result(tool_output=secret)]
        assert face.run(client.record_many(*turn_ids(turn), batch)) == [None]
        collected = client.turn(**ids(turn))
        collected.add("t", {}, secret)
        assert face.run(collected.save(turn.message_id)) == []
    assert stored(face.database) == 0
    assert client.failures == {"redact": 3}
    assert SECRET not in caplog.text


def test_redact_that_fails_costs_its_siblings_nothing(face: Face, turn: Turn) -> None:
    def redact(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
        return tool_input, {"n": tool_output["n"]}

    client = face.client(face.database.app, redact=redact)
    batch = [result(tool_output={"n": 1}), result(tool_output={}), result(tool_output={"n": 3})]
    ids_ = face.run(client.record_many(*turn_ids(turn), batch))
    assert [id is None for id in ids_] == [False, True, False]
    assert client.failures == {"redact": 1}


def test_redact_that_fails_is_raised_where_asked_for(face: Face, turn: Turn) -> None:
    client = face.client(face.database.app, redact=broken, on_error="raise")
    with pytest.raises(ToolRecallError, match="KeyError") as caught:
        face.run(client.record(**call(turn, tool_output={"card": SECRET})))
    assert caught.value.kind == "redact"
    assert SECRET not in str(caught.value)


def test_redact_must_be_called_not_awaited(face: Face) -> None:
    async def redact(tool_name: str, tool_input: Any, tool_output: Any) -> Any:
        return tool_input, tool_output

    class Awaited:
        async def __call__(self, tool_name: str, tool_input: Any, tool_output: Any) -> Any:
            return tool_input, tool_output

    wrong: list[Any] = [redact, Awaited(), "redact"]
    for each in wrong:
        with pytest.raises(ValueError, match="redact must"):
            face.client_class(face.database.app, redact=each)


def test_what_a_capture_rule_does_not_store_is_no_failure(face: Face, turn: Turn) -> None:
    face.database.owner_conn.execute("select tool_recall.set_capture_rule('secret', 'none')")
    client = face.client(face.database.app, on_error="raise")
    assert face.run(client.record(**call(turn, tool_name="secret"))) is None
    batch = [result(), result(tool_name="secret", tool_use_id="1")]
    ids_ = face.run(client.record_many(*turn_ids(turn), batch))
    assert [id is None for id in ids_] == [False, True]
    collected = client.turn(**ids(turn))
    collected.add("secret", {}, {})
    collected.add("t", {}, {})
    ids_ = face.run(collected.save(turn.message_id))
    assert [id is None for id in ids_] == [True, False]
    assert collected.pending == 0
    assert stored(face.database) == 2


def test_repairs_and_capture_rules_meet(face: Face, turn: Turn) -> None:
    face.database.owner_conn.execute(
        "select tool_recall.set_capture_rule('t', redact_paths => array['$.**.card'])"
    )
    client = face.client(face.database.app)
    output = {"text": json.dumps({"card": SECRET}), "a\x00": {"card": SECRET}}
    id = face.run(client.record(**call(turn, tool_name="t", tool_output=output)))
    assert face.run(client.result(id, turn.user_id)).repairs == {"nul": 1, "redacted": 2}
    assert SECRET not in rows(face)
