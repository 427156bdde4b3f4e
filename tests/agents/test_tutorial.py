"""docs/tutorials/plugin_author.md: its two files, put into a copy of the template, pass their tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tutorials" / "plugin_author.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
REPLACED = (("lunch", "umbrella"), ("报餐", "借伞"))
"""Words that step 2 of the page replaces."""


@pytest.mark.exhaustive
def test_the_agent_of_the_tutorial_passes_its_tests(tmp_path: Path) -> None:
    home = tmp_path / "umbrella"
    copytree(ROOT / "template", home, ignore=ignore_patterns("__pycache__", ".*"))
    (home / "nonebot_plugin_lunch").rename(home / "nonebot_plugin_umbrella")
    (home / "tests" / "test_lunch.py").rename(home / "tests" / "test_umbrella.py")
    for file in (home / "pyproject.toml", *home.rglob("*.py")):
        text = file.read_text("utf-8")
        for old, new in REPLACED:
            assert f"s/{old}/{new}/g" in PAGE
            text = text.replace(old, new)
        file.write_text(text, "utf-8")
    tests, agent = BLOCKS
    (home / "tests" / "test_umbrella.py").write_text(tests, "utf-8")
    (home / "nonebot_plugin_umbrella" / "agent.py").write_text(agent, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{len(re.findall('async def test_', tests))} passed" in ran.stdout
