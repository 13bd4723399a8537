"""What each kind of role can do over a connection of its own, and what a caller cannot bend."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from tests.conftest import MakeDatabase
from tests.support.cluster import OPERATOR, READER
from tests.support.database import DIST, HOST_EXAMPLE, ROOT, Database, install, run_script

# An operator or function of each name that ours use, for each signature of pg_catalog's, which
# tells who ran it.
PLANT = """
create schema planted;
create table planted.seen (what text, who text);
grant all on schema planted to public;
grant all on planted.seen to public;
do $plant$
declare
  r record;
  v_body text;
begin
  for r in
    select
      p.oid, p.proname, p.oid::regprocedure::text as called, o.oprname, p.provariadic,
      pg_get_function_identity_arguments(p.oid) as arguments,
      pg_get_function_result(p.oid) as result,
      p.proretset, coalesce(o.oprleft, 0)::regtype as l, coalesce(o.oprright, 0)::regtype as r
    from pg_proc as p left join pg_operator as o on o.oprcode = p.oid and o.oprleft <> 0
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
      and p.prorettype not in (select oid from pg_type where typtype = 'p')
      and not p.proargtypes::oid[] && array(select oid from pg_type where typtype = 'p')
      and p.provariadic = 0 and p.proargmodes is null
      and (o.oid is not null or p.proname = any (%(words)s))
  loop
    execute format(
      'create or replace function planted.%%I(%%s) returns %%s language plpgsql as '
      '$f$ begin insert into planted.seen values (%%L, current_user); return %%s; end $f$',
      r.proname, r.arguments, r.result, r.called, case when r.proretset then '' else 'null' end);
    if r.oprname is not null then
      execute format('create operator planted.%%s (leftarg = %%s, rightarg = %%s, '
        'function = planted.%%I)', r.oprname, r.l, r.r, r.proname);
    end if;
  end loop;
end
$plant$;
"""


def plant(database: Database, script: str) -> psycopg.Connection:
    """A superuser's connection whose search_path comes to the planted schema first."""

    words = sorted(set(re.findall(r"[a-z_]+", script)))
    with psycopg.connect(database.superuser) as connection:
        connection.execute(psycopg.ClientCursor(connection).mogrify(PLANT, {"words": words}))
    connection = psycopg.connect(database.superuser, autocommit=True)
    # Conninfo options would need every name quoted; set_config runs before the trap is armed.
    connection.execute("set search_path = planted, pg_catalog, public")
    return connection


def seen(database: Database) -> list[tuple[object, ...]]:
    return database.superuser_conn.execute("select distinct * from planted.seen").fetchall()


def sources() -> str:
    return "\n".join(path.read_text() for path in (ROOT / "functions").rglob("*.sql"))


def record(database: Database, created_at: str = "now()") -> None:
    turn = database.new_turn()
    database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1', created_at => "
        f"{created_at})",
        [turn.conversation_id, turn.user_id, turn.message_id],
    )


@pytest.mark.parametrize(
    "call",
    [
        "call tool_recall.purge_expired(1)",
        "call tool_recall.refresh_recall_lines()",
        "select tool_recall.schedule_retention()",
        "select tool_recall.unschedule_retention()",
        "select * from tool_recall.status",
        "select * from tool_recall.metrics",
        "select tool_recall.set_summary_rule('t', '{count $.orders[*]}')",
        "select tool_recall.set_capture_rule('t', 'full', array['$.a'])",
        "select tool_recall.grant_app('recall_app')",
        "select tool_recall.revoke_all('recall_app')",
    ],
)
def test_nothing_planted_runs_as_a_superuser(database: Database, call: str) -> None:
    record(database, "now() - interval '181 days'")
    record(database)
    with plant(database, sources()) as connection:
        assert connection.execute("select 1 operator(planted.=) 1").fetchone() == (None,)
        assert seen(database)  # the trap works
        database.superuser_conn.execute("truncate planted.seen")
        try:
            connection.execute(call.encode())
        except psycopg.Error as error:
            assert error.sqlstate in ("TR003",), error  # noqa: PT017
    assert seen(database) == []


@pytest.mark.parametrize("script", [DIST / "pg_tool_recall.core.sql", ROOT / "sql/uninstall.sql"])
def test_nothing_planted_runs_in_a_script(make_database: MakeDatabase, script: Path) -> None:
    database = make_database()
    run_script(database.owner, HOST_EXAMPLE)
    if script.name == "uninstall.sql":
        install(database.superuser)
    with plant(database, script.read_text()) as connection, connection.transaction():
        connection.execute(script.read_bytes())
    assert seen(database) == []


def test_temporary_tables_hide_nothing(database: Database) -> None:
    """What forget_user and a trigger do as the installing role is done to the real tables."""
    record(database)
    mine = database.new_turn()
    ids = [mine.conversation_id, mine.user_id, mine.message_id]
    app = database.app_conn
    for name in ("message_tool_results", "settings", "_counters", "_host_conversations", "users"):
        app.execute(f"create temporary table {name} as select null::uuid as user_id")
    app.execute("set search_path = pg_temp, tool_recall, public")
    app.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1')",
        ids,
    )
    with pytest.raises(psycopg.Error) as refused:
        app.execute(
            "select tool_recall.record_tool_result(%s, %s, %s, 't', '{}', '1')",
            [ids[0], database.new_turn().user_id, ids[2]],
        )
    assert refused.value.sqlstate == "TR001"
    assert app.execute("select tool_recall.forget_user(%s)", [mine.user_id]).fetchone() == (1,)
    assert database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone() == (1,)


def test_an_operator_purges(database: Database) -> None:
    record(database, "now() - interval '181 days'")
    record(database)
    database.owner_conn.execute(f"select tool_recall.grant_operator('{OPERATOR}')")
    operator = database.connect(OPERATOR)
    assert operator.execute("call tool_recall.purge_expired()").fetchone() == (1,)
    assert operator.execute("select last_purge_deleted from tool_recall.status").fetchone() == (1,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        operator.execute("select from tool_recall.message_tool_results")


def test_every_kind_outlives_an_upgrade_and_a_new_name(database: Database) -> None:
    owner, superuser = database.owner_conn, database.superuser_conn
    owner.execute(
        f"select tool_recall.grant_reader('{READER}'), tool_recall.grant_operator('{OPERATOR}')"
    )
    # An older version without some of what these kinds of role use.
    owner.execute(
        "drop function tool_recall.recall_lines, tool_recall._note_purge, tool_recall.forget_user"
    )
    superuser.execute(f'alter role {READER} rename to "Odd Reader"')
    try:
        install(database.owner)
        rows = superuser.execute(
            "select r, p.proname from pg_proc as p, unnest(%s::text[]) as r"
            " where p.pronamespace = 'tool_recall'::regnamespace and p.proname = any (%s)"
            " and has_function_privilege(r, p.oid, 'execute') order by 1, 2",
            [
                ["Odd Reader", OPERATOR, "recall_app"],
                ["recall_lines", "_note_purge", "forget_user", "record_tool_result"],
            ],
        ).fetchall()
    finally:
        superuser.execute(f'alter role "Odd Reader" rename to {READER}')
    assert sorted(rows) == [
        ("Odd Reader", "recall_lines"),
        ("recall_app", "forget_user"),
        ("recall_app", "recall_lines"),
        ("recall_app", "record_tool_result"),
        (OPERATOR, "_note_purge"),
    ]
