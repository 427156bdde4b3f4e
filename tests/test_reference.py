"""What is printed from code is in step with it: `.env.example`, the configuration page, presence."""

from __future__ import annotations

import re
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values
from nonebot.config import Config as NoneBotConfig
from nonebot_plugin_mishu.agents import TaskContext, TaskDispatch, TaskResult
from nonebot_plugin_mishu.agents.api.task_context import Asker
from nonebot_plugin_mishu.config import loading
from nonebot_plugin_mishu.secretary import PresenceState, Trigger, table

from bot import own_keys, reference

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
README = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "README.en.md")}


@pytest.fixture
def names() -> list[str]:
    """Every key there is."""
    ours = loading.keys()
    return [*(key.name for key in own_keys.KEYS), *(name for name, _ in ours)]


def _read(file: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], loading.Config]:
    for name in ("HOST", "PORT", "SUPERUSERS", "NICKNAME", "LOG_LEVEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    given = NoneBotConfig(_env_file=str(file)).model_dump()
    return given, loading.read(given, {})


def _uncommented() -> str:
    return re.sub(r"(?m)^#(?=[A-Z])", "", EXAMPLE)


def test_pages_are_in_step_with_the_code() -> None:
    behind = [path.name for path, page in reference.pages().items() if path.read_text("utf-8") != page]
    assert behind == [], "run: python -m bot.reference"


def test_the_example_names_every_key_once_with_a_line_above(names: list[str]) -> None:
    lines = EXAMPLE.splitlines()
    found = [index for index, line in enumerate(lines) if re.match(r"#?[A-Z_]+=", line)]
    assert [re.match(r"#?([A-Z_]+)=", lines[index])[1] for index in found] == names  # type: ignore[index]
    assert all(re.match(r"# \S.+。应为：\S", lines[index - 1]) for index in found)


def test_the_page_names_every_key_once(names: list[str]) -> None:
    assert re.findall(r"(?m)^\| `([A-Z_]+)` \|", CONFIGURATION) == names


def test_the_page_names_the_defaults() -> None:
    shown = dict(re.findall(r"(?m)^\| `([A-Z_]+)` \| `?([^|]*?)`? \|", CONFIGURATION))
    for name, value in dotenv_values(stream=StringIO(_uncommented())).items():
        assert shown[name] == (value or "（不设）")


def test_an_unchanged_copy_of_the_example_is_the_default_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text(EXAMPLE, "utf-8")
    given, config = _read(file, monkeypatch)
    assert "mishu" not in given
    assert config == loading.read({}, {})


def test_the_example_with_every_line_active_is_the_default_configuration_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text(_uncommented(), "utf-8")
    given, config = _read(file, monkeypatch)
    assert config == loading.read({}, {})
    assert loading.unknown_keys(given, {}) == []
    default = NoneBotConfig(_env_file=None).model_dump()
    assert {key: given[key] for key in default} == default
    assert not given["onebot_access_token"]


def test_the_presence_table_is_the_machines() -> None:
    rows = re.findall(r"(?m)^\| (\w+) \| ([\w ]+) \| (\w+) \| ([^|]+) \|$", ARCHITECTURE)
    states = {state.value for state in PresenceState}
    printed = [row for row in rows if row[0] in states]
    assert printed == [row for row in table() if row[0] != row[2] or row[3] != "nothing"]
    assert {on for _, on, _, _ in printed} >= {trigger.value for trigger in Trigger}


@pytest.mark.exhaustive
def test_a_page_that_is_behind_is_found_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    old = ARCHITECTURE.replace("| absent | summon | summoned |", "| absent | summon | absent |")
    assert old != ARCHITECTURE
    (tmp_path / "docs" / "architecture.md").write_text(old, "utf-8")
    (tmp_path / "docs" / "agents.md").write_text((ROOT / "docs" / "agents.md").read_text("utf-8"), "utf-8")
    monkeypatch.setattr(reference, "ROOT", tmp_path)
    assert reference.architecture_page(old) == ARCHITECTURE
    assert {path.name for path in reference.pages()} == {
        ".env.example",
        "configuration.md",
        "architecture.md",
        "agents.md",
        "prompts.md",
        "voice.md",
    }
    with pytest.raises(ValueError, match="markers"):
        reference.architecture_page("# Architecture")


@pytest.mark.parametrize("name", README)
def test_the_readme_begins_with_the_two_commands(name: str) -> None:
    commands = re.findall(r"```sh\n(.+)\n```", README[name])
    assert commands[:2] == [
        "pip install uv && uv run python -m bot",
        "pip install uv && uv run --group dev pytest",
    ]
    assert README[name].index(commands[1]) < README[name].index("\n## ")


@pytest.mark.parametrize("name", [*README, "docs/architecture.md", "docs/configuration.md"])
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", README)
def test_the_readme_names_only_keys_that_exist(name: str, names: list[str]) -> None:
    found = set(re.findall(r"\bMISHU__[A-Z_]+\b", README[name]))
    assert found
    assert found <= set(names)


def test_both_readmes_have_the_same_content() -> None:
    chinese, english = README.values()
    for pattern in (r"(?m)^## ", r"(?m)^\|", r"(?m)^- ", r"`/秘书 ", r"\bMISHU__[A-Z_]+\b", r"```"):
        assert len(re.findall(pattern, chinese)) == len(re.findall(pattern, english)), pattern


HANDED = {
    TaskContext: "`context` ",
    Asker: "`context.actor` ",
    TaskDispatch: "`dispatch` ",
    TaskResult: "`TaskResult`, ",
}


@pytest.mark.parametrize("kind", HANDED)
def test_whatever_a_handler_is_given_is_documented(kind: type) -> None:
    """The page names every public part of the class, and nothing that is none."""
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    table = page.partition(f"| {HANDED[kind]}")[2].partition("\n\n")[0]
    listed = re.findall(r"(?m)^\| `(\w+)", table)
    parts = [field.name for field in fields(kind)]
    assert listed[: len(parts)] == parts
    assert set(listed) == {*parts, *(name for name in vars(kind) if not name.startswith("_"))}


class Mute:
    """Says nothing of one of its parts."""

    said: int
    """It says something."""
    unsaid: int


def test_a_part_that_says_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Mute\.unsaid says nothing"):
        reference.members(Mute)
