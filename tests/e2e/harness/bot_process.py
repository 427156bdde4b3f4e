"""The bot as its owner runs it: `python -m bot` in a directory of its own, stopped, killed, started again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from . import warm
from .bot_clock import CLOCK, BotClock

ROOT = Path(__file__).resolve().parents[3]
PLUGINS = Path(__file__).resolve().parent.parent / "foreign"
OUTSIDE = Path(__file__).resolve().parents[2] / "agents" / "outside"
"""Plugins that are written from the page for their authors alone."""
API_KEY = "sk-e2e-0a1b2c3d4e5f60718293a4b5c6d7e8f9"

SETTINGS: dict[str, object] = {
    "LOG_LEVEL": "INFO",
    "NICKNAME": ["小秘"],
    "SUPERUSERS": ["99999"],
    "MISHU__FRONTDESK__WAKE_WORDS": ["秘书大人"],
    "MISHU__SECRETARY__COOLDOWN": 0.4,
    "MISHU__SECRETARY__UNASKED_GAP": 0,
    "MISHU__SECRETARY__LOCK_TIMEOUT": 40,
    "MISHU__SECRETARY__PATIENCE": [[60, "让我想想…"]],
    "MISHU__FRONTDESK__HOLD_TIMEOUT": 50,
    "MISHU__LLM__TIMEOUT": 20,
    "MISHU__LLM__DECIDE_TIMEOUT": 15,
    "MISHU__QQ__SEND_GAP": 0.01,
}
"""Short gaps, so that what takes seconds in a group takes moments here; limits longer than any expectation
waits, so that nothing comes right because a limit was reached."""

HURRIED: dict[str, object] = {
    "MISHU__SECRETARY__LOCK_TIMEOUT": 2.4,
    "MISHU__FRONTDESK__HOLD_TIMEOUT": 3,
    "MISHU__LLM__TIMEOUT": 1.2,
    "MISHU__LLM__DECIDE_TIMEOUT": 0.6,
}
"""Limits that tests of faults reach on purpose."""


MACHINE = ("LD_PRELOAD", "MACHINE_CLOCK_AHEAD")
"""What tells a machine that its clock is set otherwise (`.ci/shifted_clock.c`): the bots stand on it too."""

ENDED = (0, -15)
"""Exit codes of a clean end: the web server hands SIGTERM on once everything is closed."""


SLOW_MOUTH: dict[str, object] = {
    "MISHU__QQ__SEND_GAP": 0.4,
    "MISHU__SECRETARY__PATIENCE": [[0.4, "让我想想…"], [0.9, "还在想…"]],
}
"""A gap between sends that can be measured, and patience lines that come soon."""


def free_port() -> int:
    """A port nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class BotProcess:
    """One bot: its directory, its settings, its process.

    `settings` are written to `.env` (lists as JSON; None leaves a key out) over `SETTINGS`; `clock` is the
    wall time in Shanghai at which its clock starts; `python` runs it. It is a fork of a process that has
    imported what bots import (`foreign_warm`); `cold`, or another `python`, means a start of its own.
    """

    def __init__(
        self,
        home: Path,
        settings: Mapping[str, object | None] | None = None,
        *,
        module: str = "bot",
        ready: str = "/api/health",
        clock: str = CLOCK,
        python: str = sys.executable,
        cold: bool = False,
    ) -> None:
        self.python = python
        self.cold = cold or python != sys.executable or not warm.POSSIBLE
        self.home = home
        self.port = free_port()
        self.clock = BotClock(home, self.port, clock)
        self.module = module
        self.ready = ready
        self.settings: dict[str, object | None] = {**SETTINGS, **(settings or {})}
        self.environment: dict[str, str] = {}
        """What stands in the process's environment and in no file."""
        self.log_file = home / "bot.log"
        self.error_file = home / "bot.err"
        self.process: asyncio.subprocess.Process | warm.Forked | None = None

    @property
    def url(self) -> str:
        """Where its API is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def onebot_url(self) -> str:
        """Where a OneBot implementation connects."""
        return f"ws://127.0.0.1:{self.port}/onebot/v11/ws"

    @property
    def database(self) -> Path:
        """Its SQLite file."""
        return self.home / "mishu.db"

    @property
    def log(self) -> str:
        """Everything it printed so far, standard output first."""
        return _content(self.log_file) + self.errors

    @property
    def errors(self) -> str:
        """What it printed to standard error."""
        return _content(self.error_file)

    async def launch(self) -> None:
        """Start the process and do not wait for anything."""
        self.home.mkdir(parents=True, exist_ok=True)
        self.clock.keep()
        values: dict[str, object | None] = {
            "DRIVER": "~fastapi",
            "HOST": "127.0.0.1",
            "PORT": self.port,
            "MISHU__DATABASE_URL": f"sqlite+aiosqlite:///{self.database}",
            "LOCALSTORE_DATA_DIR": str(self.home / "data"),
            "LOCALSTORE_CACHE_DIR": str(self.home / "cache"),
            "LOCALSTORE_CONFIG_DIR": str(self.home / "config"),
            **self.settings,
        }
        (self.home / ".env").write_text(
            "".join(f"{key}={_written(value)}\n" for key, value in values.items() if value is not None),
            "utf-8",
        )
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONPATH": os.pathsep.join(
                map(str, (ROOT, ROOT / "plugins", PLUGINS, OUTSIDE, ROOT / "template"))
            ),
            "PYTHONUNBUFFERED": "1",
            **{key: os.environ[key] for key in MACHINE if key in os.environ},
        }
        own = {**environment, **self.environment}
        if not self.cold:
            self.process = await warm.launch(
                self.module, cwd=self.home, env=own, first=environment, out=self.log_file, err=self.error_file
            )
            return
        with self.log_file.open("ab") as log, self.error_file.open("ab") as errors:
            self.process = await asyncio.create_subprocess_exec(
                *(self.python, "-m", "foreign_clock", self.module),
                cwd=self.home,
                env=own,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=errors,
            )

    async def start(self, within: float = 40) -> None:
        """Start it and wait until its API answers."""
        await self.launch()
        assert self.process is not None
        end = time.monotonic() + within
        async with httpx.AsyncClient(trust_env=False, timeout=5) as http:
            while True:
                assert self.process.returncode is None, f"the bot ended at start:\n{self.tail()}"
                assert time.monotonic() < end, f"the bot is not up after {within:g} s:\n{self.tail()}"
                try:
                    if (await http.get(self.url + self.ready)).status_code < 500:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.05)

    async def ended(self, within: float = 30) -> int:
        """Wait for the process to end by itself; its exit code."""
        assert self.process is not None
        try:
            return await asyncio.wait_for(self.process.wait(), within)
        except TimeoutError:
            raise AssertionError(f"the bot still runs after {within:g} s:\n{self.tail()}") from None

    async def stop(self, within: float = 8) -> int:
        """Ask it to end (SIGTERM), as a service manager does; it must within seconds. Its exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self.process.wait(), within)
        except TimeoutError:
            await self.kill()
            raise AssertionError(f"the bot did not end within {within:g} s:\n{self.tail()}") from None

    async def kill(self) -> None:
        """End it as a power cut does (SIGKILL)."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def restart(self) -> None:
        """Start it again on the same data, after `stop` or `kill`."""
        assert self.process is None or self.process.returncode is not None, "still running"
        await self.start()

    async def close(self) -> None:
        """End it in whatever way."""
        if self.process is not None:
            await self.kill()

    def tail(self, lines: int = 80) -> str:
        """The end of its log."""
        both = [_content(self.log_file), self.errors]
        return "\n--- standard error:\n".join("\n".join(part.splitlines()[-lines:]) for part in both)


def _content(file: Path) -> str:
    return file.read_text("utf-8", "replace") if file.exists() else ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
