"""The judge: which act a line is most likely about, learned (docs/language.md, "The judge").

A linear model over the line's characters, with its times and amounts as one sign each, and over the classes
of its words. It knows no mood: 都取消了吗 speaks of a deletion as 都取消了吧 does; what may be written
`mood` decides. Its probability is one of the grounds on which `confidence` calls a reading sure. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from math import exp
from pathlib import Path
from typing import Final

from ..text.tokens import Token
from .linear import LinearModel, buckets, read_model

WEIGHTS: Final = Path(__file__).with_name("judge.weights")
TALK: Final = "talk"
LABELS: Final = (
    TALK,
    *("schedule.add", "schedule.edit", "schedule.delete", "schedule.join", "schedule.leave"),
    *("schedule.query", "tasks.create", "tasks.update", "tasks.delete", "tasks.complete", "tasks.query"),
    *("books.record", "books.query", "books.correct", "books.budget"),
    *("record.remember", "record.forget", "record.query"),
)
"""Acts of a line, in the order of the model's lanes; one more lane is for several acts."""
LANES: Final = len(LABELS) + 1
TIME: Final = "\ue000"
AMOUNT: Final = "\ue001"
_EDGE: Final = "\ue002"
_WIDEST: Final = 4
_LONGEST: Final = 60
"""Most signs of a line used."""
_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
_DUMB: Final = frozenset({"blank"})
_MARKS: Final = (("time", TIME), ("amount", AMOUNT))


@dataclass(frozen=True, slots=True)
class Acts:
    """Act probabilities of a line: one for each of `LABELS`."""

    probabilities: tuple[float, ...]
    several: float = 0.0
    """Probability of more than one order."""

    @property
    def best(self) -> str:
        """Likeliest act."""
        return LABELS[max(range(len(LABELS)), key=self.probabilities.__getitem__)]

    def of(self, *labels: str) -> float:
        """Probability of any of some acts."""
        return sum(self.probabilities[LABELS.index(label)] for label in labels)


def judge_acts(text: str, tokens: Sequence[Token]) -> Acts:
    """Acts of a folded line (`language.text.fold`), read as `tokens` (`words_of`). About 60 µs."""
    return _judged(text, tuple(tokens))


@lru_cache(maxsize=512)
def _judged(text: str, tokens: tuple[Token, ...]) -> Acts:
    *scores, several = _model().scores(set(act_features(text, tokens)))
    top = max(scores)
    powers = [exp(max(-30.0, score - top)) for score in scores]
    whole = sum(powers)
    return Acts(tuple(power / whole for power in powers), 1.0 / (1.0 + exp(-max(-30.0, min(30.0, several)))))


def act_features(text: str, tokens: Sequence[Token]) -> list[int]:
    """The features of a line: windows of one to four signs, and of one to three classes of words."""
    signs = _EDGE + "".join(_signs(text, tokens))[:_LONGEST] + _EDGE
    found = [
        signs[at : at + width] for width in range(1, _WIDEST + 1) for at in range(len(signs) - width + 1)
    ]
    classes = ["^", *(name for name, _ in groupby(_classes(tokens))), "$"]
    found += [
        " ".join(("c", *classes[at : at + width]))
        for width in (1, 2, 3)
        for at in range(min(len(classes), _LONGEST) - width + 1)
    ]
    return buckets(found)


def _signs(text: str, tokens: Sequence[Token]) -> Sequence[str]:
    found: list[str] = []
    for token in tokens:
        mark = next((sign for name, sign in _MARKS if name in token.classes), None)
        found.append(mark or text[token.start : token.end].lower().translate(_DIGITS))
    return found


def _classes(tokens: Sequence[Token]) -> list[str]:
    return ["+".join(sorted(token.classes - _DUMB)) for token in tokens if token.classes - _DUMB]


@cache
def _model() -> LinearModel:
    return read_model(WEIGHTS)
