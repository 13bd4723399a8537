"""`make demo` shows what it promises, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timezone
from pathlib import Path

import pytest

from demo import run, show
from demo.conversation import LAST_DAY, shift_for, shifted
from pg_tool_recall import Block
from tests.support.database import build_dist

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "golden_block.json"


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder for temporary files, which must be empty again, with no process that uses it."""
    folder = Path(tempfile.mkdtemp(prefix="demo-"))
    # The system user that runs the server where we are root must get through.
    folder.chmod(0o755)
    yield folder
    assert os.listdir(folder) == []
    assert processes(folder) == []
    folder.rmdir()


def processes(folder: Path) -> list[str]:
    """The commands now running that name the folder; PostgreSQL's names its data."""
    listed = subprocess.run(
        ["ps", "-ww", "-eo", "args"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=True,
    ).stdout
    return [line for line in listed.splitlines() if str(folder) in line]


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    return {**kept, "TMPDIR": str(folder), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="module")
def shown() -> str:
    build_dist()
    with empty_folder() as folder:
        done = subprocess.run(
            [sys.executable, str(ROOT / "demo" / "run.py")],
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def part(shown: str, heading: str) -> str:
    """What stands below one heading."""
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=\n\n|\Z)", shown, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[1]


@pytest.mark.parametrize("reason", ["error", "hidden", "repeated", "token_budget", "expired"])
def test_says_why_a_result_was_left_out(shown: str, reason: str) -> None:
    assert f" {reason}: " in part(shown, "What was left out, and why")


def test_left_out_and_block_are_all_that_was_stored(shown: str) -> None:
    day = re.compile(r"^(?:- )?\d{4}-\d\d-\d\d ", re.MULTILINE)
    stored = day.findall(part(shown, "What was stored, newest first"))
    left_out = day.findall(part(shown, "What was left out, and why"))
    lines = day.findall(part(shown, "The block for this turn, byte for byte"))
    assert len(stored) == len(left_out) + len(lines)


def test_the_readme_shows_what_it_prints(shown: str) -> None:
    """Line by line, but for the dates, which move with the day it runs."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    excerpt = re.search(r"and what was left out:\n\n```\n(.*?)\n```", readme, re.DOTALL)
    assert excerpt is not None
    day = re.compile(r"\d{4}-\d\d-\d\d")
    printed = {day.sub("DAY", line).rstrip() for line in shown.splitlines()}
    lines = {day.sub("DAY", line) for line in excerpt[1].splitlines()} - {"..."}
    assert lines
    assert lines <= printed


@pytest.mark.parametrize("repair", ["nul x1", "non_finite x1", "truncated x1"])
def test_shows_repairs(shown: str, repair: str) -> None:
    assert repair in part(shown, "What was stored, newest first")


def test_block_is_the_golden_one_moved_by_whole_weeks(shown: str) -> None:
    first = re.search(r"^- (\d{4}-\d\d-\d\d) ", shown, re.MULTILINE)
    assert first is not None
    shift = date.fromisoformat(first[1]) - LAST_DAY
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["block"]
    assert shift.days % 7 == 0
    assert shifted(golden, shift) in shown


def test_last_call_was_about_three_weeks_before_the_question(shown: str) -> None:
    days = re.findall(r"^(\d{4}-\d\d-\d\d) +(?:user|assistant): ", shown, re.MULTILINE)
    answered, asked = (date.fromisoformat(day) for day in days[-2:])
    assert 17 <= (asked - answered).days <= 25


def test_tokens_shown_are_those_of_the_block(shown: str) -> None:
    found = re.search(r"(\d+) tokens of (\d+) .*counted by tiktoken; (\d+) by the database", shown)
    assert found is not None
    exact, budget, by_database = (int(number) for number in found.groups())
    assert exact <= by_database <= budget


def test_digest_shown_is_that_of_the_block(shown: str) -> None:
    text = re.search(r"^Previously fetched.*?live data\.$", shown, re.DOTALL | re.MULTILINE)
    assert text is not None
    assert f"sha256 {Block(text[0]).sha256}\n" in shown


def test_shows_cap_redelivery_users_and_retention(shown: str) -> None:
    besides = part(shown, "And besides")
    cap = re.search(r"of (\d+) results .* newest (\d+) stayed, toolu_bo_(\d+) to ", besides)
    assert cap is not None
    given, kept, oldest = (int(number) for number in cap.groups())
    assert given > kept == given - oldest + 1
    redelivered = re.search(r"came twice; (\d+) rows before, (\d+) after", besides)
    assert redelivered is not None
    assert redelivered[1] == redelivered[2]
    assert re.search(r"gives Bo [1-5] lines, and Ana 0 lines and 0 results", besides)
    assert "purge() deleted 1 expired result." in besides


def test_bo_stands_nowhere_in_anas_parts(shown: str) -> None:
    for heading in ("What was stored, newest first", "The block for this turn, byte for byte"):
        assert "query_visitors" not in part(shown, heading)


def test_fits_and_has_no_colour_codes_without_a_terminal(shown: str) -> None:
    assert "\x1b" not in shown
    assert max(len(line) for line in shown.splitlines()) <= show.WIDTH


def test_leaves_nothing_behind_when_stopped() -> None:
    build_dist()
    with empty_folder() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "demo.run"],
            cwd=ROOT,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert process.stdout is not None
        assert "PostgreSQL" in process.stdout.readline()
        assert processes(folder)  # or the check that none is left sees nothing
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, errors


def test_failure_is_one_clear_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> None:
        raise run.DemoError("no way")

    monkeypatch.setattr(run, "run", fail)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert run.main() == 1
    assert capsys.readouterr().err == "demo: DemoError: no way\n"


@pytest.mark.parametrize("today", ["2026-05-13", "2026-12-31", "2028-02-29", "2031-01-01"])
def test_dates_move_by_whole_weeks_to_three_weeks_ago(today: str) -> None:
    day = datetime.fromisoformat(today).replace(tzinfo=timezone.utc).date()
    shift = shift_for(day)
    assert shift.days % 7 == 0
    assert 18 <= (day - LAST_DAY - shift).days <= 24
