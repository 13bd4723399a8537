"""Installing next to host tables of every supported kind, and refusing the others (TR005)."""

from __future__ import annotations

from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import sql

from tests.conftest import MakeDatabase
from tests.support.database import Database, install


class Host(NamedTuple):
    """A host's tables: DDL, settings, and the keys of a user, a conversation and a message."""

    ddl: str
    settings: dict[str, str]
    rows: tuple[Any, Any, Any] = (1, 2, 3)
    users: str = "users"
    conversations: str = "conversations"
    messages: str = "messages"


def host(key: str, rows: tuple[Any, Any, Any], collation: str = "") -> Host:
    return Host(
        f"""create table users (id {key} {collation} primary key);
        create table conversations (id {key} {collation} primary key,
          user_id {key} {collation} not null references users on delete cascade);
        create table messages (id {key} {collation} primary key,
          conversation_id {key} {collation} not null
          references conversations on delete cascade);""",
        {},
        rows,
    )


UUIDS = tuple(f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2, 3))
HOSTS = {
    "uuid": host("uuid", (UUIDS[0], UUIDS[1], UUIDS[2])),
    "smallint": host("smallint", (1, 2, 3)),
    "integer": host("integer", (1, 2, 3)),
    "bigint": host("bigint", (1, 2**40, 3)),
    "text": host("text", ("u", "c", "m")),
    "text with a collation": host("text", ("u", "c", "m"), 'collate "C"'),
    "varchar": host("varchar(20)", ("u", "c", "m")),
    "mixed keys": Host(
        """create table users (id uuid primary key);
        create table conversations (id bigint primary key, user_id uuid not null references users
          on delete cascade);
        create table messages (id text primary key, conversation_id bigint not null
          references conversations on delete cascade);""",
        {},
        (UUIDS[0], 7, "m"),
    ),
    "schema-qualified and quoted": Host(
        """create schema "My App";
        create table "My App"."Accounts" ("Id" integer primary key);
        create table "My App"."Chats" ("Id" integer primary key, "ownerId" integer not null
          references "My App"."Accounts" on delete cascade);
        create table "My App"."Msgs" ("Id" integer primary key, "chatId" integer not null
          references "My App"."Chats" on delete cascade);""",
        {
            "tool_recall.users": '"My App"."Accounts"',
            "tool_recall.conversations": '"My App"."Chats"',
            "tool_recall.messages": '"My App"."Msgs"',
        },
        (1, 2, 3),
        '"My App"."Accounts"',
        '"My App"."Chats"',
        '"My App"."Msgs"',
    ),
    "named columns of several references": Host(
        """create table users (id integer primary key);
        create table conversations (id integer primary key,
          "createdBy" integer not null references users on delete cascade,
          closed_by integer references users);
        create table messages (id integer primary key, conversation_id integer not null
          references conversations on delete cascade, forked_from integer references conversations);
        """,
        {
            "tool_recall.conversations_user_id": '"createdBy"',
            "tool_recall.messages_conversation_id": "conversation_id",
        },
    ),
    "references to a unique column": Host(
        """create table users (pk integer generated always as identity primary key,
          id text not null unique);
        create table conversations (id integer primary key,
          user_id text not null references users (id) on delete cascade);
        create table messages (id integer primary key, conversation_id integer not null
          references conversations on delete cascade);""",
        {},
        ("u", 2, 3),
    ),
    "no users": Host(
        """create table conversations (id integer primary key, user_id text not null);
        create table messages (id integer primary key, conversation_id integer not null
          references conversations on delete cascade);""",
        {"tool_recall.users": ""},
        ("auth0|1", 2, 3),
        users="",
    ),
    "no users, named owner": Host(
        """create table conversations (id integer primary key, account text not null);
        create table messages (id integer primary key, conversation_id integer not null
          references conversations on delete cascade);""",
        {"tool_recall.users": "", "tool_recall.conversations_user_id": "account"},
        ("auth0|1", 2, 3),
        users="",
    ),
    "no messages": Host(
        """create table users (id integer primary key);
        create table conversations (id integer primary key,
          user_id integer not null references users on delete cascade);""",
        {"tool_recall.messages": ""},
        messages="",
    ),
    "no foreign keys": Host(
        """create table users (id integer primary key);
        create table conversations (id integer primary key, owner integer not null);
        create table messages (id integer primary key, chat integer not null);""",
        {
            "tool_recall.conversations_user_id": "owner",
            "tool_recall.messages_conversation_id": "chat",
        },
    ),
    "partitioned conversations": Host(
        """create table users (id integer primary key);
        create table conversations (id integer primary key,
          user_id integer not null references users on delete cascade) partition by hash (id);
        create table conversations_0 partition of conversations
          for values with (modulus 1, remainder 0);
        create table messages (id integer primary key, conversation_id integer not null
          references conversations on delete cascade);""",
        {},
    ),
}


