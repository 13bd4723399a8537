"""The SQL that this release installs and uninstalls with, and how a script is run."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from pg_tool_recall.admin.errors import CommandError

# Before it nothing takes more than ACCESS SHARE on a host table. scripts/build.py writes it.
HOST_LOCKS = "-- From here on the host's tables are locked."
# 55P03 lock_timeout, 40P01 deadlock, 40001 serialization failure: nothing was done, try again.
RETRIED = ("55P03", "40P01", "40001")
LONGEST_PAUSE = 15.0


def read_script(name: str) -> str:
    """A script of this release: from the wheel, or from the tree it is developed in."""
    tree = Path(__file__).parents[3] / "sql"
    shipped = Path(__file__).parents[1] / "sql" / name
    for path in (shipped, tree / "dist" / name, tree / name):
        if path.exists():
            return path.read_text(encoding="ascii")
    raise CommandError(f"{name} is not here: run `make build`")


def core_sql() -> str:
    """The script that installs or upgrades: plain SQL, without begin and commit."""
    return read_script("pg_tool_recall.core.sql")


def uninstall_sql() -> str:
    """The script that removes everything of ours and nothing of the host's."""
    return read_script("uninstall.sql")


def migrations(core: str) -> dict[str, str]:
    """Name and SHA-256 of each migration that the script holds."""
    return dict(re.findall(r"^  values \('(\w+)', '([0-9a-f]{64})', ", core, re.MULTILINE))


def function_names(core: str) -> set[str]:
    """The functions and procedures that the script creates and leaves."""
    made = r"^create (?:or replace )?(?:function|procedure) tool_recall\.(\w+)"
    dropped = r"^drop function tool_recall\.(\w+)"
    return set(re.findall(made, core, re.MULTILINE)) - set(re.findall(dropped, core, re.MULTILINE))


def settings_sql(settings: Sequence[tuple[str, str]]) -> list[str]:
    """A `set local` for each setting, for a script that is printed."""
    return [
        sql.SQL("set local {} = {};").format(sql.SQL(name), value).as_string()
        for name, value in settings
    ]


def run_script(
    connection: psycopg.Connection[Any],
    script: str,
    settings: Sequence[tuple[str, str]] = (),
    *,
    attempts: int,
) -> None:
    """Runs a script in one transaction; all of it again where a lock could not be had.

    settings: set for that transaction only.
    attempts: how often at most; between two, waits half a second, then ever longer up to 15.
    Raises the database's error of the last attempt, which leaves nothing behind.
    """
    for attempt in range(1, attempts + 1):
        try:
            with connection.transaction():
                for name, value in settings:
                    connection.execute("select set_config(%s, %s, true)", [name, value])
                connection.execute(script.encode("ascii"))
            return
        except psycopg.Error as error:
            if error.sqlstate not in RETRIED or attempt == attempts:
                raise
            pause = min(LONGEST_PAUSE, 0.5 * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)
            print(
                f"{str(error).splitlines()[0]}: attempt {attempt} of {attempts} left nothing "
                f"behind, the next one in {pause:.1f} s",
                file=sys.stderr,
                flush=True,
            )
            time.sleep(pause)
