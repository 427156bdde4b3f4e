"""Paths and names on the pages for contributors exist; the forge's checks are those of `.ci/run`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.storage.engine.columns import metadata

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "plugins" / "nonebot_plugin_mishu"
PLACES = (ROOT, PLUGIN)
"""What paths on these pages begin at."""
_PATH = re.compile(r"`((?:[a-z_.]+/)+[A-Za-z0-9_.]*|[A-Z][A-Z.a-z]+\.md)`")
_CHECK = re.compile(r"uv run --no-sync (ruff check|ruff format --check|pyright|python -m [^\n\"']+)")


def named(page: str) -> list[str]:
    return sorted({found[1] for found in _PATH.finditer((ROOT / page).read_text("utf-8"))})


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/tutorials/contributor.md"])
def test_every_path_that_is_named_exists(page: str) -> None:
    paths = named(page)
    assert len(paths) >= 5
    missing = [each for each in paths if not any((place / each).exists() for place in PLACES)]
    assert missing == []


@cache
def _defined() -> tuple[frozenset[str], dict[str, set[str]]]:
    """All names of the code (classes, functions, values, modules, tables), and the members of each class."""
    names: set[str] = set()
    members: dict[str, set[str]] = {}
    for room in ("plugins", "bot", "benchmarks", "training"):
        for path in (ROOT / room).rglob("*.py"):
            names |= {path.stem, *path.relative_to(ROOT).parts[:-1]}
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names.update(_names(node))
                if isinstance(node, ast.ClassDef):
                    own = members.setdefault(node.name, set())
                    own |= {name for each in ast.walk(node) for name in _names(each)}
                    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                    own |= {f"<{base}" for base in bases}
    return frozenset(names), members


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        yield node.value  # names of tables and of states


def _members(kind: str) -> set[str]:
    found = _defined()[1].get(kind, set())
    inherited = {name for base in found if base.startswith("<") for name in _members(base[1:])}
    return found | inherited


_NAME = re.compile(r"`([A-Za-z_]+(?:\.[A-Za-z_]+)*)(?:\(\))?`")
FOREIGN = {
    *("block", "python", "mishu", "self_id", "original_message", "event_preprocessor", "run_postprocessor"),
    *("group_ban", "gc.freeze", "synchronous", "sub_type", "font", "lru_cache", "main", "nonebug", "finally"),
}
"""Names of NoneBot's, of OneBot's, of Python's, of git's and of the database's."""


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_name_of_the_code_exists(page: str) -> None:
    """`Turns.admit`: a class with that member; `storage.engine.writer.OWED`: names of the code, each part."""
    names, members = _defined()
    text = re.sub(r"(?s)```.*?```", "", (ROOT / page).read_text("utf-8"))
    text = text.partition("\n## Commits\n")[0]
    found = sorted({each[1] for each in _NAME.finditer(text)} - FOREIGN)
    assert len(found) >= 5
    files = {path.name for room in (PLUGIN, ROOT / "tests") for path in room.rglob("*.py")}
    missing: list[str] = []
    for each in found:
        if each.isupper() or each in files or any((place / each).exists() for place in PLACES):
            continue
        kind, *parts = each.removeprefix("mishu_").split(".")
        known = kind in names and set(parts) <= names
        if not known or (kind in members and len(parts) == 1 and parts[0] not in _members(kind)):
            missing.append(each)
    assert missing == []


def test_the_picture_and_the_table_name_every_room() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    picture = page.partition("```mermaid")[2].partition("```")[0]
    table = page.partition("\n## The rooms\n")[2].partition("\n\n`bot/`")[0]
    rooms = {path.parent.name for path in PLUGIN.glob("*/__init__.py")}
    assert len(rooms) >= 15
    without_arrows = {"config", "testing"}
    assert {room for room in rooms - without_arrows if not re.search(rf"\b{room}\b", picture)} == set()
    assert {room for room in rooms if f"`{room}" not in table} == set()


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


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").glob("*.md")]
    pages += [f"tutorials/{path.name}" for path in (ROOT / "docs" / "tutorials").glob("*.md")]
    assert [page for page in pages if f"({page})" not in index and page != "README.md"] == []


LINKED = (
    "CONTRIBUTING.md",
    "docs/README.md",
    *(f"docs/tutorials/{name}.md" for name in ("owner", "admin", "plugin_author", "contributor")),
)


def _anchors(page: Path) -> set[str]:
    """Anchors that a forge makes of headings."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", [*LINKED, "README.md", "README.en.md", "docs/architecture.md"])
def test_links_and_their_anchors_lead_somewhere(name: str) -> None:
    page = ROOT / name
    lost: list[str] = []
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text("utf-8")):
        leads = page if not target else page.parent / target
        if not leads.exists() or (anchor and anchor not in _anchors(leads)):
            lost.append(f"{target}#{anchor}")
    assert lost == []


def test_the_word_that_the_tutorial_teaches_is_not_known_yet() -> None:
    """Whoever teaches it for good writes another word into docs/tutorials/contributor.md."""
    page = (ROOT / "docs" / "tutorials" / "contributor.md").read_text("utf-8")
    assert "叨扰" in page
    files = (PLUGIN / "language" / "lexicon").rglob("*.toml")
    assert [file.name for file in files if re.search(r"\b叨扰\b", file.read_text("utf-8"))] == []


def test_every_table_has_a_row_in_the_architecture() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    assert [name for name in metadata.tables if f"`{name}`" not in page] == []
