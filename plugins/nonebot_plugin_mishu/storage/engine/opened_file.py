"""Watch on the open SQLite file: deleted, moved, replaced or truncated."""

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
        seen = _stat_file(path)
        self._identity, self._size = seen if seen is not None else (None, 0)

    @property
    def gone(self) -> bool:
        """True when the file was moved, replaced, truncated or deleted."""
        seen = _stat_file(self._path)
        if self._identity is None or seen is None:
            return seen is None
        identity, size = seen
        if identity == self._identity:
            self._cut = self._cut or size < self._size
            self._size = max(self._size, size)
        return self._cut or identity != self._identity


def _stat_file(path: Path) -> tuple[tuple[int, int], int] | None:
    """Device and inode, and size in bytes; None where there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino), found.st_size
