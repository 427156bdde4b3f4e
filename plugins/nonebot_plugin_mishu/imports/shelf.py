"""Files that members sent, until the task that takes them in has them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Literal

from ..language.bringing.reading import words_of_file

FileKind = Literal["calendar", "bill"]
MOST: Final = 20
"""Files at once; the oldest goes."""
LARGEST: Final = 5 * 2**20 + 1
"""Bytes that are read of a file: one more than may be, so that a file that is too large is told as such."""
_SUFFIXES: Final[dict[str, FileKind]] = {
    ".ics": "calendar",
    ".ical": "calendar",
    ".csv": "bill",
    ".xlsx": "bill",
    ".zip": "bill",
}


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it came. `data` is None where it could not be had."""

    name: str
    data: bytes | None


def kind_of(name: str) -> FileKind | None:
    """The kind of a file by its name; None for one that nothing is done with."""
    lower = name.strip().lower()
    return next((kind for suffix, kind in _SUFFIXES.items() if lower.endswith(suffix)), None)


def words_for(name: str) -> str | None:
    """The words that a file stands for."""
    kind = kind_of(name)
    return None if kind is None else words_of_file(kind)


class Shelf:
    """Files by the account and the message that brought them; in memory."""

    def __init__(self) -> None:
        self._files: OrderedDict[tuple[str, str], SentFile] = OrderedDict()

    def put(self, self_id: str, message_id: str, file: SentFile) -> None:
        """Keep a file."""
        self._files[self_id, message_id] = file
        while len(self._files) > MOST:
            self._files.popitem(last=False)

    def take(self, self_id: str, message_id: str) -> SentFile | None:
        """Hand a file out, once."""
        return self._files.pop((self_id, message_id), None)
