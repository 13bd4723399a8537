"""What is wrong with an installation, each finding with its remedy. Nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg

from pg_tool_recall._version import __version__, is_supported
from pg_tool_recall.admin.findings import Connection, Finding, is_installed, one, rows
from pg_tool_recall.admin.scripts import core_sql, function_names, migrations

JOB = "pg_tool_recall_retention"
# A daily purge may be late by its own duration, no more.
LATE = "2 days"


def doctor(connection: Connection) -> Iterator[Finding]:
    """Looks at version, ledger, objects, roles, row security, retention and vocabulary.

    Run it as the role that owns the schema. What this release would make is compared with what is
    there by applying it in a transaction that is rolled back; where another session keeps that
    waiting for a tenth of a second, it is left out, and said.
    """
    if not is_installed(connection):
        yield Finding("problem", "tool_recall is not installed here", "pg-tool-recall install")
        return
    found = one(
        connection,
        "select (select pg_has_role(n.nspowner, 'usage') from pg_namespace as n"
        "   where n.nspname = 'tool_recall') as mine,"
        " (select n.nspowner::regrole::text from pg_namespace as n"
        "   where n.nspname = 'tool_recall') as owner,"
        " pg_is_in_recovery() as standby",
    )
    if not found["mine"]:
        yield Finding(
            "problem",
            "only the owner of tool_recall can look at all of it",
            f"Connect as {found['owner']}, or as a member of it.",
        )
        return
    yield from _version(connection)
    yield from _ledger(connection)
    yield from _objects(connection)
    if found["standby"]:
        yield Finding("note", "this is a standby: retention runs on the primary")
    else:
        yield from _drift(connection)
    yield from _owner(connection)
    yield from _roles(connection)
    yield from _retention(connection)
    yield from _vocabulary(connection)


def _version(connection: Connection) -> Iterator[Finding]:
    installed = one(connection, "select tool_recall.version() as version")["version"]
    if is_supported(installed):
        yield Finding("ok", f"version {installed}, which this client ({__version__}) works with")
    else:
        yield Finding(
            "problem",
            f"version {installed} is installed, this client is {__version__}",
            "Upgrade the older of the two; where both are to be upgraded, the schema first.",
        )


def _ledger(connection: Connection) -> Iterator[Finding]:
    known = migrations(core_sql())
    applied = {
        row["name"]: row["sha256"]
        for row in rows(connection, "select name, sha256 from tool_recall._migrations")
    }
    for name in sorted(applied.keys() | known.keys()):
        if name not in applied:
            yield Finding("problem", f"migration {name} is not applied", "pg-tool-recall upgrade")
        elif name not in known:
            yield Finding(
                "problem",
                f"migration {name} is unknown to this release",
                "Use the pg-tool-recall that installed it, or a newer one.",
            )
        elif known[name] != applied[name]:
            yield Finding(
                "problem",
                f"migration {name} was applied in another form than this release's",
                "A build that was never released made this database: keep its files, or dump the "
                "rows, uninstall, install and restore them.",
            )


_INVALID = """
select 'index ' || c.relname as what,
  'reindex index concurrently tool_recall.' || c.relname as remedy
from pg_index as i join pg_class as c on c.oid = i.indexrelid
where c.relnamespace = 'tool_recall'::regnamespace and not (i.indisvalid and i.indisready)
union all
select 'constraint ' || k.conname,
  format('alter table %s validate constraint %I', k.conrelid::regclass, k.conname)
from pg_constraint as k
where k.connamespace = 'tool_recall'::regnamespace and not k.convalidated
union all
select
  'trigger ' || t.tgname || case t.tgenabled when 'D' then ' (disabled)' else ' (for replicas)' end,
  format('alter table %s enable trigger %I', t.tgrelid::regclass, t.tgname)
