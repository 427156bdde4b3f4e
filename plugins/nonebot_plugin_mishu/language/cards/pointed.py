"""What of an open card a few words stand for. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pointed:
    """The pending items that a few words stand for. `which`: one of several, and it is not clear which."""

    items: tuple[int, ...] = ()
    which: bool = False
