"""The second look for claims: whether a sentence of a reply sounds as though something had been done.

The table of words (`claims`) says which deed is claimed and misses what nobody thought of; this linear
model over characters, learned by `python -m training` from sentences of ours, says only that one is.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ..fold import normalise
from ..windows import features, read_weights, score

WEIGHTS: Final = Path(__file__).with_name("claims.weights")
BUCKETS: Final = 1 << 16
CLAIMS_ABOVE: Final = 1.5
"""A score above this is a claim; chosen on sentences that were not learned from (`python -m training`
prints them)."""


def masked(sentence: str) -> str:
    """A sentence as the judge sees it: in its one form, in lower case."""
    return normalise(sentence).lower()


def sounds_done(sentence: str) -> bool:
    """Whether a sentence sounds as though its speaker had done something, or promised to. About 20 µs."""
    return score(features(masked(sentence), BUCKETS), _weights()) > CLAIMS_ABOVE


@cache
def _weights() -> Sequence[int]:
    return read_weights(WEIGHTS, BUCKETS)
