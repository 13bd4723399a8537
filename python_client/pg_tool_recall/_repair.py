"""Any Python value as JSON text that a ``jsonb`` column accepts and ``json.loads`` reads back.

Nothing here raises and nothing changes the value. What has an evident JSON form is converted and
not counted: dates, times and datetimes (ISO 8601), timedelta (ISO 8601 duration), Decimal (its
digits kept), UUID, Enum (its value), tuples and other collections, iterators (used up, as by
anybody who reads them), dataclasses and named tuples (objects of their fields), what has
``model_dump``, ``to_dict`` or ``tolist`` (pydantic, pandas, numpy), and anything else as its
``str()``.

What has none is replaced by the nearest value and counted by kind:

============== ===================================================================================
``nul``        U+0000 becomes U+FFFD, counted each
``surrogate``  a lone surrogate becomes U+FFFD, counted each; a pair becomes the character it means
``non_finite`` NaN and infinities become null
``bytes``      {"bytes": length, "sha256": hex, and up to 256 KiB the content as "text" where it is
               UTF-8, else as "base64"}
``set``        a list, sorted, so that equal sets give equal text
``key``        a key that is no string becomes one; where two keys meet, "name (2)" and so on
``cycle``      a container inside itself becomes "…"
``depth``      a container nested deeper than 512 becomes "…"; an object that cannot be followed or
               shown, the name of its type; members that fail to come, nothing
``big_number`` an integer of more than 4300 digits, or a Decimal as large or too fine for numeric,
               becomes a string of it (past 150 000 digits or so in hexadecimal)
``truncated``  more text than any setting lets the database keep: {"truncated": true, "bytes":
               length in UTF-8, "sha256": hex, "head": its beginning}. Where the whole was never
               written out (a value without end), length and digest are of the part that was
============== ===================================================================================
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import enum
import hashlib
import io
import json
import math
import re
import sys
import uuid
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Set,
)
from decimal import Decimal
from itertools import chain
from typing import Any

MAX_DEPTH = 512
"""Containers inside one another, the outermost included."""
MAX_TEXT = 128 * 1024 * 1024
"""Bytes of one value's JSON text; jsonb itself ends at 256 MiB."""
MAX_NODES = 1_000_000
"""Values within one that the careful way writes; ends what has no end."""
MAX_BLOB = 256 * 1024
"""Bytes of binary content that are kept."""
HEAD = 1024
"""Characters that are kept of a truncated value."""

_BIG = 10**4300
_LONGEST_DECIMAL_BITS = 500_000
_FINEST_EXPONENT = -16383
_REPLACEMENT = "\ufffd"
_ELLIPSIS = '"…"'
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PLAIN_TYPES = frozenset({dict, list, tuple, str, int, float, bool, type(None)})
_PLAIN_CONTAINERS = frozenset({dict, list, tuple})
_KEY_TYPES = frozenset({str})
_quote = json.JSONEncoder(ensure_ascii=False).encode


def to_json(value: Any, repairs: Counter[str]) -> str:
    """The JSON text of a value; what was changed is added to ``repairs`` by kind."""
    text = _quick(value) if _is_plain(value) else None
    if text is None:
        found: Counter[str] = Counter()
        writer = _Writer(found)
        try:
            writer.write(value)
        except _TooMuch:
            return truncated(writer.text(), repairs)
        finally:
            repairs.update(found)
        text = writer.text()
    size = len(text) if text.isascii() else len(text.encode("utf-8"))
    return text if size <= MAX_TEXT else truncated(text, repairs)


