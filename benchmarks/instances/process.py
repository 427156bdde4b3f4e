"""An instance as its owner runs it: a process in a directory of its own, watched through `/proc`."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_POLL = 0.01


class Instance:
    """One process of an instance: `python -m MODULE` with these settings in its `.env`.

    Use it as an async context manager; it is up when that is entered. A setting of None is left out.
    """

    def __init__(
        self, module: str, settings: Mapping[str, object | None] | None = None, *, ready: str = "/ready"
    ) -> None:
        self.module = module
        self.settings = dict(settings or {})
        self.ready = ready
        self.port = _free_port()
        self.seconds_to_ready = 0.0
        self._home = tempfile.TemporaryDirectory(prefix="mishu-bench-")
        self._process: asyncio.subprocess.Process | None = None

    @property
    def home(self) -> Path:
        """Its directory."""
        return Path(self._home.name)

    @property
    def url(self) -> str:
        """Address of its web server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def onebot_url(self) -> str:
        """Address for a OneBot implementation."""
        return f"ws://127.0.0.1:{self.port}/onebot/v11/ws"

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    async def __aenter__(self) -> Instance:
        home = self.home
        values: dict[str, object | None] = {
            "DRIVER": "~fastapi",
            "HOST": "127.0.0.1",
            "PORT": self.port,
            "MISHU__DATABASE_URL": f"sqlite+aiosqlite:///{home / 'mishu.db'}",
            **{f"LOCALSTORE_{kind}_DIR": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")},
            **self.settings,
        }
        lines = [f"{key}={_written(value)}\n" for key, value in values.items() if value is not None]
        (home / ".env").write_text("".join(lines), "utf-8")
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "plugins"))),
        }
        began = time.monotonic()
        with (home / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self.module),
                cwd=home,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            await self._until_ready(began + 60)
        except BaseException:
            await self.__aexit__()
            raise
        self.seconds_to_ready = time.monotonic() - began
        return self

    async def __aexit__(self, *_: object) -> None:
        process = self._process
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), 15)
            except TimeoutError:
                process.kill()
                await process.wait()
        self._home.cleanup()

    def cpu(self) -> float:
        """Seconds of CPU the process has used so far, in user mode and in the kernel."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> float:
        """Resident memory in MiB."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE / 2**20

    def proportional(self) -> float:
        """Its share of memory in MiB: pages that others map too counted in part."""
        rolled = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return next(int(line.split()[1]) for line in rolled.splitlines() if line.startswith("Pss:")) / 1024

    def log(self) -> str:
        """Its output so far."""
        return (self.home / "log").read_text("utf-8", "replace")

    async def get(self, path: str, timeout: float = 30) -> Any:
        """A GET of its web server, decoded."""
        async with httpx.AsyncClient(trust_env=False, timeout=timeout) as http:
            answer = await http.get(self.url + path)
            answer.raise_for_status()
            return answer.json()

    async def _until_ready(self, end: float) -> None:
        assert self._process is not None
        async with httpx.AsyncClient(trust_env=False, timeout=5) as http:
            while True:
                if self._process.returncode is not None or time.monotonic() > end:
                    raise RuntimeError(f"{self.module} did not start:\n{self.log()[-3000:]}")
                try:
                    if (await http.get(self.url + self.ready)).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(_POLL)


def machine() -> str:
    """The machine and its load now, in one line."""
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
