"""Runs of Latin letters and digits that name something: t7319c38aaab1e24, 4a1dfe3b, e29b-41d4-a716. Pure.

Nothing in them is said: no amount, no AA. What chat glues to money is none: 35rmb, 1.2k, 火锅300AA, kfc35.
"""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from .money import money_words as words

MASK: Final = "□"
"""Placeholder for each character of an identifier; positions stay."""

_WORD: Final = "|".join(sorted(words.GLUED, key=lambda word: (-len(word), word)))
_PART: Final = Pattern(
    rf"(?:{_WORD})?[0-9]+(?:(?>(?:{_WORD}){{1,3}}(?=[0-9]))[0-9]+)*(?>(?:{_WORD}){{0,3}}\Z)"
)
"""Letters and digits together in ordinary talk: names of things, units, scales, AA."""
_LONGEST: Final = 16
_RUN: Final = Pattern(r"(?<![a-z0-9])[a-z0-9]+(?:[-_][a-z0-9]+)*")
_MAIL: Final = Pattern(r"(?<![a-z0-9._+-])[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_MIXED: Final = Pattern(r"[a-z][0-9]+[a-z]|[0-9][a-z]+[0-9]")


def mask_identifiers(line: str) -> str:
    """`line` (normalised) with every identifier and address of mail masked. Never raises; linear."""
    lowered = line.lower()
    if len(lowered) != len(line) or not (_MIXED.search(lowered) or "@" in lowered or "_" in lowered):
        return line
    masked = _RUN.sub(_hidden, _MAIL.sub(_gone, lowered))
    return "".join(MASK if new == MASK else old for old, new in zip(line, masked, strict=True))


def _gone(found: re.Match[str]) -> str:
    return MASK * len(found[0])


def _hidden(found: re.Match[str]) -> str:
    return _gone(found) if _is_identifier(found[0]) else found[0]


def _is_identifier(run: str) -> bool:
    """Letters and digits that change more than once, and not only where money is glued to a word."""
    if "_" in run:
        return any(character.isdigit() for character in run)
    mixed = [part for part in run.split("-") if _MIXED.search(part)]
    return any(len(part) > _LONGEST or not _PART.fullmatch(part) for part in mixed)
