"""What a line of the block may look like and hold, worked out without the package.

Characters by Python's unicodedata, quotes by its JSON scanner, the line by a parser of its own.
Every function raises AssertionError on what is not allowed.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HEADER = "Previously fetched (this conversation, snapshots \u2014 not live data):"
INSTRUCTION = (
    'IMPORTANT: when referencing a row above, always prefix with "as of <date>".\n'
    "If the user is asking about CURRENT state, call the tool fresh \u2014 do not\n"
    "present these snapshots as live data."
)
ELLIPSIS = "\u2026"
_DECODER = json.JSONDecoder()
BARE_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")
NOUN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,29}")
PLAIN = re.compile(r"(?=.{1,40}\Z)[A-Za-z0-9._'-]+(?: [A-Za-z0-9._'-]+)*")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+ ?(?:Z|[+-][0-9:]+)?)?")

# The words that summaries are made of, beside names.
OWN_WORDS = set(
    re.findall(
        "[a-z_]+",
        "items item no result results error of newest first last on field fields row rows points "
        "true false null image images document documents recording recordings video videos "
        "file files resource resources tool tools",
    )
)

# -- characters

_AFTER_13 = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "after_unicode_13.json").read_text()
)["ranges"]


def _codes(ranges: list[str]) -> Iterator[int]:
    for item in ranges:
        first, _, last = item.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


CATEGORIES = [unicodedata.category(chr(code)) for code in range(0x110000)]
for _code in _codes(_AFTER_13):
    CATEGORIES[_code] = "Cn"

# Default-ignorable code points of Unicode's DerivedCoreProperties.txt.
IGNORABLE = set(
    _codes(
        re.findall(
            "[0-9A-F-]+",
            "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 "
            "FE00-FE0F FEFF FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF",
        )
    )
)
BRAILLE_BLANK = 0x2800
# Servers normalize it differently, so that it cannot stay.
LOST_VOWEL = 0x11A7

SPACES = {c for c, kind in enumerate(CATEGORIES) if kind in {"Cc", "Zs", "Zl", "Zp"}}
SPACES |= {BRAILLE_BLANK}
REMOVED = {c for c, kind in enumerate(CATEGORIES) if kind == "Cf"} | {0x180F}
REMOVED |= {c for c in IGNORABLE if CATEGORIES[c] not in {"Cn", "Co"}}
REPLACED = {c for c, kind in enumerate(CATEGORIES) if kind in {"Cn", "Co", "Cs"}} - REMOVED
REPLACED |= {LOST_VOWEL}
FORBIDDEN = (SPACES | REMOVED | REPLACED) - {ord(" ")}

_REMOVE = dict.fromkeys(REMOVED) | dict.fromkeys(REPLACED, "\ufffd")
_TO_SPACE = dict.fromkeys(SPACES, " ")


def clean(text: str) -> str:
    """The text as it should be shown, before it is cut."""
    shown = unicodedata.normalize("NFKC", text.translate(_REMOVE))
    escaped = shown.replace("<", "c").replace(">", "e")
    if unicodedata.normalize("NFC", escaped) != escaped:
        shown = shown.replace("<", "< ").replace(">", "> ")
    return re.sub(" +", " ", shown.translate(_TO_SPACE)).strip(" ")


# -- the line


class Line(NamedTuple):
    tool: str
    tool_is_bare: bool
    bare_names: list[str]
    call_strings: list[str]  # names and values in quotes
    summary: str  # its strings as "" each
    summary_strings: list[str]


class _Reader:
    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at = text, at

    def ahead(self, part: str) -> bool:
        return self.text.startswith(part, self.at)

    def take(self, part: str) -> None:
        assert self.ahead(part), f"no {part!r} at {self.at}: {self.text!r}"
        self.at += len(part)

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[0]

    def string(self) -> str:
        start = self.at
        self.take('"')
        self.at -= 1
        # Raises where an escape is none or the end is missing.
        value, self.at = _DECODER.raw_decode(self.text, self.at)
        assert isinstance(value, str)
        _check_string(self.text[start : self.at], value)
        return value

    def value(self, strings: list[str]) -> None:
        if self.ahead('"'):
            strings.append(self.string())
        elif self.ahead("["):
            self._members("[", "]", lambda: self.value(strings))
        elif self.ahead("{"):
            self._members("{", "}", lambda: self._pair(strings))
        else:
            literal = re.compile(f"true|false|null|{ELLIPSIS}|{NUMBER.pattern}")
            assert self.match(literal), f"no value at {self.at}: {self.text!r}"

    def _pair(self, strings: list[str]) -> None:
        if self.ahead(ELLIPSIS):
            self.take(ELLIPSIS)
            return
        strings.append(self.string())
        self.take(": ")
        self.value(strings)

    def _members(self, opening: str, closing: str, member: Any) -> None:
        self.take(opening)
        while not self.ahead(closing):
            member()
            if not self.ahead(closing):
                self.take(", ")
                assert not self.ahead(closing)
        self.take(closing)


def _check_string(raw: str, value: str) -> None:
    assert not re.search("[<>&]", raw), raw
    assert value == value.strip(" "), raw
    assert "  " not in value, raw
    assert ELLIPSIS * 2 not in value, raw
    check_characters(value)


def check_characters(text: str) -> None:
    found = sorted({f"U+{ord(c):04X}" for c in text if ord(c) in FORBIDDEN})
    assert not found, f"{found} in {text!r}"
    # The package's own ellipsis is the one character that NFKC would change.
    kept = text.replace(ELLIPSIS, "_").replace("\u2014", "_")
    assert unicodedata.normalize("NFKC", kept) == kept, f"not NFKC: {text!r}"


def parse_line(line: str, day: str) -> Line:
    assert len(line.encode()) <= 180, line
    check_characters(line)
    reader = _Reader(line)
    reader.take(f"- {day} ")
    strings: list[str] = []
    bare_names: list[str] = []
    tool_is_bare = not reader.ahead('"')
    tool = reader.string() if not tool_is_bare else reader.match(BARE_NAME)
    assert tool is not None, line
    reader.take("(")
    while not reader.ahead(")"):
        _argument(reader, strings, bare_names)
        if not reader.ahead(")"):
            reader.take(", ")
            assert not reader.ahead(")"), line
    reader.take("): ")
    assert all(len(string) <= 40 for string in strings), line
    return Line(tool, tool_is_bare, bare_names, strings, *parse_summary(line[reader.at :]))


def _argument(reader: _Reader, strings: list[str], bare_names: list[str]) -> None:
    start = reader.at
    if reader.ahead('"'):
        name = reader.string()
        if reader.ahead("="):
            strings.append(name)
            reader.take("=")
        else:
            reader.at = start
    else:
        bare = reader.match(re.compile(BARE_NAME.pattern + "="))
        if bare:
            bare_names.append(bare[:-1])
    reader.value(strings)


def parse_summary(summary: str) -> tuple[str, list[str]]:
    """The summary with each string as "", and the strings."""
    assert summary, "an empty summary"
    check_characters(summary)
    bare, strings = "", []
    reader = _Reader(summary)
    while reader.at < len(summary):
        if reader.ahead('"'):
            assert not re.search('[A-Za-z0-9"]$', bare), summary
            strings.append(reader.string())
            bare += '""'
            assert not re.match("[A-Za-z0-9]", summary[reader.at :]), summary
        else:
            bare += summary[reader.at]
            reader.at += 1
    assert re.fullmatch(rf"""(?:[A-Za-z0-9 _.,'+%-]|""|{ELLIPSIS}\Z)*""", bare), summary
    return bare, strings


def block_lines(block: str) -> list[str]:
    """The lines of a block whose header and instruction are whole and in their places."""
    assert block.startswith(HEADER + "\n"), block
    assert block.endswith("\n\n" + INSTRUCTION), block
    lines = block[len(HEADER) + 1 : -len(INSTRUCTION) - 2].split("\n")
    assert 1 <= len(lines) <= 5, block
    assert all(line.startswith("- ") for line in lines), block
    return lines


# -- where what is shown may come from


def sources(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys and those in a text that holds JSON included."""
    if isinstance(value, str):
        yield value
        # One value, or one on each line.
        for text in dict.fromkeys([value, *re.split("[\r\n]+", value)]):
            inner = _parse(text)
            if inner is not None and inner != value:
                yield from sources(inner)
    elif isinstance(value, list):
        for member in value:
            yield from sources(member)
        # Content blocks are read as one text.
        texts = [m["text"] for m in value if isinstance(m, dict) and isinstance(m.get("text"), str)]
        if len(texts) > 1:
            yield from sources(" ".join(texts))
    elif isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from sources(member)
    elif isinstance(value, bool):
        yield json.dumps(value)


def _parse(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def is_shown_of(string: str, texts: set[str]) -> bool:
    """Whether a string is one of the cleaned texts, an ellipsis for each part that is left out."""
    return (
        string in texts
        or string == ELLIPSIS
        or NUMBER.fullmatch(string) is not None
        or any(_has_parts(text, string.split(ELLIPSIS)) for text in texts)
    )


def _has_parts(text: str, parts: list[str]) -> bool:
    if len(parts) == 1 or not text.startswith(parts[0]):
        return False
    at = len(parts[0])
    for part in parts[1:]:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return parts[-1] == "" or text.endswith(parts[-1])


def is_found_in(string: str, texts: set[str]) -> bool:
    """Whether the letters and digits of each word of a string are in one text, in their order: of a
    title, a heading, a page, out of which tags and signs were taken."""

    def letters(text: str) -> str:
        return re.sub(r"[\W_]", "", text)

    words = [letters(word) for word in string.replace(ELLIPSIS, " ").split()]
    return any(all(word in letters(text) for word in words) for text in texts)


def without_html(text: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", text))


def nouns(value: Any) -> set[str]:
    """The keys of an output that may stand bare, and their singulars."""
    found = {text for text in sources(value) if NOUN.fullmatch(text)}
    return found | {text[:-1] for text in found if re.search("[^s]s$", text)}


def words(bare: str) -> set[str]:
    return set(re.findall("[A-Za-z_][A-Za-z0-9_]*", re.sub("[0-9]e[+-][0-9]+", "0", bare)))
