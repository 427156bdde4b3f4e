"""Sums told anew by how far they were off: 少记了5块, 多写了一个零. Pure.

少记了5块          5 more
奶茶多算了3块      3 less
多写了一个零       a tenth
少打了两个0        a hundred times
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ....patterns import Pattern
from ...recognise.money import Amount

_WRITES: Final = "[记写打算输报填敲按加添]"
_ZEROS: Final = Pattern(
    f"(?:(?P<way>[多少]){_WRITES}?|{_WRITES}(?P<behind>[多少]))了?"
    "(?:(?P<count>[一两二12]) ?[个位]| ?[个位])? ?(?:零|0)(?![.0-9点头钱食])"
)
_BY: Final = Pattern(f"(?:(?P<way>[多少]){_WRITES}|{_WRITES}(?P<behind>[多少]))(?:了|过)?$")
_TAIL: Final = Pattern("[块元]?钱?")
_COUNTS: Final = {"两": 2, "二": 2, "2": 2}


@dataclass(frozen=True, slots=True)
class Difference:
    """Error of an amount: by `fen`, or by `zeros` at its end. The words are at `start` to `end` of the
    line."""

    start: int
    end: int
    fen: int = 0
    zeros: int = 0

    def applied(self, fen: int) -> int | None:
        """The sum as it should be, in fen; None where it cannot be that."""
        if self.zeros < 0:
            tenth = 10**-self.zeros
            return fen // tenth if fen % (100 * tenth) == 0 else None
        told = fen * 10**self.zeros + self.fen
        return told if told > 0 else None


def difference(line: str, amounts: Sequence[Amount]) -> Difference | None:
    """Error of an earlier amount in a normalised line; None if none, or if the line has the new amount too
    (多记了五块 改三十)."""
    zeros = _ZEROS.search(line)
    said = [each for each in amounts if each.fen]
    if zeros is not None:
        within = [each for each in said if each.start < zeros.end() and zeros.start() < each.end]
        if len(said) > len(within):
            return None
        count = _COUNTS.get(zeros["count"] or "", 1)
        more = (zeros["way"] or zeros["behind"]) == "少"
        return Difference(*zeros.span(), zeros=count if more else -count)
    if len(said) != 1 or said[0].approximate:
        return None
    off = _BY.search(line[: said[0].start])
    if off is None:
        return None
    fen = abs(said[0].fen or 0)
    tail = _TAIL.match(line, said[0].end)
    end = tail.end() if tail is not None else said[0].end
    return Difference(off.start(), end, fen if (off["way"] or off["behind"]) == "少" else -fen)