def _quick(value: Any) -> str | None:
    """The JSON text of a plain value; None where the careful way is needed."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except Exception:  # NaN, an integer too long, too deep for the stack at hand
        return None
    # The six characters backslash-u0000 may also be literal text: only the careful way can tell,
    # this is no more than a hint that it is needed.
    return text if "\\u0000" not in text and _is_unicode(text) else None


def clean_text(text: str, repairs: Counter[str]) -> str:
    """The text without what PostgreSQL cannot hold: U+0000 and surrogates."""
    if "\x00" in text:
        repairs["nul"] += text.count("\x00")
        text = text.replace("\x00", _REPLACEMENT)
    if not _is_unicode(text):
        text = _PAIR.sub(_join_pair, text)
        text, lone = _SURROGATE.subn(_REPLACEMENT, text)
        if lone:
            repairs["surrogate"] += lone
    return text


def truncated(text: str, repairs: Counter[str]) -> str:
    """The form that stands for a JSON text too large to be stored."""
    repairs["truncated"] += 1
    encoded = text.encode("utf-8")
    return _quote(
        {
            "truncated": True,
            "bytes": len(encoded),
            "sha256": hashlib.sha256(encoded).hexdigest(),
            "head": text[:HEAD],
        }
    )


def as_text(value: object) -> str:
    """str(value), else repr(value), else the name of its type; never raises."""
    for convert in (str, repr):
        try:
            shown = convert(value)
        except Exception:
            continue
        return str.__str__(shown)
    return f"<{type(value).__name__}>"


def _is_unicode(text: str) -> bool:
    """Whether the text has no surrogates."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _join_pair(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _is_plain(value: Any) -> bool:
    """Whether json.dumps alone says the right thing, but for what it refuses by itself.

    Level by level and mostly in C: exact types, keys that are strings, depth, and no container met
    twice (the same list twice in each of forty lists is 2**40 values; in itself, without end).
    """
    check_integers = not 0 < _int_digits_limit() <= 4300
    level: list[Any] = [value]
    met: set[int] = set()
    for _ in range(MAX_DEPTH + 1):
        types = set(map(type, level))
        if not types <= _PLAIN_TYPES:
            return False
        if check_integers and any(type(v) is int and not -_BIG < v < _BIG for v in level):
            return False
        if types.isdisjoint(_PLAIN_CONTAINERS):
            return True
        containers = [v for v in level if type(v) in _PLAIN_CONTAINERS and v]
        known = len(met)
        met.update(map(id, containers))
        if len(met) < known + len(containers):
            return False
        dicts = [v for v in containers if type(v) is dict]
        if not set(map(type, chain.from_iterable(dicts))) <= _KEY_TYPES:
            return False
        level = list(chain.from_iterable(v.values() if type(v) is dict else v for v in containers))
    return False


def _int_digits_limit() -> int:
    """How long an integer str() takes on; 0: any length."""
    limit: Callable[[], int] | None = getattr(sys, "get_int_max_str_digits", None)
    return limit() if limit else 0


class _TooMuch(Exception):
    """The text has grown past what could be stored."""


# A container as it is about to be written: its brackets and its members, each with the text that
# goes before it (a key).
_Members = Iterator[tuple[str, Any]]


