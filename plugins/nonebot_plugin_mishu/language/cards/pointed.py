"""Items of an open card behind a few words. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pointed:
    """Pending items behind a few words. `which`: one of several, unclear which."""

    items: tuple[int, ...] = ()
    which: bool = False
