"""Storing results: what arrives in the table."""

from __future__ import annotations

import datetime
import decimal
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from pg_tool_recall import InvalidResultError, OwnershipError, ToolRecall, ToolResult
from tests.client.faces import Face, call, days_ago, ids, result, stored
from tests.client.test_repair import anything, plain_json
from tests.conftest import MakeDatabase
from tests.support.database import Database, Turn, install

HOSTILE = json.loads(
    (Path(__file__).parents[1] / "data" / "hostile_values.json").read_text(encoding="utf-8")
)["cases"]
NAMES = {"datetime": datetime, "decimal": decimal, "uuid": uuid}


def row(database: Database, id: Any) -> dict[str, Any]:
    """A row as the owner sees it, without the client."""
    found = database.owner_conn.execute(
        "select to_jsonb(m) || jsonb_build_object('at', extract(epoch from created_at)::float8)"
        " from tool_recall.message_tool_results m where id = %s",
        [id],
    ).fetchone()
    assert found is not None
    return dict(found[0])


def test_every_argument_arrives(face: Face, client: Any, database: Database, turn: Turn) -> None:
    at = days_ago(3).replace(microsecond=123456)
    arguments = call(turn, tool_use_id="toolu_1", is_error=True, created_at=at)
    id = face.run(client.record(**arguments))
    assert isinstance(id, uuid.UUID)
    found = row(database, id)
    assert found["conversation_id"] == str(turn.conversation_id)
    assert found["user_id"] == str(turn.user_id)
    assert found["message_id"] == str(turn.message_id)
    for name in ("tool_name", "tool_input", "tool_output", "tool_use_id", "is_error"):
        assert found[name] == arguments[name]
    assert found["at"] == at.timestamp()
    assert found["repairs"] is None


@pytest.mark.parametrize("given", ["naive", "Karachi"])
def test_time_does_not_depend_on_the_session(
    face: Face, database: Database, turn: Turn, given: str
) -> None:
    at = days_ago(3)
    karachi = datetime.timezone(datetime.timedelta(hours=5))
    created_at = at.replace(tzinfo=None) if given == "naive" else at.astimezone(karachi)
    connection = face.connect(autocommit=True)
    face.run(connection.execute("set timezone to 'Asia/Tokyo'"))
    face.run(connection.execute("set datestyle to 'German'"))
    client = face.client(connection)
    id = face.run(client.record(**call(turn, created_at=created_at)))
    assert row(database, id)["at"] == at.timestamp()
    assert face.run(client.result(id, turn.user_id)).created_at == at


def test_same_call_again_gives_the_same_id(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    # A set is the same set again, whatever order it comes in.
    arguments = call(turn, tool_use_id="toolu_1", tool_output={"tags": {"a", "b", "c"}})
    first = face.run(client.record(**arguments))
    assert face.run(client.record(**arguments)) == first
    assert stored(database) == 1


def test_hostile_values(face: Face, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), on_error="raise")
    for case in HOSTILE:
        value = eval(case["python"], dict(NAMES))
        id = face.run(client.record(**call(turn, tool_output=value)))
        found = face.run(client.result(id, turn.user_id))
        assert found.repairs == case.get("repairs"), case
        if "stored_keys" in case:
            assert list(found.tool_output) == case["stored_keys"]
        else:
            assert found.tool_output == case.get("stored", value)


