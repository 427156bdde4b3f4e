"""Vectors of texts: kept as float32 of length one, compared by cosine. Pure; plain Python on purpose."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Hashable, Iterable, Sequence
from operator import mul
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

LEAST = 0.3
"""Cosine below which two texts have nothing to do with each other."""


def packed(vector: Sequence[float]) -> bytes:
    """A vector brought to length one, as little-endian float32."""
    length = math.sqrt(sum(number * number for number in vector))
    numbers = array("f", [number / length for number in vector] if length else vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpacked(stored: bytes) -> array[float]:
    """Numbers of a vector packed by `packed`."""
    numbers = array("f")
    numbers.frombytes(stored[: len(stored) // 4 * 4])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def nearest(asked: Sequence[float], stored: Iterable[tuple[K, bytes]], limit: int) -> list[K]:
    """Keys of the vectors most like the one asked for, the nearest first; other lengths are left out."""
    wanted = unpacked(packed(asked))
    near: list[tuple[float, K]] = []
    for key, blob in stored:
        vector = unpacked(blob)
        if len(vector) == len(wanted) and (cosine := sum(map(mul, wanted, vector))) >= LEAST:
            near.append((cosine, key))
    near.sort(key=lambda pair: pair[0], reverse=True)
    return [key for _, key in near[:limit]]
