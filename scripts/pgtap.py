"""Runs the pgTAP tests against a throw-away cluster: `python3 -m scripts.pgtap [FILE_OR_FOLDER…]`.

The database recall_pgtap belongs to the plain role recall_owner, who installs the package from
sql/dist/pg_tool_recall.sql and runs the tests; pgTAP itself lies in schema tap. Every file must
state a plan and keep it, and hold a test. With RECALL_REQUIRE_ALL=1 no test may be skipped.

Left behind, for continuous integration: reports/pgtap/*.tap as printed by the tests, and
reports/pgtap.xml in JUnit's form. Standard library only.
A server without pgTAP gets the functions of one that has it: they are plain SQL.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tests.support.cluster import APP, OWNER, Cluster, ClusterError

ROOT = Path(__file__).resolve().parent.parent
DATABASE = "recall_pgtap"
REPORTS = ROOT / "reports"
DEBIAN_SHARE = Path("/usr/share/postgresql")

TEST = re.compile(
    r"^(?P<not>not )?ok\b(?: (?P<number>\d+))?(?: - )?(?P<name>.*?)"
    r"(?:\s# (?P<directive>skip|todo)\b\S*\s*(?P<reason>.*))?$",
    re.IGNORECASE,
)
PLAN = re.compile(r"^1\.\.(?P<count>\d+)(?:\s*# skip\S*\s*(?P<reason>.*))?$", re.IGNORECASE)


@dataclass
class Result:
    """One test line of a TAP file."""

    name: str
    passed: bool
    skipped: str | None = None
    comments: list[str] = field(default_factory=list)


@dataclass
class TapFile:
    """What a test file said."""

    path: str
    results: list[Result] = field(default_factory=list)
    planned: int | None = None
    skipped_all: str | None = None

    @classmethod
    def parse(cls, path: str, text: str) -> TapFile:
        tap = cls(path)
        for line in text.splitlines():
            if plan := PLAN.match(line):
                tap.planned = int(plan["count"])
                tap.skipped_all = plan["reason"]
            elif test := TEST.match(line):
                directive = (test["directive"] or "").lower()
                tap.results.append(
                    Result(
                        test["name"].strip() or f"test {len(tap.results) + 1}",
                        passed=not test["not"] or directive == "todo",
                        skipped=test["reason"] or "" if directive == "skip" else None,
                    )
                )
            elif line.startswith("#") and tap.results:
                tap.results[-1].comments.append(line)
        return tap

    def complaints(self, require_all: bool) -> list[str]:
        """What is wrong with it, beyond what a TAP harness minds."""
        found = []
        if not self.results and self.skipped_all is None:
            found.append(f"{self.path}: holds no test")
        if self.planned is None:
            found.append(f"{self.path}: no plan")
        elif self.planned != len(self.results):
            found.append(f"{self.path}: planned {self.planned} tests, ran {len(self.results)}")
        if require_all:
            if self.skipped_all is not None:
                found.append(f"{self.path}: skipped: {self.skipped_all}")
            found += [
                f"{self.path}: skipped: {result.name} ({result.skipped})"
                for result in self.results
                if result.skipped is not None
            ]
        return found


def junit(files: Sequence[TapFile]) -> ElementTree.ElementTree[ElementTree.Element]:
    """The files in JUnit's XML, a test suite each."""
    root = ElementTree.Element("testsuites", name="pgtap")
    for tap in files:
        wrong = [] if tap.skipped_all is not None else tap.complaints(require_all=False)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=tap.path,
            tests=str(len(tap.results)),
            failures=str(sum(not result.passed for result in tap.results)),
            errors=str(len(wrong)),
            skipped=str(sum(result.skipped is not None for result in tap.results)),
        )
        for result in tap.results:
            case = ElementTree.SubElement(
                suite, "testcase", classname=tap.path.removesuffix(".sql"), name=result.name
            )
            if result.skipped is not None:
                ElementTree.SubElement(case, "skipped", message=result.skipped)
            elif not result.passed:
                failure = ElementTree.SubElement(case, "failure", message="not ok")
                failure.text = "\n".join(result.comments)
        for complaint in wrong:
            case = ElementTree.SubElement(suite, "testcase", classname=tap.path, name="plan")
            ElementTree.SubElement(case, "error", message=complaint)
    ElementTree.indent(root)
    return ElementTree.ElementTree(root)


