"""`make demo` shows what it promises, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def shown(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tempfile.mkdtemp(prefix="demo-")
    # The system user that runs the server where we are root must get through.
    Path(folder).chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "demo.run"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": folder, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert os.listdir(folder) == []
    os.rmdir(folder)
    return done.stdout


@pytest.mark.parametrize("reason", ["error:", "hidden:", "repeated:", "token_budget:", "expired:"])
def test_says_why_a_result_was_left_out(shown: str, reason: str) -> None:
    assert reason in shown


@pytest.mark.parametrize("repair", ["nul x1", "non_finite x1", "truncated x1"])
def test_shows_repairs(shown: str, repair: str) -> None:
    assert repair in shown


def test_shows_the_block_with_its_count(shown: str) -> None:
    assert "Previously fetched (this conversation, snapshots — not live data):\n- " in shown
    assert "5 plans, Starter Pack 23 active" in shown
    assert "present these snapshots as live data." in shown
    assert "counted by tiktoken" in shown


def test_shows_cap_redelivery_and_tenants(shown: str) -> None:
    assert "the newest 200 are kept (from number 3 on)" in shown
    assert "the same call again was not stored twice" in shown
    assert "asked for as Ana gives ''" in shown


def test_prints_no_colour_codes_without_a_terminal(shown: str) -> None:
    assert "\x1b[" not in shown
