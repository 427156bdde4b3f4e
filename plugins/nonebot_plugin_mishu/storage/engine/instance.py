"""One installation of the bot, known again after a restart: a number in its folder, and a lock beside it.

Where the lock is ours, the process that had it is dead, however it ended, and what it had in a shared
database is free at once, without waiting for its lease.
"""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from .errors import DatabaseInUse
from .process_lock import ProcessLock

_FILE = "instance"


def occupied(folder: Path) -> tuple[str, ProcessLock | None]:
    """The installation's number and the lock on it; a number of its own where another process has that."""
    file = folder / _FILE
    lock = ProcessLock(file)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        known = file.read_text("utf-8").strip() if file.exists() else ""
        if not known:
            known = uuid4().hex
            file.write_text(known, "utf-8")
    except (DatabaseInUse, OSError):
        return uuid4().hex, None
    return known, lock
