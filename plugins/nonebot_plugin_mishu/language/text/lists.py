"""Lists of names and of things in a text. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern

_SEVERAL: Final = Pattern("[都俩两仨全和跟与、，]|所有|那些|这些|几个|三[个条件样]|还有")
_AND: Final = Pattern("还有|以及|[、，,和跟与及 ]+")
_MARKS: Final = Pattern("[,，、;； ]+")


def means_several(text: str) -> bool:
    """True if a text may mean several things."""
    return _SEVERAL.search(text) is not None


def split_list(text: str) -> list[str]:
    """Parts of a list in words: 大壮和小北, 阿凯."""
    return [each for each in _AND.split(text) if each]


def split_at_marks(text: str) -> list[str]:
    """Parts of a list that marks part: 大壮,小北."""
    return [each for each in _MARKS.split(text) if each]
