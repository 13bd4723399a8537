"""Any value can be stored: what is converted, what is repaired, what is left alone."""

from __future__ import annotations

import array
import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import io
import ipaddress
import itertools
import json
import sys
import types
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg_tool_recall import RawJson, _repair
from pg_tool_recall._reading import from_json
from pg_tool_recall._repair import clean_text, to_json

HOSTILE = json.loads(
    (Path(__file__).parents[1] / "data" / "hostile_values.json").read_text(encoding="utf-8")
)["cases"]
NAMES = {"datetime": datetime, "decimal": decimal, "uuid": uuid}


def repaired(value: Any) -> tuple[Any, dict[str, int]]:
    """What a value becomes when it is written and read, and its repairs."""
    counts: Counter[str] = Counter()
    text = to_json(value, counts)
    assert "\\u0000" not in text.replace("\\\\", "")
    text.encode("utf-8")
    return json.loads(text), dict(counts)


@pytest.mark.parametrize("case", HOSTILE, ids=[case["python"] for case in HOSTILE])
def test_hostile_values(case: dict[str, Any]) -> None:
    value = eval(case["python"], dict(NAMES))
    stored, counts = repaired(value)
    if case.get("unchanged"):
        assert stored == value
        assert counts == {}
        return
    assert counts == (case["repairs"] or {})
    if "stored" in case:
        assert stored == case["stored"]
    else:
        assert list(stored) == case["stored_keys"]


def test_decimals_keep_their_digits() -> None:
    assert to_json({"price": decimal.Decimal("19.90")}, Counter()) == '{"price":19.90}'


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Point(NamedTuple):
    x: int
    y: object


@dataclasses.dataclass
class Plan:
    name: str
    price: decimal.Decimal


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"plan": Plan("Pro", decimal.Decimal(49))}


