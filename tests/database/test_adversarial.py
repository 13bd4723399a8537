"""Hostile texts in every place of a tool call: the block keeps its form, whatever they say.

The block and its lines are read by tests/support/safe_text.py, which shares nothing with the
package.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.conftest import MakeDatabase
from tests.database.conftest import LOCALES, skip_without_icu
from tests.support import safe_text
from tests.support.cluster import Cluster
from tests.support.database import (
    Connection,
    Database,
    create_database,
    drop_database,
    prepare,
)
from tests.support.safe_text import ELLIPSIS, Line, clean

FILE = Path(__file__).resolve().parents[1] / "data" / "adversarial.json"
TEXTS = [
    (f"{one['class']}: {one['name']}", one["text"] * one.get("times", 1))
    for one in json.loads(FILE.read_text())["texts"]
]
NOON = (datetime.now(timezone.utc) - timedelta(days=2)).replace(
    hour=12, minute=0, second=0, microsecond=0
)
DAY = NOON.strftime("%Y-%m-%d")
RULES = {
    "plain": "{plain:first($.v)}",
    "quoted": "{first($.v)}",
    "of_input": "{plain:input($.v)}, {input($.v)} and {max($.v)}",
    "most": "{top($.rows[*], $.n, $.v)} of {count($.rows[*])}",
    "frame": 'now 5" "{plain:first($.v)}" "{last($.v)}"',
    "day": "{date:first($.v)}",
}
# Each call in a conversation of its own; `between`: an older and a newer call are there too.
PUT = """
create function pg_temp.put(calls jsonb, user_id uuid, noon timestamptz)
returns table (line text, block text, summary text) language plpgsql as $$
declare
  v_call jsonb;
  v_chat uuid;
  v_message uuid;
  v_id uuid;
begin
  for v_call in select e.value from jsonb_array_elements(calls) as e loop
    v_chat := gen_random_uuid();
    v_message := gen_random_uuid();
    insert into conversations (id, user_id, title) values (v_chat, put.user_id, '');
    insert into messages (id, conversation_id, role, content)
    values (v_message, v_chat, 'assistant', '');
    line := null;
    block := null;
    summary := tool_recall.summarize_tool_result(
      v_call ->> 'tool', v_call -> 'input', v_call -> 'output', (v_call ->> 'error')::boolean);
    begin
      if (v_call ->> 'between')::boolean then
        perform tool_recall.record_tool_result(
          v_chat, put.user_id, v_message, 'older', '{}', '1', created_at => noon - interval '1 s');
        perform tool_recall.record_tool_result(
          v_chat, put.user_id, v_message, 'newer', '{}', '2', created_at => noon + interval '1 s');
      end if;
      v_id := tool_recall.record_tool_result(
        v_chat, put.user_id, v_message, v_call ->> 'tool', v_call -> 'input', v_call -> 'output',
        is_error => (v_call ->> 'error')::boolean, created_at => noon);
      line := (
        select m.recall_line from tool_recall.message_tool_results as m where m.id = v_id);
      block := tool_recall.recall_block(v_chat, put.user_id);
    exception when sqlstate 'TR002' then
      null;
    end;
    return next;
  end loop;