class _Writer:
    """Writes JSON piece by piece, with a stack of its own instead of Python's."""

    def __init__(self, repairs: Counter[str]) -> None:
        self._repairs = repairs
        self._pieces: list[str] = []
        self._size = 0
        self._nodes = 0

    def text(self) -> str:
        return "".join(self._pieces)

    def write(self, value: Any) -> None:
        # Open containers, outermost first: their members to come, closing bracket, identity, and
        # the object itself, kept alive so that its identity stays its own.
        frames: list[tuple[_Members, str, int, object]] = []
        active: set[int] = set()
        prefix, separator = "", ""
        while True:
            self._nodes += 1
            if self._nodes > MAX_NODES:
                raise _TooMuch
            found = self._classify(value)
            if isinstance(found, str):
                self._put(separator + prefix + found)
            elif id(value) in active:
                self._repairs["cycle"] += 1
                self._put(separator + prefix + _ELLIPSIS)
            elif len(frames) >= MAX_DEPTH:
                self._repairs["depth"] += 1
                self._put(separator + prefix + _ELLIPSIS)
            else:
                brackets, members = found
                self._put(separator + prefix + brackets[0])
                frames.append((members, brackets[1], id(value), value))
                active.add(id(value))
                separator = ""
                member = self._next(members)
                if member is not None:
                    prefix, value = member
                    continue
                self._close(frames, active)
            # On to the next member of the innermost container that has one.
            while frames:
                member = self._next(frames[-1][0])
                if member is not None:
                    prefix, value = member
                    separator = ","
                    break
                self._close(frames, active)
            else:
                return

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > MAX_TEXT:
            raise _TooMuch

    def _next(self, members: _Members) -> tuple[str, Any] | None:
        try:
            return next(members, None)
        except Exception:  # an iterator of somebody else's that fails half-way
            self._repairs["depth"] += 1
            return None

    def _close(self, frames: list[tuple[_Members, str, int, object]], active: set[int]) -> None:
        _, bracket, identity, _ = frames.pop()
        active.discard(identity)
        self._put(bracket)

    def _classify(self, value: Any) -> str | tuple[str, _Members]:
        """The text of a scalar, or the brackets and members of a container."""
        try:
            for _ in range(8):  # what wraps what wraps…
                unwrapped = self._unwrap(value)
                if unwrapped is value:
                    break
                value = unwrapped
            return self._scalar(value) or self._container(value) or self._string(as_text(value))
        except Exception:  # a method of the value's own that fails
            pass
        text = as_text(value)
        if text == f"<{type(value).__name__}>":
            self._repairs["depth"] += 1
        return self._string(text)

    def _unwrap(self, value: Any) -> Any:
        """The value that an object of a library stands for."""
        kind = type(value)
        if kind in _PLAIN_TYPES or isinstance(value, type):
            return value
        if isinstance(value, enum.Enum):
            return value.value
        if _has(kind, "model_dump"):
            return value.model_dump()
        if isinstance(value, str | bytes | bytearray | memoryview | Mapping | Set):
            return value
        if _has(kind, "to_dict"):
            return value.to_dict()
        if _has(kind, "tolist"):
            return value.tolist()
        return value

    def _scalar(self, value: Any) -> str | None:
        if value is None:
            return "null"
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, str):
            return self._string(str.__str__(value))
        if isinstance(value, int):
            return self._integer(value)
        if isinstance(value, float):
            if math.isfinite(value):
                return float.__repr__(value)
            self._repairs["non_finite"] += 1
            return "null"
        if isinstance(value, Decimal):
            return self._decimal(value)
        if isinstance(value, datetime.date | datetime.time):  # a datetime is a date
            return self._string(value.isoformat())
        if isinstance(value, datetime.timedelta):
            return self._string(_duration(value))
        if isinstance(value, uuid.UUID):
            return self._string(str(value))
        return None

    def _string(self, value: str) -> str:
        return _quote(clean_text(value, self._repairs))

    def _integer(self, value: int) -> str:
        if -_BIG < value < _BIG:
            try:
                return int.__repr__(value)
            except ValueError:  # a lower limit is set in this process
                return str(Decimal(value))
        self._repairs["big_number"] += 1
        short = value.bit_length() <= _LONGEST_DECIMAL_BITS
        return _quote(str(Decimal(value)) if short else hex(value))

    def _decimal(self, value: Decimal) -> str:
        if not value.is_finite():
            self._repairs["non_finite"] += 1
            return "null"
        exponent = value.as_tuple().exponent
        text = Decimal.__str__(value)
        if value.adjusted() < 4300 and isinstance(exponent, int) and exponent >= _FINEST_EXPONENT:
            return text
        self._repairs["big_number"] += 1
        return _quote(text)

    def _container(self, value: Any) -> tuple[str, _Members] | None:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = (field.name for field in dataclasses.fields(value))
            return "{}", self._named((name, getattr(value, name, None)) for name in names)
        if isinstance(value, tuple) and _has(type(value), "_asdict"):
            as_dict: Callable[[], Mapping[Any, Any]] = getattr(value, "_asdict")  # noqa: B009
            return "{}", self._named(as_dict().items())
        if isinstance(value, Mapping):
            return "{}", self._named(value.items())
        if isinstance(value, bytes | bytearray | memoryview):
            return "{}", self._named(self._blob(bytes(value)).items())
        if isinstance(value, Set) and not isinstance(value, KeysView | ItemsView):
            self._repairs["set"] += 1
            return "[]", _listed(_sorted(value))
        if isinstance(value, Collection) and not isinstance(value, type):
            return "[]", _listed(value)
        if isinstance(value, Iterator) and not isinstance(value, io.IOBase):
            return "[]", _listed(value)
        return None

    def _blob(self, content: bytes) -> dict[str, Any]:
        self._repairs["bytes"] += 1
        shown: dict[str, Any] = {
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        if len(content) <= MAX_BLOB:
            try:
                text = content.decode("utf-8")
            except UnicodeDecodeError:
                text = "\x00"
            if "\x00" in text:
                shown["base64"] = base64.b64encode(content).decode("ascii")
            else:
                shown["text"] = text
        return shown

    def _named(self, items: Iterable[tuple[Any, Any]]) -> _Members:
        """The members of an object, every name a string of its own."""
        members: list[tuple[str, Any]] = []
        renamed: list[tuple[int, str, bool]] = []
        taken: set[str] = set()
        for key, child in items:
            name = self._key(key)
            if isinstance(key, str) and name == key and name not in taken:
                taken.add(name)
            else:
                renamed.append((len(members), name, isinstance(key, str)))
            members.append((name, child))
            if len(members) > MAX_NODES:
                raise _TooMuch
        # A key that was a clean string keeps its name, whatever stands before it.
        numbers: Counter[str] = Counter()
        for place, name, was_string in renamed:
            free = name
            while free in taken:
                numbers[name] += 1
                free = f"{name} ({numbers[name] + 1})"
            if free != name and was_string:
                self._repairs["key"] += 1
            taken.add(free)
            members[place] = (free, members[place][1])
        return ((_quote(name) + ":", child) for name, child in members)

    def _key(self, key: Any) -> str:
        if isinstance(key, str):
            return clean_text(str.__str__(key), self._repairs)
        self._repairs["key"] += 1
        aside = _Writer(Counter())  # what is special about it, counts as its being no string
        if isinstance(key, enum.Enum) and isinstance(key.value, str):
            key = key.value
        if isinstance(key, float) and not math.isfinite(key):
            return float.__repr__(key)
        if isinstance(key, bytes):
            return clean_text(key.decode("utf-8", "backslashreplace"), self._repairs)
        try:
            text = aside._scalar(aside._unwrap(key))
        except Exception:
            text = None
        if text is None:
            return clean_text(as_text(key), self._repairs)
        return str(json.loads(text)) if text.startswith('"') else text


def _has(kind: type, method: str) -> bool:
    # Asked of the type: an instance may answer to any name.
    return callable(getattr(kind, method, None))


def _listed(values: Iterable[Any]) -> _Members:
    return (("", value) for value in values)


def _sorted(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=lambda value: (type(value).__name__, _order(value)))


def _order(value: Any) -> tuple[int, float, str]:
    if isinstance(value, int | float) and abs(value) < 2**53:
        return (0, float(value), "")
    return (1, 0.0, as_text(value))


def _duration(value: datetime.timedelta) -> str:
    """ISO 8601, in days and seconds."""
    sign = "-" if value < datetime.timedelta(0) else ""
    value = abs(value)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    days = f"{value.days}D" if value.days else ""
    return f"{sign}P{days}T{value.seconds}{fraction}S"
