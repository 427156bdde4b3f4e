"""`python -m bot pictures`: a bot with an invented month behind it, each page of its console as a picture."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from . import together
from .browser import NoBrowser, opened, shot, sized

FOLDER: Final = Path("docs/pictures")
PAGES: Final = (
    "", "calendar", "tasks", "ledger", "polls", "decisions", "record", "memory", "settings", "usage", "bot",
    "playground",
)  # fmt: skip
SHOWN: Final = (
    ("today", "", 390, False),
    ("calendar", "calendar", 1200, False),
    ("tasks", "tasks", 390, False),
    ("ledger", "ledger", 1200, False),
    ("ledger-phone", "ledger", 390, True),
    ("decisions", "decisions", 390, False),
    ("usage", "usage", 1200, True),
    ("settings", "settings", 1200, False),
    ("record", "record", 390, True),
    ("memory", "memory", 390, False),
    ("bot", "bot", 1200, False),
    ("playground", "playground", 390, False),
)
"""Pictures of the README: file, page, width, dark."""
WIDTHS: Final = (390, 768, 1440)
HEIGHTS: Final = {390: 800, 768: 1000, 1200: 780, 1440: 900}
ZONE: Final = ZoneInfo("Asia/Shanghai")
START: Final = 60.0
COLOURS: Final = 128
"""Of a picture of few colours; a file takes a third then."""
READY: Final = "return window.did_handshake === true && !!document.querySelector('.mi-main, .pg-lines')"


def main(arguments: Sequence[str]) -> int:
    """Make them; the exit code."""
    everything = "--all" in arguments
    folders = [each for each in arguments if each != "--all"]
    if len(folders) > 1 or any(each.startswith("-") for each in folders):
        print("用法：python -m bot pictures [目录] [--all]", file=sys.stderr)
        return 2
    folder = Path(folders[0]) if folders else FOLDER
    wanted = _all() if everything else SHOWN
    with tempfile.TemporaryDirectory() as home:
        try:
            driver = opened(Path(home, "browser"))
        except NoBrowser as why:
            print(f"没有浏览器可以拍：{why}", file=sys.stderr)
            return 1
        try:
            asyncio.run(_filled(Path(home)))
            from .account import connected

            with _running(Path(home)) as address, connected(f"ws{address[4:-8]}/onebot/v11/ws"):
                for name, page, width, dark in wanted:
                    _shoot(driver, address, page, width, dark=dark)
                    file = folder / f"{name}.png"
                    shot(driver, file)
                    _keep(file)
                if not everything:
                    _shoot_together(driver, address, Path(home), folder)
        finally:
            driver.quit()
    return 0


def _shoot_together(driver: Any, address: str, home: Path, folder: Path) -> None:
    for name in together.TALKS:
        _shoot(driver, address, "playground", 390, dark=False)
        together.talk(driver, name, folder / f"{name}.png")
        _keep(folder / f"{name}.png")
    _shoot(driver, address, "polls", 390, dark=False)
    together.show_polls(driver, folder / "polls.png")
    _keep(folder / "polls.png")
    _shoot(driver, address, "settings", 390, dark=False)
    together.preview_bill(driver, home, folder / "import.png")
    _keep(folder / "import.png")


def _keep(file: Path) -> None:
    _shrink(file)
    print(f"{file} {file.stat().st_size // 1024} KB")


def _all() -> list[tuple[str, str, int, bool]]:
    return [
        (f"{page or 'today'}-{width}{'-dark' if dark else ''}", page, width, dark)
        for page in PAGES
        for width in WIDTHS
        for dark in (False, True)
    ]


async def _filled(home: Path) -> None:
    import nonebot

    nonebot.init(driver="~none", _env_file=None, log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.storage import Storage

    from .example import fill

    storage = await Storage.open(_url(home), on_trouble=print)
    await fill(storage, datetime.now(ZONE))
    await storage.close()


def _url(home: Path) -> str:
    return f"sqlite+aiosqlite:///{home}/mishu.db"


@contextmanager
def _running(home: Path) -> Generator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {
        "HOST": "127.0.0.1", "PORT": str(port), "MISHU__DATABASE_URL": _url(home),
        "LOCALSTORE_USE_CWD": "true",
        "MISHU__TIMEZONE": ZONE.key, "PYTHONPATH": os.pathsep.join(sys.path), "MISHU__LLM__PRICES":
        '{"deepseek-v4-flash": [1, 0.02, 2]}', "NICKNAME": '["秘书"]',
    }  # fmt: skip
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("MISHU_", "OPENAI_"))}
    with (home / "bot.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot"], cwd=home, env={**inherited, **own}, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}/console"
    try:
        end = time.monotonic() + START
        while not _answers(address):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit((home / "bot.log").read_text("utf-8"))
            time.sleep(0.2)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _answers(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=10):
            return True
    except (urllib.error.URLError, OSError):
        return False


def _shoot(driver: Any, address: str, page: str, width: int, *, dark: bool) -> None:
    from .example import GROUP, ME

    sized(driver, width, HEIGHTS[width])
    driver.get(f"{address}/nothing")
    driver.delete_all_cookies()
    for name, value in (("as", ME), ("group", GROUP), ("dark", str(int(dark)))):
        driver.add_cookie({"name": f"mishu_{name}", "value": value, "path": "/"})
    driver.get(f"{address}{f'/{page}' if page else ''}")
    _until(driver, READY)
    if page == "playground":
        if not driver.execute_script("return document.querySelectorAll('.pg-row').length"):
            driver.execute_script("document.querySelectorAll('.pg-example')[1].click()")
        _until(driver, "return document.querySelectorAll('.pg-row.bot').length > 0")
        if dark:
            driver.execute_script("document.querySelector('[data-mark=dark]').click()")
            _until(driver, "return document.body.classList.contains('body--dark')")
    if page == "bot" and driver.execute_script("return !document.body.innerText.includes('KB')"):
        driver.execute_script(
            "[...document.querySelectorAll('button')].find(e => e.innerText == '现在备份').click()"
        )
        _until(
            driver,
            "return document.body.innerText.includes('KB') && !document.querySelector('.q-notification')",
        )
        driver.execute_script(
            "[...document.querySelectorAll('button')].find(e => e.innerText == '再看看').click()"
        )
    _until(driver, "return document.fonts.status === 'loaded' && !document.querySelector('.q-ajax-bar')")
    time.sleep(0.6)  # charts draw themselves some moments after the page is there


def _until(driver: Any, holds: str) -> None:
    end = time.monotonic() + START
    while not driver.execute_script(holds):
        if time.monotonic() > end:
            raise SystemExit(f"not to be seen: {driver.current_url}")
        time.sleep(0.05)


def _shrink(file: Path) -> None:
    from PIL import Image

    with Image.open(file) as whole:
        few = whole.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
