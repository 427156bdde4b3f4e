"""Bots that need not import everything first: `python -m foreign_warm` does, and each bot is a fork of it.

What a bot imports takes three of the four seconds of its start, and its first readings (`rehearsal`) one
more. Here are only modules that do nothing when they are imported, and readings that are nobody's; whatever
reads the configuration, opens something or registers with NoneBot happens in the fork.

Lines of JSON on standard input ask for a bot: `cwd`, `env`, `module`, `out`, `err`. Lines on standard output
tell `{"pid": …}`, in the order of asking, and `{"pid": …, "code": …}` when it has ended. When standard input
ends, all end.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import runpy
import select
import signal
import sys
import time
from contextlib import suppress
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

from foreign_clock import PACKAGE, give_clock

LIBRARIES = (
    "aiosqlite",
    "alembic.command",
    "apscheduler.schedulers.asyncio",
    "fastapi",
    "nonebot.adapters.onebot.v11",
    "nonebot.drivers.fastapi",
    "openai",
    "openai.resources.chat",
    "openai.types.chat",
    "prometheus_client",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "sqlalchemy.ext.asyncio",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)
OURS = ("runtime", "api_backend", "web.app", "web.routes.calendars", "slips")
"""Modules that import nearly all others, but not `entry`, which registers with NoneBot."""
NICEGUI = (
    *("aiofiles", "aiohttp", "engineio", "httpx", "itsdangerous", "markdown2", "orjson", "socketio"),
    "PIL.Image",
)
"""What the page's library imports. It looks itself for its directory when it is imported."""


def import_all() -> None:
    """Import what every bot imports, but not the product's package itself: importing it runs the plugin.

    And rehearse, which compiles what is compiled once: the rehearsal of each fork takes no time then.
    """
    give_clock()
    for name in (*LIBRARIES, *NICEGUI):
        with suppress(ImportError):
            importlib.import_module(name)
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None
    package = sys.modules[PACKAGE] = ModuleType(PACKAGE)
    package.__path__ = list(found.submodule_search_locations or ())
    for name in OURS:
        importlib.import_module(f"{PACKAGE}.{name}")
    importlib.import_module(f"{PACKAGE}.rehearsal").rehearse(0.0, ZoneInfo("Asia/Shanghai"))
    del sys.modules[PACKAGE]
    gc.collect()
    gc.freeze()


def tell(**what: int) -> None:
    """A line to whoever asks."""
    os.write(1, json.dumps(what).encode() + b"\n")


def serve() -> dict[str, Any] | None:
    """Fork as asked for, until nobody asks any more. In a fork: what it shall be."""
    lines, running = b"", dict[int, int]()
    while True:
        ready, _, _ = select.select([0, *running], [], [])
        for ended in set(ready) - {0}:
            pid = running.pop(ended)
            os.close(ended)
            tell(pid=pid, code=os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        if 0 not in ready:
            continue
        read = os.read(0, 65536)
        if not read:
            for pid in running.values():
                os.kill(pid, signal.SIGKILL)
            return None
        *whole, lines = (lines + read).split(b"\n")
        for line in whole:
            pid = os.fork()
            if pid == 0:
                for handle in running:
                    os.close(handle)
                return json.loads(line)
            running[os.pidfd_open(pid)] = pid
            tell(pid=pid)


def become(wanted: dict[str, Any]) -> str:
    """Make this fork what `python -m foreign_clock <module>` would be, there; the module."""
    for number, path, how in (
        (0, os.devnull, os.O_RDONLY),
        (1, wanted["out"], os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        (2, wanted["err"], os.O_WRONLY | os.O_APPEND | os.O_CREAT),
    ):
        opened = os.open(path, how, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.path[0] = wanted["cwd"]
    importlib.invalidate_caches()
    sys.argv[:] = [wanted["module"]]
    return wanted["module"]


if __name__ == "__main__":
    import_all()
    _wanted = serve()
    if _wanted is not None:
        runpy.run_module(become(_wanted), run_name="__main__", alter_sys=True)
