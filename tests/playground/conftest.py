"""Bots as processes, and a real browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from e2e.harness.bot_clock import CLOCK, instant
from e2e.harness.bot_process import PLUGINS

from bot.pictures.browser import NoBrowser, opened

ROOT = Path(__file__).parents[2]
MINIBOT = Path(__file__).parent / "minibot.py"


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Running:
    """A bot process."""

    port: int
    process: subprocess.Popen[bytes]
    directory: Path
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self, deadline: float = 15.0) -> float:
        """SIGTERM, and how many seconds the process took to end."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(deadline)
        return time.monotonic() - began

    def wait_until_answering(self) -> None:
        for _ in range(300):
            assert self.process.poll() is None, self.log.read_text()
            try:
                httpx.get(f"{self.address}/", timeout=2, trust_env=False)
            except httpx.HTTPError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(self.log.read_text())


Start = Callable[..., Running]
StartBot = Callable[..., Running]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start bots; they are stopped at the end of the test."""
    running: list[Running] = []

    def begin(*options: str, command: list[str] | None = None, environment: Any = None) -> Running:
        port = free_port()
        directory = tmp_path / f"bot{len(running)}"
        directory.mkdir()
        (directory / "clock.txt").write_text(str(instant(CLOCK) - time.time()))
        log = tmp_path / f"bot{len(running)}.log"
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
        with log.open("wb") as out:
            process = subprocess.Popen(
                command or [sys.executable, str(MINIBOT), str(port), *options],
                cwd=directory,
                env={**inherited, **(environment(port) if environment else {})},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        bot = Running(port, process, directory, log)
        running.append(bot)
        bot.wait_until_answering()
        return bot

    yield begin
    for bot in running:
        if bot.process.poll() is None:
            bot.process.kill()
            bot.process.wait(10)


@pytest.fixture
def start_bot(start: Start) -> StartBot:
    """Start the standalone bot with these keys, its files in a directory and a clock of its own."""

    def begin(**keys: str) -> Running:
        def environment(port: int) -> dict[str, str]:
            own = {
                "PYTHONPATH": os.pathsep.join((str(ROOT), str(PLUGINS))),
                "HOST": "127.0.0.1",
                "PORT": str(port),
            }
            return {**own, "LOCALSTORE_USE_CWD": "true", **keys}

        return start(command=[sys.executable, "-m", "foreign_clock", "bot"], environment=environment)

    return begin


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium; the test is skipped where there is none."""
    try:
        driver = opened(tmp_path_factory.mktemp("chromium"))
    except NoBrowser as why:
        pytest.skip(str(why))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """Chromium, on no page before and after the test: an open one would go on calling a stopped bot."""
    yield chromium
    chromium.get("about:blank")
    for log in ("browser", "performance"):
        chromium.get_log(log)