def prepare(cluster: Cluster) -> None:
    """The database recall_pgtap with pgTAP, host example tables and the package."""
    cluster.psql(f"create database {DATABASE} owner {OWNER}")
    available = cluster.psql("select name from pg_available_extensions").split()
    statements = [
        "create schema tap;",
        "grant usage on schema tap to public;",
        "create extension pgtap schema tap;" if "pgtap" in available else _pgtap_as_sql(cluster),
        f"alter database {DATABASE} set search_path = public, tap;",
    ]
    if "plpgsql_check" in available:
        statements.append("create extension plpgsql_check schema tap;")
    cluster.psql("\n".join(statements), DATABASE)
    for script in ("sql/host_example.sql", "sql/dist/pg_tool_recall.sql"):
        cluster.run(
            "psql", "-X", "-q", *_target(), "-v", "ON_ERROR_STOP=1", "-f", str(ROOT / script)
        )
    cluster.psql(f"select tool_recall.grant_app('{APP}')", DATABASE, OWNER)


def _pgtap_as_sql(cluster: Cluster) -> str:
    """pgTAP's functions from another version's package: they are the same on every version."""
    files = sorted(DEBIAN_SHARE.glob("*/extension/pgtap.sql"))
    if not files:
        raise ClusterError(
            f"pgTAP is not installed: Debian package postgresql-{cluster.major}-pgtap"
        )
    text = files[-1].read_text()
    return f"set client_min_messages = warning; set search_path = tap, pg_catalog;\n{text}"


def _target() -> list[str]:
    return ["-d", DATABASE, "-U", OWNER]


def find_tests(paths: Sequence[Path]) -> list[str]:
    """The test files, relative to the repository. Files of other endings are for inclusion."""
    found: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise ClusterError(f"no such file or folder: {path}")
        found.update(path.rglob("*.sql") if path.is_dir() else [path])
    return sorted(path.resolve().relative_to(ROOT).as_posix() for path in found)


def run(tests: Sequence[str], *, verbose: bool, require_all: bool, reports: Path) -> int:
    """Runs the test files; 0 when all is well."""
    prove = shutil.which("pg_prove")
    if prove is None:
        raise ClusterError(
            "pg_prove is not installed: Debian package libtap-parser-sourcehandler-pgtap-perl"
        )
    taps = reports / "pgtap"
    shutil.rmtree(taps, ignore_errors=True)
    taps.mkdir(parents=True)
    with Cluster() as cluster:
        prepare(cluster)
        proved = subprocess.run(
            [
                prove,
                *("--psql-bin", str(cluster.bin_dir / "psql"), "--ext", ".sql"),
                *("--failures", "--comments", *(["--verbose"] if verbose else [])),
                *_target(),
                *tests,
            ],
            cwd=ROOT,
            # The harness leaves what each test printed in that folder.
            env={**cluster.environment(), "PERL_TEST_HARNESS_DUMP_TAP": str(taps)},
        )
    files = []
    for test in tests:
        dumped = taps / test
        files.append(TapFile.parse(test, dumped.read_text() if dumped.exists() else ""))
    junit(files).write(reports / "pgtap.xml", encoding="utf-8", xml_declaration=True)

    complaints = [line for tap in files for line in tap.complaints(require_all)]
    for line in complaints:
        print(f"pgtap: {line}", file=sys.stderr)
    return 1 if proved.returncode != 0 or complaints else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m scripts.pgtap", description="Runs pgTAP tests."
    )
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / "pgtap"])
    parser.add_argument("-v", "--verbose", action="store_true", help="print every test")
    parser.add_argument(
        "--reports", type=Path, default=REPORTS, metavar="FOLDER", help="where reports are left"
    )
    options = parser.parse_args(arguments)
    try:
        tests = find_tests(options.paths)
        if not tests:
            raise ClusterError("no pgTAP tests (*.sql) there")
        require_all = os.environ.get("RECALL_REQUIRE_ALL", "") not in ("", "0")
        return run(
            tests,
            verbose=options.verbose,
            require_all=require_all,
            reports=options.reports.resolve(),
        )
    except ClusterError as error:
        print(f"pgtap: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
