"""Search keys of Chinese text: pairs of neighbouring characters, and whole Latin words."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from .fold import normalise
from .script import simplified

_RUN: Final = Pattern(r"[\u3400-\u9fff]+|[a-z0-9]+")


_PLAIN: Final = Pattern(r"[\u4e00-\u9fff0-9a-z ,.!?:，。！？：、~…]*")
"""Text whose only normalisation is the script."""


def runs(text: str) -> list[str]:
    """The runs of Chinese characters and the Latin words of a text, in one form for reading."""
    if _PLAIN.fullmatch(text):
        return _RUN.findall(text.translate(simplified()))
    return _RUN.findall(normalise(text).casefold())


def pairs(text: str) -> list[str]:
    """Pairs and words of a text in order, each once; without single Chinese characters."""
    return list(dict.fromkeys(every_pair(text)))


def every_pair(text: str) -> list[str]:
    """Pairs and words with repeats, for many texts."""
    found: list[str] = []
    for run in runs(text):
        if run.isascii():
            found.append(run)
        else:
            found += [run[at : at + 2] for at in range(len(run) - 1)]
    return found
