"""What a look at a database finds, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg.rows import DictRow

Level = Literal["ok", "note", "warning", "problem"]
Connection = psycopg.Connection[DictRow]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    level:  ``problem``: it must be put right; ``warning``: it should be; ``note``: to be known;
            ``ok``: as it should be.
    text:   what was found.
    remedy: what to do about it; empty where there is nothing to do.
    """

    level: Level
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        told = f"{self.level:<9}{self.text}"
        return f"{told}\n{'':<9}-> {self.remedy}" if self.remedy else told


def one(connection: Connection, query: str, *parameters: Any) -> DictRow:
    """The one row of a query."""
    row = connection.execute(query.encode(), parameters or None).fetchone()
    assert row is not None
    return row


def rows(connection: Connection, query: str, *parameters: Any) -> list[DictRow]:
    """All rows of a query."""
    return connection.execute(query.encode(), parameters or None).fetchall()


def is_installed(connection: Connection) -> bool:
    """Whether the package is in this database, also for a role that may not use its schema."""
    query = (
        "select exists (select from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname = 'tool_recall' and c.relname = '_migrations') as installed"
    )
    return bool(one(connection, query)["installed"])


def tell(findings: Iterable[Finding]) -> bool:
    """Prints the findings as they come; whether none is a problem."""
    levels = []
    for finding in findings:
        print(finding, flush=True)
        levels.append(finding.level)
    problems, warnings = levels.count("problem"), levels.count("warning")
    print(f"\n{problems} problem(s), {warnings} warning(s)")
    return problems == 0
