"""Whatever the JSON, nothing that a path finds is anywhere in the row."""

from __future__ import annotations

import json
from typing import Any

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.database import Database

KEYS = ["a", "b", "email", "a b", 'q"', "$", "\u00e9"]
KEY = st.sampled_from(KEYS)


def steps() -> st.SearchStrategy[str]:
    named = KEY.map(lambda key: "." + json.dumps(key))
    return named | st.sampled_from([".*", ".**", "[*]", "[0]", "[1]", ".**.email", "[*].email"])


PATH = st.lists(steps(), max_size=4).map(lambda parts: "$" + "".join(parts))

# Each leaf says where it is, so that it is found again wherever it turns up.
SHAPE = st.recursive(
    st.sampled_from(["text", "number", "null", "true"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=12,
)


def marked(shape: Any, counter: list[int]) -> Any:
    """The shape with a mark of its own at each leaf."""
    if isinstance(shape, dict):
        return {key: marked(value, counter) for key, value in shape.items()}
    if isinstance(shape, list):
        return [marked(value, counter) for value in shape]
    counter[0] += 1
    if shape == "text":
        return f"mark{counter[0]:04d}x"
    if shape == "number":
        return 9_000_000_000 + counter[0]
    return None if shape == "null" else True


def marks(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {mark for each in value.values() for mark in marks(each)}
    if isinstance(value, list):
        return {mark for each in value for mark in marks(each)}
    if isinstance(value, str) and value.startswith("mark"):
        return {value}
    if isinstance(value, int) and value > 9_000_000_000:
        return {str(value)}
    return set()


def found(connection: psycopg.Connection[Any], value: Any, path: str) -> list[Any]:
    """What PostgreSQL itself finds."""
    row = connection.execute(
        "select jsonb_path_query_array(%s::jsonb, %s::jsonpath)", [json.dumps(value), path]
    ).fetchone()
    assert row is not None
    return list(row[0])


def flat(value: Any, within_list: bool = False) -> bool:
    """Without lists in lists, where our paths reach further than SQL/JSON's."""
    if isinstance(value, dict):
        return all(flat(each) for each in value.values())
    if isinstance(value, list):
        return not within_list and all(flat(each, True) for each in value)
    return True


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    shapes=st.tuples(SHAPE, SHAPE),
    paths=st.lists(PATH, min_size=1, max_size=3),
    embed=st.sampled_from(["no", "block", "twice"]),
    store=st.sampled_from(["full", "line"]),
)
def test_nothing_found_is_in_the_row(
    database: Database, shapes: tuple[Any, Any], paths: list[str], embed: str, store: str
) -> None:
    counter = [0]
    tool_input, tool_output = (marked(shape, counter) for shape in shapes)
    owner = database.owner_conn
    secret: set[str] = set()
    for path in paths:
        for value in (tool_input, tool_output):
            secret |= {mark for each in found(owner, value, path) for mark in marks(each)}
    sent = tool_output
    if embed != "no" and isinstance(tool_output, dict | list):
        text = json.dumps(tool_output)
        sent = {"content": [{"type": "text", "text": text}]}
        if embed == "twice":
            sent = {"result": json.dumps({"inner": text})}
        for path in paths:
            secret |= {mark for each in found(owner, sent, path) for mark in marks(each)}

    owner.execute("select tool_recall.set_capture_rule('t', %s, %s)", [store, paths])
    turn = database.new_turn()
    row = owner.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', %s::jsonb, %s::jsonb)",
        [
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            json.dumps(tool_input),
            json.dumps(sent),
        ],
    ).fetchone()
    assert row is not None
    saved = owner.execute(
        "select m::text, coalesce(m.repairs ? 'redacted', false), m.tool_input, m.tool_output "
        "from tool_recall.message_tool_results as m where id = %s",
        [row[0]],
    ).fetchone()
    assert saved is not None
    assert not [mark for mark in secret if mark in saved[0]]
    if secret:
        assert saved[1]
    # And no more than that goes, where SQL/JSON's paths and ours reach alike.
    if store == "full" and embed == "no" and flat(tool_input) and flat(tool_output):
        kept = (marks(tool_input) | marks(tool_output)) - secret
        assert not [mark for mark in kept if mark not in saved[0]]
        for path in paths:
            for value in saved[2:]:
                assert all(each == "[redacted]" for each in found(owner, value, path))


def test_a_small_stack_stores_nothing_unsearched(database: Database) -> None:
    owner = database.owner_conn
    owner.execute("select tool_recall.set_capture_rule('t', redact_paths => array['$.**.p'])")
    database.superuser_conn.execute("alter role recall_app set max_stack_depth = '100kB'")
    try:
        turn = database.new_turn()
        output = '{"a":' * 50 + '{"p": "secret"}' + "}" * 50
        database.connect().execute(
            "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', %s::jsonb)",
            [turn.conversation_id, turn.user_id, turn.message_id, output],
        )
    finally:
        database.superuser_conn.execute("alter role recall_app reset max_stack_depth")
    row = owner.execute(
        "select tool_output, repairs from tool_recall.message_tool_results"
    ).fetchone()
    assert row == ({"not_stored": True}, {"not_stored": 1})
