"""What a group has not been told of yet, for who did it: collected while an operation runs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_COLLECTED: Final[ContextVar[list[str] | None]] = ContextVar("mishu_untold", default=None)


@contextmanager
def untold() -> Generator[list[str]]:
    """Reasons why the group did not hear what was done in the block, in Chinese, to be shown."""
    found: list[str] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def note_untold(words: str) -> None:
    """The group was not told: say why to whoever collects it."""
    found = _COLLECTED.get()
    if found is not None and words not in found:
        found.append(words)
