"""One process to a SQLite file: a second one is refused at start (scale.md, "Several bot processes").

The lock is the operating system's, on an empty file `<database>.lock` beside the database, which stays: it
goes with the process, however that ends, so nothing stale is left behind by `kill -9`. It is not taken on the
database itself, since closing a second descriptor of that file would give up SQLite's own locks.

Within one process the lock is shared and counted. Where the file system has no locks, or the file beside the
database cannot be made, there is none: whether the database can be used then is SQLite's to say.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from .errors import DatabaseInUse

SUFFIX = ".lock"
_BUSY = (BlockingIOError, PermissionError)
"""Errors of a lock held by another process: on POSIX the first, on Windows the second."""

_mutex = threading.Lock()


class _Descriptor:
    """The open lock file of this process, and how many use it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.users = 1


_held: dict[str, _Descriptor] = {}
"""By the lock file's name."""


class ProcessLock:
    """This process's right to use one SQLite file."""

    def __init__(self, database: Path) -> None:
        self._name = os.path.realpath(database) + SUFFIX
        self._mine = False

    def acquire(self) -> None:
        """Take the lock, or share what this process has. Twice is once.

        Raises:
            DatabaseInUse: another process has it.
        """
        with _mutex:
            if self._mine:
                return
            if self._name in _held:
                _held[self._name].users += 1
                self._mine = True
                return
            number = _open_lock_file(self._name)
            if number is None:
                return
            try:
                _lock_file(number)
            except _BUSY:
                os.close(number)
                raise DatabaseInUse from None
            except OSError:  # a file system without locks
                os.close(number)
                return
            _held[self._name] = _Descriptor(number)
            self._mine = True

    def release(self) -> None:
        """Give it up; the last in this process gives it back. Twice is once."""
        with _mutex:
            if not self._mine:
                return
            self._mine = False
            held = _held[self._name]
            held.users -= 1
            if not held.users:
                del _held[self._name]
                os.close(held.number)


def _open_lock_file(name: str) -> int | None:
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):  # somebody else's file may only be readable
        try:
            return os.open(name, flags, 0o644)
        except OSError:
            continue
    return None


if sys.platform == "win32":
    import msvcrt

    def _lock_file(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock_file(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
