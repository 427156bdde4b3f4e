"""The wheel in somebody else's instance: a fresh NoneBot project outside the repository, all in one go.

The project is as `nb create` makes one: its own environment, a `bot.py`, a `pyproject.toml` that names the
plugins, one plugin of its own. The wheel is installed as a file; what it requires is lent by the environment
that runs the tests, so that nothing is downloaded. HOME is the project: nothing is configured about files.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import sysconfig
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest
import wheel
from e2e.harness import Held, OneBotClient
from e2e.harness.bot_process import API_KEY, MACHINE
from model_server import ModelServer

pytestmark = pytest.mark.exhaustive

BOT = """
import nonebot
from nonebot.adapters.onebot.v11 import Adapter

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)
nonebot.load_from_toml("pyproject.toml")

if __name__ == "__main__":
    nonebot.run()
"""
PROJECT = """
[project]
name = "somebodys-bot"
version = "0.1.0"

[tool.nonebot]
plugins = ["nonebot_plugin_mishu"]
plugin_dirs = ["src/plugins"]
"""
NEIGHBOUR = """
from nonebot import on_command, on_message
from nonebot.adapters.onebot.v11 import GroupMessageEvent

weather = on_command("天气", priority=10, block=True)
listening = on_message(priority=100, block=False)


@weather.handle()
async def _():
    await weather.finish("晴")


@listening.handle()
async def _(event: GroupMessageEvent):
    if "邻居" in event.get_plaintext():
        await listening.send(f"邻居听到：{event.get_plaintext().strip()}")
