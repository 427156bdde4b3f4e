"""For all tests: where `MISHU_TEST_NO_SKIPS` is set, a test that skips is a failure.

Some tests need what not every machine has (PostgreSQL, a browser) and skip with the reason. A machine that
is set up to have everything says so by this variable; a skip there would be a hole nobody sees.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

NO_SKIPS = "MISHU_TEST_NO_SKIPS"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn a good end into a failure where something was skipped and nothing may be."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get(NO_SKIPS) and skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say so."""
    skipped = terminalreporter.stats.get("skipped", [])
    if os.environ.get(NO_SKIPS) and skipped:
        terminalreporter.section("skipped, which counts as a failure here", red=True)
        for report in skipped:
            terminalreporter.line(f"{report.nodeid}: {report.longrepr[2]}")
