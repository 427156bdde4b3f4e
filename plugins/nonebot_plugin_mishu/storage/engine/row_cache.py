"""Cache of frequently read rows, valid until their table is written to.

A SQLite file has one process, so what that process wrote says it all: the engine that writes is listened to,
and a table's count grows after each transaction that touched it. A PostgreSQL server has several; there a
count is not enough, and it is asked (`schedules`).
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import event
from sqlalchemy.engine import Engine

T = TypeVar("T")
MOST: Final = 20_000
"""Rows that are kept at once."""


class Writes:
    """Write counters of the watched tables."""

    def __init__(self, *tables: str) -> None:
        self._tables = tables
        self._touched: set[str] = set()
        self._unsure: set[str] = set()
        self._counts: Counter[str] = Counter()

    def listen(self, engine: Engine) -> None:
        """Listen to the statements of an engine."""
        event.listen(engine, "before_cursor_execute", self._note_statement)

    def _note_statement(
        self, connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
    ) -> None:
        if not statement.lstrip().upper().startswith("SELECT"):
            self._touched.update(table for table in self._tables if table in statement)

    def ended(self, *, sound: bool) -> None:
        """A transaction is over. One that failed may still be on its way to the disk: until the next one went
        well nobody can tell."""
        for table in self._touched:
            self._counts[table] += 1
        if sound:
            self._unsure.clear()
        else:
            self._unsure |= self._touched
        self._touched.clear()

    def version(self, table: str) -> int | None:
        """Version of a table, changed by each write; None: unknown."""
        return None if table in self._unsure else self._counts[table]


class KeptRows(Generic[T]):
    """Lists by key, each good for one version; those asked for last, `MOST` rows in all."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[object, Sequence[T]]] = OrderedDict()

    def get(self, key: Hashable, version: object) -> list[T] | None:
        """Cached rows of this version; None where there are none."""
        known = self._kept.get(key)
        if known is None or version is None or known[0] != version:
            return None
        self._kept.move_to_end(key)
        return list(known[1])

    def put(self, key: Hashable, version: object, rows: Sequence[T]) -> None:
        """Cache rows, if their version is known."""
        self._kept.pop(key, None)
        if version is None or not rows:
            return
        self._kept[key] = version, tuple(rows)
        while sum(len(each) for _, each in self._kept.values()) > self._most:
            self._kept.popitem(last=False)
