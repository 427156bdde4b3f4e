"""Which kinds of deeds the actions of a turn were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from ..language.claims.table import KINDS, Kind

LOOKED: Final = "look"
"""Noted in place of a tool where something was only read."""

_BY_TOOL: Final[dict[str, tuple[Kind, ...]]] = {
    LOOKED: ("look",),
    "create_task": ("note", "remind"),
    "query_tasks": ("look",),
    "update_task": ("note", "change", "remind"),
    "complete_task": ("finish", "note"),
    "delete_task": ("remove",),
    "add": ("note", "remind"),
    "edit": ("note", "change", "remind"),
    "delete": ("remove",),
    "join": ("note", "remind", "order"),
    "leave": ("remove", "change"),
    "record": ("note",),
    "correct": ("note", "change", "remove"),
    "undo": ("remove", "change"),
    "snooze_reminder": ("change", "remind"),
    "finish_reminder": ("finish", "remove"),
    "share_calendar": ("send",),
    "set_term": ("note", "change"),
}
"""What each of our tools does. What another plugin's tool does is not known: it counts for everything."""


def kinds_of(tools: Iterable[str]) -> frozenset[Kind]:
    """The kinds of deeds of these tools (`Action.tool`)."""
    return frozenset(kind for tool in tools for kind in _BY_TOOL.get(tool, KINDS))


def named_in(*values: Any) -> str:
    """The words in the arguments and the result of an action: what it was done to, as far as they tell."""
    return " ".join(_words(list(values)))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in cast("Mapping[str, Any]", value).values():
            yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in cast("list[Any]", value):
            yield from _words(each)
