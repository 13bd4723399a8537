"""Databases of several locales."""

from __future__ import annotations

import pytest

from tests.conftest import MakeDatabase
from tests.support.database import Database, prepare

LOCALES = {
    "C": {"locale": "C"},
    "C.UTF-8": {"locale": "C.UTF-8"},
    "Turkish ICU": {"locale": "C", "icu_locale": "tr-TR"},
}


@pytest.fixture(params=LOCALES)
def local(request: pytest.FixtureRequest, make_database: MakeDatabase) -> Database:
    """The package installed in a database of each locale."""
    database = make_database(encoding="UTF8", **LOCALES[request.param])
    prepare(database)
    return database
