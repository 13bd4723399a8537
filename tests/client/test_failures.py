"""What a failure becomes: an exception by its code, or a log record and a count."""

from __future__ import annotations

import logging
import pickle
from typing import Any

import psycopg
import pytest

import pg_tool_recall
from pg_tool_recall import (
    HostBindingError,
    InvalidResultError,
    InvalidRuleError,
    NotInstalledError,
    OwnershipError,
    ToolRecallError,
    VersionMismatchError,
)
from pg_tool_recall.errors import translate
from tests.client.faces import Face, call, ids, result
from tests.support.database import Connection, Turn

CODES = {
    "TR001": OwnershipError,
    "23503": OwnershipError,
    "TR002": InvalidResultError,
    "TR003": InvalidRuleError,
    "TR004": VersionMismatchError,
    "TR005": HostBindingError,
    "3F000": NotInstalledError,
    "42883": NotInstalledError,
    "42P01": NotInstalledError,
    "42501": NotInstalledError,
    "XX000": ToolRecallError,
    "40P01": ToolRecallError,
}


def test_exception_goes_by_the_code(app: Connection) -> None:
    for code, expected in CODES.items():
        with pytest.raises(psycopg.Error) as caught:
            app.execute(
                f"do $$ begin raise exception using errcode = '{code}', message = 'TR001 23503',"
                " detail = 'secret', hint = 'Try again.'; end $$"
            )
        error = translate(caught.value)
        assert type(error) is expected
        assert isinstance(error, ToolRecallError)
        assert error.sqlstate == code
        assert str(error).startswith("TR001 23503 (")
        assert "secret" not in str(error)
        if not isinstance(error, NotInstalledError):  # those have a remedy of our own
            assert str(error) == "TR001 23503 (Try again.)"


def test_bad_rule(owner: Connection) -> None:
    with pytest.raises(psycopg.Error) as caught:
        owner.execute("select tool_recall.set_summary_rule('query', '{count $.a')")
    assert isinstance(translate(caught.value), InvalidRuleError)


def test_cause_is_the_drivers_error(face: Face, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), on_error="raise")
    with pytest.raises(InvalidResultError) as caught:
        face.run(client.record(**call(turn, tool_name=" ")))
    assert isinstance(caught.value.__cause__, psycopg.Error)
    assert caught.value.sqlstate == caught.value.__cause__.sqlstate == "TR002"
    assert caught.value.kind == "invalid_result"


def test_exceptions_can_be_sent_elsewhere() -> None:
    error = OwnershipError("no", sqlstate="TR001")
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), copied.sqlstate) == (OwnershipError, "no", "TR001")


def test_all_are_exported_and_have_one_base() -> None:
    for name in (
        "OwnershipError", "InvalidResultError", "InvalidRuleError", "NotInstalledError",
        "VersionMismatchError", "HostBindingError",
    ):  # fmt: skip
        assert issubclass(getattr(pg_tool_recall, name), ToolRecallError)


def test_failure_is_logged_with_structure_and_without_data(
    face: Face, client: Any, turn: Turn, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "pg_tool_recall"):
        secret = {"secret": "4111 1111"}
        assert face.run(client.record(**call(turn, tool_name=" ", tool_output=secret))) is None
        face.run(
            client.record_many(
                turn.conversation_id, "no key", turn.message_id, [result(tool_output=secret)]
            )
        )
    records = [each for each in caplog.records if each.name == "pg_tool_recall"]
    first, second = records
    assert first.__dict__["tool_recall_operation"] == "record"
    assert first.__dict__["tool_recall_kind"] == "invalid_result"
    assert first.__dict__["tool_recall_sqlstate"] == "TR002"
    assert second.__dict__["tool_recall_operation"] == "record_many"
    assert second.__dict__["tool_recall_sqlstate"] == "22P02"
    assert first.levelno == second.levelno == logging.ERROR
    assert "4111" not in caplog.text
    assert client.failures == {"invalid_result": 1, "database": 1}


def test_raising_neither_logs_nor_counts(
    face: Face, turn: Turn, caplog: pytest.LogCaptureFixture
) -> None:
    client = face.client(face.connect(autocommit=True), on_error="raise")
    caplog.clear()
    with pytest.raises(ToolRecallError):
        face.run(client.record(**call(turn, tool_name=" ")))
    with pytest.raises(ToolRecallError):
        face.run(client.block(conversation_id="no key", user_id=turn.user_id))
    with pytest.raises(TypeError):
        face.run(client.record_many(turn.conversation_id, turn.user_id, turn.message_id, 5))
    assert not caplog.records
    assert not client.failures


NONSENSE: list[Any] = [object(), 5, 2.5, b"x", [1], {"a": 1}, float("nan"), "\ud800", "a\x00"]


@pytest.mark.parametrize(
    "name",
    ["conversation_id", "user_id", "message_id", "tool_use_id", "is_error", "created_at", "conn"],
)
def test_wrong_arguments_break_no_turn(face: Face, turn: Turn, name: str) -> None:
    connection = face.connect()
    for nonsense in NONSENSE:
        client = face.client(connection)
        id = face.run(client.record(**call(turn, **{name: nonsense})))
        assert (id is None) == (sum(client.failures.values()) == 1)
        if name in ("conversation_id", "user_id"):
            assert not face.run(client.block(**{**ids(turn), name: nonsense}))
        assert face.run(client.record(**call(turn)))
    face.run(connection.execute("select 1"))


def test_odd_tool_names(face: Face, client: Any, turn: Turn) -> None:
    for number, name in enumerate((None, "", " \t", "x" * 129), start=1):
        assert face.run(client.record(**call(turn, tool_name=name))) is None
        assert client.failures == {"invalid_result": number}
    odd: list[Any] = [5, b"x", "x" * 128, "\U0001f600" * 128]
    for name in odd:
        id = face.run(client.record(**call(turn, tool_name=name)))
        assert face.run(client.result(id, turn.user_id)).tool_name == str(name)


def test_server_that_is_not_there(face: Face, turn: Turn) -> None:
    client = face.client("host=127.0.0.1 port=1 dbname=none connect_timeout=1")
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"timeout": 1}
