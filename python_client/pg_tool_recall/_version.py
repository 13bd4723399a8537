"""The version of this package, the same text as in pyproject.toml, and the schemas it takes."""

from __future__ import annotations

import re

__version__ = "0.1.0.dev0"


def release(version: str) -> tuple[int, int] | None:
    """Major and minor number, on which client and schema must agree; None if there are none."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else None


def is_supported(version: str) -> bool:
    """Whether this client works with a schema of that version."""
    return release(version) is not None and release(version) == release(__version__)
