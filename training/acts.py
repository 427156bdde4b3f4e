"""Learning the judge of acts: one logistic regression a label, all labels at once, in whole numbers.

An error is rounded to a whole number before it changes a weight, so the weights are the same to the byte on
every machine; no exponential is taken (`training.learning`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from nonebot_plugin_mishu.language.learned.judge import LABELS, LANES, act_features
from nonebot_plugin_mishu.language.learned.linear import HEAVIEST, SCALE, lanes, packed

from .material import Line
from .order import shuffled

EPOCHS = 4
UNIT = 4096
"""A weight of this value moves a score by one."""
RATE = 0.10
SLOWER = 0.3
"""Slowing of the rate with every further epoch."""
SATISFIED = 0.05
"""An error smaller than this teaches nothing."""
FEWEST = 3
"""Lines in which a feature must stand to be learned."""
SMALLEST = 3
"""Stored weights that are all smaller than this are left out."""


def learn_acts(lines: Sequence[Line]) -> Mapping[int, Sequence[int]]:
    """The stored weights of every feature."""
    examples = [
        (
            tuple(act_features(line.text, line.tokens)),
            LABELS.index(line.act) if line.single else -1,
            line.weight,
        )
        for line in lines
    ]
    common = frequent((features for features, _, _ in examples), FEWEST)
    examples = [
        (tuple({f for f in features if f in common}), label, weight) for features, label, weight in examples
    ]
    weights = dict.fromkeys(common, 0)
    for epoch in range(EPOCHS):
        rate = RATE / (1 + epoch * SLOWER)
        for number in shuffled(len(examples), epoch):
            features, label, weight = examples[number]
            *scores, several = lanes(sum(map(weights.__getitem__, features)), LANES)
            odds = _odds(scores)
            if label < 0:
                odds = [0.0] * len(odds)  # which of its acts it is about there is no telling
            else:
                odds[label] -= 1.0
            odds.append(OF_SEVERAL * (_squeezed(several / UNIT) - float(label < 0)))
            if max(map(abs, odds)) < SATISFIED:
                continue
            change = packed([-int(rate * weight * error * UNIT) for error in odds])
            for feature in features:
                weights[feature] += change
    return stored(weights, LANES, UNIT, SMALLEST)


OF_SEVERAL = 0.5
"""Rate for lines about several things, relative to the rate for their subject."""


def _squeezed(value: float) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, value))))


def _odds(values: Sequence[int]) -> list[float]:
    """The probability of each label by its score."""
    top = max(values)
    powers = [exp(max(-30.0, (value - top) / UNIT)) for value in values]
    whole = sum(powers)
    return [power / whole for power in powers]


def frequent(examples, fewest: int) -> frozenset[int]:
    """The features that stand in at least so many lines."""
    counts: dict[int, int] = {}
    for features in examples:
        for feature in set(features):
            counts[feature] = counts.get(feature, 0) + 1
    return frozenset(feature for feature, count in counts.items() if count >= fewest)


def stored(weights: Mapping[int, int], labels: int, unit: int, smallest: int) -> Mapping[int, Sequence[int]]:
    """Packed weights as they are written: a byte a label, what says little left out."""
    found: dict[int, Sequence[int]] = {}
    for feature, total in weights.items():
        values = [
            max(-HEAVIEST, min(HEAVIEST, _rounded(value * SCALE, unit))) for value in lanes(total, labels)
        ]
        if max(map(abs, values)) >= smallest:
            found[feature] = values
    return found


def _rounded(value: int, unit: int) -> int:
    return (2 * value + unit) // (2 * unit)
