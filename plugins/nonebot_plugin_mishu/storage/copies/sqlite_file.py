"""SQLite's online backup: a file that is being written to becomes another, whole and checked.

Functions here block; they are run in a thread.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from ..engine.errors import DatabaseCorrupt
from .rows import TABLES

_WAIT = 30.0
"""Seconds to wait for a lock."""


def copy_online(source: Path, target: Path) -> dict[str, int]:
    """Copy a database that may be in use into a new file, in one snapshot; the rows the snapshot held.

    The copy is one file (no WAL beside it), on disk when this returns. Raises `sqlite3.Error`, `OSError`.
    """
    with (
        closing(_open_file(source, "rw")) as reading,
        closing(sqlite3.connect(target, timeout=_WAIT, isolation_level=None)) as writing,
    ):
        # The counts and the copy see the same moment: the copy runs within our open transaction.
        reading.execute("BEGIN")
        counts = _count_rows(reading)
        reading.backup(writing, pages=-1)
        reading.execute("ROLLBACK")
        writing.execute("PRAGMA journal_mode = DELETE")
    sync_file(target)
    return counts


def count_checked(file: Path) -> dict[str, int]:
    """Open a file, look through all of it, and count.

    Raises:
        DatabaseCorrupt: it is damaged.
    """
    with closing(_open_file(file, "ro")) as connection:
        if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise DatabaseCorrupt
        return _count_rows(connection)


def remove_wal(file: Path) -> None:
    """Make a database nobody has open one whole file."""
    with closing(sqlite3.connect(file, timeout=_WAIT, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def checkpoint_wal(file: Path) -> None:
    """Write the WAL back into the database file, if the file is readable."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(file, timeout=_WAIT, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def sync_file(file: Path) -> None:
    """Fsync a file and its directory."""
    for path in (file, file.parent):
        if path.is_dir() and os.name != "posix":
            continue
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _open_file(file: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=_WAIT, isolation_level=None
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


def _count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return {
        table.name: connection.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]
        for table in TABLES
        if table.name in there
    }
