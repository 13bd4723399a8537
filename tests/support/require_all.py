"""pytest plugin: with RECALL_REQUIRE_ALL=1 in the environment a skipped test fails the run.

On a developer's machine a test may be skipped for want of a system package. Where everything is
meant to be installed, a skip is a test that silently stopped testing.
"""

from __future__ import annotations

import os

import pytest

VARIABLE = "RECALL_REQUIRE_ALL"


def required() -> bool:
    """Whether the environment forbids skipped tests."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


class RequireAll:
    def __init__(self) -> None:
        self.skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # An expected failure is reported as skipped too; it did run.
        if report.skipped and not hasattr(report, "wasxfail"):
            self._add(report.nodeid, report.longrepr)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._add(report.nodeid, report.longrepr)

    def _add(self, nodeid: str, reason: object) -> None:
        # longrepr of a skip is (path, line, "Skipped: why")
        why = reason[2] if isinstance(reason, tuple) and len(reason) == 3 else reason
        self.skipped.append(f"{nodeid}: {why}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.skipped:
            terminalreporter.section(f"skipped, and {VARIABLE} is set", sep="=", red=True)
            for line in self.skipped:
                terminalreporter.line(line)


def pytest_configure(config: pytest.Config) -> None:
    if required():
        config.pluginmanager.register(RequireAll(), "recall-require-all")
