"""What Chinese text is searched by: pairs of neighbouring characters, and Latin words whole."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from .normalise import normalise

_RUN: Final = re.compile(r"[\u3400-\u9fff]+|[a-z0-9]+")


def runs(text: str) -> list[str]:
    """The runs of Chinese characters and the Latin words of a text, in one form for reading."""
    return _RUN.findall(normalise(text).casefold())


def pairs(text: str) -> list[str]:
    """The pairs and words of a text in order, each once; a lone Chinese character between others is none."""
    found: dict[str, None] = {}
    for run in runs(text):
        if run.isascii():
            found[run] = None
        else:
            for one, other in pairwise(run):
                found[one + other] = None
    return list(found)
