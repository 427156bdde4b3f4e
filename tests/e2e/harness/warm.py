"""Bots forked from a process that has imported everything (`foreign_warm`), one for each pytest process."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

POSSIBLE = hasattr(os, "pidfd_open")
"""Where not, bots are started as everywhere else."""


class Forked:
    """A forked bot, with what is used of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, code: Future[int]) -> None:
        self.pid = pid
        self._code = code

    @property
    def returncode(self) -> int | None:
        """Its exit code, once it has ended."""
        return self._code.result() if self._code.done() else None

    async def wait(self) -> int:
        """Wait for its end."""
        # shielded: who gives up waiting does not decide that it has no end
        return await asyncio.shield(asyncio.wrap_future(self._code))

    def send_signal(self, number: int) -> None:
        """Signal it, where it still runs."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The process they are forked from."""

    def __init__(self, environment: Mapping[str, str], home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "foreign_warm"],
            cwd=home,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._asked: deque[Future[Forked]] = deque()
        self._running: dict[int, Future[int]] = {}
        self._reader = threading.Thread(target=self._read, name="warm bots", daemon=True)
        self._reader.start()
        atexit.register(self.end)

    async def launch(self, module: str, cwd: Path, env: Mapping[str, str], out: Path, err: Path) -> Forked:
        """A bot that runs there."""
        asked: Future[Forked] = Future()
        self._asked.append(asked)
        wanted = {"module": module, "cwd": str(cwd), "env": dict(env), "out": str(out), "err": str(err)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(wanted).encode() + b"\n")
        self._process.stdin.flush()
        return await asyncio.wrap_future(asked)

    def end(self) -> None:
        """End it, and every bot that still runs."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._reader.join(10)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as told:
            for line in told:
                said = json.loads(line)
                if "code" in said:
                    self._running.pop(said["pid"]).set_result(said["code"])
                else:
                    code = self._running[said["pid"]] = Future()
                    self._asked.popleft().set_result(Forked(said["pid"], code))
        for asked in self._asked:
            asked.set_exception(OSError("the process that bots are forked from has ended"))
        for code in self._running.values():
            code.set_result(-signal.SIGKILL)


_warm: Warm | None = None


async def launch(
    module: str, *, cwd: Path, env: Mapping[str, str], first: Mapping[str, str], out: Path, err: Path
) -> Forked:
    """Start `module` there as `python -m foreign_clock` does. `first`: the environment of the imports."""
    global _warm
    if _warm is None:
        _warm = Warm(first, cwd)
    return await _warm.launch(module, cwd, env, out, err)
