"""Protection of our instructions: detection of texts that repeat them.

A model may be talked into reciting what it was told. The rules are no secret of importance, but a member who
reads them in the group takes the bot for broken in, and what follows may look authorised.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..agents.tasks.model.schemas import RULES as TASKS
from ..language.text.fold import normalise
from ..patterns import Pattern
from ..prompts import parts, prompt
from .decision.model.reading import HEAD as DECISION

SAFETY_CHECK: Final = prompt("check_safety")
"""The instructions of `check_safety`."""
RUN: Final = 20
"""So many letters and digits of them in a row are no chance."""
_BETWEEN: Final = Pattern(r"[\W_]+")
_FILLED_IN: Final = Pattern(r"\{\w+\}")


def repeats_instructions(text: str) -> bool:
    """True if a text holds `RUN` characters of our instructions in a row, ignoring separators and spelling
    (width, script, invisible characters). Linear in the length."""
    letters = _letters(text)
    known = _runs()
    return any(letters[at : at + RUN] in known for at in range(len(letters) - RUN + 1))


@cache
def _runs() -> frozenset[str]:
    pieces = [
        _letters(piece)
        for told in (
            *(parts("chat_reply")[part] for part in ("rules", "data")),
            prompt("summarize"),
            SAFETY_CHECK,
            TASKS,
            DECISION,
        )
        for piece in _FILLED_IN.split(told)
    ]
    return frozenset(piece[at : at + RUN] for piece in pieces for at in range(len(piece) - RUN + 1))


def _letters(text: str) -> str:
    return _BETWEEN.sub("", normalise(text))
