"""For all tests: the plugin is loaded once, and a test that skips is a failure where nothing may skip.

Importing any module of a plugin package runs the plugin, so NoneBot stands before the first import: with a
driver that opens nothing, its files in a directory of this run. Start-up and shut-down are left to the
tests that want them.

Where `MISHU_TEST_NO_SKIPS` is set, a test that skips is a failure.

Some tests need what not every machine has (PostgreSQL, a browser) and skip with the reason. A machine that
is set up to have everything says so by this variable; a skip there would be a hole nobody sees.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import rows

_MEMORY, _ENOUGH = "/dev/shm", 4 << 30
if os.access(_MEMORY, os.W_OK) and "TMPDIR" not in os.environ and shutil.disk_usage(_MEMORY).free > _ENOUGH:
    # Thousands of small databases, each commit forced to the disk: files in memory take that in no time, and
    # no busy disk lets a test miss a deadline. Processes that tests start inherit it.
    os.environ["TMPDIR"] = tempfile.tempdir = _MEMORY

_FILES = tempfile.mkdtemp(prefix="mishu-tests-")
for _kind in ("DATA", "CACHE", "CONFIG"):
    os.environ[f"LOCALSTORE_{_kind}_DIR"] = os.path.join(_FILES, _kind.lower())
for _key in [key for key in os.environ if key.startswith(("MISHU__", "OPENAI_"))]:
    del os.environ[_key]

import hypothesis  # noqa: E402
import nonebot  # noqa: E402
import yaml  # noqa: E402
from nonebug import NONEBOT_START_LIFESPAN  # noqa: E402

# libyaml reads the same ten times as fast, and the sentences are most of a megabyte of YAML.
yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
yaml.BaseLoader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

# On a busy machine any example may take long.
hypothesis.settings.register_profile(
    "mishu", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("mishu")

nonebot.init(driver="~none", _env_file=None)
nonebot.load_plugin("nonebot_plugin_mishu")

from nonebot_plugin_mishu.storage import Storage  # noqa: E402
from ready_database import ready_url  # noqa: E402

gc.set_threshold(20_000, 20, 50)
# Collecting and parsing make millions of objects that stay: walking them again and again takes seconds.

NO_SKIPS = "MISHU_TEST_NO_SKIPS"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--row`: of tests over data, only the rows with these words."""
    parser.addoption("--row", default="", help="of tests over data, try only the rows with these words")


def pytest_configure(config: pytest.Config) -> None:
    """The plugin's own start-up is a test's business, not every test's."""
    config.stash[NONEBOT_START_LIFESPAN] = False
    rows.wanted = config.getoption("--row")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn a good end into a failure where something was skipped and nothing may be."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get(NO_SKIPS) and skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    """Leave no files behind."""
    shutil.rmtree(_FILES, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say so."""
    skipped = terminalreporter.stats.get("skipped", [])
    if os.environ.get(NO_SKIPS) and skipped:
        terminalreporter.section("skipped, which counts as a failure here", red=True)
        for report in skipped:
            terminalreporter.line(f"{report.nodeid}: {report.longrepr[2]}")


@pytest_asyncio.fixture(loop_scope="session")
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    """An open storage in a file of the test's own."""
    opened = await Storage.open(await ready_url(tmp_path), on_trouble=print)
    yield opened
    await opened.close()
