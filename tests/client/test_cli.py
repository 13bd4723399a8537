"""The command pg-tool-recall."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pg_tool_recall import cli
from pg_tool_recall._vocabulary import find_vocabulary
from pg_tool_recall.admin import scripts
from tests.conftest import MakeDatabase
from tests.support.database import ROOT, Database, run_script


def value(database: Database, query: str) -> object:
    row = database.owner_conn.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


@pytest.fixture
def host(make_database: MakeDatabase, dist: Path) -> Database:
    """A host's database, without the package."""
    database = make_database()
    run_script(database.owner, ROOT / "sql" / "host_example.sql")
    return database


def test_install_again_changes_nothing(host: Database, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert cli.main(["install", "--dsn", host.owner]) == 0
    assert "is installed" in capsys.readouterr().out
    assert value(host, "select vocabulary from tool_recall.status") == "cl100k_base"
    assert value(host, "select count(*) from tool_recall._vocabulary") == 100256


def test_install_binds_other_tables(
    make_database: MakeDatabase, dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = make_database()
    database.owner_conn.execute(
        """create schema app;
        create table app."Accounts" (id bigint primary key);
        create table app.chats (
          id bigint primary key,
          a bigint references app."Accounts",
          b bigint references app."Accounts"
        )"""
    )
    options = ["--users", 'app."Accounts"', "--conversations", "app.chats", "--messages", ""]
    assert cli.main(["install", "--dsn", database.owner, "--no-vocabulary", *options]) == 1
    error = capsys.readouterr().err
    assert "conversations_user_id" in error
    options += ["--conversations-user-id", "b"]
    assert cli.main(["install", "--dsn", database.owner, "--no-vocabulary", *options]) == 0
    assert value(database, "select vocabulary from tool_recall.status") == "estimate"


def test_dry_run_prints_what_installs(
    host: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["install", "--dsn", host.owner, "--users", "public.users", "--dry-run"]) == 0
    script = tmp_path / "printed.sql"
    script.write_text(capsys.readouterr().out)
    assert value(host, "select to_regnamespace('tool_recall') is null") is True
    run_script(host.owner, script)
    assert value(host, "select tool_recall.version()") is not None


def test_a_failed_install_leaves_nothing(
    make_database: MakeDatabase, dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = make_database()
    assert cli.main(["install", "--dsn", database.owner]) == 1
    assert "set tool_recall." in capsys.readouterr().err.lower()
    assert value(database, "select to_regnamespace('tool_recall') is null") is True


def test_load_vocabulary(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["load-vocabulary", "--dsn", database.owner]) == 0
    assert "exact" in capsys.readouterr().out
    assert cli.main(["load-vocabulary", "--dsn", database.owner]) == 0
    assert "nothing is changed" in capsys.readouterr().out
    assert value(database, "select vocabulary from tool_recall.status") == "cl100k_base"


def test_load_vocabulary_from_a_file(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = find_vocabulary()
    assert content is not None
    file = tmp_path / "cl100k_base.tiktoken"
    arguments = ["load-vocabulary", "--dsn", database.owner, "--file", str(file)]
    assert cli.main(arguments) == 1
    assert "No such file" in capsys.readouterr().err
    file.write_bytes(content[:-1])
    assert cli.main(arguments) == 1
    assert "SHA-256" in capsys.readouterr().err
    file.write_bytes(content)
    assert cli.main(arguments) == 0


def test_no_vocabulary_at_hand(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "find_vocabulary", lambda: None)
    assert cli.main(["load-vocabulary", "--dsn", database.owner]) == 1
    assert "pip install 'pg-tool-recall[offline]'" in capsys.readouterr().err
    assert cli.main(["install", "--dsn", database.owner]) == 0
    assert "estimates" in capsys.readouterr().out


def test_the_vocabulary_script(database: Database) -> None:
    subprocess.run([sys.executable, "-m", "scripts.vocabulary", "dist"], cwd=ROOT, check=True)
    script = ROOT / "sql" / "dist" / "pg_tool_recall.vocabulary.sql"
    for _ in range(2):
        psql: list[str | Path] = [
            database.cluster.bin_dir / "psql",
            "--no-psqlrc",
            database.owner,
            "-f",
            script,
        ]
        subprocess.run(psql, check=True, capture_output=True)
    assert value(database, "select vocabulary from tool_recall.status") == "cl100k_base"


def test_preview(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["preview", "--dsn", database.owner, "list_plans", "{count($.plans[*])} plans"]
    assert cli.main(arguments) == 0
    assert "No result of list_plans is stored" in capsys.readouterr().out
    turn = database.new_turn()
    database.app_conn.execute(
        "select tool_recall.record_tool_result(%s, %s, %s, 'list_plans', %s, "
        "'{\"plans\": [1, 2]}', created_at => now() - interval '1 hour')",
        [turn.conversation_id, turn.user_id, turn.message_id, '{"site": 1}'],
    )
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out.rstrip().endswith("  2 plans")
    assert cli.main([*arguments, "--match", '{"site": 2}']) == 0
    assert "No result" in capsys.readouterr().out
    assert cli.main([*arguments, "--match", "{"]) == 1
    assert "--match" in capsys.readouterr().err
    assert cli.main([*arguments[:-1], "{count("]) == 1
    assert "position 1" in capsys.readouterr().err


def test_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["preview", "--dsn", "host=127.0.0.1 port=1", "a", "b"]) == 1
    assert "pg-tool-recall preview: " in capsys.readouterr().err


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for command in cli.COMMANDS:
        with pytest.raises(SystemExit) as ended:
            cli.main([command.name, "--help"])
        assert ended.value.code == 0
        shown = capsys.readouterr().out
        assert command.summary[1:] in shown
        assert "exit status" in shown


def test_the_wheel_brings_the_script(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([*build, str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    shipped = zipfile.ZipFile(wheel).read("pg_tool_recall/sql/pg_tool_recall.core.sql")
    assert shipped.decode() == scripts.core_sql()
    gone = zipfile.ZipFile(wheel).read("pg_tool_recall/sql/uninstall.sql")
    assert gone.decode() == scripts.uninstall_sql()