end
$$
"""


class Call(NamedTuple):
    place: str
    tool: str
    input: Any
    output: Any
    error: bool = False
    between: bool = False


class Shown(NamedTuple):
    line: str | None
    block: str | None
    summary: str


def places(text: str) -> list[Call]:
    """The text in every place that a call has."""
    name = text[:128]
    wrapped = json.dumps({"items": [{"a": text, text: 1}], "note": text})
    inputs: dict[str, Any] = {
        "argument's name": {text: 1},
        "argument": {"q": text},
        "arguments": {"a": text, "bb": text, "ccc": 1, text: text},
        "nested argument": {"q": {"k": [text, {"k": text}]}, "r": [[text]]},
        "nested argument's name": {"q": {text: {text: text}}},
        "whole input": text,
        "list as input": [text, 1, {text: text}],
    }
    outputs: dict[str, Any] = {
        "key": {text: 5},
        "key of a text": {text: text},
        "key of a flag": {text: True},
        "nested key": {"data": {text: 7}},
        "key of a list": {text: [1, 2]},
        "key of a list in an envelope": {"data": {"result": {text: [{"a": 1}]}}},
        "key of a date": {"rows": [{text: "2026-01-01", "n": 1}]},
        "value": {"status": text},
        "values": {"a": text, "b": text, "c": text},
        "text": text,
        "list": [text, text],
        "list of objects": [{"id": text, "a": text}],
        "date": {"rows": [{"created_at": text}, {"created_at": "2026-01-01"}]},
        "total": {"total": text, "rows": [text]},
        "error": {"error": text},
        "error's message": {"error": {"message": text, "code": text}},
        "failed content": {"isError": True, "content": [{"type": "text", "text": text}]},
        "content block": [{"type": "text", "text": text}],
        "content blocks": {"content": [{"type": "text", "text": text}] * 2},
        "content block's type": [{"type": text, "text": text}],
        "other content": [{"type": "image", "source": text}, {"type": "resource", "text": text}],
        "names": {"rows": [{"name": text}, {"title": text}], "name": text},
        "name of a document": [{"type": "document", "title": text, "source": {}}],
        "columns": {"columns": [text, "b"], "rows": [[1, text], [2, text]]},
        "labels": {"labels": [text, text], text: [1, 2]},
        "points": {"points": [{"date": "2026-01-0" + n, text: 1} for n in "123"]},
        "message of a provider": {"role": "tool", "tool_call_id": text, "content": text},
        "lines of JSON": json.dumps({"name": text}) + "\n" + json.dumps({text: 1}),
        "heading": f"# {text}\n\n| {text} | b |\n|---|---|\n| 1 | 2 |\n",
        "page": f"<!doctype html><title>{text}</title><p>{text}",
        "first heading of a page": f"<html><h1 class='{text}'>{text}</h1>",
        "names of a CSV": f"{text},b\n1,2\n3,4\n",
        "shell": {"stdout": text, "stderr": text, "exit_code": 1},
        "JSON in a text": wrapped,
        "text that begins as JSON": "[" + text,
        "JSON text in a text": json.dumps(text),
    }
    calls = [Call("tool's name", name, {}, 1)]
    calls += [Call(place, "t", value, 1) for place, value in inputs.items()]
    calls += [Call(place, "t", {}, value) for place, value in outputs.items()]
    rows = [{"n": 1, "v": text}, {"n": 2, "v": text}]
    calls += [Call(f"rule {tool}", tool, {"v": text}, {"v": text, "rows": rows}) for tool in RULES]
    calls.append(Call("everywhere", name, {text: text, "b": [text]}, {text: text}, between=True))
    calls.append(Call("failed: text", "t", {"q": text}, text, error=True, between=True))
    calls += [
        Call("failed: message", "t", {}, {"message": text}, error=True),
        Call(
            "failed: traceback", "t", {}, f"Traceback (most recent call last)\n{text}", error=True
        ),
        Call("failed: list", "t", {}, {"errors": [{"detail": text}]}, error=True),
    ]
    return calls


def put(connection: Connection, calls: list[Call], user_id: Any) -> list[Shown]:
    """Records the calls in one round trip; what is shown of each."""
    rows = connection.execute(
        "select line, block, summary from pg_temp.put(%s::jsonb, %s, %s)",
        [json.dumps([call._asdict() for call in calls]), user_id, NOON],
    ).fetchall()
    assert len(rows) == len(calls)
    return [Shown(*row) for row in rows]


def ready(database: Database, *, quote_free_text: bool = True) -> Any:
    """Rules, the function that records, and the user for whom."""
    for tool, template in RULES.items():
        database.owner_conn.execute("select tool_recall.set_summary_rule(%s, %s)", [tool, template])
    database.owner_conn.execute(
        "update tool_recall.settings set quote_free_text = %s", [quote_free_text]
    )
    user_id = database.new_turn().user_id
    database.app_conn.execute(PUT)
    return user_id


def check(call: Call, shown: Shown, *, free_text: bool) -> None:
    """One call's line, block and summary."""
    check_summary(call, safe_text.parse_summary(shown.summary), free_text=free_text)
    if call.tool not in RULES:
        assert len(shown.summary) <= 120, shown.summary
    if shown.line is None:
        assert clean(call.tool) == ""
        return
    assert clean(call.tool) != ""
    line = safe_text.parse_line(shown.line, DAY)
    check_summary(call, (line.summary, line.summary_strings), free_text=free_text)
    check_call(call, line, free_text=free_text)
    if not free_text:
        check_no_word(call, shown.line, line)

    others = [f"- {DAY} newer(): 2", f"- {DAY} older(): 1"] if call.between else []
    if not call.error:
        others.insert(len(others) // 2, shown.line)
    if not others:
        assert shown.block == ""
        return
    assert shown.block is not None
    assert safe_text.block_lines(shown.block) == others


def check_call(call: Call, line: Line, *, free_text: bool) -> None:
    """The part of a line before the colon."""
    if line.tool_is_bare:
        assert line.tool == call.tool
    elif free_text:
        assert safe_text.is_shown_of(line.tool, {clean(call.tool)})
    else:
        assert line.tool == ELLIPSIS
    assert set(line.bare_names) <= (set(call.input) if isinstance(call.input, dict) else set())
    check_strings(line.call_strings, call.input, free_text=free_text)


def check_summary(call: Call, summary: tuple[str, list[str]], *, free_text: bool) -> None:
    bare, strings = summary
    allowed = safe_text.OWN_WORDS | safe_text.nouns(call.output)
    if call.tool in RULES:
        allowed |= safe_text.words(re.sub("{.*?}", "", RULES[call.tool]))
        if free_text:
            for text in filter(safe_text.PLAIN.fullmatch, safe_text.sources(call.output)):
                allowed |= safe_text.words(text)
    assert safe_text.words(bare) <= allowed, bare
    if free_text:
        # Headings and titles, up to their closing tags, are taken out of texts.
        texts = set(safe_text.sources([call.input, call.output]))
        pieces = texts | {piece for text in texts for piece in text.split("</")}
        texts |= {safe_text.without_html(piece) for piece in pieces}
        cleaned = {clean(text) for text in texts}
        assert all(
            safe_text.is_shown_of(string, cleaned) or safe_text.is_found_in(string, cleaned)
            for string in strings
        ), strings
    else:
        check_strings(strings, [call.input, call.output], free_text=free_text)


def check_strings(strings: list[str], value: Any, *, free_text: bool) -> None:
    if free_text:
        texts = {clean(text) for text in safe_text.sources(value)}
        assert all(safe_text.is_shown_of(string, texts) for string in strings), strings
    else:
        assert all(string == ELLIPSIS or safe_text.DATE.fullmatch(string) for string in strings), (
            strings
        )


def check_no_word(call: Call, shown: str, line: Line) -> None:
    """No word of any text is left, but in names that stand bare."""
    names = [*line.bare_names, *safe_text.words(line.summary)]
    if line.tool_is_bare:
        names.append(line.tool)
    for name in sorted(names, key=len, reverse=True):
        shown = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", "", shown)
    for text in safe_text.sources([call.tool, call.input, call.output]):
        for word in re.findall(r"[^\W\d_]{4,}", text[:1000] + " " + clean(text)[:1000]):
            assert word not in shown or word in safe_text.OWN_WORDS, word


class Put(NamedTuple):
    name: str
    call: Call
    shown: Shown


def put_all(database: Database, *, quote_free_text: bool = True) -> list[Put]:
    """All texts in all places."""
    user_id = ready(database, quote_free_text=quote_free_text)
    done = []
    for start in range(0, len(TEXTS), 40):
        some = [(name, call) for name, text in TEXTS[start : start + 40] for call in places(text)]
        shown = put(database.app_conn, [call for _, call in some], user_id)
        done += [Put(*one, line) for one, line in zip(some, shown, strict=True)]
    return done


def check_all(done: list[Put], *, free_text: bool) -> None:
    broken = []
    for name, call, shown in done:
        try:
            check(call, shown, free_text=free_text)
        except (AssertionError, ValueError) as error:
            broken.append(f"{name} as {call.place}: {str(error)[:300]}")
    assert not broken, f"{len(broken)} broken:\n" + "\n".join(broken[:40])


@pytest.fixture(scope="module")
def shown_in_c(cluster: Cluster, dist: Path) -> list[Put]:
    database = create_database(cluster, "recall_adversarial", encoding="UTF8", **LOCALES["C"])
    try:
        prepare(database)
        return put_all(database)
    finally:
        drop_database(database)


def test_the_file_is_what_it_says() -> None:
    assert FILE.read_bytes().isascii()
    assert len(TEXTS) >= 300
    assert len({name for name, _ in TEXTS}) == len({text for _, text in TEXTS}) == len(TEXTS)


def test_the_characters_are_those_of_unicode_13() -> None:
    # Unicode 13.0.0 has 143,859 characters, by its own count.
    outside = {"Cn", "Co", "Cs", "Cc"}
    assert sum(kind not in outside for kind in safe_text.CATEGORIES) == 143_859


def test_no_text_leaves_its_place(shown_in_c: list[Put]) -> None:
    check_all(shown_in_c, free_text=True)


def test_no_text_is_shown_where_none_may_be(database: Database) -> None:
    check_all(put_all(database, quote_free_text=False), free_text=False)


# What jsonb can hold: no U+0000, no surrogates.
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
SIGNS = st.text(st.sampled_from('"\\<>&(){}[]=:,-\u2026\u0301\u0338\u200b\uff02\ufe64 aZ9\n'))
TEXT = ANY | SIGNS
NUMBER = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=[True, False], ids=["free text", "no free text"])
def recorder(request: pytest.FixtureRequest, database: Database) -> tuple[Database, Any, bool]:
    return database, ready(database, quote_free_text=request.param), request.param


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(text=">0<1")
@given(text=TEXT)
def test_any_text_keeps_its_place(recorder: tuple[Database, Any, bool], text: str) -> None:
    database, user_id, free_text = recorder
    calls = places(text)
    for call, shown in zip(calls, put(database.app_conn, calls, user_id), strict=True):
        check(call, shown, free_text=free_text)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    calls=st.lists(
        st.builds(
            Call,
            st.just("anywhere"),
            st.sampled_from(["t", *RULES]) | TEXT.map(lambda name: name[:128]),
            JSON | st.dictionaries(TEXT, JSON, max_size=4),
            JSON | st.fixed_dictionaries({"v": JSON}),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_any_call_keeps_the_form(recorder: tuple[Database, Any, bool], calls: list[Call]) -> None:
    database, user_id, free_text = recorder
    for call, shown in zip(calls, put(database.app_conn, calls, user_id), strict=True):
        check(call, shown, free_text=free_text)


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",  # Arabic
        "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",  # Hebrew
        "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",  # Devanagari
        "\u4f60\u597d\uff0c\u4e16\u754c".replace("\uff0c", ", "),  # Chinese
        "\u3053\u3093\u306b\u3061\u306f \uac00\ub098\ub2e4",  # Japanese, Korean
        "\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439, \u0139\u00f3d\u017a",
        "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",  # Thai
        "\U0001f600 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd",  # emoji, a flag, a skin tone
        "caf\u00e9 \u2013 \u20ac 12,50 \u00a9 \u201cok\u201d",
    ],
)
def test_a_readable_text_stays_as_it_is(database: Database, text: str) -> None:
    user_id = ready(database)
    call = Call("argument", "t", {"q": text}, {"status": text})
    assert put(database.app_conn, [call], user_id)[0].line == (
        f'- {DAY} t(q="{text}"): status "{text}"'
    )


