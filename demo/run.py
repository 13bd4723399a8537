"""Replay a three-week conversation on an embedded PostgreSQL: `make demo`.

No server, no Docker, no root: PostgreSQL comes from PyPI and lives in a temporary folder that is
removed at the end. Everything printed is read back from that database or from the client.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow, dict_row
from rich.console import Console
from rich.text import Text

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where it is run as a file

from demo import show
from demo.conversation import (
    ASKED_ABOUT,
    CONVERSATION,
    HIDDEN_TOOLS,
    QUESTION,
    Call,
    Turn,
    long_conversation,
    moment,
    shift_for,
    shifted,
)
from demo.server import embedded_server
from pg_tool_recall import ToolRecall, ToolResult
from pg_tool_recall._tokens import offline_counter
from pg_tool_recall._vocabulary import find_vocabulary

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "sql" / "dist" / "pg_tool_recall.core.sql"
BUILD = ROOT / "scripts" / "build.py"
OVER_THE_CAP = 3
TOKEN_BUDGET = 160

Connection = psycopg.Connection[DictRow]


class DemoError(Exception):
    """Something that the demo promises to show is not so."""


class Ids(NamedTuple):
    """A user and one conversation of his."""

    user: UUID
    conversation: UUID


def check(holds: bool, promise: str) -> None:
    if not holds:
        raise DemoError(f"this does not hold: {promise}")


def one(connection: Connection, query: str, parameters: Sequence[Any] = ()) -> DictRow:
    row = connection.execute(query, parameters).fetchone()
    if row is None:
        raise DemoError(f"no row from: {query}")
    return row


def build() -> None:
    """Write the installation script where it is missing or older than what it is made of."""
    sources = [
        BUILD,
        *(ROOT / "sql").glob("*.sql"),
        *(ROOT / "sql" / "build").glob("*.sql"),
        *(ROOT / "functions").rglob("*"),  # folders too: a file may have been removed
    ]
    newest = max(path.stat().st_mtime for path in sources)
    if not CORE.exists() or CORE.stat().st_mtime < newest:
        subprocess.run(
            [sys.executable, str(BUILD)],
            check=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )


def install(admin: psycopg.Connection[Any], uri: str) -> tuple[str, str]:
    """Install as a plain role next to three host tables; the conninfos of owner and app."""
    admin.execute("create role site_owner login")
    admin.execute("create role site_app login")
    admin.execute("create database site owner site_owner encoding 'UTF8' template template0")
    owner = make_conninfo(uri, dbname="site", user="site_owner")
    rules = sorted((ROOT / "sql" / "rules").glob("*.sql"))
    with psycopg.connect(owner) as connection:
        for script in (ROOT / "sql" / "host_example.sql", CORE, *rules):
            connection.execute(script.read_bytes())
        content = find_vocabulary()
        if content is not None:
            connection.execute("select tool_recall._load_vocabulary(%s)", [content.decode()])
        # Tighter than the default of 300, so that the budget shows.
        connection.execute("update tool_recall.settings set token_budget = %s", [TOKEN_BUDGET])
        for tool in HIDDEN_TOOLS:
            connection.execute("select tool_recall.set_summary_rule(%s, null)", [tool])
        connection.execute("select tool_recall.grant_app('site_app')")
        connection.execute("grant select, insert on users, conversations, messages to site_app")
    return owner, make_conninfo(owner, user="site_app")


def begin(connection: Connection, name: str, title: str, created_at: datetime) -> Ids:
    """A new user's new conversation."""
    user = one(connection, "insert into users (name) values (%s) returning id", [name])["id"]
    row = one(
        connection,
        "insert into conversations (user_id, title, created_at) values (%s, %s, %s) returning id",
        [user, title, created_at],
    )
    return Ids(user, row["id"])


def say(connection: Connection, ids: Ids, role: str, text: str, at: datetime) -> UUID:
    row = one(
        connection,
        "insert into messages (conversation_id, role, content, created_at) "
        "values (%s, %s, %s, %s) returning id",
        [ids.conversation, role, text, at],
    )
    message: UUID = row["id"]
    return message


