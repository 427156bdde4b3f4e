"""A linear model over the characters of a line, in windows of one to four: what it learned is one
signed byte a bucket.

It generalises where lists of words do not, and knows no grammar: whoever asks it decides nothing on its
word alone. A feature is the checksum of its characters, so that the weights need no vocabulary and the
same text has the same features on every machine. The weights are made by `python -m training`
(docs/models.md). Pure but for reading the file once.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

LONGEST_WINDOW: Final = 4
LONGEST: Final = 60
"""Characters of a line that are looked at: what it is about is said by then."""
SCALE: Final = 256
"""A weight of this value moves the score by one."""
_EDGE: Final = "\ue002"
_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}


def features(line: str, buckets: int) -> list[int]:
    """The buckets of a line, one for each of its windows; `buckets` is a power of two. Digits are alike."""
    whole = (_EDGE + line[:LONGEST].translate(_DIGITS) + _EDGE).encode("utf-16-le", "replace")
    end, last = len(whole), buckets - 1
    return [
        crc32(whole[at : at + width]) & last
        for width in range(2, 2 * LONGEST_WINDOW + 1, 2)
        for at in range(0, end - width + 1, 2)
    ]


def score(found: Sequence[int], weights: Sequence[int]) -> float:
    """The logit of a line by its features: positive where it is what the model was made to find."""
    return sum(map(weights.__getitem__, found)) / SCALE


def read_weights(file: Path, buckets: int) -> Sequence[int]:
    """The weights of a file. Raises ValueError where it does not hold one a bucket, OSError where there is
    none."""
    weights = array("b")
    weights.frombytes(file.read_bytes())
    if len(weights) != buckets:
        raise ValueError(f"{file.name}: {len(weights)} weights, not {buckets}")
    return weights
