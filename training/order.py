"""The order in which examples are learned: a shuffle of our own, the same on every machine."""

from __future__ import annotations

_FACTOR, _TERM, _SEED = 6364136223846793005, 1442695040888963407, 20261118


def shuffled(count: int, epoch: int) -> list[int]:
    """The numbers below `count` in an order of this epoch's own."""
    order = list(range(count))
    state = _SEED + epoch
    for at in range(count - 1, 0, -1):
        state = (state * _FACTOR + _TERM) % (1 << 64)
        other = (state >> 33) % (at + 1)
        order[at], order[other] = order[other], order[at]
    return order
