"""Write sql/dist/ from sql/ and functions/: `python3 scripts/build.py`.

Each numbered migration becomes a block that runs once and leaves its SHA-256 in the ledger; the
files under functions/ follow as they are, since they only ever create or replace. Standard library
only.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SQL = ROOT / "sql"
DIST = SQL / "dist"

# A function with an SQL-standard body needs those that it calls to exist; files within a folder
# follow by name.
CONCERNS = (
    "text",
    "tokens",
    "line",
    "summary",
    "signals",
    "capture",
    "record",
    "recall",
    "retention",
    "settings",
    "access",
    "views",
)

MIGRATION = """\
do $migration$
declare
  v_sha256 text;
  v_detail text;
  v_hint text;
begin
  select m.sha256 into v_sha256 from tool_recall._migrations as m where m.name = '{name}';
  if v_sha256 = '{sha256}' then
    return;
  elsif v_sha256 is not null then
    raise exception using errcode = '55000',
      message = 'migration {name} was applied in another form than this file holds',
      hint = 'Install from the release that made this database, or from a newer one.';
  end if;
  execute $migration_body$
{body}
$migration_body$;
  insert into tool_recall._migrations (name, sha256, version)
  values ('{name}', '{sha256}', '{version}');
exception when others then
  if sqlstate not like 'TR%' then
    raise;
  end if;
  -- Raised again without its context, which is this whole migration.
  get stacked diagnostics v_detail = pg_exception_detail, v_hint = pg_exception_hint;
  raise exception using errcode = sqlstate, message = sqlerrm, detail = v_detail, hint = v_hint;
end
$migration$;
"""

NOT_OLDER = """\
do $not_older$
declare
  v_unknown text;
begin
  select pg_catalog.string_agg(m.name, ', ' order by m.name) into v_unknown
  from tool_recall._migrations as m
  where m.name not in ({names});
  if v_unknown is not null then
    raise exception using errcode = '55000',
      message = 'this file is older than the installation, which has ' || v_unknown,
      hint = 'Use the file of the installed version or of a newer one.';
  end if;
end
$not_older$;
"""

# Before it nothing takes more than ACCESS SHARE on a host table: `pg-tool-recall preflight` runs
# the script up to here, and back.
HOST_LOCKS = "-- From here on the host's tables are locked.\n"

PSQL = """\
-- pg_tool_recall {version}: installs or upgrades. Run with: psql -f pg_tool_recall.sql
-- One transaction; stops at the first error and leaves nothing behind.
\\set ON_ERROR_STOP on
\\set QUIET on
begin;
{core}
commit;
"""


class BuildError(Exception):
    """A source file that must not be built."""


def read(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if not text.isascii():
        raise BuildError(f"{path.relative_to(ROOT)} is not ASCII: write U&'\\2014' or chr(8212)")
    return text.strip() + "\n"


def version() -> str:
    found = re.search(r"select '([^']+)'::text", read(SQL.parent / "functions" / "version.sql"))
    if found is None:
        raise BuildError("functions/version.sql names no version")
    return found.group(1)


def frozen() -> dict[str, str]:
    """Released migrations and their hashes, in the form that sha256sum writes."""
    lines = (SQL / "frozen.sha256").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if line and not line.startswith("#"))
    return {Path(name).stem: sha256 for sha256, name in pairs}


def migrations() -> list[tuple[str, str, str]]:
    """(name, SHA-256, text) of each numbered migration, in order."""
    found = []
    for path in sorted(SQL.glob("[0-9][0-9][0-9][0-9]_*.sql")):
        text = read(path)
        found.append((path.stem, hashlib.sha256(path.read_bytes()).hexdigest(), text))
    for name, sha256 in frozen().items():
        if (name, sha256) not in {(n, s) for n, s, _ in found}:
            raise BuildError(f"migration {name} is released and must not change: add a new one")
    return found


def functions() -> list[Path]:
    """The files under functions/, in the order in which they are run."""
    folder = ROOT / "functions"
    found = [folder / "version.sql"]
    for concern in CONCERNS:
        found += sorted((folder / concern).glob("*.sql"))
    left = set(folder.rglob("*.sql")) - set(found)
    if left:
        raise BuildError(
            f"not in a known folder of functions/: {sorted(str(path) for path in left)}"
        )
    return found


def core() -> str:
    released = version()
    parts = [read(SQL / "build" / "prologue.sql")]
    before: list[str] = []
    after: list[str] = []
    for name, sha256, text in migrations():
        block = MIGRATION.format(name=name, sha256=sha256, body=text, version=released)
        (after if "-- Runs: after functions" in text else before).append(block)
    names = ", ".join(f"'{name}'" for name, _, _ in migrations())
    parts.append(NOT_OLDER.format(names=names))
    parts += before
    parts += [read(path) for path in functions()]
    parts += [HOST_LOCKS, *after]
    parts.append(read(SQL / "build" / "epilogue.sql"))
    return "\n".join(parts)


def main() -> int:
    try:
        body = core()
        released = version()
    except BuildError as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    DIST.mkdir(exist_ok=True)
    note = (
        f"-- pg_tool_recall {released}: installs or upgrades. "
        "Plain SQL; run it in one transaction.\n"
    )
    (DIST / "pg_tool_recall.core.sql").write_text(note + body, encoding="ascii")
    (DIST / "pg_tool_recall.sql").write_text(
        PSQL.format(version=released, core=body), encoding="ascii"
    )
    for path in sorted(DIST.glob("*.sql")):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
