"""What lies in `deploy/`: the parts fit the bot and one another."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml
from e2e.harness import BotProcess
from e2e.harness.bot_process import ROOT, free_port
from nonebot_plugin_mishu.config.loading import keys, read
from packaging.utils import canonicalize_name

from bot import constraints, notices
from bot.operations import COMMANDS

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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for words in (DOCKERFILE, UNIT):
        assert set(re.findall(r"--group (\w+)", words)) <= {"bot"}
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


def test_every_image_is_of_one_version_and_no_log_grows_for_ever():
    for name, service in COMPOSE["services"].items():
        image = re.sub(r"\$\{\w+:-([^}]+)\}", r"\1", service["image"])
        assert "build" in service or re.search(r":v?\d", image), f"{name}: {image}"
        options = service["logging"]["options"]
        assert options == {"max-size": "10m", "max-file": "3"}, name


def test_what_is_deployed_has_the_versions_the_tests_passed_with():
    """Every requirement has one version that it allows; no address stands there."""
    file = (DEPLOY / "constraints.txt").read_text("utf-8")
    rows = [line for line in file.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][a-z0-9.]*", row) for row in rows)
    kept = dict(row.split("==") for row in rows)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for requirement in constraints.wanted(project):
        assert requirement.specifier.contains(kept[canonicalize_name(requirement.name)]), requirement
    assert "UV_CONSTRAINT=deploy/constraints.txt" in UNIT
    for words in (DOCKERFILE, UNIT):
        assert "--no-deps" in words, "ours brings nothing else"


def test_the_image_takes_those_versions_by_their_checksums():
    assert "--require-hashes -r image.txt" in DOCKERFILE
    assert DOCKERFILE.count(f"python:{constraints.PYTHON}-slim") == 2
    kept = {
        line
        for line in (DEPLOY / "constraints.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    }
    parts = (DEPLOY / "image.txt").read_text("utf-8").replace(" \\\n    ", " ").splitlines()
    rows = [line.split(" ") for line in parts if not line.startswith("#")]
    assert {row[0] for row in rows} <= kept
    assert len(rows) > 60
    for name, *sums in rows:
        assert sums, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in sums), name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    names = {row[0].split("==")[0] for row in rows}
    assert {canonicalize_name(each.name) for each in constraints.wanted(project)} <= names


def test_checksums_of_both_machines_stand_together():
    def lock(*sums: str) -> dict[str, Any]:
        wheels = [{"url": "x", "hashes": {"sha256": each}} for each in sums]
        return {"packages": [{"name": "Some_Thing", "version": "1.0", "wheels": wheels}]}

    found = constraints.checksums([lock("b"), lock("a", "b")])
    assert found == {"some-thing==1.0": ["sha256:a", "sha256:b"]}
    *_, row = constraints.image_lines(found)
    assert row == "some-thing==1.0 \\\n    --hash=sha256:a \\\n    --hash=sha256:b\n"


@pytest.mark.parametrize(
    ("name", "expression", "said", "classifiers", "found", "reaches"),
    [
        ("a", "MIT", "GPL", [], "MIT", False),
        ("a", None, "Apache 2.0", [], "Apache-2.0", False),
        ("a", None, "Copyright\n\nPermission …", ["License :: OSI Approved :: MIT License"], "MIT", False),
        ("a", None, None, ["License :: OSI Approved :: BSD License"], "BSD-3-Clause", False),
        ("a", None, "GPLv3", [], "GPLv3", True),
        ("a", "LGPL-3.0-or-later", None, [], "LGPL-3.0-or-later", True),
        ("a", "MIT AND AGPL-3.0-only", None, [], "MIT AND AGPL-3.0-only", True),
        (
            *("a", None, None),
            ["License :: OSI Approved :: GNU General Public License (GPL)"],
            *("GNU General Public License (GPL)", True),
        ),
        ("a", None, None, [], "", True),
    ],
)
def test_the_licence_of_a_package(
    name: str, expression: str | None, said: str | None, classifiers: list[str], found: str, reaches: bool
):
    assert notices.licence(name, expression, said, classifiers) == found
    assert notices.reaches(found) == reaches


def test_the_notices_name_every_package_of_the_image(capsys: pytest.CaptureFixture[str]):
    page = (DEPLOY / "NOTICES.md").read_text("utf-8")
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \|", page, re.MULTILINE)[1:]
    versions = (DEPLOY / "constraints.txt").read_text("utf-8")
    assert [f"{name}=={at}" for name, at, _ in rows] == re.findall(r"^[a-z].+$", versions, re.MULTILINE)
    assert not [each for each in rows if notices.reaches(each[2])]
    assert notices.main() == 0, "nor is one here"
    assert f"| nonebot2 | {version('nonebot2')} | MIT |" in capsys.readouterr().out
    assert notices.rights(
        ["Copyright (c) 2020 A\nCopyright license to use\n  * Copyright 2021 B <b@c>."]
    ) == ("Copyright (c) 2020 A", "Copyright 2021 B &lt;b@c>")


def test_the_versions_of_this_installation_can_be_printed(capsys: pytest.CaptureFixture[str]):
    assert constraints.main() == 0
    printed = capsys.readouterr().out
    assert f"nonebot2=={version('nonebot2')}\n" in printed
    assert f"starlette=={version('starlette')}\n" in printed, "what others require is there"
    assert "pytest==" not in printed


def test_the_recipes_name_what_there_is():
    """Of every command in docs/operations.md the service, and the command of the bot that it runs."""
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    recipes = page[page.index("### In compose") : page.index("The image has no `pg_dump`")]
    commands = re.findall(r"^docker compose (.+)$", recipes, re.MULTILINE)
    assert len(commands) >= 12
    for command in commands:
        named = set(re.findall(r"(?<![\w/.-])(mishu|postgresql|napcat)(?=[:\s]|$)", command))
        assert named <= set(COMPOSE["services"])
        for name in re.findall(r"python -m bot (\w+)", command):
            assert name in COMMANDS, command
            assert named == {"mishu"}
    for volume in re.findall(r"-v mishu_([\w-]+):", recipes):
        assert volume in COMPOSE["volumes"]


def test_the_unit_finds_its_python():
    """uv puts a Python that it downloads into a home, and the unit sees no home."""
    assert "ProtectHome=yes\n" in UNIT
    assert "UV_PYTHON_INSTALL_DIR=/opt/mishu/" in UNIT
    assert "ExecStart=/opt/mishu/.venv/bin/python -m bot\n" in UNIT


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
