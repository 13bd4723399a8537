"""The Alembic note of docs/sqlalchemy.md, tried in an environment as it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.ways import url
from tests.conftest import MakeDatabase
from tests.support.database import DIST, HOST_EXAMPLE, ROOT, Database, run_script

NOTE = (ROOT / "docs" / "sqlalchemy.md").read_text().split("## Alembic")[1]
FILTERS, UPGRADE = re.findall(r"```python\n(.*?)```", NOTE, re.DOTALL)

MODELS = """\
import uuid

from sqlalchemy import Integer, MetaData, Table, create_engine, pool
from sqlalchemy.ext.asyncio import create_async_engine

# The host's own tables as they are in its database.
metadata = MetaData()
with create_engine({host!r}).connect() as connection:
    metadata.reflect(connection, only=["users", "conversations", "messages"])
"""

ENV = """\
import asyncio

from alembic import context
from models import create_async_engine, create_engine, metadata

target_metadata = metadata
URL = {url!r}

{filters}

def migrate(connection):
    configure(connection)
    with context.begin_transaction():
        context.run_migrations()

async def migrate_awaited():
    engine = create_async_engine(URL)
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()

if "asyncpg" in URL:
    asyncio.run(migrate_awaited())
else:
    with create_engine(URL).connect() as connection:
        migrate(connection)
"""

VERSION = """\
from pathlib import Path

from alembic import op

revision = "1"
down_revision = None

{upgrade}
"""

MAKO = """\
from alembic import op
import sqlalchemy as sa

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}

def upgrade():
    ${upgrades if upgrades else "pass"}

def downgrade():
    ${downgrades if downgrades else "pass"}
"""


def environment(folder: Path, database: Database, driver: str, *, filtered: bool) -> None:
    (folder / "versions").mkdir()
    (folder / "alembic.ini").write_text(
        "[alembic]\nscript_location = %(here)s\nprepend_sys_path = %(here)s\npath_separator = os\n"
    )
    (folder / "script.py.mako").write_text(MAKO)
    target = url(database.owner, driver).render_as_string()
    host = url(database.owner, "psycopg").render_as_string()
    (folder / "models.py").write_text(MODELS.format(host=host))
    filters = FILTERS.replace(
        "context.configure(", "def configure(connection):\n  context.configure("
    )
    filters = filters.replace("\n    connection=", "\n      connection=")
    if not filtered:
        filters = re.sub(r"    include_(name|object)=.*\n", "", filters)
    (folder / "env.py").write_text(ENV.format(url=target, filters=filters))
    upgrade = UPGRADE.replace("'my_app'", "'recall_app'")
    if driver == "asyncpg":
        upgrade = upgrade.replace(
            "    connection = op.get_bind().connection.driver_connection      # psycopg's\n"
            "    connection.execute(script)\n",
            '    op.execute("select 1")\n'
            "    adapted = op.get_bind().connection.dbapi_connection\n"
            "    adapted.run_async(lambda connection: connection.execute(script))\n",
        )
        assert "run_async" in upgrade
    (folder / "versions" / "1_tool_recall.py").write_text(VERSION.format(upgrade=upgrade))
    for script in (DIST / "pg_tool_recall.core.sql", ROOT / "sql" / "uninstall.sql"):
        (folder / "versions" / script.name).write_text(script.read_text())


def alembic(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def body(folder: Path, name: str) -> str:
    (found,) = (folder / "versions").glob(f"*{name}.py")
    match = re.search(r"def upgrade\(\):\n(.*?)\ndef downgrade", found.read_text(), re.DOTALL)
    assert match
    return "".join(
        line for line in match[1].splitlines(keepends=True) if not line.strip().startswith("#")
    ).strip()


@pytest.mark.parametrize("driver", ["psycopg", "asyncpg"])
def test_upgrade_then_autogenerate_gives_nothing(
    tmp_path: Path, make_database: MakeDatabase, driver: str
) -> None:
    database = make_database()
    run_script(database.owner, HOST_EXAMPLE)
    environment(tmp_path, database, driver, filtered=True)
    alembic(tmp_path, "upgrade", "head")
    row = database.owner_conn.execute(
        "select count(*) from tool_recall.message_tool_results"
    ).fetchone()
    assert row == (0,)
    database.app_conn.execute("select tool_recall.version()")

    alembic(tmp_path, "check")
    alembic(tmp_path, "revision", "--autogenerate", "-m", "more")
    assert body(tmp_path, "_more") == "pass"

    if driver == "psycopg":
        alembic(tmp_path, "downgrade", "base")
        gone = database.owner_conn.execute("select to_regnamespace('tool_recall')").fetchone()
        assert gone == (None,)


def test_without_the_filters_it_would_drop_our_tables(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    database = make_database()
    run_script(database.owner, HOST_EXAMPLE)
    environment(tmp_path, database, "psycopg", filtered=False)
    alembic(tmp_path, "upgrade", "head")
    alembic(tmp_path, "revision", "--autogenerate", "-m", "more")
    assert "drop_table('message_tool_results', schema='tool_recall')" in body(tmp_path, "_more")
