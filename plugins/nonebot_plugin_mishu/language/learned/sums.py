"""The judge of sums: does a line tell money that has moved, or is a sum only talked about? (docs/language.md)

午饭35 and 房租转给房东了 2800 belong into the books; 苹果8块一斤, 老王买房三百万, 下周交学费5000
do not. A linear model over characters, as the talk judge is, learned by `python -m training` from sentences
of ours. It sees no sum and no date, only that there is one and whether it is still to come. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from ..recognise.money import Amount
from ..recognise.times import TimeExpression
from .windows import features, read_weights, score

WEIGHTS: Final = Path(__file__).with_name("sums.weights")
BUCKETS: Final = 1 << 16
MOVED_ABOVE: Final = 0.0
"""Scores at or below this are no money of ours; chosen on held-out sentences."""
SURELY_MOVED: Final = 4.0
"""Above this no confirmation is needed."""
_PAST: Final = "\ue000"
_AHEAD: Final = "\ue003"
_AMOUNT: Final = "\ue001"


def masked(text: str, times: Sequence[TimeExpression], amounts: Sequence[Amount], today: date) -> str:
    """Line for the judge: a sign for each amount, and for each past or future time. `text` is normalised
    (`language.text.fold`); of overlapping spans the first wins."""
    marks = [(*span, _AHEAD if _to_come(time, today) else _PAST) for time in times for span in time.spans]
    marks += [(each.start, each.end, _AMOUNT) for each in amounts]
    parts: list[str] = []
    at = 0
    for start, end, sign in sorted(marks):
        if start < at:
            continue
        parts += (text[at:start], sign)
        at = end
    parts.append(text[at:])
    return "".join(parts).lower()


def moved(text: str, times: Sequence[TimeExpression], amounts: Sequence[Amount], today: date) -> float:
    """Score of a normalised line, in logits: positive for money that has moved."""
    return score(features(masked(text, times, amounts, today), BUCKETS), _weights())


def _to_come(time: TimeExpression, today: date) -> bool:
    day = time.end_date or time.date
    return time.recurrence is not None or (day is not None and day > today)


@cache
def _weights() -> Sequence[int]:
    return read_weights(WEIGHTS, BUCKETS)
