"""Our own calls of a platform's API, told apart from those of other plugins."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

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


_NEVER_REACHED: Final = frozenset({"ConnectError", "ConnectTimeout", "ClientConnectorError"})
"""Errors of HTTP clients before anything was sent; one that is none of these may have come behind it."""


def reached(error: BaseException) -> bool:
    """False if a call that failed surely never reached the platform: nobody answered the connection."""
    cause = error.__cause__ or error
    return not any(kind.__name__ in _NEVER_REACHED for kind in type(cause).__mro__)
