"""What CONTRIBUTING.md and docs/architecture.md name is there; the forge's checks are those of `.ci/run`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "plugins" / "nonebot_plugin_mishu"
PLACES = (ROOT, PLUGIN)
"""What paths on these pages begin at."""
_PATH = re.compile(r"`((?:[a-z_.]+/)+[A-Za-z0-9_.]*|[A-Z][A-Z.a-z]+\.md)`")
_CHECK = re.compile(r"uv run --no-sync (ruff check|ruff format --check|pyright|python -m [^\n\"']+)")


def named(page: str) -> list[str]:
    return sorted({found[1] for found in _PATH.finditer((ROOT / page).read_text("utf-8"))})


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_path_that_is_named_exists(page: str) -> None:
    paths = named(page)
    assert len(paths) >= 10
    missing = [each for each in paths if not any((place / each).exists() for place in PLACES)]
    assert missing == []


def _steps(job: str) -> list[str]:
    workflow: Any = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    return [str(step["run"]) for step in workflow["jobs"][job]["steps"] if "run" in step]


def test_the_forge_runs_the_whole_script_and_its_quick_checks_for_every_python() -> None:
    assert "bash .ci/run" in _steps("everything")
    script = (ROOT / ".ci/run").read_text("utf-8")
    wanted = {found.strip() for found in _CHECK.findall(script)} - {"python --version"}
    wanted = {each for each in wanted if not each.startswith(("python tests/", "python -m bot.start"))}
    assert {"ruff check", "pyright", "python -m bot replay"} <= wanted
    had = {found.strip() for step in _steps("pythons") for found in _CHECK.findall(step)}
    assert wanted - had == set()


def test_the_hooks_use_nothing_but_our_own_environment() -> None:
    hooks: Any = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repo["repo"] for repo in hooks["repos"]] == ["local"]
    entries = [hook["entry"] for hook in hooks["repos"][0]["hooks"]]
    assert all(entry.startswith("uv run --no-sync ") for entry in entries)
