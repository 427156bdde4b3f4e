"""When the things begin that a question listed, as it is kept with the question. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.clause import KeptThing

BEGINS: Final = "_begins"
"""The slot of a question that lists several things: when each begins, in the order of their numbers."""


def begins_of(things: Sequence[KeptThing]) -> list[str | None]:
    """When things begin, as their question keeps it."""
    return [None if each.at is None else each.at.isoformat() for each in things]
