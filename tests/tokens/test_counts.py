"""count_tokens against tiktoken's cl100k_base."""

from __future__ import annotations

import random
from collections.abc import Sequence

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pg_tool_recall._tokens import offline_counter
from pg_tool_recall._vocabulary import find_vocabulary
from tests.support.database import Database
from tests.tokens.corpus import corpus, lines

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


def tiktoken_counts(texts: Sequence[str]) -> list[int]:
    count = offline_counter()
    assert count is not None
    return [count(text) for text in texts]


def counts(connection: psycopg.Connection, texts: Sequence[str]) -> list[int]:
    found: list[int] = []
    for start in range(0, len(texts), 5000):
        rows = connection.execute(
            "select tool_recall.count_tokens(t.value) "
            "from unnest(%s::text[]) with ordinality as t (value, place) order by t.place",
            [list(texts[start : start + 5000])],
        ).fetchall()
        found += [row[0] for row in rows]
    return found


def load(connection: psycopg.Connection) -> int:
    content = find_vocabulary()
    assert content is not None
    row = connection.execute(
        "select tool_recall._load_vocabulary(%s)", [content.decode()]
    ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture
def exact(server: Database) -> psycopg.Connection:
    """The application's connection, with the vocabulary loaded."""
    load(server.owner_conn)
    return server.app_conn


def different(texts: Sequence[str], ours: Sequence[int]) -> list[tuple[str, int, int]]:
    theirs = tiktoken_counts(texts)
    return [each for each in zip(texts, ours, theirs, strict=True) if each[1] != each[2]]


def test_exact_for_every_text(exact: psycopg.Connection) -> None:
    texts = corpus()
    assert len(texts) >= 100_000
    wrong = different(texts, counts(exact, texts))
    print(f"\n{len(texts)} texts, {len(wrong)} counted otherwise than tiktoken counts them")
    assert wrong == []


@pytest.mark.parametrize("size", [(2000, "a"), (700, "0aZ-"), (3000, " ")])
def test_exact_for_long_words(exact: psycopg.Connection, size: tuple[int, str]) -> None:
    source = random.Random(1)
    texts = ["".join(source.choices(size[1], k=size[0]))]
    assert different(texts, counts(exact, texts)) == []


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(TEXT, min_size=20, max_size=60))
def test_exact_for_arbitrary_texts(exact: psycopg.Connection, texts: list[str]) -> None:
    assert different(texts, counts(exact, texts)) == []


def test_the_estimate_is_never_below_and_close_on_lines(server: Database) -> None:
    texts = corpus()
    ours = counts(server.app_conn, texts)
    below = [
        each for each in zip(texts, ours, tiktoken_counts(texts), strict=True) if each[1] < each[2]
    ]
    usual = lines()
    ratios = sorted(
        our / their
        for our, their in zip(counts(server.app_conn, usual), tiktoken_counts(usual), strict=True)
    )
    print(
        f"\nestimate: {len(below)} of {len(texts)} texts below tiktoken; on {len(usual)} lines "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} times it, median {ratios[len(ratios) // 2]:.2f}"
    )
    assert below == []
    assert ratios[-1] <= 2.2


def test_switching_recounts_stored_lines(database: Database) -> None:
    turn = database.new_turn()
    record = (
        "select tool_recall.record_tool_result(%s, %s, %s, 'query_site_data', "
        '\'{"target": "paperwork"}\', %s::jsonb)'
    )
    database.owner_conn.execute("update tool_recall.settings set max_output_bytes = 1024")
    for output in ('{"members": []}', f'{{"text": "{"overlong " * 200}"}}'):
        database.app_conn.execute(
            record.encode(), [turn.conversation_id, turn.user_id, turn.message_id, output]
        )
    stored = "select recall_line, recall_tokens from tool_recall.message_tool_results order by seq"

    def differences() -> list[int]:
        rows = database.owner_conn.execute(stored.encode()).fetchall()
        exactly = tiktoken_counts([f"{line}\n" for line, _ in rows])
        return [tokens - count for (_, tokens), count in zip(rows, exactly, strict=True)]

    assert all(each > 0 for each in differences())
    load(database.owner_conn)
    assert all(each > 0 for each in differences())
    database.owner_conn.execute("call tool_recall.refresh_recall_lines()")
    assert differences() == [0, 0]


def test_loading(database: Database) -> None:
    def mode() -> str:
        row = database.owner_conn.execute("select vocabulary from tool_recall.status").fetchone()
        assert row is not None
        return str(row[0])

    content = find_vocabulary()
    assert content is not None
    assert mode() == "estimate"
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="SHA-256"):
        database.owner_conn.execute(
            "select tool_recall._load_vocabulary(%s)", [content.decode()[:-1]]
        )
    assert mode() == "estimate"
    assert load(database.owner_conn) == 100256
    assert mode() == "cl100k_base"
    assert load(database.owner_conn) == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        load(database.app_conn)
