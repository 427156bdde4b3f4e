"""Logistic regression by stochastic descent, to the byte the same on every machine.

Python's floats are IEEE doubles and every step here is one addition, subtraction, multiplication or
division; the squashing function is a quotient instead of an exponential, whose last digit differs between
libraries. The order of the sentences comes from a generator of our own for the same reason.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonebot_plugin_mishu.language.learned.windows import SCALE

if TYPE_CHECKING:
    from .sentences import Sentence


@dataclass(frozen=True)
class Pace:
    """Learning rates of a judge. The more features a sentence has, the smaller the rate."""

    epochs: int = 12
    rate: float = 0.35
    satisfied: float = 0.06
    """An error smaller than this teaches nothing: what is known already does not grow without end."""


SHRINK = 0.9995
"""Factor on a weight each time it is touched."""
HEAVIEST = 127
_FACTOR, _TERM, _SEED = 6364136223846793005, 1442695040888963407, 20261118


def learn(sentences: Sequence[Sentence], buckets: int, pace: Pace) -> array[int]:
    """The weights, one signed byte a bucket."""
    weights = [0.0] * buckets
    order = list(range(len(sentences)))
    state = _SEED
    for epoch in range(pace.epochs):
        for at in range(len(order) - 1, 0, -1):
            state = (state * _FACTOR + _TERM) % (1 << 64)
            other = (state >> 33) % (at + 1)
            order[at], order[other] = order[other], order[at]
        rate = pace.rate / (1 + epoch)
        for number in order:
            _step(weights, sentences[number], rate, pace.satisfied)
    return array("b", (_byte(weight) for weight in weights))


def _step(weights: list[float], sentence: Sentence, rate: float, satisfied: float) -> None:
    total = 0.0
    for bucket in sentence.buckets:
        total += weights[bucket]
    error = (1.0 if sentence.wanted else 0.0) - _squashed(total)
    if abs(error) < satisfied:
        return
    change = rate * error
    for bucket in sentence.buckets:
        weights[bucket] = weights[bucket] * SHRINK + change


def _squashed(value: float) -> float:
    """Between 0 and 1, 0.5 at 0."""
    return 0.5 + 0.5 * value / (1.0 + abs(value))


def _byte(weight: float) -> int:
    return max(-HEAVIEST, min(HEAVIEST, round(weight * SCALE)))