from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
where c.relnamespace = 'tool_recall'::regnamespace and t.tgenabled not in ('O', 'A')
"""
# By the names that the migrations give them: without an index reading or erasing decays to scans,
# without the foreign key rows outlive their conversation.
_MISSING = """
select 'index ' || x.name as what
from unnest(array[
  'message_tool_results_pkey', 'ix_message_tool_results_conversation_recency',
  'ix_message_tool_results_user_id', 'ix_message_tool_results_created_at'
]) as x (name)
where to_regclass('tool_recall.' || x.name) is null
union all
select 'foreign key ' || x.name
from unnest(array['message_tool_results_conversation_id_fkey']) as x (name)
where not exists (
  select from pg_constraint as k
  where k.conrelid = 'tool_recall.message_tool_results'::regclass and k.conname = x.name
)
"""


def _objects(connection: Connection) -> Iterator[Finding]:
    for row in rows(connection, _INVALID):
        yield Finding("problem", f"{row['what']} is not in force", f"{row['remedy']};")
    for row in rows(connection, _MISSING):
        yield Finding(
            "problem",
            f"{row['what']} is missing",
            "Create it again as the migrations in sql/ do (pg-tool-recall sql prints them).",
        )


# All that a release makes anew with each upgrade.
_MADE = """
select 'function ' || p.oid::regprocedure as what,
  pg_get_functiondef(p.oid) || coalesce(obj_description(p.oid, 'pg_proc'), '')
  || p.proowner::regrole || coalesce((
    select string_agg(a::text, ',' order by a::text collate "C") from unnest(p.proacl) as a
  ), '') as how
from pg_proc as p
where p.pronamespace = 'tool_recall'::regnamespace
union all
select 'view ' || c.oid::regclass, pg_get_viewdef(c.oid)
from pg_class as c
where c.relnamespace = 'tool_recall'::regnamespace and c.relkind = 'v'
union all
select 'trigger ' || t.tgname, pg_get_triggerdef(t.oid)
from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
where c.relnamespace = 'tool_recall'::regnamespace and not t.tgisinternal
"""


def _drift(connection: Connection) -> Iterator[Finding]:
    core = core_sql()
    known = migrations(core)
    applied = rows(connection, "select name, sha256 from tool_recall._migrations")
    if {row["name"]: row["sha256"] for row in applied} != known:
        return  # told by _ledger; to compare with another release would say nothing
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("select set_config('lock_timeout', '100ms', true)")
            before = {row["what"]: row["how"] for row in rows(connection, _MADE)}
            connection.execute(core.encode("ascii"))
            after = {row["what"]: row["how"] for row in rows(connection, _MADE)}
    except psycopg.Error as error:
        yield Finding(
            "warning",
            f"what is there could not be compared with this release: {error.diag.message_primary}",
            "Run pg-tool-recall doctor again.",
        )
        return
    names = function_names(core)
    foreign = {what for what in before if _function(what) not in names | {None}}
    wrong = sorted(
        what for what, how in after.items() if before.get(what) != how and what not in foreign
    )
    for what in wrong:
        state = "is not as this release makes it" if what in before else "is missing"
        yield Finding("problem", f"{what} {state}", "pg-tool-recall upgrade puts it right.")
    for what in sorted(foreign):
        yield Finding(
            "warning", f"{what} is not of this release", "Keep what is your own elsewhere."
        )
    if not wrong:
        yield Finding("ok", "functions, views and triggers are those of this release")


def _function(what: str) -> str | None:
    """The name of the function that a row of _MADE is about; None where it is about another."""
    found = re.match(r"function tool_recall\.(\w+)", what)
    return found[1] if found else None


def _owner(connection: Connection) -> Iterator[Finding]:
    row = one(
        connection,
        "select r.rolname::text as name, r.rolsuper as super from pg_namespace as n"
        " join pg_roles as r on r.oid = n.nspowner where n.nspname = 'tool_recall'",
    )
    if row["super"]:
        yield Finding(
            "warning",
            f"the owner {row['name']} is a superuser: trigger functions and forget_* run as one",
            "Transfer the schema's objects to a plain role (docs/dba.md, Roles).",
        )


_APPS = """
select r.rolname::text as name, r.rolsuper or r.rolbypassrls as bypasses,
  pg_has_role(r.oid, n.nspowner, 'member') as owns
from tool_recall._grantees('app') as g
  join pg_roles as r on r.oid = g::oid
  join pg_namespace as n on n.nspname = 'tool_recall'
order by r.rolname
"""
_PUBLIC = """
select 'function ' || p.oid::regprocedure as what
from pg_proc as p
  cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