"""
WITHIN = 40.0


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment into which the wheel was installed."""
    place = tmp_path_factory.mktemp("instance") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, timeout=120)
    found = place / "bin" / "python"
    built = wheel.build(tmp_path_factory.mktemp("wheel"))
    install = [wheel.uv(), "pip", "install", "--offline", "--no-config", "--no-deps", "--python", str(found)]
    done = subprocess.run([*install, str(built)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lent = sysconfig.get_path("purelib")
    asked = [str(found), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    # A line of a .pth file is a path and nothing more: the editable install of this repository is not lent.
    (site / "lent.pth").write_text(f"{lent}\n", "utf-8")
    return found


class Instance:
    """Somebody's instance: its directory and its process."""

    def __init__(self, home: Path, python: Path, model: str) -> None:
        self.home = home
        self.python = python
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        (home / "src" / "plugins").mkdir(parents=True)
        (home / "bot.py").write_text(BOT, "utf-8")
        (home / "pyproject.toml").write_text(PROJECT, "utf-8")
        (home / "src" / "plugins" / "neighbour.py").write_text(NEIGHBOUR, "utf-8")
        settings = {
            "DRIVER": "~fastapi",
            "HOST": "127.0.0.1",
            "PORT": self.port,
            "NICKNAME": '["小秘"]',
            "COMMAND_START": '["/", ""]',
            "MISHU__LLM__BASE_URL": model,
            "MISHU__LLM__API_KEY": API_KEY,
            "MISHU__LLM__MODEL": "test-model",
            "MISHU__QQ__SEND_GAP": "0.05",
        }
        (home / ".env").write_text("".join(f"{key}={value}\n" for key, value in settings.items()), "utf-8")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def onebot_url(self) -> str:
        """Where a OneBot implementation connects."""
        return f"ws://127.0.0.1:{self.port}/onebot/v11/ws"

    @property
    def log(self) -> str:
        """Everything it printed."""
        return (self.home / "log").read_text("utf-8", "replace")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Up inside; killed at the end where it was not stopped."""
        self.process = self._launch()
        try:
            await self._ready()
            yield
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()

    def _launch(self) -> subprocess.Popen[bytes]:
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(self.home), "LANG": "C.UTF-8"}
        environment |= {key: os.environ[key] for key in MACHINE if key in os.environ}
        with (self.home / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self.python), "bot.py"],
                cwd=self.home,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def stop(self) -> int:
        """Ctrl+C, as its owner stops it; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return await asyncio.to_thread(self.process.wait, WITHIN)

    def databases(self) -> list[Path]:
        """Every SQLite file it made anywhere."""
        return sorted(path for path in self.home.rglob("*.db") if ".venv" not in path.parts)

    async def _ready(self) -> None:
        assert self.process is not None
        end = time.monotonic() + WITHIN
        async with httpx.AsyncClient(trust_env=False, timeout=5) as http:
            while True:
                assert self.process.poll() is None, self.log
                assert time.monotonic() < end, self.log
                try:
                    if (await http.get(f"http://127.0.0.1:{self.port}/api/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)


async def test_the_wheel_lives_beside_another_plugin_in_a_fresh_project(python: Path, tmp_path: Path) -> None:
    assert _origin(python, tmp_path).is_relative_to(python.parent.parent), "not the wheel's"
    async with ModelServer() as model:
        model.always("chat_reply", "在的")
        instance = Instance(tmp_path, python, model.url)
        async with instance.running(), OneBotClient(instance.onebot_url, 10_091) as account:
            (database,) = instance.databases()
            assert "nonebot_plugin_mishu" in database.parts, "where localstore puts a plugin's files"
            with closing(sqlite3.connect(database)) as connection:
                tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
                assert {"mishu_ledger", "mishu_claim", "mishu_version"} <= tables
                assert connection.execute("SELECT count(*) FROM mishu_version").fetchone() == (1,)

            room = account.room()
            ming, hong = room.members("阿明", "小红")

            # Both answer, each what is theirs.
            said = await room.call(ming, "在吗")
            await room.expect("在的", quoting=said)
            await room.say(hong, "天气")
            await room.expect("晴")
            await room.say(hong, "邻居在吗")
            await room.expect("邻居听到：邻居在吗")

            # Our model hangs: whoever is behind us and before us is heard all the same.
            model.always("chat_reply", held := Held("想好了"))
            said = await room.call(ming, "再问一句")
            await held.entered()
            for number in range(5):
                await room.say(hong, f"邻居 {number}")
                await room.expect(f"邻居听到：邻居 {number}")
            await room.say(hong, "天气")
            await room.expect("晴")
            # The neighbour's at once, and so no talk of ours afterwards.
            await room.call(hong, "邻居，还有我")
            await room.expect("邻居听到：邻居，还有我")
            held.release()
            await room.expect(quoting=said)

            # We are silent; nobody else is.
            model.always("chat_reply", "不该说")
            asked = len(model.of("chat_reply"))
            await room.say(ming, "闭嘴")
            await _silent(database)
            await room.call(ming, "邻居和小秘都在吗")
            await room.expect("邻居听到：邻居和小秘都在吗")
            await room.say(hong, "天气")
            await room.expect("晴")
            room.nothing_else()
            assert len(model.of("chat_reply")) == asked

            # Stopped while our model hangs in another group.
            model.always("chat_reply", hanging := Held())
            other = account.room()
            await other.call(other.member("老王"), "在吗")
            await hanging.entered()
            code = await instance.stop()
            hanging.release()
        assert code == 0, instance.log
        for sign in ("Traceback", "ERROR", "CRITICAL", "was never awaited", "Task was destroyed"):
            assert sign not in instance.log, instance.log
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

        # Again, on the tables it left: what was not answered is.
        model.always("chat_reply", "回来了")
        async with instance.running(), OneBotClient(instance.onebot_url, 10_091) as account:
            room = account.room(other.group_id)
            await room.expect("回来了")
            assert await instance.stop() == 0
        assert "Traceback" not in instance.log


async def _silent(database: Path) -> None:
    """Wait until a silence is on disk."""
    async with asyncio.timeout(WITHIN):
        while True:
            with closing(sqlite3.connect(database)) as connection:
                asked = "SELECT count(*) FROM mishu_conversation WHERE silent_until IS NOT NULL"
                if connection.execute(asked).fetchone()[0]:
                    return
            await asyncio.sleep(0.1)


def _origin(python: Path, home: Path) -> Path:
    """From where that environment imports the plugin."""
    asked = "import importlib.util as u; print(u.find_spec('nonebot_plugin_mishu').origin)"
    done = subprocess.run([str(python), "-c", asked], cwd=home, capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())
