"""A bot at rest with a hundred open event streams: what they cost of one core."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from .measurement import Measurement

STREAMS = 100
SETTLING, MEASURED = 3.0, 20.0
GOAL_PERCENT = 10.0
GROUP = "777001"
START_TIMEOUT = 60.0


def run() -> Iterator[Measurement]:
    """CPU of the process in percent of a core, without and with the streams."""
    with tempfile.TemporaryDirectory() as directory, ExitStack() as opened:
        bot, port = _started(Path(directory))
        try:
            time.sleep(SETTLING)
            alone = _percent(bot.pid)
            for _ in range(STREAMS):
                opened.enter_context(_stream(port))
            time.sleep(SETTLING)
            listened = _percent(bot.pid)
        finally:
            opened.close()
            bot.send_signal(signal.SIGTERM)
            bot.wait(30)
    yield Measurement(
        f"streams, CPU at rest with {STREAMS} open",
        listened,
        "% of a core",
        against=f"none open ({alone:.2f} %)",
        ratio=listened / alone if alone else None,
        goal=f"below {GOAL_PERCENT:g} %",
        met=listened < GOAL_PERCENT,
    )


def _started(home: Path) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    root = str(Path(__file__).parent.parent)
    environment = {
        **os.environ,
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "LOG_LEVEL": "ERROR",
        "PYTHONPATH": root,
        "MISHU__DATABASE_URL": f"sqlite+aiosqlite:///{home / 'mishu.db'}",
        **{f"LOCALSTORE_{kind}_DIR": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")},
    }
    bot = subprocess.Popen([sys.executable, "-m", "bot"], cwd=home, env=environment)
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return bot, port
    bot.kill()
    raise TimeoutError("the bot did not start")


def _stream(port: int) -> socket.socket:
    """An open stream whose first event has come."""
    connection = socket.create_connection(("127.0.0.1", port), 10)
    asked = f"GET /api/groups/{GROUP}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
    connection.sendall(asked.encode())
    heard = b""
    while b"event: presence" not in heard:
        part = connection.recv(65_536)
        if not part:
            raise ConnectionError(heard.decode("utf-8", "replace"))
        heard += part
    return connection


def _percent(pid: int) -> float:
    """CPU of a process over a while, in percent of one core."""
    began, used = time.monotonic(), _ticks(pid)
    time.sleep(MEASURED)
    seconds = (_ticks(pid) - used) / os.sysconf("SC_CLK_TCK")
    return 100 * seconds / (time.monotonic() - began)


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
