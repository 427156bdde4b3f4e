"""The wheel on every Python it is for, with the oldest packages it allows and with the newest: it answers.

Nothing is downloaded: the Pythons are those of the machine, and one whose packages uv does not have at hand
is skipped; `.ci/run` brings them. Only built packages are taken: for a new Python the oldest are the
first that were built for it.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import wheel
from e2e.harness import OneBotClient
from interpreters import interpreter_of
from model_server import ModelServer
from test_packaging_instance import Instance

pytestmark = pytest.mark.exhaustive

PYTHONS = [version for version in ("3.11", "3.12", "3.13", "3.14") if interpreter_of(version)]
RESOLUTIONS = ("lowest-direct", "highest")
SERVER = "nonebot2[fastapi]>=2.4"
WANTED = str(wheel.ROOT / "pyproject.toml")
"""Named beside the wheel: the lowest of what it requires is taken, and not only of the wheel itself."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    return wheel.build(tmp_path_factory.mktemp("wheel"))


def _uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [wheel.uv(), *arguments, "--offline", "--no-config"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("version", PYTHONS)
async def test_it_answers(version: str, resolution: str, built: Path, tmp_path: Path) -> None:
    place = str(tmp_path / "environment")
    made = _uv("venv", "--no-python-downloads", "--python", str(interpreter_of(version)), place)
    assert made.returncode == 0, made.stderr
    python = tmp_path / "environment" / "bin" / "python"
    chosen = ("--only-binary", ":all:", "--resolution", resolution)
    installed = _uv("pip", "install", *chosen, "--python", str(python), str(built), SERVER, "-r", WANTED)
    if installed.returncode != 0:
        pytest.skip(f"packages for Python {version} are not at hand: {installed.stderr.splitlines()[-1]}")
    if resolution == "lowest-direct" and version == "3.11":
        frozen = _uv("pip", "freeze", "--python", str(python)).stdout
        assert re.search(r"^sqlalchemy==2\.0\.", frozen, re.MULTILINE), "not the oldest packages"
    (tmp_path / "home").mkdir()
    async with ModelServer() as model:
        model.always("chat_reply", "在的")
        instance = Instance(tmp_path / "home", python, model.url)
        async with instance.running(), OneBotClient(instance.onebot_url, 10_092) as account:
            room = account.room()
            ming = room.member("阿明")
            said = await room.call(ming, "在吗")
            await room.expect("在的", quoting=said)
            day = datetime.now(ZoneInfo("Asia/Shanghai")) + timedelta(days=3)
            said = await room.call(ming, f"{day.month}月{day.day}日下午三点提醒我交表")
            await room.expect("交表", quoting=said)
            (database,) = instance.databases()
            with closing(sqlite3.connect(database)) as connection:
                assert connection.execute("SELECT title FROM mishu_task").fetchall() == [("交表",)]
            assert await instance.stop() == 0, instance.log
        for sign in ("Traceback", "ERROR", "CRITICAL"):
            assert sign not in instance.log, instance.log
