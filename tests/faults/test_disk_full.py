"""A disk that is full: nothing of the caller's is lost; recording goes on once there is room."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.client.faces import Face, call, ids, stored
from tests.support.cluster import Cluster
from tests.support.database import Database, Turn

# Where no file system may be mounted (no root, a container), a trigger raises the server's error.
SIMULATED = """
    create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception using errcode = 'disk_full', message = 'could not extend file';
    end $$;
    create trigger z_full before insert on tool_recall.message_tool_results
      for each row execute function full_disk()"""

Fill = Callable[[], Callable[[], None]]


@pytest.fixture
def small_disk(cluster: Cluster) -> Iterator[Path | None]:
    """A file system of 8 MB that the server may write to; None where there can be none."""
    folder = Path(tempfile.mkdtemp(prefix="recall-disk-"))
    mounted = (
        os.geteuid() == 0
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True
        ).returncode
        == 0
    )
    try:
        if mounted:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        yield folder if mounted else None
    finally:
        if mounted:
            with psycopg.connect(cluster.conninfo(), autocommit=True) as connection:
                connection.execute("drop tablespace if exists small_disk")
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder)


@pytest.fixture
def fill(small_disk: Path | None, database: Database) -> Iterator[Fill]:
    """Fills the disk of the snapshots; gives what makes room again."""
    print("disk full:", "tmpfs" if small_disk else "simulated by a trigger")
    if small_disk is None:

        def simulate() -> Callable[[], None]:
            database.owner_conn.execute(SIMULATED)

            def make_room() -> None:
                database.owner_conn.execute("drop function full_disk() cascade")

            return make_room

        yield simulate
        return

    table = "tool_recall.message_tool_results"
    database.superuser_conn.execute(
        sql.SQL("create tablespace small_disk location {}").format(sql.Literal(str(small_disk)))
    )
    database.superuser_conn.execute(f"alter table {table} set tablespace small_disk")
    ballast = small_disk / "ballast"

    def really() -> Callable[[], None]:
        file = os.open(ballast, os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(file, bytes(4096))
        except OSError:
            os.close(file)
        return ballast.unlink

    yield really
    ballast.unlink(missing_ok=True)
    database.superuser_conn.execute("set lock_timeout = '10s'")
    database.superuser_conn.execute(f"alter table {table} set tablespace pg_default")


def test_disk_full(face: Face, fill: Fill, database: Database, turn: Turn) -> None:
    # What does not compress, so that it needs new pages.
    large = call(turn, tool_output=os.urandom(200_000).hex())
    client = face.client(database.app)
    connection = face.connect()
    assert face.run(client.record(**call(turn)))
    make_room = fill()
    face.run(connection.execute("create temporary table kept ()"))
    assert face.run(client.record(**large)) is None
    assert face.run(client.record(**large, conn=connection)) is None
    assert client.failures == {"database": 2}
    assert face.run(client.block(**ids(turn))).lines
    face.run(connection.execute("select from kept"))
    raising = face.client(database.app, on_error="raise")
    with pytest.raises(Exception, match=r"extend|space") as caught:
        face.run(raising.record(**large))
    assert getattr(caught.value, "sqlstate", None) == "53100"
    make_room()
    assert face.run(client.record(**large, conn=connection))
    face.run(connection.commit())
    assert stored(database) == 2
