"""Databases of several locales, and on PostgreSQL 18."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import MakeDatabase
from tests.support.cluster import Cluster
from tests.support.database import Database, create_database, drop_database, prepare

LOCALES = {
    "C": {"locale": "C"},
    "C.UTF-8": {"locale": "C.UTF-8"},
    "Turkish ICU": {"locale": "C", "icu_locale": "tr-TR"},
}


@pytest.fixture(params=[*LOCALES, "PostgreSQL 18"])
def local(request: pytest.FixtureRequest, make_database: MakeDatabase) -> Iterator[Database]:
    """The package installed in a database of each locale, and on PostgreSQL 18."""
    if request.param == "PostgreSQL 18":
        newest = create_database(request.getfixturevalue("cluster_18"), "recall_local")
        prepare(newest)
        yield newest
        drop_database(newest)
        return
    locale = LOCALES[request.param]
    if "icu_locale" in locale:
        skip_without_icu(request.getfixturevalue("cluster"))
    database = make_database(encoding="UTF8", **locale)
    prepare(database)
    yield database


def skip_without_icu(cluster: Cluster) -> None:
    """Skips the test where no database can have an ICU locale of its own."""
    if cluster.major < 15:
        pytest.skip("PostgreSQL 14 has no ICU databases")
    if cluster.psql("select count(*) from pg_collation where collprovider = 'i'") == "0":
        pytest.skip("this PostgreSQL was built without ICU")
