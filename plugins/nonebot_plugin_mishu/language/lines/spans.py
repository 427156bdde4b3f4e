"""Past stretch of time of a request. Always before now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from ...patterns import Pattern
from ..recognise.numerals import parse_decimal
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day

NIGHT_ENDS: Final = time(4, 0)
"""End of an evening's talk, on the next day."""
_LATELY: Final = Pattern(
    r"(?:最近|过去|近|这|前|刚才)的?(?P<count>半|[0-9.]+|[一二两三四五六七八九十]+)个?(?P<half>半)?(?P<unit>小时|钟头|分钟|天|周|星期)"
)
_UNITS: Final = {"分": 1 / 60, "小": 1.0, "钟": 1.0, "天": 24.0, "周": 168.0, "星": 168.0}
_UNTIL_NOW: Final = Pattern("以后|之后|以来|开始|到现在|至今|起|后")


@dataclass(frozen=True, slots=True)
class RecordSpan:
    """A stretch of time, `until` excluded. `since` None: since the asker's own last line here."""

    since: datetime | None
    until: datetime


def lately(text: str, now: datetime) -> RecordSpan | None:
    """最近两个小时, 过去三天: counted back from now."""
    found = _LATELY.search(text)
    if found is None:
        return None
    count = 0.5 if found["count"] == "半" else float(parse_decimal(found["count"]) or 0)
    hours = (count + (0.5 if found["half"] else 0)) * _UNITS[found["unit"][0]]
    return RecordSpan(now - timedelta(hours=min(hours, 24 * 366)), now) if hours > 0 else None


def without_lately(text: str) -> str:
    """The text without such words."""
    return _LATELY.sub("", text)


def span_of(text: str, times: Sequence[TimeExpression], now: datetime) -> RecordSpan | None:
    """The span that a request names; None where it names none, or one that is not in the past.

    A part of the day without its day is today's if it has begun, else yesterday's; a weekday is the last one.
    """
    counted = lately(text, now)
    if counted is not None:
        return counted
    for found in times:
        if found.date is not None and found.invalid is None and found.recurrence is None:
            return _past(found, text, now)
    return None


def today(now: datetime) -> RecordSpan:
    """Today, up to now."""
    return RecordSpan(datetime.combine(now.date(), time(0), now.tzinfo), now)


def _past(found: TimeExpression, text: str, now: datetime) -> RecordSpan | None:
    first, last = _bounds(found, now)
    if first > now:
        back = timedelta(days=1 if not names_day(found.text) else 7)
        first, last = first - back, last - back
    if first > now:
        return None
    if found.start is not None and found.end is None and (found.kind == "point" or _UNTIL_NOW.search(text)):
        last = now
    return RecordSpan(first, min(last, now))


def _bounds(found: TimeExpression, now: datetime) -> tuple[datetime, datetime]:
    assert found.date is not None
    first, last = time(0), time(23, 59)
    if found.start is not None:
        first, last = found.start, found.end or time(23, 59)
    elif found.segment is not None:
        first, last = SEGMENT_BOUNDS[found.segment]
    until = datetime.combine(found.end_date or found.date, last, now.tzinfo) + timedelta(minutes=1)
    if found.start is None and found.segment == "evening":
        until = datetime.combine(found.date + timedelta(days=1), NIGHT_ENDS, now.tzinfo)
    return datetime.combine(found.date, first, now.tzinfo), until