where p.pronamespace = 'tool_recall'::regnamespace and a.grantee = 0
union all
select 'table ' || c.oid::regclass
from pg_class as c cross join lateral aclexplode(c.relacl) as a
where c.relnamespace = 'tool_recall'::regnamespace and a.grantee = 0
"""


def _roles(connection: Connection) -> Iterator[Finding]:
    secured = one(
        connection,
        "select c.relrowsecurity as enabled, c.relforcerowsecurity as forced from pg_class as c"
        " where c.oid = 'tool_recall.message_tool_results'::regclass",
    )
    apps = rows(connection, _APPS)
    for row in apps:
        if row["owns"]:
            yield Finding(
                "problem",
                f"role {row['name']} may act as the owner: nothing is refused to it",
                "Let the chat service connect as a role that is neither owner nor its member.",
            )
        elif row["bypasses"]:
            yield Finding(
                "problem" if secured["enabled"] else "warning",
                f"role {row['name']} is a superuser or bypasses row security",
                "Let the chat service connect as a plain role.",
            )
        else:
            yield Finding("ok", f"role {row['name']} may record and recall, and is a plain role")
    if not apps:
        yield Finding(
            "warning",
            "no role may record",
            "As the owner: select tool_recall.grant_app('<the chat service''s role>');",
        )
    for row in rows(connection, _PUBLIC):
        yield Finding(
            "problem",
            f"PUBLIC has rights on {row['what']}",
            "revoke all on all routines in schema tool_recall from public; and the same of tables",
        )
    if secured["forced"]:
        yield Finding(
            "problem",
            "row security is forced on the owner too: cap and retention delete nothing",
            "alter table tool_recall.message_tool_results no force row level security;",
        )


def _retention(connection: Connection) -> Iterator[Finding]:
    status = one(connection, "select * from tool_recall.status")
    late = one(
        connection,
        "select count(*) as rows from (select from tool_recall.message_tool_results as m"
        "  where m.created_at < now() - (select s.retention_days from tool_recall.settings as s)"
        "    * interval '1 day' - %s::interval limit 100000) as m",
        LATE,
    )["rows"]
    if late:
        more = " or more" if late == 100000 else ""
        yield Finding(
            "problem",
            f"{late}{more} rows are past retention by more than {LATE}",
            "call tool_recall.purge_expired(); and see that something calls it daily.",
        )
    if status["scheduler"].startswith("pg_cron: "):
        yield from _job(connection, status["scheduler"])
    elif status["last_purge_at"] is None:
        yield Finding(
            "warning",
            f"nothing has purged yet, and no job is seen: {status['scheduler']}",
            "select tool_recall.schedule_retention(); without pg_cron its answer says what to do.",
        )
    else:
        yield Finding("note", f"retention: {status['scheduler']}")
    if status["last_purge_at"] is not None:
        yield Finding(
            "ok",
            f"last purge {status['last_purge_at']:%Y-%m-%d %H:%M %Z}, which deleted "
            f"{status['last_purge_deleted']}",
        )


def _job(connection: Connection, scheduler: str) -> Iterator[Finding]:
    if scheduler.endswith("(inactive)"):
        yield Finding(
            "problem",
            f"the retention job is inactive ({scheduler})",
            f"select cron.alter_job(jobid, active => true) from cron.job where jobname = '{JOB}';",
        )
    try:
        runs = rows(
            connection,
            "select d.status, d.return_message, d.start_time from cron.job_run_details as d"
            " join cron.job as j on j.jobid = d.jobid where j.jobname = %s"
            " and j.database = current_database() and d.status in ('succeeded', 'failed')"
            " order by d.runid desc limit 1",
            JOB,
        )
    except psycopg.Error:
        yield Finding("note", f"{scheduler}; its runs may not be read by this role")
        return
    if runs and runs[0]["status"] == "failed":
        yield Finding(
            "problem",
            f"the retention job failed at {runs[0]['start_time']}: {runs[0]['return_message']}",
            "The job's role needs LOGIN and the right to purge: tool_recall.grant_operator.",
        )
    else:
        yield Finding("ok", f"retention is scheduled, {scheduler}")


def _vocabulary(connection: Connection) -> Iterator[Finding]:
    if one(connection, "select tool_recall._is_exact() as exact")["exact"]:
        yield Finding("ok", "the vocabulary is loaded: token counts are exact")
    else:
        yield Finding(
            "warning",
            "the vocabulary is not loaded: token counts are estimates, blocks may be shorter",
            "pip install 'pg-tool-recall[offline]' && pg-tool-recall load-vocabulary",
        )
