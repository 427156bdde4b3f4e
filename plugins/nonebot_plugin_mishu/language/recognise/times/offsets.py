"""Spans of time counted from now: 10分钟后, 一个半小时后, 三天内, 三个工作日之内, 两周前, 最近三天."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Final, Literal

from ....patterns import Pattern
from .days.almanac import add_months, add_workdays
from .days.day import Day, Today, step
from .days.months import NAMED_MONTH, in_named_month
from .days.periods import WEEK, WEEKDAY_NUMBERS, read_in_month
from .nextword import unless_next
from .numbers import DECIMAL, NUM, decimal, integer

_AMOUNT: Final = (
    f"(?:(?P<count>{DECIMAL})(?P<each>个)?(?P<half>半)?(?P<unit>小时|钟头|钟(?![头表声点楼])|星期|礼拜|月|工作日|分钟|秒钟|刻钟|周|天|日|年|秒|分|h|min)(?P<more>半)?"
    f"(?:零?(?P<minutes>{NUM})分钟?)?(?:零?(?P<seconds>{NUM})秒钟?)?"
    "|半(?P<halfeach>个)?(?P<halfunit>小时|钟头|钟(?=[后前以之过内])|月|天|年|分钟|星期|周))"
)
_LATER: Final = Pattern(
    f"(?P<past>再?过|再等|等)?(?P<amount>{_AMOUNT})(?P<after>(?:之|以|过)?后(?!{unless_next('悔面果台排续代')})|(?:之|以)?前(?!{unless_next('台面任')}))?"
)
_WITHIN: Final = Pattern(f"(?:在|于)?{_AMOUNT}(?:之内|以内|内(?!{unless_next('容部存心地向衣')}))")
_BEGINNINGS: Final = frozenset("0123456789零〇一二两俩仨三四五六七八九十廿卅百半过再等在于最近未接今")
_RECENT: Final = Pattern(
    f"(?P<way>最近|过去|近|未来|接下来|今后)(?:的)?(?:这)?(?P<count>{NUM})个?(?P<unit>天|日|周|星期|礼拜|月|年)"
)
_NUMERAL_BEFORE: Final = frozenset("0123456789.第每一二两三四五六七八九十百")
_LEAD: Final = Pattern(
    "(?:提前|提早|早|晚|推迟|延后|延迟|推后|开始|开会|会议|上课|出发|会|课|起飞|发车|比赛|考试|活动|到期|截止)$"
)


@dataclass(frozen=True, slots=True)
class Offset:
    """A time counted from now: `moment` where hours, minutes or seconds were said, `day` where days were."""

    kind: Literal["point", "day", "deadline", "date_range"]
    moment: datetime | None = None
    day: Day | None = None


def read_offset(text: str, at: int, today: Today) -> tuple[Offset, int] | None:
    """The counted time at `at` and where it ends, or `None`."""
    if text[at : at + 1] not in _BEGINNINGS:
        return None
    within = _WITHIN.match(text, at)
    if within is not None and not (at and text[at - 1] in _NUMERAL_BEFORE):
        return _counted(within, today, "deadline", 1)
    recent = _RECENT.match(text, at)
    if recent is not None:
        return _recent(recent, today)
    found = _LATER.match(text, at)
    if found is None or not (found["past"] or found["after"]):
        return None
    if (at and text[at - 1] in _NUMERAL_BEFORE) or text[at - 2 : at + 1] == "不超过":
        return None
    after = found["after"] or "后"
    if (
        found["past"]
        and not found["after"]
        and (found["count"] in {"两", "俩"} and found["unit"] not in _SECONDS)
    ):
        return None  # 过两天再说: nobody counts
    said = found["unit"] or found["halfunit"]
    if found["past"] == "等" and not found["after"] and said not in {"分钟", "小时", "钟头", "分", "天"}:
        return None
    if after.endswith("前") and (
        found["past"]
        or _LEAD.search(text[max(0, at - 4) : at])
        or text.startswith(("提醒", "通知", "叫"), found.end())
    ):
        return None
    counted = _counted(found, today, "point", -1 if after.endswith("前") else 1)
    if counted is not None and counted[0].kind == "day" and text.startswith("的今天", counted[1]):
        return counted[0], counted[1] + 3
    return _inside(text, counted, found["unit"] or found["halfunit"], today) if counted is not None else None


def _inside(text: str, counted: tuple[Offset, int], unit: str, today: Today) -> tuple[Offset, int]:
    """两周后的周五 is of that calendar week, 两个月后的5号 of that month, 两年后的5月6日 of that year."""
    base = counted[0].day.start if counted[0].day is not None else None
    if counted[0].kind != "day" or base is None:
        return counted
    at = counted[1] + text.startswith("的", counted[1])
    found: tuple[Day, int] | None = None
    if unit in {"周", "星期", "礼拜"}:
        weekday = _WEEKDAY.match(text, at)
        if weekday is not None:
            day = step(base, WEEKDAY_NUMBERS[weekday["day"]] - base.weekday())
            found = Day(day), weekday.end()
    elif unit == "月":
        found = read_in_month(text, at, today, base.year, base.month)
    elif unit == "年" and (month := NAMED_MONTH.match(text, at)) is not None:
        found = in_named_month(text, month, today, base.year, None)
    return (Offset("day", day=found[0]), found[1]) if found is not None else counted


def _counted(
    found: re.Match[str], today: Today, kind: Literal["point", "deadline"], sign: int
) -> tuple[Offset, int] | None:
    amount = _amount(found)
    if amount is None:
        return None
    count, unit, more = amount
    try:
        return _from_now(count, unit, more, sign, today, kind), found.end()
    except (OverflowError, ValueError):
        return None  # beyond the calendar


def _amount(found: re.Match[str]) -> tuple[Decimal, str, int] | None:
    if found["halfunit"]:
        return Decimal("0.5"), found["halfunit"], 0
    count = decimal(found["count"])
    if count is None or count > 9999:
        return None
    unit = found["unit"]
    if unit in {"工作日", "钟"} and not found["each"]:
        return None
    if unit == "月" and not found["each"]:
        return None  # 三月后 is after March
    if unit == "年" and count > 100:
        return None
    if found["half"] or found["more"]:
        if found["half"] and not found["each"]:
            return None
        count += Decimal("0.5")
    more = 0
    for name, above in (("minutes", _HOURS), ("seconds", _HOURS | _MINUTES)):
        if found[name]:
            said = integer(found[name])
            if said is None or unit not in above:
                return None
            more += said * (60 if name == "minutes" else 1)
    return count, unit, more


_HOURS: Final = frozenset({"小时", "钟头", "钟"})
_MINUTES: Final = frozenset({"分", "分钟"})
_WEEKDAY: Final = Pattern(f"{WEEK}(?P<day>[一二三四五六日天])")
_SECONDS: Final = {
    "秒": 1,
    "秒钟": 1,
    "分": 60,
    "分钟": 60,
    "刻钟": 900,
    "小时": 3600,
    "钟头": 3600,
    "钟": 3600,
    "h": 3600,
    "min": 60,
}


def _from_now(
    count: Decimal, unit: str, more: int, sign: int, today: Today, kind: Literal["point", "deadline"]
) -> Offset:
    if unit in _SECONDS:
        seconds = int(count * _SECONDS[unit]) + more
        zone = today.moment.tzinfo
        moment = (today.moment.astimezone(UTC) + timedelta(seconds=sign * seconds)).astimezone(zone)
        return Offset(kind, moment=moment)
    day = _days_on(today.date, count, unit, sign)
    if unit in {"天", "日"} and count % 1 and kind == "point":
        hours = timedelta(hours=int(count * 24) * sign)
        return Offset(kind, moment=(today.moment.astimezone(UTC) + hours).astimezone(today.moment.tzinfo))
    return Offset("deadline" if kind == "deadline" else "day", day=Day(day))


def _days_on(now: date, count: Decimal, unit: str, sign: int) -> date:
    whole, half = int(count), count % 1 != 0
    if unit == "工作日":
        if sign < 0:
            raise ValueError("working days are not counted backwards")
        return add_workdays(now, whole)
    if unit in {"天", "日"}:
        return now + timedelta(days=sign * (whole + half))
    if unit in {"周", "星期", "礼拜"}:
        return now + timedelta(days=sign * (7 * whole + (4 if half else 0)))
    if unit == "月":
        return add_months(now, sign * whole) + timedelta(days=sign * 15 * half)
    return add_months(now, sign * (12 * whole + 6 * half))


def _recent(found: re.Match[str], today: Today) -> tuple[Offset, int] | None:
    count = integer(found["count"])
    if count is None or not 0 < count <= 366:
        return None
    now, unit = today.date, found["unit"]
    if found["way"] in {"未来", "接下来", "今后"}:
        first = step(now, 1)
        last = step(_days_on(now, Decimal(count), unit, 1), 0)
    else:
        last = now
        first = step(_days_on(now, Decimal(count), unit, -1), 1)
    return Offset("date_range", day=Day(first, last, unit="span")), found.end()