def fill(connection: psycopg.Connection[Any], given: Host) -> None:
    user, conversation, message = given.rows
    if given.users:
        column = "id" if "unique" in given.ddl else ""
        connection.execute(
            f"insert into {given.users} {'(' + column + ')' if column else ''} values (%s)", [user]
        )
    connection.execute(f"insert into {given.conversations} values (%s, %s)", [conversation, user])
    if given.messages:
        connection.execute(f"insert into {given.messages} values (%s, %s)", [message, conversation])


def record(
    connection: psycopg.Connection[Any], rows: tuple[Any, Any, Any], tool: str = "t"
) -> None:
    user, conversation, message = rows
    connection.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, %s, '{}', '41')",
        [conversation, user, message, tool],
    )


def block(connection: psycopg.Connection[Any], rows: tuple[Any, Any, Any]) -> str:
    found = connection.execute(
        "select tool_recall.recall_block(%s, %s)", [rows[1], rows[0]]
    ).fetchone()
    assert found is not None
    return str(found[0])


def key_types(connection: psycopg.Connection[Any]) -> list[str]:
    rows = connection.execute(
        "select format_type(atttypid, atttypmod) from pg_attribute "
        "where attrelid = 'tool_recall.message_tool_results'::regclass "
        "and attname in ('user_id', 'conversation_id', 'message_id') order by attname"
    )
    return [row[0] for row in rows]


def bound(make_database: MakeDatabase, name: str) -> Database:
    database = make_database()
    given = HOSTS[name]
    database.owner_conn.execute(given.ddl)
    install(database.owner, given.settings)
    fill(database.owner_conn, given)
    return database


@pytest.mark.parametrize("name", HOSTS)
def test_records_recalls_and_cascades(make_database: MakeDatabase, name: str) -> None:
    database = bound(make_database, name)
    connection, given = database.owner_conn, HOSTS[name]
    record(connection, given.rows)
    assert " t(): 41\n" in block(connection, given.rows)

    connection.execute(f"delete from {given.conversations}")
    assert connection.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone() == (0,)


@pytest.mark.parametrize("name", HOSTS)
def test_refuses_another_owner_and_message(make_database: MakeDatabase, name: str) -> None:
    database = bound(make_database, name)
    connection, given = database.owner_conn, HOSTS[name]
    user, conversation, message = given.rows
    other = {"bigint": 99, "uuid": UUIDS[0][:-1] + "9", "text": "x"}
    types = key_types(connection)
    with pytest.raises(psycopg.Error) as refused:
        record(connection, (other[types[2]], conversation, message))
    assert refused.value.sqlstate == "TR001"
    if given.messages:
        with pytest.raises(psycopg.Error) as refused:
            record(connection, (user, conversation, other[types[1]]))
        assert refused.value.sqlstate == "TR001"


def test_a_collation_is_kept(make_database: MakeDatabase) -> None:
    database = bound(make_database, "text with a collation")
    rows = database.owner_conn.execute(
        "select distinct collation_name from information_schema.columns "
        "where table_schema = 'tool_recall' and table_name = 'message_tool_results' "
        "and column_name in ('user_id', 'conversation_id', 'message_id')"
    ).fetchall()
    assert rows == [("C",)]


def test_tables_are_found_on_the_search_path(make_database: MakeDatabase) -> None:
    database = make_database()
    connection = database.owner_conn
    connection.execute("create schema app; set search_path = app, public")
    connection.execute(HOSTS["integer"].ddl)
    connection.execute(
        sql.SQL("alter role recall_owner in database {} set search_path = app").format(
            sql.Identifier(database.name)
        )
    )
    install(database.owner)
    target = connection.execute(
        "select confrelid::regclass::text from pg_constraint "
        "where conname = 'message_tool_results_user_id_fkey'"
    ).fetchone()
    assert target == ("users",)


