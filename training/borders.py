"""Learning the tagger: an averaged structured perceptron, all of it in whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nonebot_plugin_mishu.language.learned.linear import lanes
from nonebot_plugin_mishu.language.learned.tagger import (
    LABELS,
    LONGEST,
    Sign,
    best_path,
    sign_features,
    signs_of,
)

from .acts import frequent, stored
from .material import Line
from .order import shuffled

EPOCHS = 5
UNIT = 1 << 12
FEWEST = 5
SMALLEST = 2


def learn_borders(lines: Sequence[Line]) -> Mapping[int, Sequence[int]]:
    """The stored weights of every feature."""
    examples = [
        (*example, int(line.weight)) for line in lines if line.borders and (example := _example(line))
    ]
    common = frequent((features for rows, _, _ in examples for features in rows), FEWEST)
    examples = [
        ([tuple(f for f in row if f in common) for row in rows], path, weight)
        for rows, path, weight in examples
    ]
    weights = dict.fromkeys(common, 0)
    drift = dict.fromkeys(common, 0)
    count, step = len(LABELS), 0
    for epoch in range(EPOCHS):
        for number in shuffled(len(examples), epoch):
            rows, path, weight = examples[number]
            step += 1
            emitted = [lanes(sum(map(weights.__getitem__, row)), count) for row in rows]
            guess = best_path(emitted)
            if guess == path:
                continue
            for row, right, wrong in zip(rows, path, guess, strict=True):
                if right == wrong:
                    continue
                change = weight * ((1 << (32 * right)) - (1 << (32 * wrong)))
                for feature in row:
                    weights[feature] += change
                    drift[feature] += change * step
    # the average over all steps, times UNIT
    averaged: dict[int, int] = {}
    for feature, total in weights.items():
        now, late = lanes(total, count), lanes(drift[feature], count)
        mean = [
            (value * (step + 1) - moved) * UNIT // (step + 1) for value, moved in zip(now, late, strict=True)
        ]
        averaged[feature] = sum(value << (32 * place) for place, value in enumerate(mean))
    return stored(averaged, count, UNIT * SOFTER, SMALLEST)


SOFTER = 5
"""A learned weight of so much is stored as one unit of score."""


def _example(line: Line) -> tuple[list[tuple[int, ...]], list[int]] | None:
    """The features of a line's signs and their labels; None where a span does not end where a sign does."""
    signs = signs_of(line.text, line.tokens)[:LONGEST]
    path = label_path(signs, line)
    if path is None or not signs:
        return None
    return [tuple(sign_features(signs, at, line.act)) for at in range(len(signs))], path


def label_path(signs: Sequence[Sign], line: Line) -> list[int] | None:
    """The labels of a line's signs by its marked spans; None where a border falls into a sign."""
    path = [0] * len(signs)
    starts = {sign.start: at for at, sign in enumerate(signs)}
    ends = {sign.end: at for at, sign in enumerate(signs)}
    for span in line.spans:
        begin = f"B-{span.slot}"
        if begin not in LABELS:
            continue
        if span.start not in starts or span.end not in ends:
            return None
        first, last = starts[span.start], ends[span.end]
        path[first] = LABELS.index(begin)
        for at in range(first + 1, last + 1):
            path[at] = LABELS.index(begin) + 1
    return path
