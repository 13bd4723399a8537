"""Run the chat service: `make service`, or `python -m examples.chat_service --help`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NoReturn

import psycopg
import uvicorn
from psycopg.conninfo import make_conninfo

from demo.server import embedded_server
from examples.chat_service.app import create_app
from examples.chat_service.models import Anthropic, Model, OpenAI
from examples.chat_service.scripted import scripted_endpoint
from pg_tool_recall.cli import main as pg_tool_recall

HERE = Path(__file__).resolve().parent
HOST_TABLES = HERE.parents[1] / "sql" / "host_example.sql"
SETTINGS = """\
settings, as environment variables:
  DATABASE_URL    a database with the tables of sql/host_example.sql and examples/chat_service/
                  schema.sql and with pg_tool_recall; without it, an embedded PostgreSQL that is
                  gone when the service ends
  MODEL_API       scripted (the default), openai or anthropic
  MODEL           the model's name there
  OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
                  as the vendors' packages read them; OPENAI_BASE_URL may be any server that speaks
                  Chat Completions
"""


@contextmanager
def embedded_database() -> Iterator[str]:
    """A new PostgreSQL with all tables; the conninfo of the service's own, plain role."""
    with embedded_server() as superuser:
        with psycopg.connect(superuser, autocommit=True) as admin:
            admin.execute("create role chat_owner login")
            admin.execute("create role chat_app login")
            admin.execute(
                "create database chat owner chat_owner encoding 'UTF8' template template0"
            )
        owner = make_conninfo(superuser, dbname="chat", user="chat_owner")
        with psycopg.connect(owner) as conn:
            for script in (HOST_TABLES, HERE / "schema.sql"):
                conn.execute(script.read_bytes())
        if pg_tool_recall(["install", "--dsn", owner]) != 0:
            sys.exit(1)
        with psycopg.connect(owner) as conn:
            conn.execute("select tool_recall.grant_app('chat_app')")
            conn.execute("grant select, insert on users, conversations, messages to chat_app")
            conn.execute("grant select on plans to chat_app")
        print(f"The database, while this runs: psql '{owner}'", flush=True)
        yield make_conninfo(owner, user="chat_app")


@contextmanager
def chosen_model(api: str, name: str | None) -> Iterator[Model]:
    if api == "openai":
        yield OpenAI(name or "gpt-4.1-mini")
    elif api == "anthropic":
        yield Anthropic(name or "claude-sonnet-4-5")
    elif api == "scripted":
        with scripted_endpoint() as url:
            yield OpenAI("scripted", url, "none")
    else:
        sys.exit(f"MODEL_API is {api!r}: it must be scripted, openai or anthropic")


def stop(number: int, _: object) -> NoReturn:
    """Let a signal end the service by the way out that stops the database."""
    sys.exit(128 + number)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m examples.chat_service",
        description="A chat service with pg_tool_recall.",
        epilog=SETTINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8000, help="0 for a free one (default: 8000)")
    port = parser.parse_args().port
    signal.signal(signal.SIGTERM, stop)
    with ExitStack() as stack:
        model = stack.enter_context(
            chosen_model(os.environ.get("MODEL_API", "scripted"), os.environ.get("MODEL"))
        )
        conninfo = os.environ.get("DATABASE_URL") or stack.enter_context(embedded_database())
        uvicorn.run(create_app(conninfo, model), host="127.0.0.1", port=port, log_level="info")


if __name__ == "__main__":
    main()
