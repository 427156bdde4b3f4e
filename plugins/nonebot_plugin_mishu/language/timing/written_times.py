"""Dates and clocks as a model writes them, found among the times of a line. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from typing import Final

from ...patterns import Pattern
from ..recognise.times import TimeExpression, names_day

_ISO_DAY: Final = Pattern(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?")
_ISO_CLOCK: Final = Pattern(r"(?<!\d)(\d{1,2}):(\d{2})(?::\d{2})?")


def words_of_written(value: str, times: Sequence[TimeExpression]) -> str | None:
    """Words of the line for a time that a model wrote as a date or a clock; None if there are none."""
    day, clock = _ISO_DAY.search(value), _ISO_CLOCK.search(value)
    if day is None and clock is None:
        return None
    try:
        wanted = date(*map(int, day.groups())) if day is not None else None
        at = time(int(clock[1]), int(clock[2])) if clock is not None else None
    except ValueError:
        return None
    for said in times:
        right_day = wanted is None or said.date == wanted or not names_day(said.text)
        right_clock = at is None or said.start is None or _is_same_clock(said, at)
        if right_day and right_clock and (wanted is not None or said.start is not None):
            return said.text
    return None


def _is_same_clock(said: TimeExpression, at: time) -> bool:
    assert said.start is not None
    if said.start.minute != at.minute:
        return False
    return said.start.hour == at.hour or (said.ambiguous == "am_pm" and said.start.hour % 12 == at.hour % 12)
