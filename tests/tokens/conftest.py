"""Servers old and new: counts must be the same on both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database import Database, create_database, drop_database, prepare


@pytest.fixture(params=["installed", "18"])
def server(request: pytest.FixtureRequest, dist: Path) -> Iterator[Database]:
    """A fresh database on the installed server and on PostgreSQL 18."""
    name = "cluster" if request.param == "installed" else "cluster_18"
    fresh = create_database(request.getfixturevalue(name), "recall_tokens")
    prepare(fresh)
    yield fresh
    drop_database(fresh)
