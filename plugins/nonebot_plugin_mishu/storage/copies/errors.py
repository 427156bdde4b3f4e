"""Errors of copies: backup, restore, move."""

from __future__ import annotations

from ..engine.errors import StorageError


class CopyRefused(StorageError):
    """A copy was not made, or not finished; the sentence gives the reason and the state of both ends."""

    sentence = "没有做成，什么都没有改动。"
    passing = False