def test_what_joins_letters_goes_and_the_letters_stay(database: Database) -> None:
    user_id = ready(database)
    family, persian = "\U0001f468\u200d\U0001f469", "\u0645\u06cc\u200c\u062e\u0648"
    call = Call("argument", "t", {"q": family, "r": persian}, 1)
    assert put(database.app_conn, [call], user_id)[0].line == (
        f'- {DAY} t(q="{family}", r="{persian}"): 1'.replace("\u200d", "").replace("\u200c", "")
    )


def test_every_character_is_cleaned_alike(database: Database) -> None:
    """All of Unicode, alone and between two letters, on this server as by Python."""
    codes = [code for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    texts = [
        part
        for start in range(0, len(codes), 200)
        for part in (
            "|".join(map(chr, codes[start : start + 200])),
            "".join(f"a{chr(code)}b" for code in codes[start : start + 200]),
        )
    ]
    for start in range(0, len(texts), 2000):
        some = texts[start : start + 2000]
        row = database.superuser_conn.execute(
            "select array_agg(tool_recall._clean_text(t) order by place) "
            "from unnest(%s::text[]) with ordinality as u (t, place)",
            [some],
        ).fetchone()
        assert row is not None
        for text, cleaned in zip(some, row[0], strict=True):
            assert cleaned == clean(text)


def test_marks_and_syllables_are_joined_alike(database: Database) -> None:
    """What is composed of several characters, which servers have done differently."""
    marks = [chr(c) for c in range(0x110000) if unicodedata.combining(chr(c)) and clean(chr(c))]
    jamo = [chr(c) for c in range(0x1100, 0x1200)]
    texts = [
        "".join(f"<{m}e{m}\u200b\u0301 " for m in marks[i : i + 50]) for i in range(0, 900, 50)
    ]
    texts += ["".join(f"{a}{v}{t}" for v in jamo[96:168:7] for t in jamo[167:]) for a in jamo[:19]]
    row = database.superuser_conn.execute(
        "select array_agg(tool_recall._clean_text(t) order by place) "
        "from unnest(%s::text[]) with ordinality as u (t, place)",
        [texts],
    ).fetchone()
    assert row is not None
    assert row[0] == [clean(text) for text in texts]


def test_every_locale_shows_the_same(
    cluster: Cluster, shown_in_c: list[Put], make_database: MakeDatabase
) -> None:
    """The lines, summaries and blocks of all texts, byte for byte, in C and in Turkish."""
    skip_without_icu(cluster)
    turkish = make_database(encoding="UTF8", **LOCALES["Turkish ICU"])
    prepare(turkish)
    assert digest(put_all(turkish)) == digest(shown_in_c)


def digest(done: list[Put]) -> str:
    sha256 = hashlib.sha256()
    for one in done:
        sha256.update(json.dumps(one.shown).encode())
    return sha256.hexdigest()