def test_digits_of_a_decimal_are_kept(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    value = {"price": decimal.Decimal("19.90")}
    id = face.run(client.record(**call(turn, tool_output=value)))
    text = database.owner_conn.execute(
        "select tool_output::text from tool_recall.message_tool_results where id = %s", [id]
    ).fetchone()
    assert text == ('{"price": 19.90}',)


def test_input_name_and_call_id_are_repaired_as_well(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    id = face.run(
        client.record(
            **call(
                turn,
                tool_name="a\x00b\ud800",
                tool_input={"x": b"1", "y": float("nan")},
                tool_use_id="c\x00",
            )
        )
    )
    found = row(database, id)
    assert found["tool_name"] == "a\ufffdb\ufffd"
    assert found["tool_use_id"] == "c\ufffd"
    assert found["repairs"] == {"nul": 2, "surrogate": 1, "bytes": 1, "non_finite": 1}


def test_nothing_is_json_null(face: Face, client: Any, turn: Turn) -> None:
    id = face.run(client.record(**call(turn, tool_input=None, tool_output=None)))
    found = face.run(client.result(id, turn.user_id))
    assert (found.tool_input, found.tool_output) == (None, None)


def test_value_that_the_database_finds_too_large_is_stored_truncated(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    # jsonb ends at 256 MiB; here the table is made to say so earlier.
    database.owner_conn.execute("""
        create function too_large() returns trigger language plpgsql as $$ begin
          if octet_length(new.tool_output::text) > 100000 then
            raise exception using errcode = '54000', message = 'too large';
          end if;
          return new;
        end $$;
        create trigger a_too_large before insert on tool_recall.message_tool_results
          for each row execute function too_large()""")
    large = {"text": "é" * 100_000}
    id = face.run(client.record(**call(turn, tool_output=large)))
    found = face.run(client.result(id, turn.user_id))
    assert found.tool_output["truncated"] is True
    assert found.tool_output["bytes"] > 200_000
    assert len(found.tool_output["sha256"]) == 64
    assert found.tool_output["head"].startswith('{"text":"éé')
    assert found.tool_input == {"target": "memberships"}
    assert found.repairs == {"truncated": 1}
    # In a batch it costs its siblings nothing either.
    batch = [result(), result(tool_output=large), result()]
    outcome = face.run(
        client.record_many(turn.conversation_id, turn.user_id, turn.message_id, batch)
    )
    assert None not in outcome
    assert stored(database) == 4


# -- many


def many(face: Face, client: Any, turn: Turn, results: Any, **options: Any) -> Any:
    return face.run(
        client.record_many(turn.conversation_id, turn.user_id, turn.message_id, results, **options)
    )


def test_batch_gives_ids_in_order(face: Face, client: Any, database: Database, turn: Turn) -> None:
    at = days_ago(3)
    outcome = many(
        face,
        client,
        turn,
        (
            result(tool_name="first", tool_use_id="a", created_at=at, is_error=True),
            ToolResult("second", {"n": 1}, {"s": {1}}, tool_use_id="b\x00"),
            result(tool_name="third"),
        ),
    )
    rows = [row(database, id) for id in outcome]
    assert [each["tool_name"] for each in rows] == ["first", "second", "third"]
    assert [each["tool_use_id"] for each in rows] == ["a", "b\ufffd", None]
    assert [each["is_error"] for each in rows] == [True, False, False]
    assert [each["repairs"] for each in rows] == [None, {"nul": 1, "set": 1}, None]
    assert rows[0]["at"] == at.timestamp()
    assert rows[1]["tool_input"] == {"n": 1}


def test_batch_is_one_round_trip(face: Face, client: Any, database: Database, turn: Turn) -> None:
    database.owner_conn.execute("""
        create table statements (at timestamptz);
        grant insert on statements to public;
        create function count_statement() returns trigger language plpgsql as $$ begin
          insert into public.statements values (statement_timestamp()); return null; end $$;
        create trigger a_count before insert on tool_recall.message_tool_results
          for each statement execute function count_statement()""")
    assert None not in many(face, client, turn, [result(), result(), result()])
    found = database.owner_conn.execute("select count(distinct at) from statements")
    assert found.fetchone() == (1,)


def test_iterator_is_read_once(face: Face, client: Any, database: Database, turn: Turn) -> None:
    assert None not in many(face, client, turn, (result() for _ in range(3)))
    assert stored(database) == 3


def test_empty_batch(face: Face, client: Any, turn: Turn) -> None:
    assert many(face, client, turn, []) == []
    assert not client.failures


BAD: list[Any] = [
    result(tool_name=" "),  # refused by the database
    result(tool_name="x" * 129),
    result(created_at=datetime.datetime.max),
    result(created_at="no time"),
    {"tool_name": "query", "tool_input": {}},  # refused by the client
    result(output=1),
    "query",
    None,
]


def test_bad_result_costs_its_siblings_nothing(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    for number, bad in enumerate(BAD, start=1):
        outcome = many(face, client, turn, [result(), bad, result()])
        assert [bool(each) for each in outcome] == [True, False, True], bad
        assert stored(database) == 2 * number
        assert client.failures == {"invalid_result": number}


def test_bad_result_in_a_callers_transaction(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    connection = face.connect()
    outcome = many(face, client, turn, [result(), BAD[0], result()], conn=connection)
    assert [bool(each) for each in outcome] == [True, False, True]
    assert stored(database) == 0
    face.run(connection.commit())
    assert stored(database) == 2


def test_connection_lost_half_way_through_a_refused_batch(
    face: Face, database: Database, turn: Turn
) -> None:
    database.owner_conn.execute("""
        create function cut() returns trigger language plpgsql as $$ begin
          if new.tool_name = 'cut' then
            perform pg_terminate_backend(pg_backend_pid());
          end if;
          return new;
        end $$;
        create trigger a_cut before insert on tool_recall.message_tool_results
          for each row execute function cut()""")
    client = face.client(face.connect(autocommit=True))
    batch = [result(), BAD[0], result(tool_name="cut"), result()]
    outcome = many(face, client, turn, batch)
    assert [bool(each) for each in outcome] == [True, False, False, False]
    assert stored(database) == 1
    assert client.failures == {"invalid_result": 1, "connection": 2}


def test_no_connection_for_a_batch(face: Face, turn: Turn) -> None:
    pool = face.pool(timeout=0.05)
    client = face.client(pool)
    taken = [face.run(pool.getconn()) for _ in range(2)]
    assert many(face, client, turn, (result() for _ in range(3))) == [None] * 3
    assert face.run(client.record(**call(turn))) is None
    assert client.failures == {"timeout": 2}
    for one in taken:
        face.run(pool.putconn(one))


def test_bad_result_raises_once_its_siblings_are_stored(
    face: Face, database: Database, turn: Turn
) -> None:
    client = face.client(face.connect(autocommit=True), on_error="raise")
    with pytest.raises(InvalidResultError) as caught:
        many(face, client, turn, [result(), BAD[0], result()])
    assert [bool(each) for each in caught.value.recorded or ()] == [True, False, True]
    assert stored(database) == 2
    assert not client.failures


def test_foreign_conversation_refuses_the_whole_batch(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    other = database.new_turn()
    outcome = face.run(
        client.record_many(
            other.conversation_id, turn.user_id, turn.message_id, [result(), result()]
        )
    )
    assert outcome == [None, None]
    assert client.failures == {"ownership": 1}


def test_batch_that_is_none(face: Face, client: Any, turn: Turn) -> None:
    assert many(face, client, turn, 5) == []
    assert many(face, client, turn, None) == []
    assert client.failures == {"argument": 2}


# -- keys of other types


@pytest.mark.parametrize(
    ("key_type", "keys"),
    [("integer", (1, 2, 3)), ("bigint", (2**40, 2, 3)), ("text", ("ü", " c'2 ", "m\\3"))],
)
def test_keys_of_other_types(
    face: Face, make_database: MakeDatabase, key_type: str, keys: tuple[Any, Any, Any]
) -> None:
    database = make_database()
    database.owner_conn.execute(f"""
        create table users (id {key_type} primary key);
        create table conversations (
          id {key_type} primary key, user_id {key_type} not null references users);
        create table messages (
          id {key_type} primary key, conversation_id {key_type} not null references conversations)
    """)
    user, conversation, message = keys
    database.owner_conn.execute("insert into users values (%s)", [user])
    database.owner_conn.execute("insert into conversations values (%s, %s)", [conversation, user])
    database.owner_conn.execute("insert into messages values (%s, %s)", [message, conversation])
    install(database.owner)
    turn: Any = Turn(user, conversation, message)
    client = face.client(face.connect(database.owner, autocommit=True), on_error="raise")
    id = face.run(client.record(**call(turn)))
    assert face.run(client.record_many(conversation, user, message, [result()]))
    assert face.run(client.result(id, user)).message_id == message
    assert len(face.run(client.block(**ids(turn))).lines) == 1
    assert face.run(client.forget_user(user)) == 2


# -- properties


@pytest.fixture
def raising(database: Database) -> ToolRecall:
    return ToolRecall(database.app_conn, on_error="raise")


slowly = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@slowly
@given(value=anything)
def test_recording_any_value_never_raises(raising: ToolRecall, turn: Turn, value: Any) -> None:
    id = raising.record(**call(turn, tool_output=value))
    assert id
    assert raising.result(id, turn.user_id)


def same(stored: Any, value: Any) -> bool:
    """Equality as JSON has it: a large float comes back as the integer of the same digits."""
    if isinstance(value, dict):
        return stored.keys() == value.keys() and all(same(stored[k], value[k]) for k in value)
    if isinstance(value, list):
        return len(stored) == len(value) and all(map(same, stored, value))
    if isinstance(value, float):
        return float(stored) == value
    return bool(stored == value)


@slowly
@given(value=plain_json)
def test_plain_value_comes_back_unchanged(raising: ToolRecall, turn: Turn, value: Any) -> None:
    id = raising.record(**call(turn, tool_output=value))
    assert id
    found = raising.result(id, turn.user_id)
    assert found
    assert same(found.tool_output, value)
    assert found.repairs is None


def test_ownership(face: Face, client: Any, database: Database, turn: Turn) -> None:
    other = database.new_turn()
    for wrong in (
        {"user_id": other.user_id},
        {"conversation_id": other.conversation_id},
        {"message_id": other.message_id},
        {"message_id": uuid.uuid4()},
        {"user_id": None},
        {"conversation_id": None},
        {"message_id": None},
        {"user_id": ""},
    ):
        assert face.run(client.record(**call(turn, **wrong))) is None
    assert stored(database) == 0
    assert client.failures["ownership"] >= 4
    raising = face.client(face.connect(autocommit=True), on_error="raise")
    with pytest.raises(OwnershipError) as caught:
        face.run(raising.record(**call(turn, user_id=other.user_id)))
    assert caught.value.sqlstate == "TR001"
