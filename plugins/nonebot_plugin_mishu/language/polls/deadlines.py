"""Closing times of polls: 周五截止, 截止到明晚8点, 一小时后结束. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, parse
from .words import any_of

EVENING: Final = time(22, 0)
"""End of a day that was said without a clock."""
MIDNIGHT: Final = time(23, 59)
_BEFORE: Final = Pattern(
    "(?:投票|报名|接龙|统计|时间)*(?:截止|截至|结束|延长|延期|推迟|延)"
    "(?:时间|日期)?(?:改)?(?:[是为到在]|:)* ?$"
)
_AFTER: Final = Pattern(f"^ ?(?:之前|以前|前)?(?:投票|报名|接龙|统计)?(?:就)?(?:{any_of('meta.ends')})了?")
_INSIDE: Final = Pattern("截|止|结束")
_TO_END: Final = Pattern("^ ?(?:之前|以前|前)(?:回复?我?|报给我|告诉我|填)")
_DECIDED: Final = Pattern(f"^ ?(?:{any_of('meta.decided')})(?=$|[ ,。!了吧哈])")
_ENDS: Final = Pattern(
    f"^(?:{any_of('meta.ends')})(?:时间|日期)?(?:[是为到在]|:)* ?|(?:就)?(?:{any_of('meta.ends')})了?$"
)


@dataclass(frozen=True, slots=True)
class ClosingTime:
    """Closing time with its place in the line; `at` is None where `why` says what is wrong."""

    at: datetime | None
    start: int
    end: int
    why: str = ""


def closing_time(text: str, times: Sequence[TimeExpression], now: datetime) -> ClosingTime | None:
    """The closing time that a line names; None for a line without one."""
    found: list[tuple[bool, bool, int, int, TimeExpression]] = []
    for each in times:
        start, end = each.span
        before = _BEFORE.search(text[:start])
        after = _AFTER.match(text[end:]) or _TO_END.match(text[end:])
        if after is None and each.kind == "deadline":
            after = _DECIDED.match(text[end:])  # 周三之前定; 周三定 is a day on which something is decided
        alone = text[:start].endswith((" ", ",")) and (end == len(text) or text[end] in " ,。!")
        inside = _INSIDE.search(text[start:end]) is not None
        limit = alone and each.kind == "deadline"  # 报名 年会节目，12月10号前
        if before is None and after is None and not inside and not limit:
            continue
        touches = inside and " " not in text[start:end]
        touches = touches or (before is not None and not before[0].endswith(" "))
        touches = touches or (after is not None and not after[0].startswith(" "))
        start = before.start() if before is not None else start
        end = end + after.end() if after is not None else end
        found.append((not touches, before is None, start, end, each))
    if found:
        # Of 周六还是周日 截止到今晚, 周五截止 周六还是周日 the time that touches the word is meant.
        _, _, start, end, time_said = min(found, key=lambda one: one[:3])
        return _resolved(time_said, start, end, now)
    return None


def closing_of(words: str, now: datetime) -> ClosingTime | None:
    """The closing time in words that say nothing else (明儿晚上十点前); None where they name no time."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    found = parse(words, now, zone)
    return _resolved(found[0], 0, len(words), now) if found else None


def _resolved(found: TimeExpression, start: int, end: int, now: datetime) -> ClosingTime:
    if found.invalid is not None or found.date is None:
        return ClosingTime(None, start, end, f"没有这个时间：{found.invalid or found.text}。")
    found = _whole_part(found, now)
    at = found.moment or moment_of(found, now)
    open_half = found.ambiguous == "am_pm" and found.start is not None and found.start.hour < _NOON
    if at <= now and open_half and now.hour >= _NOON:
        at += timedelta(hours=_NOON)  # 延到十点, said in the evening
    if at <= now:
        return ClosingTime(
            None, start, end, f"截止时间 {at.month}月{at.day}日 {at:%H:%M} 已经过了，换一个吧。"
        )
    return ClosingTime(at, start, end)


def _whole_part(found: TimeExpression, now: datetime) -> TimeExpression:
    """周四晚上截止 with the evening it names: it ends with that, and not where the evening begins. 中午 is
    twelve."""
    zone = now.tzinfo
    bare = _ENDS.sub("", found.text)
    if found.kind != "deadline" or bare == found.text or not isinstance(zone, ZoneInfo):
        return found
    read = parse(bare, now, zone)
    return read[0] if len(read) == 1 and read[0].kind == "segment" else found


_NOON: Final = 12


def moment_of(found: TimeExpression, now: datetime) -> datetime:
    """The moment at which a time said as a limit ends: its clock, its segment's end, else the evening."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    assert found.date is not None
    clock = found.start
    if clock is None and found.segment not in (None, "all_day"):
        clock = SEGMENT_BOUNDS[found.segment][0 if found.segment == "noon" else 1]
        clock = MIDNIGHT if clock == time(0) else clock
    if clock is None:
        late = found.date == now.date() and now.time() >= EVENING
        clock = MIDNIGHT if late else EVENING
    return datetime.combine(found.end_date or found.date, clock, zone)
