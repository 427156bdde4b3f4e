"""Talk: how much a line sounds like talk rather than like work for a secretary (docs/language.md).

It is what the judge of acts makes of the line, seen from one side. It decides nothing: it may only lower the
certainty of what was read, since forms see an hour and a verb where a person hears of the weather or a song.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from ..text.tokens import Token
from .judge import TALK, judge_acts

WORK_ABOVE: Final = 0.0
"""A score at or below this is talk; chosen on lines that were not learned from."""
SURELY_TALK: Final = -1.5
"""At or below this not even a question is worth it."""
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class TalkScore:
    """Log odds of work against talk: positive for work."""

    score: float

    @property
    def talk(self) -> bool:
        """True if the line is talk rather than work."""
        return self.score <= WORK_ABOVE

    @property
    def surely_talk(self) -> bool:
        """True for certain talk, without a question."""
        return self.score <= SURELY_TALK


def judge_talk(text: str, tokens: Sequence[Token]) -> TalkScore:
    """Talk score of a normalised line, read as `tokens` (`words_of`)."""
    talk = min(max(judge_acts(text, tokens).of(TALK), _LEAST), 1.0 - _LEAST)
    return TalkScore(log((1.0 - talk) / talk))
