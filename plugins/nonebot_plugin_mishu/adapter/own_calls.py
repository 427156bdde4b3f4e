"""Our own calls of a platform's API, told apart from those of other plugins."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_speaking: ContextVar[bool] = ContextVar("mishu_speaking", default=False)


def speaks() -> bool:
    """True while it is we who call the platform's API to send."""
    return _speaking.get()


@contextmanager
def speaking() -> Generator[None]:
    """Calls within it are ours."""
    ours = _speaking.set(True)
    try:
        yield
    finally:
        _speaking.reset(ours)
