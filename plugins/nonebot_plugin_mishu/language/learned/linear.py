"""Linear models of several labels: the weights of a feature are one integer, a lane of 32 bits a label.

Adding such integers adds all lanes at once, which in Python is twenty times as fast as adding lists. A lane
may be negative: the sum of packed numbers is the packed sum, and `lanes` reads it with every lane lifted
above zero. A feature is the checksum of a text, so that the weights need no vocabulary and are the same on
every machine. Weights are made by `python -m training` (docs/models.md). Pure but for reading a file once
and remembering its rows.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

LANE: Final = 32
SCALE: Final = 24
"""A stored weight of this value moves a score by one."""
HEAVIEST: Final = 127
BUCKETS: Final = 1 << 20
"""Features are told apart by so many checksums."""
_LIFT: Final = 1 << (LANE - 1)


class LinearModel:
    """A learned model: packed weights of all labels, by feature."""

    __slots__ = ("labels", "weights")

    def __init__(self, labels: int, weights: dict[int, int]) -> None:
        self.labels = labels
        self.weights = weights

    def total(self, features: Iterable[int]) -> int:
        """The packed sum of the weights of features."""
        weights = self.weights
        found = [row for feature in features if (row := weights.get(feature)) is not None]
        return sum(found)

    def scores(self, features: Iterable[int]) -> list[float]:
        """The score of each label, in logits."""
        return [value / SCALE for value in lanes(self.total(features), self.labels)]


class StoredModel(LinearModel):
    """A model as its file has it: the packed weights of a feature are made when a line first has it.

    All of them at once, integers in a dictionary, are ten times the file; most features no line of a day
    has. `weights` holds those that were made.
    """

    __slots__ = ("_features", "_masks", "_starts", "_there", "_values")

    def __init__(self, labels: int, features: array[int], masks: array[int], values: array[int]) -> None:
        """Features in order; for each the labels that have a weight, a bit a label; and those weights."""
        super().__init__(labels, {})
        there = bytearray(BUCKETS // 8)
        starts = array("I", [0])
        for feature, mask in zip(features, masks, strict=True):
            there[feature >> 3] |= 1 << (feature & 7)
            starts.append(starts[-1] + mask.bit_count())
        self._features = features
        self._masks = masks
        self._starts = starts
        """Start of each feature's weights; last, their number."""
        self._there = bytes(there)
        """Bit for each feature number with weights."""
        self._values = values

    @property
    def size(self) -> int:
        """Number of weights."""
        return self._starts[-1]

    def total(self, features: Iterable[int]) -> int:
        """The packed sum of the weights of features."""
        there, known = self._there, self.weights
        found = [
            known[feature] if feature in known else self._row(feature)
            for feature in features
            if there[feature >> 3] >> (feature & 7) & 1
        ]
        return sum(found)

    def _row(self, feature: int) -> int:
        """Packed weights of a feature that has some; cached."""
        place = bisect_left(self._features, feature)
        values, mask, at, total = self._values, self._masks[place], self._starts[place], 0
        while mask:
            lowest = mask & -mask
            total += values[at] << (LANE * (lowest.bit_length() - 1))
            mask ^= lowest
            at += 1
        self.weights[feature] = total
        return total


def buckets(texts: Iterable[str]) -> list[int]:
    """The numbers of features."""
    return [crc32(text.encode("utf-8", "replace")) % BUCKETS for text in texts]


def packed(values: Sequence[int]) -> int:
    """One integer of a number a lane."""
    return sum(value << (LANE * place) for place, value in enumerate(values))


def lanes(total: int, labels: int) -> list[int]:
    """The numbers of a packed sum."""
    lifted = total + lift(labels)
    return [value - _LIFT for value in array("I", lifted.to_bytes(labels * LANE // 8, "little"))]


def lift(labels: int) -> int:
    """Offset that makes every lane positive."""
    return packed([_LIFT] * labels)


def encode_model(rows: Mapping[int, Sequence[int]], labels: int) -> bytes:
    """The bytes of a model's file: the features in order, for each the labels that have a weight, a bit a
    label, and then those weights, a signed byte each."""
    features = sorted(feature for feature, values in rows.items() if any(values))
    masks = [sum(1 << at for at, value in enumerate(rows[feature]) if value) for feature in features]
    head = array("I", [labels, len(features), *features, *masks])
    body = array("b", [value for feature in features for value in rows[feature] if value])
    return _little(head).tobytes() + body.tobytes()


def read_model(file: Path) -> LinearModel:
    """The model of a file. Raises OSError where there is none, ValueError where it is not whole."""
    content = file.read_bytes()
    head = _little(array("I", content[:8])) if len(content) >= 8 else array("I")
    start = 8 + 8 * head[1] if len(head) == 2 else 0
    if not head or len(content) < start:
        raise ValueError(f"{file.name} is no model")
    labels, count = head
    numbers = _little(array("I", content[8:start]))
    body = array("b", content[start:])
    model = StoredModel(labels, numbers[:count], numbers[count:], body)
    if model.size != len(body):
        raise ValueError(f"{file.name}: {len(body)} weights, not {model.size}")
    return model


def _little(numbers: array[int]) -> array[int]:
    """Four bytes a number, the least first, whatever the machine."""
    import sys

    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
