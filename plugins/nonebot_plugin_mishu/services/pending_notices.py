"""Changes a group has not been told of yet, collected while an operation runs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_COLLECTED: Final[ContextVar[list[str] | None]] = ContextVar("mishu_untold", default=None)


@contextmanager
def collect_untold() -> Generator[list[str]]:
    """Reasons (Chinese, for display) why the group was not told of changes made in the block."""
    found: list[str] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def note_untold(words: str) -> None:
    """Add the reason why the group was not told."""
    found = _COLLECTED.get()
    if found is not None and words not in found:
        found.append(words)
