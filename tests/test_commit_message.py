"""The commit-msg hook takes messages of the described form and says what is wrong with others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / ".ci" / "commit_message.py"


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    spec = spec_from_file_location("commit_message", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "message",
    [
        "feat(schedule): move one date of a series",
        "fix: 改到八点 keeps the length\n\nA move said no end, so the old length holds.\n",
        "refactor(web)!: routes below /api/v1 only",
        "feat(onebot_v11): read polls\n# Please enter the commit message\n# On branch main\n",
        "\nfix(books): 分 behind sharers is no part of a name\n",
        "docs: tutorials\n\nbody\n# ------ >8 ------\ndiff --git a b\n",
        "release: 0.2.0",
        "refactor(storage, memory): public names by verb and object",
        "merge: names of storage",
        "Merge branch 'docs-core'",
        'Revert "feat(schedule): move one date"',
        "fixup! feat(schedule): move one date",
    ],
)
def test_right_messages(checker: ModuleType, message: str) -> None:
    assert checker.faults(message) == []


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("Move one date of a series", "type(scope): subject"),
        ("feat(schedule):no blank", "type(scope): subject"),
        ("feat(schedule): ", "type(scope): subject"),
        ("feature(schedule): move one date", "`feature` is no type"),
        ("feat(Schedule): move one date", "`Schedule` is no scope"),
        ("feat(): move one date", "`` is no scope"),
        ("feat(a, ): move one date", "`a, ` is no scope"),
        ("feat(schedule): move one date.", "full stop"),
        ("feat(schedule): " + "x" * 95, "111 characters"),
        ("feat(schedule): move one date\nand say why", "second line"),
    ],
)
def test_wrong_messages(checker: ModuleType, message: str, part: str) -> None:
    (fault,) = checker.faults(message)
    assert part in fault


def test_a_first_line_of_the_longest_length_is_right(checker: ModuleType) -> None:
    assert checker.faults("feat(schedule): " + "x" * 94) == []


def _run(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FILE), str(file)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=60,
        check=False,
    )


def test_the_hook_ends_with_1_and_the_reason(tmp_path: Path) -> None:
    message = tmp_path / "COMMIT_EDITMSG"
    message.write_text("Stuff\n", "utf-8")
    ran = _run(message)
    assert ran.returncode == 1
    assert "type(scope): subject" in ran.stderr
    message.write_text("fix(tasks): 推迟 keeps the day\n", "utf-8")
    assert _run(message).returncode == 0


def test_the_hook_is_installed_for_messages_and_the_others_for_commits() -> None:
    hooks: Any = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert hooks["default_install_hook_types"] == ["pre-commit", "commit-msg"]
    assert hooks["default_stages"] == ["pre-commit"]
    on_messages = [hook for hook in hooks["repos"][0]["hooks"] if hook.get("stages") == ["commit-msg"]]
    assert [hook["entry"] for hook in on_messages] == ["uv run --no-sync python .ci/commit_message.py"]


def test_every_type_is_described(checker: ModuleType) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Commits\n")[2]
    assert re.findall(r"(?m)^\| `(\w+)` \|", page) == list(checker.TYPES)
