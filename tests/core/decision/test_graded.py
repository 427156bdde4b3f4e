"""The slots and the transactions that `explain` gives for sentences of every kind."""

from __future__ import annotations

import operator
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from nonebot_plugin_mishu.config import loading
from rows import each_row

from bot.explain import explain

from .support import NOW

_HERE = Path(__file__).parent
_BOOKS = _HERE.parent.parent / "agents" / "bookkeeping" / "data" / "graded.yaml"
_SLOTS: list[dict[str, Any]] = yaml.safe_load((_HERE / "graded_slots.yaml").read_text("utf-8"))
_TRANSACTIONS: list[dict[str, Any]] = yaml.safe_load(_BOOKS.read_text("utf-8"))
_SATURDAY = datetime(2026, 11, 21, 9, 0, tzinfo=NOW.tzinfo)
_CONFIG = loading.read({}, {})


def _explained(text: str, now: datetime) -> dict[str, Any]:
    return explain(text, now, _CONFIG.zone, _CONFIG, [])


@each_row("known", _SLOTS, ids=lambda known: known["say"])
def test_slots(known: dict[str, Any]) -> None:
    (frame,) = _explained(known["say"], NOW)["frames"]
    assert f"{frame['agent_code']}/{frame['intent']}" == known["frame"]
    assert {name: frame["slots"].get(name) for name in known["slots"]} == known["slots"]


@each_row("known", _TRANSACTIONS, ids=lambda known: known["say"])
def test_transactions(known: dict[str, Any]) -> None:
    found = _explained(known["say"], _SATURDAY)["transactions"]
    shown = [
        " ".join([one["amount"], one["type"], one["category"], one["date"][5:], one["description"]]).strip()
        for one in found
    ]
    wanted = [_ways(row) for row in known["is"]]
    assert len(shown) == len(wanted), shown
    assert all(map(operator.contains, wanted, shown)), shown


def _ways(row: str) -> list[str]:
    """A row with each of the names that its item may have."""
    told, *others = row.split("|")
    return [told, *(f"{told.rpartition(' ')[0]} {name}" for name in others)]