class Array:
    """As numpy's arrays and scalars do."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value


class Frame:
    """As pandas' frames do: iterating would give the columns' names only."""

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def to_dict(self) -> dict[str, Any]:
        return {"a": {0: 1}}


class Money:
    def __str__(self) -> str:
        return "19.90 EUR"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime.date(2026, 3, 1), "2026-03-01"),
        (datetime.datetime(2026, 3, 1, 23, 30), "2026-03-01T23:30:00"),
        (datetime.time(23, 30), "23:30:00"),
        (datetime.timedelta(days=1, seconds=2, microseconds=500000), "P1DT2.5S"),
        (datetime.timedelta(seconds=-90), "-PT90S"),
        (decimal.Decimal("1E+3"), 1000),
        (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ((1, "a"), [1, "a"]),
        (Point(1, (2,)), {"x": 1, "y": [2]}),
        (Plan("Pro", decimal.Decimal("49")), {"name": "Pro", "price": 49}),
        (Model(), {"plan": {"name": "Pro", "price": 49}}),
        (Array([1, 2.5]), [1, 2.5]),
        (Array(7), 7),
        (array.array("i", [1, 2]), [1, 2]),
        (Money(), "19.90 EUR"),
        (range(3), [0, 1, 2]),
        (collections.deque([1]), [1]),
        (collections.OrderedDict(b=1), {"b": 1}),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        ({"a": 1}.keys(), ["a"]),
        ({"a": 1}.values(), [1]),
        ((n * n for n in range(3)), [0, 1, 4]),
        (map(str, [1, 2]), ["1", "2"]),
        (ipaddress.ip_network("10.0.0.0/8"), "10.0.0.0/8"),
        (-0.0, 0.0),
        (1e308, 1e308),
        ("\ud83d\ude00", "\U0001f600"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_an_evident_form_is_converted_without_a_repair(value: Any, expected: Any) -> None:
    assert repaired({"v": value}) == ({"v": expected}, {})


def test_frames_are_not_taken_for_lists_of_their_columns() -> None:
    assert repaired(Frame()) == ({"a": {"0": 1}}, {"key": 1})


def test_file_is_not_read() -> None:
    lines = io.StringIO("a\nb\n")
    repaired(lines)
    assert lines.read() == "a\nb\n"


@pytest.mark.parametrize(
    ("value", "expected", "counts"),
    [
        ("a\x00\x00", "a\ufffd\ufffd", {"nul": 2}),
        ("\ud83d\ud83d\ude00\ude00", "\ufffd\U0001f600\ufffd", {"surrogate": 2}),
        (float("-inf"), None, {"non_finite": 1}),
        (decimal.Decimal("NaN"), None, {"non_finite": 1}),
        (decimal.Decimal("-Infinity"), None, {"non_finite": 1}),
        ({3, 1, 2}, [1, 2, 3], {"set": 1}),
        (frozenset("cab"), ["a", "b", "c"], {"set": 1}),
        ([{1}, {"a"}], [[1], ["a"]], {"set": 2}),
        ({2: "a", None: "b", True: "c"}, {"2": "a", "null": "b", "true": "c"}, {"key": 3}),
        ({1.5: 0, float("nan"): 0}, {"1.5": 0, "nan": 0}, {"key": 2}),
        ({datetime.date(2026, 3, 1): 0}, {"2026-03-01": 0}, {"key": 1}),
        ({Colour.RED: 0, (1, 2): 1, b"k": 2}, {"red": 0, "(1, 2)": 1, "k": 2}, {"key": 3}),
        ({1: "a", "1": "b"}, {"1 (2)": "a", "1": "b"}, {"key": 1}),
        ({"1": "a", 1: "b", "1 (2)": "c"}, {"1": "a", "1 (3)": "b", "1 (2)": "c"}, {"key": 1}),
        ({"k\x00": 1, "k\ufffd": 2}, {"k\ufffd (2)": 1, "k\ufffd": 2}, {"nul": 1, "key": 1}),
        (10**4300, str(decimal.Decimal(10**4300)), {"big_number": 1}),
        (-(10**4300), str(decimal.Decimal(-(10**4300))), {"big_number": 1}),
        (decimal.Decimal("1e131072"), "1E+131072", {"big_number": 1}),
        (decimal.Decimal("1e4300"), "1E+4300", {"big_number": 1}),
        (decimal.Decimal("1e-16384"), "1E-16384", {"big_number": 1}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_none_is_replaced_and_counted(
    value: Any, expected: Any, counts: dict[str, int]
) -> None:
    assert repaired(value) == (expected, counts)


def test_largest_numbers_that_are_left_alone() -> None:
    for value in (10**4300 - 1, decimal.Decimal("1e4299"), decimal.Decimal("1e-16383")):
        counts: Counter[str] = Counter()
        text = to_json([value], counts)
        assert decimal.Decimal(text[1:-1]) == decimal.Decimal(value)
        assert not counts


def test_enormous_integer_is_kept_in_hexadecimal() -> None:
    assert repaired(1 << 1_000_000) == (hex(1 << 1_000_000), {"big_number": 1})


def test_long_integers_do_not_depend_on_the_limit_of_the_process() -> None:
    if not hasattr(sys, "set_int_max_str_digits"):
        pytest.skip("this Python has no limit")
    before = sys.get_int_max_str_digits()
    try:
        for limit in (0, 640):
            sys.set_int_max_str_digits(limit)
            assert len(to_json(10**4299, Counter())) == 4300
            assert to_json(10**4300, Counter()).startswith('"1000')
            assert from_json("1" + "0" * 700) == 10**700
    finally:
        sys.set_int_max_str_digits(before)


def test_bytes_keep_their_content() -> None:
    stored, counts = repaired([b"caf\xc3\xa9", bytearray(b"\x89PNG"), memoryview(b"a\x00")])
    assert counts == {"bytes": 3}
    assert [(each.get("text"), each.get("base64")) for each in stored] == [
        ("café", None),
        (None, "iVBORw=="),
        (None, "YQA="),
    ]
    assert stored[0]["bytes"] == 5
    assert len(stored[0]["sha256"]) == 64


def test_large_bytes_keep_size_and_digest() -> None:
    stored, counts = repaired(b"x" * (_repair.MAX_BLOB + 1))
    assert set(stored) == {"bytes", "sha256"}
    assert counts == {"bytes": 1}


def test_cycles() -> None:
    here: dict[str, Any] = {"name": "a"}
    here["self"] = here
    here["list"] = [here, {"again": here}]
    assert repaired(here) == (
        {"name": "a", "self": "…", "list": ["…", {"again": "…"}]},
        {"cycle": 3},
    )


def test_cycle_through_an_object() -> None:
    plan = Plan("Pro", decimal.Decimal(1))
    plan.price = plan  # type: ignore[assignment]
    assert repaired(plan) == ({"name": "Pro", "price": "…"}, {"cycle": 1})


def test_same_value_twice_is_no_cycle() -> None:
    shared = [1]
    assert repaired([shared, shared, {"a": shared}]) == ([[1], [1], {"a": [1]}], {})


def nested(depth: int, core: Any = None) -> Any:
    value = [] if core is None else [core]
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize("core", [None, 1, float("nan")], ids=["empty", "plain", "careful"])
def test_depth_of_512_is_kept_and_more_is_not(core: Any) -> None:
    careful = {"non_finite": 1} if isinstance(core, float) else {}
    kept, counts = repaired(nested(512, core))
    assert counts == careful
    assert json.dumps(kept).count("[") == 512
    cut, counts = repaired(nested(513, core))
    assert counts == {"depth": 1}
    assert json.dumps(cut).count("[") == 512


def test_depth_of_100_000() -> None:
    cut, counts = repaired(nested(100_000))
    assert counts == {"depth": 1}
    assert json.dumps(cut).count("[") == 512


def at_depth(frames: int, value: Any) -> tuple[Any, dict[str, int]]:
    if frames:
        return at_depth(frames - 1, value)
    return repaired(value)


def test_deep_value_in_a_deep_stack() -> None:
    # json.dumps fails here where it would not at the top. Reading needs the stack as well, so not
    # quite at the limit.
    free = sys.getrecursionlimit() - len(list(_frames()))
    assert at_depth(free - 400, nested(300, 1)) == (nested(300, 1), {})


def _frames() -> Iterator[Any]:
    frame: types.FrameType | None = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def test_value_without_end_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_repair, "MAX_NODES", 1000)
    stored, counts = repaired({"n": itertools.count()})
    assert counts == {"truncated": 1}
    assert stored["truncated"] is True
    assert stored["head"].startswith('{"n":[0,1,2,')


def test_value_that_unfolds_without_end_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_repair, "MAX_NODES", 1000)
    value: Any = [1]
    for _ in range(60):
        value = [value, value]
    assert repaired(value)[1] == {"truncated": 1}


@pytest.mark.parametrize("extra", [(), ({1},)], ids=["plain", "careful"])
def test_text_too_large_for_the_database_is_truncated(
    monkeypatch: pytest.MonkeyPatch, extra: tuple[Any, ...]
) -> None:
    monkeypatch.setattr(_repair, "MAX_TEXT", 10_000)
    stored, counts = repaired(["é" * 4000, "x" * 4000, "y" * 4000, *extra])
    assert counts == {"truncated": 1}
    assert set(stored) == {"truncated", "bytes", "sha256", "head"}
    assert stored["bytes"] > 12_000
    assert stored["head"] == '["' + "é" * (_repair.HEAD - 2)


class Hostile:
    """Everything that can fail, fails."""

    def _fail(self, *_: Any) -> Any:
        raise RuntimeError("no")

    __str__ = __repr__ = __iter__ = __len__ = model_dump = to_dict = tolist = _fail
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class HostileDict(dict[str, Any]):
    items = keys = values = __iter__ = __len__ = __str__ = __repr__ = Hostile._fail


class HostileString(str):
    __slots__ = ()
    __str__ = __repr__ = encode = replace = isascii = Hostile._fail  # type: ignore[assignment]


class HostileDate(datetime.datetime):
    isoformat = __str__ = __repr__ = Hostile._fail  # type: ignore[assignment]


def failing() -> Iterator[int]:
    yield 1
    raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Hostile(), "<Hostile>"),
        (HostileDict(a=1), "<HostileDict>"),
        (HostileDate(2026, 1, 1), "<HostileDate>"),
        ({Hostile(): 1}, {"<Hostile>": 1}),
        (failing(), [1]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_methods_that_fail_do_not_matter(value: Any, expected: Any) -> None:
    stored, counts = repaired([value, "sibling"])
    assert stored == [expected, "sibling"]
    assert sum(counts.values()) == 1


def test_string_subclass_is_its_text() -> None:
    assert repaired([HostileString("a")]) == (["a"], {})


def test_class_is_not_taken_for_an_instance() -> None:
    stored, _ = repaired([Model, Plan, Colour, int])
    assert all(isinstance(each, str) for each in stored)


def test_value_is_not_changed() -> None:
    value = {"a\x00": {1, 2}, 1: [float("nan"), b"x", {"deep": ("\ud800",)}]}
    before = copy.deepcopy(value)
    repaired(value)
    assert repr(value) == repr(before)


def test_equal_sets_give_equal_text() -> None:
    # Strings hash differently in every process; a repeated call must still be the same.
    words = [f"word {n}" for n in range(50)]
    assert repaired(set(words))[0] == sorted(words)


def test_clean_text_counts_what_it_replaces() -> None:
    counts: Counter[str] = Counter({"nul": 1})
    assert clean_text("a\x00\ud800 ok", counts) == "a\ufffd\ufffd ok"
    assert counts == {"nul": 2, "surrogate": 1}


# -- properties

plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda children: (
        st.lists(children)
        | st.dictionaries(
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), children
        )
    ),
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=[]))
    | st.binary()
    | st.decimals()
    | st.datetimes()
    | st.dates()
    | st.timedeltas()
    | st.uuids()
    | st.fractions()
    | st.complex_numbers()
    | st.builds(Hostile)
    | st.builds(lambda exponent: 10**exponent, st.integers(4290, 4310))
)
keys = (
    st.text(st.characters(exclude_categories=[]))
    | st.integers()
    | st.floats()
    | st.none()
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.tuples(st.integers(), st.text())
)
anything = st.recursive(
    scalars | st.sets(keys),
    lambda children: (
        st.lists(children)
        | st.dictionaries(keys, children)
        | st.tuples(children, children)
        | st.builds(Plan, st.text(), children)
        | st.builds(iter, st.lists(children))
    ),
)


@given(plain_json)
def test_plain_value_comes_back_unchanged(value: Any) -> None:
    stored, counts = repaired(value)
    assert stored == value
    assert counts == {}


@given(plain_json)
def test_careful_way_says_the_same_as_the_quick_one(value: Any) -> None:
    quick = to_json(value, Counter())
    counts: Counter[str] = Counter()
    writer = _repair._Writer(counts)
    writer.write(value)
    assert writer.text() == quick
    assert not counts


@given(anything)
def test_any_value_becomes_json(value: Any) -> None:
    repaired(value)


def members(value: Any) -> int:
    """How many values are in a value: nothing may vanish."""
    if isinstance(value, dict):
        return 1 + sum(map(members, value.values()))
    if isinstance(value, list | tuple):
        return 1 + sum(map(members, value))
    return 1


@given(
    st.recursive(
        st.integers(),
        lambda children: st.lists(children) | st.dictionaries(keys, children),
    )
)
def test_whatever_the_keys_no_member_is_lost(value: Any) -> None:
    assert members(repaired(value)[0]) == members(value)


# -- reading back


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9" * 5000, decimal.Decimal("9" * 5000)),
        ("-" + "9" * 5000, decimal.Decimal("-" + "9" * 5000)),
        ("12345678901234567890123", 12345678901234567890123),
        ("19.90", 19.9),
        ("1.0", 1.0),
        ("0.1234567890123456789", decimal.Decimal("0.1234567890123456789")),
        ("0." + "0" * 299 + "1", 1e-300),
        ("1" + "0" * 308 + ".5", decimal.Decimal("1" + "0" * 308 + ".5")),
        ("null", None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_are_read_without_loss(text: str, expected: Any) -> None:
    value = from_json(text)
    assert type(value) is type(expected)
    assert value == expected


@pytest.mark.parametrize("depth", [513, 1500, 100_000])
def test_what_is_nested_too_deeply_is_given_as_text(depth: int) -> None:
    text = "[" * depth + "]" * depth
    value = from_json(text)
    assert isinstance(value, RawJson)
    assert value == text


def test_what_is_not_nested_too_deeply_is_read() -> None:
    for text in ('"[1]"', "[" * 512 + "]" * 512, "[" + "[]," * 1000 + '{"a":1}]'):
        assert json.dumps(from_json(text), separators=(",", ":")) == text
        assert not isinstance(from_json(text), RawJson)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_float_is_read_back_as_itself(value: float) -> None:
    # As numeric writes it: without exponent.
    text = format(decimal.Decimal(repr(value)), "f")
    assert float(from_json(text)) == value
