"""The talk judge: is a line said to a secretary as work, or is it talk? (docs/language.md)

A linear model over characters, learned by `python -m training` from sentences of ours. It knows no grammar
and decides nothing: it may only lower the certainty of what was read, since forms see an hour and a verb
where a person hears of the weather or a song. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ..text.windows import features, read_weights, score

WEIGHTS: Final = Path(__file__).with_name("talk.weights")
BUCKETS: Final = 1 << 18
TIME: Final = "\ue000"
AMOUNT: Final = "\ue001"
WORK_ABOVE: Final = -1.5
"""A score at or below this is talk; chosen on sentences that were not learned from."""
SURELY_TALK: Final = -3.5
"""At or below this not even a question is worth it."""

Spans = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TalkScore:
    """What the judge thinks of a line: positive for work, negative for talk, in logits."""

    score: float

    @property
    def talk(self) -> bool:
        """Whether it objects to reading the line as work."""
        return self.score <= WORK_ABOVE

    @property
    def surely_talk(self) -> bool:
        """Whether it is so sure that nobody need be asked."""
        return self.score <= SURELY_TALK


def masked(text: str, times: Spans, amounts: Spans) -> str:
    """The line as the judge sees it: each time and each amount is one sign, whatever its words.

    `text` is in its one form (`text.normalise`), the spans are half-open and lie in it; of spans that
    overlap the first stands.
    """
    marks = sorted([(*span, TIME) for span in times] + [(*span, AMOUNT) for span in amounts])
    parts: list[str] = []
    at = 0
    for start, end, sign in marks:
        if start < at:
            continue
        parts += (text[at:start], sign)
        at = end
    parts.append(text[at:])
    return "".join(parts).lower()


def judge_talk(text: str, times: Spans = (), amounts: Spans = ()) -> TalkScore:
    """What the judge thinks of a line in its one form; see `masked` for the spans. About 20 µs."""
    return TalkScore(score(features(masked(text, times, amounts), BUCKETS), _weights()))


@cache
def _weights() -> Sequence[int]:
    return read_weights(WEIGHTS, BUCKETS)