def result_of(call: Call, shift: timedelta) -> ToolResult:
    return ToolResult(
        call.name,
        shifted(call.input, shift),
        shifted(call.output, shift),
        tool_use_id=call.id,
        is_error=call.is_error,
        created_at=moment(call.at, shift),
    )


def play(
    recall: ToolRecall, connection: Connection, ids: Ids, turn: Turn, shift: timedelta
) -> None:
    """One turn as a service has it: both messages and the snapshots in one transaction."""
    answered_at = moment(turn.calls[-1].at, shift) + timedelta(seconds=1)
    with connection.transaction():
        say(connection, ids, "user", turn.question, moment(turn.at, shift))
        message = say(connection, ids, "assistant", turn.answer, answered_at)
        recall.record_many(
            ids.conversation, ids.user, message, [result_of(call, shift) for call in turn.calls]
        )


def redeliver(recall: ToolRecall, connection: Connection, ids: Ids) -> tuple[str, int, int]:
    """Record the last call again, as a retry does; its id, and how many rows before and after."""
    count = "select count(*) as n from tool_recall.message_tool_results where conversation_id = %s"
    before = one(connection, count, [ids.conversation])["n"]
    last = recall.results(conversation_id=ids.conversation, user_id=ids.user, max_results=1)[0]
    again = recall.record(
        conversation_id=ids.conversation,
        user_id=ids.user,
        message_id=last.message_id,
        tool_name=last.tool_name,
        tool_input=last.tool_input,
        tool_output=last.tool_output,
        tool_use_id=last.tool_use_id,
        created_at=last.created_at,
    )
    after = one(connection, count, [ids.conversation])["n"]
    check(again == last.id and before == after, "a redelivered call is not stored twice")
    return str(last.tool_use_id), before, after


def fill(
    recall: ToolRecall, connection: Connection, ids: Ids, calls: list[Call], shift: timedelta
) -> None:
    """A long conversation, answered again and again."""
    for start in range(0, len(calls), 50):
        part = calls[start : start + 50]
        at = moment(part[-1].at, shift)
        with connection.transaction():
            message = say(connection, ids, "assistant", "Here are the visitors.", at)
            recall.record_many(
                ids.conversation, ids.user, message, [result_of(call, shift) for call in part]
            )


def show_conversation(out: Console, connection: Connection, ids: Ids) -> None:
    rows = connection.execute(
        "select role, content, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day "
        "from messages where conversation_id = %s order by created_at",
        [ids.conversation],
    )
    for row in rows.fetchall():
        style = "bold" if row["role"] == "user" else ""
        out.print(Text.assemble(f"{row['day']} {row['role']:>9}: ", (row["content"], style)))


def show_stored(out: Console, connection: Connection, ids: Ids) -> None:
    rows = connection.execute(
        "select (created_at at time zone 'UTC')::date as day, tool_name, tool_input, recall_line, "
        "recall_tokens, repairs, is_error from tool_recall.message_tool_results "
        "where conversation_id = %s order by created_at desc, seq desc",
        [ids.conversation],
    )
    show.stored(out, rows.fetchall())


def show_cap(out: Console, connection: Connection, bo: Ids, calls: list[Call], cap: int) -> None:
    kept = one(
        connection,
        "select array_agg(tool_use_id order by created_at) as ids "
        "from tool_recall.message_tool_results where conversation_id = %s",
        [bo.conversation],
    )["ids"]
    check(kept == [call.id for call in calls[-cap:]], "a conversation keeps its newest results")
    out.print(
        f"Cap: of {len(calls)} results in Bo's conversation the newest {len(kept)} stayed, "
        f"{kept[0]} to {kept[-1]}."
    )


def show_tenants(out: Console, recall: ToolRecall, ana: Ids, bo: Ids) -> None:
    own = recall.block(conversation_id=bo.conversation, user_id=bo.user)
    crossed = recall.block(conversation_id=bo.conversation, user_id=ana.user)
    rows = recall.results(conversation_id=bo.conversation, user_id=ana.user)
    check(bool(own) and not crossed and not rows, "nobody sees another user's results")
    out.print(
        f"Users: Bo's conversation gives Bo {len(own.lines)} lines, "
        f"and Ana {len(crossed.lines)} lines and {len(rows)} results."
    )


