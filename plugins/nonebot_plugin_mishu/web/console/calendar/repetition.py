"""Recurrence choices of a form. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from ..elements.wording import WEEKDAYS

ONCE: Final = ""
KEPT: Final = "kept"
"""As it repeats now, where no offer says that."""
_CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def offers(day: date, kept: Mapping[str, Any] | None, words: str) -> dict[str, str]:
    """Choices for an event on `day` by key; `words` describe the present recurrence."""
    found = {ONCE: "不重复", **{key: name for key, (name, _) in _rules(day).items()}}
    if kept is not None and chosen(day, kept) == KEPT:
        found[KEPT] = words
    return found


def chosen(day: date, kept: Mapping[str, Any] | None) -> str:
    """Key of the present recurrence."""
    if kept is None:
        return ONCE
    plain = {name: value for name, value in kept.items() if value is not None and name not in _BESIDE}
    plain.setdefault("interval", 1)
    if plain == {"freq": "weekly", "interval": 1}:
        return "weekly"
    for key, (_, rule) in _rules(day).items():
        if {"interval": 1, **rule} == plain:
            return key
    return KEPT


def rule_of(key: str, day: date) -> dict[str, Any] | None:
    """Rule of a key other than `KEPT`; None without a recurrence."""
    return None if key == ONCE else {"interval": 1, **_rules(day)[key][1]}


_BESIDE: Final = frozenset({"without", "until"})


def _rules(day: date) -> dict[str, tuple[str, dict[str, Any]]]:
    return {
        "daily": ("每天", {"freq": "daily"}),
        "workday": ("每个工作日", {"freq": "workday"}),
        "weekly": (
            f"每周{WEEKDAYS[day.weekday()]}",
            {"freq": "weekly", "byday": [_CODES[day.weekday()]]},
        ),
        "monthly": (f"每月{day.day}号", {"freq": "monthly", "bymonthday": day.day}),
        "yearly": (
            f"每年{day.month}月{day.day}日",
            {"freq": "yearly", "bymonth": day.month, "bymonthday": day.day},
        ),
    }
