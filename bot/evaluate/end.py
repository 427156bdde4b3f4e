"""Comparison of the rows at the end with those expected, leaving a model its choice of words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

Row = Mapping[str, Any]


def fits(expected: Sequence[Row], rows: Sequence[Row]) -> bool:
    """True if there are as many rows, and each expected one has a row of its own, in whatever order."""
    if len(expected) != len(rows):
        return False
    if not expected:
        return True
    first, *others = expected
    return any(
        row_fits(first, row) and fits(others, [*rows[:place], *rows[place + 1 :]])
        for place, row in enumerate(rows)
    )


def row_fits(wanted: Row, row: Row) -> bool:
    """True if a row is as wanted in the fields that are named."""
    return all(value_fits(value, row.get(name)) for name, value in wanted.items())


def value_fits(wanted: Any, value: Any) -> bool:
    """True if a value is the one wanted, or one of those that a mapping leaves open.

    `{has: [报告, 材料]}`: one of these is in it; `{without: [记一下]}`: none of these is;
    `{any: [a, b]}`: it is one of these. A single word needs no list.
    """
    if not isinstance(wanted, Mapping):
        return bool(wanted == value)
    given = cast("Mapping[str, Any]", wanted)
    if unknown := set(given) - {"has", "without", "any"}:
        raise ValueError(f"not known here: {unknown}")
    said = value if isinstance(value, str) else ""
    return (
        ("any" not in given or value in given["any"])
        and ("has" not in given or any(word in said for word in _list(given["has"])))
        and not any(word in said for word in _list(given.get("without", [])))
    )


def _list(words: Any) -> list[str]:
    return [words] if isinstance(words, str) else list(words)


def shown(expected: Sequence[Row], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows in the fields that matter, so that a difference can be read."""
    names = dict.fromkeys(name for wanted in expected for name in wanted)
    names = names or dict.fromkeys(("title", "description", "amount", "time", "dueDate"))
    return [{name: row[name] for name in names if name in row} for row in rows]
