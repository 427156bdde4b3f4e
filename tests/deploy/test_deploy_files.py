"""What lies in `deploy/`: the parts fit the bot and one another."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from e2e.harness import BotProcess
from e2e.harness.bot_process import ROOT, free_port
from nonebot_plugin_mishu.settings import keys, read

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
UNIT = (DEPLOY / "mishu.service").read_text("utf-8")
KEYS = {name for name, _ in keys()} | {"ONEBOT_ACCESS_TOKEN", "HOST", "PORT"}


def test_no_file_names_a_registry():
    """Packages and images come from wherever the machine takes them."""
    for file in DEPLOY.iterdir():
        words = file.read_text("utf-8")
        assert not re.search(
            r"index-url|pypi|registry|\b\w+\.io/|\bdocker\.com|ghcr", words, re.IGNORECASE
        ), file


def test_the_image_has_two_stages_and_runs_as_nobody_of_note():
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    for compiler in ("gcc", "build-essential", "apt-get", "apk add"):
        assert compiler not in DOCKERFILE
    last = stages[1]
    assert re.search(r"^USER mishu$", last, re.MULTILINE)
    assert "pip" not in last
    assert "HEALTHCHECK" in last
    assert last.index("USER") < last.index('CMD ["python", "-m"')


def test_what_the_image_takes_is_there_and_not_ignored():
    allowed = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    sources = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert source in allowed, source


def test_the_groups_and_extras_the_files_install_are_there():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for words in (DOCKERFILE, UNIT):
        assert set(re.findall(r"--group (\w+)", words)) == {"bot"}
        for extra in re.findall(r"--extra (\w+)", words):
            assert extra in project["project"]["optional-dependencies"]


def test_compose_configures_the_bot_with_keys_it_knows():
    services = COMPOSE["services"]
    assert set(services) == {"mishu", "postgresql", "napcat"}
    bot = services["mishu"]
    assert set(bot["environment"]) <= KEYS
    assert (DEPLOY / bot["build"]["context"] / bot["build"]["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    url = bot["environment"]["MISHU__DATABASE_URL"].replace("${POSTGRES_PASSWORD:?}", "secret")
    config = read({}, {"MISHU__DATABASE_URL": url, "MISHU__BACKUP__DAILY": "04:30"})
    assert config.database_url == url
    database = services["postgresql"]["environment"]
    assert f"//{database['POSTGRES_USER']}:secret@postgresql:5432/{database['POSTGRES_DB']}" in url
    for service in services.values():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), "nothing is open to the world unasked"
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in COMPOSE["volumes"]


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    # It looks for the program, and that is where the owner puts it.
    (tmp_path / "mishu.service").write_text(
        UNIT.replace("/opt/mishu/.venv/bin/python", sys.executable), "utf-8"
    )
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / "mishu.service")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_units_exit_codes_are_the_bots():
    from bot import start

    assert f"RestartPreventExitStatus={start.BAD_CONFIGURATION}\n" in UNIT
    assert "SuccessExitStatus=143\n" in UNIT


async def healthy(**environment: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(DEPLOY / "healthcheck.py")),
        env={"PATH": os.environ.get("PATH", ""), **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), 30)
    return process.returncode or 0, said.decode()


async def test_the_health_check_tells_a_bot_that_works_from_one_that_does_not(tmp_path: Path):
    bot = BotProcess(tmp_path / "bot", {"MISHU__WEB__TOKEN": "t0ken"})
    try:
        await bot.start()
        port = str(bot.port)
        code, said = await healthy(PORT=port, MISHU__WEB__TOKEN="t0ken", HTTP_PROXY="http://127.0.0.1:1")
        assert code == 0
        assert "database ok" in said
        assert (await healthy(PORT=port))[0] == 0, "an answer, though not for us"
    finally:
        await bot.close()
    code, said = await healthy(PORT=str(free_port()))
    assert code == 1
    assert "Traceback" not in said