def test_renames_and_moves_are_survived(make_database: MakeDatabase) -> None:
    database = bound(make_database, "integer")
    connection, given = database.owner_conn, HOSTS["integer"]
    record(connection, given.rows, "before")
    connection.execute(
        """create schema elsewhere;
        alter table users rename to accounts; alter table accounts set schema elsewhere;
        alter table conversations rename column id to key;
        alter table conversations rename column user_id to owner;
        alter table conversations rename to chats; alter table chats set schema elsewhere;
        alter table messages rename column conversation_id to chat;
        alter table messages rename to entries;"""
    )
    record(connection, given.rows, "after")
    with psycopg.connect(database.owner, autocommit=True) as fresh:
        record(fresh, given.rows, "fresh")
        assert block(fresh, given.rows).count("\n- ") == 3
        install(database.owner, {})
        record(fresh, given.rows, "upgraded")
        fresh.execute("delete from elsewhere.accounts")
        assert block(fresh, given.rows) == ""


BASE = """create table users (id integer primary key);
create table conversations (id integer primary key, user_id integer references users);
create table messages (id integer primary key, conversation_id integer references conversations);
"""
REFUSED = {
    "missing table": (BASE, {"tool_recall.users": "nobody"}, "nobody", "tool_recall.users"),
    "no table name": (BASE, {"tool_recall.users": "a.b.c.d"}, "a.b.c.d", "tool_recall.users"),
    "no conversations": (
        BASE,
        {"tool_recall.conversations": ""},
        "conv",
        "tool_recall.conversations",
    ),
    "view": (
        BASE + "create view v as select * from users;",
        {"tool_recall.users": "v"},
        "v",
        "tool_recall.users",
    ),
    "unlogged": (
        BASE + "create unlogged table fast (id integer primary key);",
        {"tool_recall.users": "fast"},
        "fast",
        "tool_recall.users",
    ),
    "composite key": (
        "create table users (id integer primary key); create table conversations (id integer "
        "primary key, user_id integer references users); create table messages (id integer, at "
        "date, conversation_id integer references conversations, primary key (id, at));",
        {},
        "messages",
        "tool_recall.messages",
    ),
    "missing key": (
        "create table users (id integer primary key); create table conversations (id integer "
        "primary key, user_id integer references users); create table messages (id integer, "
        "conversation_id integer references conversations);",
        {},
        "messages",
        "tool_recall.messages",
    ),
    "unsupported type": (
        "create table users (id numeric primary key); create table conversations (id integer "
        "primary key, user_id numeric references users); create table messages (id integer "
        "primary key, conversation_id integer references conversations);",
        {},
        "numeric",
        "tool_recall.conversations_user_id",
    ),
    "ambiguous reference": (
        BASE + "alter table conversations add closed_by integer references users;",
        {},
        "conversations",
        "tool_recall.conversations_user_id",
    ),
    "no reference": (
        "create table users (id integer primary key); create table conversations (id integer "
        "primary key, user_id integer); create table messages (id integer primary key, "
        "conversation_id integer references conversations);",
        {},
        "conversations",
        "tool_recall.conversations_user_id",
    ),
    "missing column": (
        BASE,
        {"tool_recall.messages_conversation_id": "chat"},
        "chat",
        "tool_recall.messages_conversation_id",
    ),
    "owner of another type": (
        BASE + "alter table conversations add owner text;",
        {"tool_recall.conversations_user_id": "owner"},
        "conversations",
        "tool_recall.conversations_user_id",
    ),
    "no owner column": (
        "create table conversations (id integer primary key); create table messages (id integer "
        "primary key, conversation_id integer references conversations);",
        {"tool_recall.users": ""},
        "conversations",
        "tool_recall.conversations_user_id",
    ),
    "row security": (
        BASE + "alter table conversations enable row level security, force row level security;",
        {},
        "conversations",
        "tool_recall.conversations",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_a_host_and_leaves_nothing(make_database: MakeDatabase, name: str) -> None:
    ddl, settings, thing, setting = REFUSED[name]
    database = make_database()
    database.owner_conn.execute(ddl)
    with pytest.raises(psycopg.Error) as refused:
        install(database.owner, settings)
    assert refused.value.sqlstate == "TR005"
    message = refused.value.diag.message_primary or ""
    assert thing in message
    assert setting in message
    assert database.owner_conn.execute("select to_regnamespace('tool_recall')").fetchone() == (
        None,
    )


def test_refuses_a_host_that_it_may_not_reference(make_database: MakeDatabase) -> None:
    database = make_database()
    database.superuser_conn.execute(BASE)
    with pytest.raises(psycopg.Error) as refused:
        install(database.owner)
    assert refused.value.sqlstate == "TR005"
    assert "grant select, references" in (refused.value.diag.message_hint or "")
