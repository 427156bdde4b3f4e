"""How something repeats, as a form offers it. Pure."""

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
    """What may be chosen for something on `day` by key; `words` say how it repeats now."""
    found = {ONCE: "不重复", **{key: name for key, (name, _) in _rules(day).items()}}
    if kept is not None and chosen(day, kept) == KEPT:
        found[KEPT] = words
    return found


def chosen(day: date, kept: Mapping[str, Any] | None) -> str:
    """The key of how it repeats now."""
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
    """The rule of a key other than `KEPT`; None where it does not repeat."""
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
