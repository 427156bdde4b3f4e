"""NiceGUI, of which a process has one: imported, started and stopped once, for whoever draws pages.

It costs about half a second and 20 MB to import: a bot whose pages nobody opens pays neither. Whoever has
pages registers how they are declared; they all live in one application, below paths of their own, and each
hands requests on only for its own paths.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...layers.guard import Application, Scope

if TYPE_CHECKING:
    from fastapi import FastAPI

STOP_TIMEOUT: Final = 10.0
TITLE: Final = "Mishu 秘书"


def installed() -> bool:
    """True if pages can be drawn."""
    return find_spec("nicegui") is not None


class Host:
    """Starts NiceGUI when it is first needed. `close` ends it; it is not started again."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._declare: list[Callable[[], None]] = []
        self._application: Application | None = None
        self._living: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    def register(self, declare: Callable[[], None]) -> None:
        """Call `declare` once NiceGUI is imported; before the first visit."""
        self._declare.append(declare)

    async def application(self, data_dir: Path | None) -> Application:
        """The running application; `data_dir` is the only place below which NiceGUI may write."""
        if self._application is None:
            async with self._lock:
                self._application = self._application or await self._start(data_dir)
        return self._application

    async def close(self) -> None:
        """End the pages and NiceGUI."""
        self._stop.set()
        if self._living is not None:
            async with asyncio.timeout(STOP_TIMEOUT):
                await self._living

    async def _start(self, data_dir: Path | None) -> Application:
        await asyncio.to_thread(_import, data_dir)
        shell: Any = _shell()
        for declare in self._declare:
            declare()
        begun = asyncio.Event()
        self._living = asyncio.create_task(self._live(shell, begun), name="mishu pages")
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait({self._living, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._living.done():
            self._living.result()
        return shell

    async def _live(self, shell: FastAPI, begun: asyncio.Event) -> None:
        async with shell.router.lifespan_context(shell):
            begun.set()
            await self._stop.wait()


def _import(data_dir: Path | None) -> None:
    """The slow part. NiceGUI reads where it may write when it is imported."""
    if data_dir is not None:
        os.environ.setdefault("NICEGUI_STORAGE_PATH", str(data_dir / "nicegui"))
    import_module("nicegui")


def _shell() -> FastAPI:
    from fastapi import FastAPI
    from nicegui import ui

    shell = FastAPI(openapi_url=None)
    ui.run_with(  # pyright: ignore[reportUnknownMemberType]
        shell,
        title=TITLE,
        language="zh-CN",
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=3.0,
        binding_refresh_interval=None,
        dark=None,
    )
    return shell


def split_mount(scope: Scope, mount: str) -> tuple[str, str]:
    """The prefix of a mounted application, and the path behind it (`/x`, or empty)."""
    root = str(scope.get("root_path", "")).removesuffix(mount)
    return root + mount, str(scope["path"]).removeprefix(root).removeprefix(mount)


def rewrite_scope(scope: Scope, root: str, path: str) -> Scope:
    """The request as seen by NiceGUI: below `root`, for its own `path`."""
    whole = root + path
    return {**scope, "root_path": root, "path": whole, "raw_path": whole.encode()}


HOST: Final = Host()
"""The one of this process."""
