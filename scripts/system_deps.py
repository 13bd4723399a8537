"""Installs what the tests need from the system: `python3 -m scripts.system_deps`.

PostgreSQL of whichever major version is here already or the distribution has, pg_cron, pgTAP and
plpgsql_check for it, pg_prove, PgBouncer, and what `python3 -m venv` needs. On Debian and its kin
they are installed, as root or through a sudo that asks for no password. Otherwise it says what is
missing and fails. No database cluster is made and no service started. Standard library only.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.cluster import ClusterError, find_bin_dir, library_dir, major_version

UPDATE_ATTEMPTS = 4
# Debian makes a cluster with the first server package, and starts what it installs, unless told not
# to: by these files, which are there only meanwhile.
NO_CLUSTER = Path("/etc/postgresql-common/createcluster.d/zz-no-main-cluster.conf")
NO_START = Path("/usr/sbin/policy-rc.d")


@dataclass(frozen=True)
class Need:
    what: str
    package: str
    present: bool


def needs() -> list[Need]:
    """All that the tests need, and whether it is here."""
    try:
        bin_dir: Path | None = find_bin_dir()
    except ClusterError:
        bin_dir = None
    libraries = library_dir(bin_dir) if bin_dir else None
    major = major_version(bin_dir) if bin_dir else distribution_major()
    named = str(major) if major else "MAJOR"

    def has(library: str) -> bool:
        return libraries is not None and (libraries / library).exists()

    return [
        Need("PostgreSQL server", f"postgresql-{named}", bin_dir is not None),
        Need("pg_cron", f"postgresql-{named}-cron", has("pg_cron.so")),
        Need("pgTAP", f"postgresql-{named}-pgtap", bin_dir is not None and _has_pgtap(bin_dir)),
        Need("plpgsql_check", f"postgresql-{named}-plpgsql-check", has("plpgsql_check.so")),
        Need(
            "pg_prove",
            "libtap-parser-sourcehandler-pgtap-perl",
            shutil.which("pg_prove") is not None,
        ),
        Need("PgBouncer", "pgbouncer", shutil.which("pgbouncer") is not None),
        Need(
            "Python's ensurepip (for python3 -m venv)",
            "python3-venv",
            importlib.util.find_spec("ensurepip") is not None,
        ),
    ]


def _has_pgtap(bin_dir: Path) -> bool:
    pg_config = bin_dir / "pg_config"
    if not pg_config.exists():
        return False
    share = subprocess.run([pg_config, "--sharedir"], capture_output=True, text=True).stdout
    return (Path(share.strip()) / "extension" / "pgtap.control").exists()


def distribution_major() -> int | None:
    """The major version that the package postgresql of this distribution stands for."""
    if shutil.which("apt-cache") is None:
        return None
    shown = subprocess.run(
        ["apt-cache", "depends", "postgresql"], capture_output=True, text=True
    ).stdout
    found = re.search(r"Depends: postgresql-(\d+)\s", shown)
    return int(found[1]) if found else None


def become_root() -> list[str] | None:
    """What to put before a command so that it runs as root; None: cannot."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if allowed else None


def apt_get(as_root: Sequence[str], *arguments: str) -> bool:
    command = [
        *as_root,
        *("env", "DEBIAN_FRONTEND=noninteractive", "NEEDRESTART_SUSPEND=1"),
        *("apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"),
        *arguments,
    ]
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0


def update(as_root: Sequence[str]) -> bool:
    """Refreshes apt's package lists; mirrors fail at times, so more than once."""
    for attempt in range(1, UPDATE_ATTEMPTS + 1):
        if apt_get(as_root, "update"):
            return True
        if attempt < UPDATE_ATTEMPTS:
            time.sleep(5 * attempt)
    return False


@contextmanager
def temporary_file(as_root: Sequence[str], path: Path, text: str, mode: str) -> Iterator[None]:
    """While in the block: a file of the system, unless there is one already."""
    if path.exists():
        yield
        return
    new_folder = not path.parent.is_dir()
    subprocess.run([*as_root, "mkdir", "-p", str(path.parent)], check=True)
    try:
        writer = [*as_root, "tee", str(path)]
        subprocess.run(writer, input=text.encode(), stdout=subprocess.DEVNULL, check=True)
        subprocess.run([*as_root, "chmod", mode, str(path)], check=True)
        yield
    finally:
        subprocess.run([*as_root, "rm", "-f", str(path)])
        if new_folder:
            subprocess.run([*as_root, "rmdir", str(path.parent)], stderr=subprocess.DEVNULL)


def install() -> None:
    """Installs what is missing, where that is possible."""
    as_root = become_root()
    if shutil.which("apt-get") is None or as_root is None:
        return
    if not update(as_root):
        print("system-deps: apt-get update failed; trying with the lists at hand", file=sys.stderr)
    # Only now does apt know which PostgreSQL it has.
    packages = [need.package for need in needs() if not need.present]
    with (
        temporary_file(as_root, NO_CLUSTER, "create_main_cluster = false\n", "644"),
        temporary_file(as_root, NO_START, "#!/bin/sh\nexit 101\n", "755"),
    ):
        apt_get(as_root, "install", "--no-install-recommends", *packages)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m scripts.system_deps",
        description="Installs what the tests need from the system.",
    )
    parser.add_argument("--check", action="store_true", help="only say what is missing")
    options = parser.parse_args(arguments)
    if not options.check and any(not need.present for need in needs()):
        install()
    missing = [need for need in needs() if not need.present]
    if not missing:
        return 0
    print("system-deps: missing on this machine:", file=sys.stderr)
    for need in missing:
        print(f"  {need.what} (Debian package {need.package})", file=sys.stderr)
    packages = " ".join(need.package for need in missing)
    print(f"As root: apt-get update && apt-get install {packages}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
