"""Days in a row as they are said: 3号和5号, 下周一三五, 3号到5号, 11月3-5日, 下周三(11月25日)."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from .....patterns import Pattern
from ..clocks.span import JOIN, TO, read_times
from ..nottime import is_not_a_day, is_numbered_thing
from ..numbers import NUM, SMALL, integer
from ..phrase import Phrase
from ..recurrences.recurring import RUN_DAY, read_every
from .day import Day, Today, next_monthday, next_weekday, step
from .days import ends_in_weekday, read_day
from .festivals import end_of_festive_name
from .festive import read_festive
from .lunar import LunarDate
from .periods import WEEK, WEEKDAY_NUMBERS

_NUMERALS: Final = frozenset("0123456789一二两三四五六七八九十廿")
_ELLIPTIC_DAYS: Final = Pattern(
    f"(?:(?P<month>{SMALL})月)?(?P<first>{SMALL}) ?(?:到|至|-|~|–|—) ?(?P<last>{SMALL})(?P<unit>[号日])(?!码)"
)
# The numbers of a list but the last: 3、5、7号.
_ELLIPTIC_LIST: Final = Pattern(f"(?P<day>{SMALL})(?=(?:[、和]{SMALL}){{1,7}}[号日](?!码))")
_WEEKDAY_END: Final = Pattern(
    f"(?:{WEEK})?(?P<day>[一二三四五六日天])(?![点时月号个次天人小分楼年百刻:0-9一二三四五六七八九十])"
)
# 除夕到初三; alone 初三 is a school year.
_NEW_YEAR: Final = Pattern("初(?P<day>[一二三])(?![一二三四五六七八九年级])")
# The next weekday of 周三五 and 周三、五.
_RUN: Final = Pattern(f" ?、? ?(?P<day>{RUN_DAY})")


def read_days(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """Days, lists and ranges of days from `at`; where they end."""
    elliptic = _read_elliptic_days(text, at, today) if text[at] in _NUMERALS else None
    if elliptic is not None:
        phrase.days = [elliptic[0]]
        return elliptic[1]
    every = read_every(text, at) if text[at] in "周星礼一二" else None
    if every is not None:
        phrase.every = every
        return every.end
    member = _read_elliptic_member(text, at, today, None) if text[at] in _NUMERALS else None
    found = member or read_day(text, at, today)
    if found is None:
        return at
    day, end = found
    each = _EACH_OF_THEM.match(text, end)
    if each is not None and (days := _single(day)):
        phrase.days = days
        return each.end()
    phrase.days.append(day)
    end = _restated(text, end, today, phrase)
    end = _more_days(text, end, today, phrase)
    if len(phrase.days) > 1:
        return end
    on_end = _ON_END.match(text, end)
    if on_end is not None and day.start is not None and day.end is None:
        count = integer(on_end["count"])
        if count is not None and 1 < count <= _MOST_ON_END:
            phrase.last_day = Day(step(day.start, count - 1))
            return on_end.end()
    to = TO.match(text, end)
    if to is None:
        return end
    last = read_last_day(text, to.end(), today, day)
    if last is None:
        return end
    phrase.last_day = last[0]
    return last[1]


_EACH_OF_THEM: Final = Pattern(
    "[两三四五六七]?天?(?:都|各|每天都?)(?=提醒|叫|喊|通知|要|得|早|上|中|下|晚|[0-9一二两三四五六七八九十])"
)
"""周末两天都, 明后天都: each of the days by itself."""
_MOST_SINGLE: Final = 7


_ON_END: Final = Pattern(
    f"(?:开始|起)?[, ]*(?:就|要|得)?(?:连续|连着|一连|接连|连)(?P<count>{NUM})[天日](?!之?[内后前])"
)
"""从下周一开始连着五天: a stretch that is counted."""
_MOST_ON_END: Final = 400


def _single(day: Day) -> list[Day]:
    """The days of a stretch, one by one; none where it is no stretch, or a long one."""
    if day.start is None or day.end is None or day.unit not in ("weekend", "several", "span"):
        return []
    count = (day.end - day.start).days + 1
    return [Day(step(day.start, at)) for at in range(count)] if count <= _MOST_SINGLE else []


def _restated(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """下周三(11月25日): the same day in other words; another day refuses both."""
    day = phrase.days[0]
    gap = re.compile(" ?[(,]? ?").match(text, at)
    begin = gap.end() if gap else at
    if day.start is None or day.end is not None or begin >= len(text) or not text[begin].isdigit():
        return at
    if "," in text[at:begin]:
        return at
    if (end := _days_in_a_row(text, at, today, phrase)) > at:
        return end
    again = read_day(text, begin, today, day.start if day.unit == "weekday" else None)
    if (
        again is None
        or again[0].end is not None
        or again[0].unit == "weekday"
        or re.match(" ?(?:到|至|-|~)", text[again[1] : again[1] + 2])
    ):
        return at
    end = again[1] + (1 if "(" in text[at:begin] and text.startswith(")", again[1]) else 0)
    if again[0].start is not None and again[0].start != day.start:
        said, other = text[phrase.start or 0 : at], again[0].start
        del said
        phrase.days[0] = Day(
            None,
            invalid=f"前面说的是{day.start.month}月{day.start.day}日，后面是{other.month}月{other.day}日",
        )
    return end


def _days_in_a_row(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """12月12号13号: days by number that follow each other are a stretch; where it ends."""
    end, last = at, phrase.days[0]
    while end > 1 and text[end - 1] in "号日" and text[end - 2] in _NUMERALS and last.start is not None:
        begin = end + (1 if text.startswith(" ", end) else 0)
        following = read_day(text, begin, today, last.start) if text[begin : begin + 1].isdigit() else None
        if following is None or following[0].unit != "monthday" or following[0].start != step(last.start, 1):
            break
        last, end = following
        phrase.last_day = last
    return end


def _more_days(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """The rest of a list: 3号和5号, 周二周四, 下周一三五."""
    end = at
    while len(phrase.days) < 8:
        last = phrase.days[-1]
        if last.start is None or last.end is not None:
            return end
        run = (
            _RUN.match(text, end)
            if text[end - 1] in WEEKDAY_NUMBERS and not text[end - 1].isdigit() and _weekly_unit(text, end)
            else None
        )
        if run is not None and WEEKDAY_NUMBERS[run["day"]] > last.start.weekday():
            days = WEEKDAY_NUMBERS[run["day"]] - last.start.weekday()
            more = Day(step(last.start, days), unit=last.unit, ambiguous=last.ambiguous)
            phrase.days.append(_own_next(more, last, today))
            end = run.end()
            continue
        join = JOIN.match(text, end)
        begin = join.end() if join else end + (1 if text.startswith((" ", ","), end) else 0)
        if begin >= len(text):
            return end
        member = _read_elliptic_member(text, begin, today, last.start) if join is not None else None
        found = member or read_day(text, begin, today, last.start)
        if found is None or found[0].end is not None or found[0].start is None:
            return end
        same = found[0].start == last.start and text[found[1] - 1] == "节"  # 12月25日圣诞节
        if join is None and not same and end_of_festive_name(text, begin) == found[1]:
            return end  # 12月20号圣诞汇演
        if join is None and begin > end and found[0].start == last.start:
            return end
        of_one_week = (
            found[0].unit == "weekday" and ends_in_weekday(text, end) and found[0].start != last.start
        )
        if (
            join is None
            and not of_one_week
            and (found[0].unit != last.unit and {found[0].unit, last.unit} - {"today", "tomorrow", "day"})
        ):
            return end
        if join is None and found[0].start == last.start and last.unit != "weekday":
            end = found[1]  # 12月31日跨年: one day in two words
            continue
        if join is None and begin > end and read_times(text, found[1], day_said=True)[0]:
            return end  # 明天，后天下午三点: two sayings
        phrase.days.append(_own_next(found[0], last, today))
        end = found[1]
    return end


def _own_next(day: Day, last: Day, today: Today) -> Day:
    """周二周四 said on a Wednesday: each bare weekday is its own next one."""
    if last.unit != "weekday" or day.unit != "weekday" or day.start is None or today.week is not None:
        return day
    return next_weekday(today, day.start.weekday(), None)


def _weekly_unit(text: str, end: int) -> bool:
    return (
        re.search(f"{WEEK}[一二三四五六日](?: ?(?:、 ?)?[一二三四五六日])*$", text[max(0, end - 12) : end])
        is not None
    )


def read_last_day(text: str, at: int, today: Today, first: Day) -> tuple[Day, int] | None:
    if at >= len(text):
        return None
    found = read_day(text, at, today, first.start)
    if first.start is None:
        return found
    if found is not None:
        day, end = found
        if day.start is not None and (day.end or day.start) < first.start:
            festive = read_festive(text, at, today.on(first.start), None)
            if (
                festive is not None
                and festive[0].start is not None
                and _is_near(first.start, festive[0].start)
            ):
                return festive  # 除夕到初六: the next one after the beginning
            return Day(None, invalid="结束的日子在开始之前"), end
        return day, end
    newyear = _NEW_YEAR.match(text, at)
    if newyear is not None:
        last = LunarDate(1, integer(newyear["day"]) or 0).following(first.start)
        return (Day(last), newyear.end()) if last is not None and _is_near(first.start, last, 30) else None
    weekday = _WEEKDAY_END.match(text, at)
    before = re.search(
        f"{WEEK}[一二三四五六日天]$", text[max(0, at - 8) : at].rstrip("到至-~–— ").removesuffix("一直")
    )
    if weekday is not None and before is not None:
        return next_weekday(today, WEEKDAY_NUMBERS[weekday["day"]], first.start), weekday.end()
    return None


def _is_near(first: date, last: date, days: int = 183) -> bool:
    return (last - first).days <= days


def _read_elliptic_days(text: str, at: int, today: Today) -> tuple[Day, int] | None:
    """3-5号, 11月3到5日: the first number leaves its 号 to the last."""
    found = _ELLIPTIC_DAYS.match(text, at)
    if found is None or _is_inside_number(text, at):
        return None
    first, last = integer(found["first"]), integer(found["last"])
    if first is None or last is None or not 1 <= first <= 31 or not 1 <= last <= 31:
        return None
    if is_numbered_thing(text, at, found.end()):
        return None
    if found["unit"] == "日" and is_not_a_day(text, found.end()):
        return None
    begin = next_monthday(today, first, None)
    if found["month"] is not None:
        read = read_day(f"{found['month']}月{first}号", 0, today)
        begin = read[0] if read is not None else begin
    if begin.start is None:
        return begin, found.end()
    return Day(begin.start, next_monthday(today, last, begin.start).start, unit="span"), found.end()


def _read_elliptic_member(text: str, at: int, today: Today, after: date | None) -> tuple[Day, int] | None:
    """One number of 3、5、7号, but not the last, which has its 号."""
    found = _ELLIPTIC_LIST.match(text, at)
    if found is None or (after is None and _is_inside_number(text, at)):
        return None
    number = integer(found["day"])
    if number is None or not 1 <= number <= 31:
        return None
    return next_monthday(today, number, after), found.end()


def _is_inside_number(text: str, at: int) -> bool:
    return at > 0 and text[at - 1] in "0123456789.:-/第一二三四五六七八九十"
