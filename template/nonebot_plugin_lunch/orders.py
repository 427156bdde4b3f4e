"""The orders of the day, in a file. Whatever is changed is on disk when the function returns."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Order:
    """So many lunches of one member."""

    origin: str
    """Names the work that made it, for ever: what a restart repeats makes nothing twice."""
    group: str
    day: str
    user_id: str
    name: str
    count: int


class Orders:
    """All orders; read once, written whole at every change."""

    def __init__(self, file: Path) -> None:
        self._file = file
        kept = json.loads(file.read_text("utf-8")) if file.exists() else []
        self._orders = [Order(**each) for each in kept]

    def of(self, group: str, day: str) -> list[Order]:
        """The orders of a group on a day."""
        return [each for each in self._orders if (each.group, each.day) == (group, day)]

    def add(self, order: Order) -> None:
        """Keep an order; the same one again is the one that is there."""
        if all(each.origin != order.origin for each in self._orders):
            self._write([*self._orders, order])

    def remove(self, *origins: str) -> None:
        """Take orders away; what is gone already is gone."""
        self._write([each for each in self._orders if each.origin not in origins])

    def _write(self, orders: list[Order]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        beside = self._file.with_suffix(".new")
        beside.write_text(json.dumps([asdict(each) for each in orders], ensure_ascii=False), "utf-8")
        beside.replace(self._file)
        self._orders = orders
