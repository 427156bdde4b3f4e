"""Looking into a bot's SQLite file from outside, without knowing its tables."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from .api import POLL
from .room import WITHIN


def holds(database: Path, words: str) -> bool:
    """True if any text of any table contains `words`."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=2)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in names:
            try:
                rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
            except sqlite3.OperationalError:
                continue  # a virtual table of a module this Python lacks
            if any(isinstance(value, str) and words in value for row in rows for value in row):
                return True
    return False


async def until_on_disk(database: Path, words: str, within: float = WITHIN) -> None:
    """Wait until a text is on disk."""
    end = time.monotonic() + within
    while not await asyncio.to_thread(holds, database, words):
        assert time.monotonic() < end, f"{words!r} is not on disk after {within:g} s"
        await asyncio.sleep(POLL)


async def until_noted(database: Path, within: float = WITHIN) -> None:
    """Wait until every reply that was ready is noted as said: a kill before that has it said once more."""
    end = time.monotonic() + within
    while await asyncio.to_thread(_unnoted, database):
        assert time.monotonic() < end, f"a reply is not noted as said after {within:g} s"
        await asyncio.sleep(POLL)


def _unnoted(database: Path) -> bool:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=2)) as connection:
        found = connection.execute("SELECT count(*) FROM mishu_claim WHERE reply IS NOT NULL").fetchone()
        return bool(found[0])


def version_table(database: Path) -> str:
    """The table in which the schema's version stands."""
    with closing(sqlite3.connect(database)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in names:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            if columns == ["version_num"]:
                return table
    raise AssertionError("no version table")


def rows(database: Path, table: str, **equal: str) -> list[tuple[object, ...]]:
    """The rows of a table with these values, whatever else stands in them; none where there is no table."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=2)) as connection:
        known = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        if not known:
            return []
        wanted = [name for name in equal if name in known]
        where = " AND ".join(f'"{name}" = ?' for name in wanted) or "1"
        return connection.execute(
            f'SELECT * FROM "{table}" WHERE {where}', [equal[name] for name in wanted]
        ).fetchall()
