"""Writes what counting tokens is made of, from tiktoken and the vocabulary that it pins.

    python -m scripts.vocabulary sources   the committed parts: the most common tokens
                                           (sql/0003_vocabulary.sql) and the classes of characters
                                           (functions/tokens/character_classes.sql)
    python -m scripts.vocabulary dist      sql/dist/pg_tool_recall.vocabulary.sql: the whole
                                           vocabulary, for psql -f

Needs tiktoken, and the vocabulary where the Python client looks for it; nothing is downloaded.
"""

from __future__ import annotations

import argparse
import base64
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pg_tool_recall._vocabulary import find_vocabulary

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 90
# Tokens of a lower rank are installed with the schema: the lines of the tests are then estimated
# at less than twice their tokens.
COMMON = 12000
# Not so common, but in the lines of every block.
OURS = (b'"):', b"]):", b"}):", b"=[", b"={")

MIGRATION = """\
-- The vocabulary of cl100k_base, by which count_tokens counts: its {amount} most common tokens at
-- once, for a close estimate; the rest by tool_recall._load_vocabulary, from which on it is exact.
-- Written by scripts/vocabulary.py. The vocabulary comes from tiktoken (MIT licence, OpenAI).
-- Locks: none on host tables. Rewrite: no. Breaking: no.
-- Runs: before functions.

create table tool_recall._vocabulary (
  token bytea not null,
  rank integer,
  constraint _vocabulary_pkey primary key (token)
);
comment on table tool_recall._vocabulary is
  'Tokens of cl100k_base: the most common ones, or all once _vocabulary_state has its row';
comment on column tool_recall._vocabulary.token is 'The bytes of the token, in UTF-8';
comment on column tool_recall._vocabulary.rank is
  'Which of two merges comes first: the lower; null until the whole vocabulary is loaded';

create table tool_recall._vocabulary_state (
  only_row boolean not null default true,
  name text not null,
  sha256 text not null,
  tokens integer not null,
  loaded_at timestamptz not null default pg_catalog.clock_timestamp(),
  constraint _vocabulary_state_pkey primary key (only_row),
  constraint _vocabulary_state_only_row_check check (only_row)
);
comment on table tool_recall._vocabulary_state is
  'One row once the whole vocabulary is loaded: token counts are exact from then on';
comment on column tool_recall._vocabulary_state.only_row is 'True: there is one row at most';
comment on column tool_recall._vocabulary_state.name is 'The name that tiktoken gives the encoding';
comment on column tool_recall._vocabulary_state.sha256 is 'SHA-256 of the file that was loaded';
comment on column tool_recall._vocabulary_state.tokens is 'How many tokens it has';
comment on column tool_recall._vocabulary_state.loaded_at is 'When it was loaded';

-- Between the bars one token each, spaces included.
insert into tool_recall._vocabulary (token)
select pg_catalog.convert_to(t.token, 'UTF8')
from pg_catalog.string_to_table(
{literal},
  '|'
) as t (token);
analyze tool_recall._vocabulary;
"""

CLASSES = """\
-- Written by scripts/vocabulary.py from tiktoken {version}: which characters beyond ASCII its
-- regular expression takes for letters, numbers and white space.
"""

FUNCTION = """
create or replace function tool_recall._{name}() returns text
language sql immutable parallel safe
return
{lines};
comment on function tool_recall._{name}() is
  'A regular expression: {meaning}';
"""

LOAD = """\
-- The whole vocabulary of cl100k_base, for exact token counts: psql -f this_file
-- One transaction; stops at the first error and leaves nothing behind. Again it changes nothing.
-- Afterwards: call tool_recall.refresh_recall_lines();
\\set ON_ERROR_STOP on
\\set QUIET on
begin;
select tool_recall._load_vocabulary($vocabulary${content}$vocabulary$);
commit;
"""


def common_tokens(content: bytes) -> list[str]:
    """Printable ASCII of two characters and more, in the order of their ranks."""
    tokens = [base64.b64decode(line.split()[0]) for line in content.splitlines()]
    found = [
        token
        for token in tokens[:COMMON]
        if re.fullmatch(rb"[ -{}~]{2,}", token) and re.search(rb"[^0-9 ]", token)
    ]
    found += [token for token in OURS if token in tokens and token not in found]
    return [token.decode("ascii") for token in found]


def literal(tokens: list[str]) -> str:
    """The tokens between bars, as an SQL literal of several lines."""
    lines = [""]
    for number, token in enumerate(tokens):
        piece = token.replace("'", "''") + ("|" if number < len(tokens) - 1 else "")
        if len(lines[-1]) + len(piece) > WIDTH:
            lines.append("")
        lines[-1] += piece
    return "\n".join(f"  '{line}'" for line in lines)


def ranges(pattern: str) -> Iterator[tuple[int, int]]:
    """The characters beyond ASCII that tiktoken's regular expressions take for it."""
    import tiktoken

    # What the pattern does not match, tiktoken leaves out.
    encoding = tiktoken.Encoding(
        "class",
        pat_str=pattern,
        mergeable_ranks={bytes([n]): n for n in range(256)},
        special_tokens={},
    )
    start: int | None = None
    for code in range(0x80, 0x110001):
        surrogate = 0xD800 <= code <= 0xDFFF
        inside = code < 0x110000 and not surrogate and bool(encoding.encode_ordinary(chr(code)))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def escape(code: int) -> str:
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def bracket(pattern: str) -> str:
    """An SQL literal of several lines: the bracket expression of a class."""
    lines = ["["]
    for first, last in ranges(pattern):
        piece = escape(first) if first == last else f"{escape(first)}-{escape(last)}"
        if len(lines[-1]) + len(piece) > WIDTH:
            lines.append("")
        lines[-1] += piece
    lines[-1] += "]"
    return "\n".join(f"  '{line}'" for line in lines)


def write_sources(content: bytes) -> None:
    import tiktoken

    tokens = common_tokens(content)
    (ROOT / "sql" / "0003_vocabulary.sql").write_text(
        MIGRATION.format(amount=len(tokens), literal=literal(tokens)), encoding="ascii"
    )
    text = CLASSES.format(version=tiktoken.__version__)
    for name, pattern, meaning in (
        ("wide_letters", r"\p{L}", "letters beyond ASCII"),
        ("wide_numbers", r"\p{N}", "numbers beyond ASCII"),
        ("wide_spaces", r"\s", "white space beyond ASCII"),
    ):
        text += FUNCTION.format(name=name, lines=bracket(pattern), meaning=meaning)
    path = ROOT / "functions" / "tokens" / "character_classes.sql"
    path.write_text(text, encoding="ascii")


def write_dist(content: bytes) -> None:
    path = ROOT / "sql" / "dist" / "pg_tool_recall.vocabulary.sql"
    path.parent.mkdir(exist_ok=True)
    path.write_text(LOAD.format(content=content.decode("ascii")), encoding="ascii")
    print(path.relative_to(ROOT))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=("sources", "dist"))
    part = parser.parse_args().part
    content = find_vocabulary()
    if content is None:
        print(
            "the vocabulary is not here: pip install 'pg-tool-recall[offline]'",
            file=sys.stderr,
        )
        return 1
    if part == "sources":
        write_sources(content)
    else:
        write_dist(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
