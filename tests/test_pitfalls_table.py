"""`docs/pitfalls.md` names, for every pitfall, tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "pitfalls.md"
COUNT = 80
LATER = "comes with its part"

ROWS = {
    int(row[1]): row[2]
    for row in re.finditer(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
}


def named(cell: str) -> list[tuple[str, str]]:
    """The `(file, test)` pairs of a cell."""
    found: list[tuple[str, str]] = []
    for part in cell.split("<br>"):
        path, *names = re.findall(r"`([^`]+)`", part)
        found.extend((path, name) for name in names)
    return found


@cache
def functions(path: Path) -> set[str]:
    """Names of all functions of a file, those of classes included."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_pitfall_has_its_row():
    assert sorted(ROWS) == list(range(1, COUNT + 1))


@pytest.mark.parametrize("number", sorted(ROWS))
def test_the_tests_of_a_row_exist(number: int):
    cell = ROWS[number]
    if cell == LATER:
        return
    pairs = named(cell)
    assert pairs, f"no test is named for pitfall {number}"
    for path, name in pairs:
        file = TESTS / path
        assert file.is_file(), f"pitfall {number}: no file tests/{path}"
        assert name in functions(file), f"pitfall {number}: no {name} in tests/{path}"


def test_no_row_waits_for_a_part_that_has_its_tests():
    """A row says `comes with its part` only as long as no test bears its number."""
    everything = {name for file in TESTS.rglob("test_*.py") for name in functions(file)}
    for number, cell in ROWS.items():
        if cell == LATER:
            bearing = [name for name in everything if re.match(rf"test_pitfall_{number}_", name)]
            assert not bearing, f"pitfall {number} has tests: {bearing}"
