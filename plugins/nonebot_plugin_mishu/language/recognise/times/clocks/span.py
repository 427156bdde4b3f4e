"""Clocks and parts of a day as they stand in a text: one, a range, or a list of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .....patterns import Pattern
from .clock import Period, SpokenClock, read_clock, read_dotted, read_elliptic, read_period

TO: Final = Pattern(
    " ?(?:开始,?|起,?)?(?:一直到|直到|直至|一直至|到|至(?!少|今|于)|-{1,2}|~|–|—{1,2}|〜|→) ?(?:了)?"
)
"""Connective between the two ends of a range."""
JOIN: Final = Pattern(" ?(?:、|和|跟|与|及|以及|或者?|还是|还有) ?")
"""Connective between the members of a list."""
_GLUE: Final = Pattern(" ?(?:的|那天|当天|这天|当日)?,? ?(?:大概|大约|约|差不多|可能|是|在|于|就)? ?")
_NEXT_DAY: Final = Pattern("(?:次日|第二天|翌日|隔天|转天)(?:的)?")
_MOST: Final = 8


@dataclass(slots=True)
class Span:
    """A clock time or part of a day, or a range of them. `next_day`: the end was said of the next day."""

    period: Period | None = None
    clock: SpokenClock | None = None
    ranged: bool = False
    period2: Period | None = None
    clock2: SpokenClock | None = None
    next_day: bool = False


def read_times(text: str, at: int, *, day_said: bool, parts_run: bool = False) -> tuple[list[Span], int]:
    """The clocks and parts of a day from `at`, and where they end (at `at` where there are none).

    `day_said`: a date or recurrence stands right before. `parts_run`: 早晚 are two parts (每天早晚).
    """
    found: list[Span] = []
    end = begin = at
    if day_said:
        glue = _GLUE.match(text, at)
        begin = glue.end() if glue else at
    while len(found) < _MOST:
        read = _read_span(text, begin, day_said=day_said or bool(found))
        if read is None:
            return found, end
        span, end = read
        found.append(span)
        join = JOIN.match(text, end)
        if join is not None:
            begin = join.end()
        elif parts_run and span.period is not None and span.clock is None and len(span.period.word) == 1:
            begin = end
        else:
            break
    return _shared_clock(found) if parts_run else found, end


def _shared_clock(spans: list[Span]) -> list[Span]:
    """每天早晚8点: the clock of the last part is that of all."""
    last = spans[-1]
    if len(spans) > 1 and last.clock is not None and not last.ranged and last.period is not None:
        for span in spans[:-1]:
            if span.clock is None and span.period is not None and len(span.period.word) == 1:
                span.clock = last.clock
    return spans


def _read_span(text: str, at: int, *, day_said: bool) -> tuple[Span, int] | None:
    first = _read_side(text, at, day_said=day_said)
    if first is None:
        return None
    span, end = first
    to = TO.match(text, end)
    if to is None:
        return span, end
    begin = to.end()
    next_day = _NEXT_DAY.match(text, begin)
    if next_day is not None:
        begin = next_day.end()
    if begin >= len(text):
        return span, end
    second = _read_side(text, begin, day_said=True, dotted="." in text[at:end])
    if second is None or ((span.clock is None) and second[0].clock is None and second[0].period is None):
        return span, end
    span.ranged, span.next_day = True, next_day is not None
    span.period2, span.clock2 = second[0].period, second[0].clock
    if span.clock is not None and span.clock2 is not None and span.period is None:
        span.clock = _halved(span.clock, span.clock2)
    return span, second[1]


def _halved(first: SpokenClock, last: SpokenClock) -> SpokenClock:
    """2-4pm, 11-2pm: the half of the day said of the end tells that of the beginning."""
    if last.half is None or first.half is not None or first.sure:
        return first
    other = "am" if last.half == "pm" else "pm"
    return replace(first, half=last.half if first.hour % 12 < last.hour % 12 else other)


def _read_side(text: str, at: int, *, day_said: bool, dotted: bool = False) -> tuple[Span, int] | None:
    if at >= len(text):
        return None
    period = read_period(text, at, day_said)
    end = period[1] if period else at
    said = period[0] if period else None
    begin = end
    if period is not None:
        glue = _GLUE.match(text, end)
        begin = glue.end() if glue and "," not in glue.group() else end
    elliptic = read_elliptic(text, begin)
    clock = elliptic or read_clock(text, begin, supported=day_said or period is not None)
    if clock is None and (period is not None or dotted):
        clock = read_dotted(text, begin)
    if clock is not None:
        return Span(said, clock[0]), clock[1]
    return (Span(said), end) if period is not None else None
