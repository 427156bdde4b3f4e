"""The SQLite file that is open, and whether it is still there."""

from __future__ import annotations

from pathlib import Path


class OpenedFile:
    """Notices that a file was deleted, moved, replaced, or written over.

    Where open files can be deleted, one goes on writing into what nobody will ever read. A file that was
    written over in place (`cp empty.db mishu.db`) is the same to the system, but shorter than it was: a
    database of ours only grows. It stays gone; one that was moved away and comes back is used again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cut = False
        seen = _look(path)
        self._identity, self._size = seen if seen is not None else (None, 0)

    @property
    def gone(self) -> bool:
        """Whether it is no more what or where it was."""
        seen = _look(self._path)
        if self._identity is None or seen is None:
            return seen is None
        identity, size = seen
        if identity == self._identity:
            self._cut = self._cut or size < self._size
            self._size = max(self._size, size)
        return self._cut or identity != self._identity


def _look(path: Path) -> tuple[tuple[int, int], int] | None:
    """Device and inode, and how many bytes; None where there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino), found.st_size