def show_answer(out: Console, recall: ToolRecall, ids: Ids) -> None:
    tool, arguments = ASKED_ABOUT
    found = recall.results(
        conversation_id=ids.conversation, user_id=ids.user, tool_name=tool, max_results=20
    )
    plans = next(result for result in found if result.tool_input == arguments)
    names = ", ".join(plan["name"] for plan in plans.tool_output["memberships"])
    out.print(
        f"A service puts str(block) into this turn's prompt; the answer: \"As of "
        f'{plans.created_at:%Y-%m-%d}: {names}."'
    )
    out.print(
        f"The names come from recall.results(); asked how it is today, the model calls {tool} "
        "again."
    )


def replay(out: Console, owner: Connection, app: Connection) -> None:
    settings = one(owner, "select conversation_cap, token_budget from tool_recall.settings")
    now = datetime.now(timezone.utc)
    shift = shift_for(now.date())
    recall = ToolRecall(app, on_error="raise", block_timeout=5)

    ana = begin(app, "Ana", "My membership site", moment(CONVERSATION[0].at, shift))
    for turn in CONVERSATION:
        play(recall, app, ana, turn, shift)
    tool_use_id, before, after = redeliver(recall, app, ana)
    calls = long_conversation(settings["conversation_cap"] + OVER_THE_CAP)
    bo = begin(app, "Bo", "Visitors", moment(calls[0].at, shift))
    fill(recall, app, bo, calls, shift)
    say(app, ana, "user", QUESTION, now)

    block = recall.block(conversation_id=ana.conversation, user_id=ana.user, explain=True)
    uncounted = ToolRecall(app, on_error="raise", token_counter="sql")
    by_database = uncounted.block(conversation_id=ana.conversation, user_id=ana.user)
    counted_by = "tiktoken" if offline_counter() is not None else "the database"

    show.heading(out, "The conversation")
    show_conversation(out, app, ana)
    show.heading(out, "What was stored, newest first")
    show_stored(out, app, ana)
    show.heading(out, "The block for this turn, byte for byte")
    show.block(out, block, settings["token_budget"], counted_by, by_database.tokens)
    show.heading(out, "What was left out, and why")
    show.left_out(out, block)
    show.heading(out, "And besides")
    show_cap(out, app, bo, calls, settings["conversation_cap"])
    out.print(f"Redelivered: {tool_use_id} came twice; {before} rows before, {after} after.")
    show_tenants(out, recall, ana, bo)
    purged = ToolRecall(owner).purge()
    out.print(f"Retention: purge() deleted {purged} expired result{'' if purged == 1 else 's'}.")
    show.heading(out, "tool_recall.status")
    show.status(out, one(owner, "select * from tool_recall.status"))
    show.heading(out, "What for")
    show_answer(out, recall, ana)


def run(out: Console) -> None:
    build()
    with embedded_server() as uri:
        with psycopg.connect(uri, autocommit=True) as admin:
            release = admin.info.parameter_status("server_version")
            owner_info, app_info = install(admin, uri)
        with (
            psycopg.connect(owner_info, autocommit=True, row_factory=dict_row) as owner,
            psycopg.connect(app_info, autocommit=True, row_factory=dict_row) as app,
        ):
            version = one(owner, "select tool_recall.version() as version")["version"]
            out.print(f"pg_tool_recall {version} on PostgreSQL {release} from PyPI.")
            replay(out, owner, app)


def stop(number: int, _: object) -> NoReturn:
    """Let a signal end the demo by the way out that stops the server."""
    sys.exit(128 + number)


def main() -> int:
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    try:
        run(show.console())
    except KeyboardInterrupt:
        print("demo: interrupted", file=sys.stderr)
        return 130
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout or "").strip()
        print(f"demo: {error}\n{said}".rstrip(), file=sys.stderr)
        return 1
    except Exception as error:
        print(f"demo: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
