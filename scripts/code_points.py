"""Write functions/text/code_points.sql, the character classes of safe text.

Run with a Python whose unicodedata is Unicode 13 (3.9 or 3.10):
`python3.10 scripts/code_points.py`.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "functions" / "text" / "code_points.sql"

# Default-ignorable characters that are not of category Cf: combining grapheme joiner, Hangul
# fillers, Khmer inherent vowels, variation selectors. They show nothing and can carry hidden text.
IGNORABLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0}
IGNORABLE |= set(range(0x180B, 0x1810)) | set(range(0xFE00, 0xFE10)) | set(range(0xE0100, 0xE01F0))
BRAILLE_BLANK = 0x2800
# A vowel of old Korean. normalize() of many servers, 15.18 for one, loses it after a syllable;
# that of others keeps it.
LOST_VOWEL = 0x11A7


def category(code: int) -> str:
    return unicodedata.category(chr(code))


def is_unknown(code: int) -> bool:
    if code == LOST_VOWEL:
        return True
    return category(code) in {"Cn", "Co", "Cs"} and code not in IGNORABLE


def is_invisible(code: int) -> bool:
    return category(code) == "Cf" or code in IGNORABLE


def is_space(code: int) -> bool:
    return category(code) in {"Cc", "Zs", "Zl", "Zp"} or code == BRAILLE_BLANK


def ranges(belongs: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    start = None
    for code in range(1, 0x110001):
        inside = code < 0x110000 and not 0xD800 <= code <= 0xDFFF and belongs(code)
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def escape(code: int) -> str:
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def bracket(belongs: Callable[[int], bool]) -> list[str]:
    """A regular expression's bracket expression, as quoted SQL lines of at most 90 characters."""
    items = [escape(a) if a == b else f"{escape(a)}-{escape(b)}" for a, b in ranges(belongs)]
    lines, line = [], "["
    for item in items:
        if len(line) + len(item) > 90:
            lines.append(line)
            line = ""
        line += item
    lines.append(line + "]")
    return [f"  '{line}'" for line in lines]


FUNCTION = """\
create or replace function tool_recall.{name}() returns text
language sql immutable parallel safe
return
{lines};
comment on function tool_recall.{name}() is
  '{comment}';
"""

CLASSES = [
    (
        "_unknown_characters",
        is_unknown,
        "what is private, not in Unicode 13 or not normalized alike, made U+FFFD",
    ),
    (
        "_invisible_characters",
        is_invisible,
        "bidirectional, zero-width, tag and other invisible characters, removed",
    ),
    (
        "_space_characters",
        is_space,
        "controls, line and paragraph separators, all kinds of space, made a space",
    ),
]


def main() -> int:
    if unicodedata.unidata_version != "13.0.0":
        found = unicodedata.unidata_version
        print(f"needs Unicode 13.0.0, this Python has {found}", file=sys.stderr)
        return 1
    text = (
        "-- Written by scripts/code_points.py from Unicode 13, "
        "the oldest that a supported server knows.\n"
    )
    for name, belongs, meaning in CLASSES:
        lines = "\n".join(bracket(belongs))
        comment = f"A regular expression: {meaning}"
        text += FUNCTION.format(name=name, lines=lines, comment=comment)
    OUT.write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
