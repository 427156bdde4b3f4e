"""docs/agents.md: its code runs as it stands, its words are in the code, and one import has all types."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
from dataclasses import fields
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from nonebot_plugin_mishu import agents, testing

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
HANDED = (
    agents.AgentSpec,
    agents.AnswerMatch,
    agents.Ask,
    agents.Clause,
    agents.FrameRecord,
    agents.Intent,
    agents.Match,
    agents.Request,
    agents.Situation,
    agents.Slot,
    agents.TaskContext,
    agents.TaskDispatch,
    agents.TaskResult,
    agents.Undo,
    agents.Utterance,
)
"""What a plugin makes, is handed and gives back."""
OURS = {"Tagged", "Notices", "CallLog", "Term"}
"""Types in them that are no author's business."""


def test_all_code_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[agents.AgentSpec] = []
    monkeypatch.setattr(agents, "register_agent", registered.append)
    names: dict[str, Any] = {"__name__": "page"}
    for block in BLOCKS:
        if "nonebot.init" not in block:
            exec(compile(block, "docs/agents.md", "exec"), names)
    assert [spec.code for spec in registered] == ["rooms"]


async def test_the_example_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[agents.AgentSpec] = []
    monkeypatch.setattr(agents, "register_agent", registered.append)
    exec(compile(BLOCKS[0], "docs/agents.md", "exec"), {"__name__": "page"})
    await testing.check_agent(registered[0])


def _types(hint: Any) -> set[type]:
    if isinstance(hint, type) and not typing.get_args(hint):
        return {hint}
    return {found for each in typing.get_args(hint) for found in _types(each)} | (
        {found for each in hint for found in _types(each)} if isinstance(hint, list) else set()
    )


@pytest.mark.parametrize("kind", HANDED, ids=lambda kind: kind.__name__)
def test_one_import_has_all_types(kind: type) -> None:
    space = {name: getattr(agents, name) for name in agents.__all__}
    module = vars(sys.modules[kind.__module__])
    hints = typing.get_type_hints(kind, module, space)
    found = {one for hint in hints.values() for one in _types(hint)}
    mine = {one.__name__ for one in found if one.__module__.startswith("nonebot_plugin_mishu")}
    assert mine - set(agents.__all__) - OURS == set()


@pytest.mark.parametrize(
    ("kind", "heading"), [(agents.AgentSpec, "part"), (agents.Intent, "part of an `Intent`")]
)
def test_every_part_is_on_the_page(kind: type, heading: str) -> None:
    own = {"isolated", "gives_up", "spoken"}
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    before = PAGE.partition(f"| {heading} |")[0].rpartition("\n\n")[0].rpartition("\n\n")[2]
    missing = [
        field.name
        for field in fields(kind)
        if field.name not in own and f"`{field.name}" not in table and field.name not in before
    ]
    assert set(missing) <= {"acts"}  # the rows of `intents` have them


def test_what_the_kit_offers_is_on_the_page() -> None:
    offered = [name for name in vars(testing.Desk) if not name.startswith("_")]
    assert [name for name in offered if f"`{name}" not in PAGE and f"{name}(" not in PAGE] == []


@pytest.mark.exhaustive
def test_the_template_works_as_it_stands(tmp_path: Path) -> None:
    """Copied to somewhere else, with the plugin installed and nothing of this repository beside it."""
    home = tmp_path / "nonebot-plugin-lunch"
    copytree(ROOT / "template", home, ignore=ignore_patterns("__pycache__", ".*"))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "5 passed" in ran.stdout
