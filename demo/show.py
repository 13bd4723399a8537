"""How the demo prints: 100 columns, in colour where a terminal allows."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pg_tool_recall import Block

WIDTH = 100
REASONS = {
    "expired": "older than settings.retention_days",
    "error": "the call failed: kept, never recalled as a fact",
    "hidden": "a rule says that this tool never uses a line",
    "repeated": "a newer row says the same day, tool and arguments",
    "max_rows": "the block has settings.max_rows lines already",
    "token_budget": "the block would exceed settings.token_budget",
    "recount": "by the client's own count the block would exceed the budget",
}
# A line's arguments and summary; parentheses inside of strings do not count.
LINE = re.compile(r'- \S+ [^(]+\((?P<arguments>(?:"(?:[^"\\]|\\.)*"|[^")])*)\): (?P<summary>.*)')


def console() -> Console:
    """Standard output: colour only on a terminal and without NO_COLOR."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # no locale makes the demo fail
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = min(out.width, WIDTH) if out.is_terminal else WIDTH
    return out


def heading(out: Console, text: str) -> None:
    out.print()
    out.print(Text(text, style="bold cyan"))


def _table(*columns: tuple[str, dict[str, Any]]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for name, options in columns:
        table.add_column(name, **{"overflow": "fold", **options})
    return table


def stored(out: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    wide = out.width >= WIDTH
    calls: list[tuple[str, dict[str, Any]]] = [
        ("tool", {"no_wrap": True}),
        ("arguments", {"width": 24}),
    ]
    table = _table(
        ("date", {"no_wrap": True}),
        *(calls if wide else [("tool, arguments", {"width": 24})]),
        ("summary", {}),
        ("tokens", {"justify": "right", "no_wrap": True}),
        ("repairs", {"no_wrap": True}),
    )
    for row in rows:
        found = LINE.fullmatch(row["recall_line"])
        arguments = ", ".join(f"{k}={json.dumps(v)}" for k, v in row["tool_input"].items())
        call = (row["tool_name"], found["arguments"] if found else arguments)
        repairs = "\n".join(f"{kind} x{n}" for kind, n in (row["repairs"] or {}).items())
        table.add_row(
            str(row["day"]),
            *(call if wide else ["\n".join(filter(None, call))]),
            Text(found["summary"] if found else "(no line)", "red" if row["is_error"] else ""),
            str(row["recall_tokens"]),
            Text(repairs, "yellow"),
        )
    out.print(table)


def block(out: Console, shown: Block, budget: int, counted_by: str, by_database: int) -> None:
    out.print(Text(shown.text, style="green"), soft_wrap=True)
    out.print()
    out.print(
        f"{shown.tokens} tokens of {budget} (settings.token_budget here), counted by {counted_by}; "
        f"{by_database} by the database"
    )
    out.print(f"sha256 {shown.sha256}", style="dim")


def left_out(out: Console, shown: Block) -> None:
    table = _table(("date", {"no_wrap": True}), ("tool", {"no_wrap": True}), ("reason", {}))
    for left in shown.left_out:
        table.add_row(
            f"{left.line.created_at:%Y-%m-%d}",
            left.line.tool_name,
            Text.assemble((left.reason, "yellow"), f": {REASONS[left.reason]}"),
        )
    out.print(table)


def status(out: Console, row: Mapping[str, Any]) -> None:
    table = _table(("column", {"no_wrap": True}), ("value", {}))
    for name, value in row.items():
        table.add_row(name, "null" if value is None else str(value))
    out.print(table)
