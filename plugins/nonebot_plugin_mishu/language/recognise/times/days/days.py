"""Dates as they are said: 明天, 下周三, 15号, 11月底, 今年国庆, 农历八月十五, 元旦前一天, 2026-12-01.

`read_day` finds one at a place in a normalised text and answers what it means, counted from today.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from .....patterns import Pattern
from ...dotted_dates import DOTTED_DATE
from ..nextword import unless_next
from ..nottime import is_greeting, is_not_a_day, is_numbered_thing
from ..numbers import NUM, SMALL, integer
from .almanac import add_workdays
from .day import Day, Today, dated, next_monthday, next_weekday, step, weekday_in_week
from .festive import read_festive
from .months import NAMED_MONTH, in_named_month, read_monthly
from .periods import SHIFTS, WEEK, WEEKDAY_NUMBERS, read_place

_RELATIVE: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
}  # fmt: skip
_DAY: Final = Pattern(
    "(?P<day>大前|大后|前|昨|今|明|后)天(?!会更好|系集团|(?<=后天)(?:性(?!能|价)|努力))"
    "|(?P<formal>昨|今|明)日(?!头条|方舟|之后|说法|之星|香|之子|重现)"
    "|(?P<chatty>昨|今|明|后)儿个?"
    f"|(?P<part>今|明|昨)(?=[早晚晨夜](?!{unless_next('报安婚')}|稻田))|(?P<far>前|后)(?=晚(?!上?辈|期|婚|年|饭))"
)
_SHIFT: Final = "(?P<shift>上上|下下下|下下|再下|上|下|这|本)(?:(?P<one>一)|一)?个?"
_WEEKDAY: Final = Pattern(
    f"(?:{_SHIFT})?{WEEK}(?P<day>[二三四五六天]|一(?!共)|日(?!程(?!序))|[1-6](?![0-9:]))(?!福)"
)
_WEEKEND: Final = Pattern(f"(?:{_SHIFT}(?:{WEEK}的?)?)?(?:周末|{WEEK}末|双休日)(?!愉快|快乐|好)")
_WEEK: Final = Pattern(
    f"{_SHIFT}{WEEK}(?!一(?!共)|[二三四五六天末]|日(?!程(?!序))|刊|报|年)|这一周"
)  # 本周日程
_AFTER_NUMERAL: Final = frozenset("0123456789一二两三四五六七八九十几半每整数多")
_ENDS_IN_ONE: Final = frozenset({"万一", "统一", "唯一", "专一", "单一", "划一", "之一"})
_SURNAMED: Final = "老阿小"
_CLOCK_BEHIND: Final = Pattern("[一二三四五六]点(?!名)")
_ISO: Final = Pattern(
    r"(?<![0-9.])(?P<year>[0-9]{4})(?P<dash>[-/.])(?P<month>[0-9]{1,2})(?P=dash)(?P<day>[0-9]{1,2})"
    r"(?![0-9]|[-/.][0-9])(?:[Tt](?=[0-9]{1,2}:))?"
)
_SLASH: Final = Pattern(
    r"(?<![0-9./a-zA-Z])(?P<month>0?[1-9]|1[0-2])/(?P<day>[0-2]?[0-9]|3[01])"
    r"(?![0-9/.%a-zA-Z]|[个份步的以人号])(?<![1-9]/10(?=[,。!? ]))(?<!(?<![0-9])[1-9]/10$)"
)
# 11-25 14:00, 11.28下午2点, 12.5号: only where a weekday, a part of the day, a clock or 号 stands behind.
_DASHED: Final = Pattern(
    "(?<![0-9.-])(?P<month>0?[1-9]|1[0-2])[-.](?P<day>[0-2]?[0-9]|3[01])(?:[号日](?![0-9])"
    f"|(?= ?[(]?{WEEK}[一二三四五六日天])|(?= ?(?:[上下中]午|[早晚]上|凌晨|傍晚|早晨|全天))"
    "|(?= [0-2]?[0-9]:[0-5][0-9]))"
)
_GOES_ON: Final = Pattern("(?:[0-9.\\-/一二三四五六七八九十百第几]|[0-9]:)$")
"""Before a day's number these make it the end of another number (3:15号); a label does not (待办:26号)."""
_MONTHDAY: Final = Pattern(f"(?P<day>{SMALL})(?P<unit>[号日])(?!码)")
_SEVERAL: Final = Pattern("今明(?:两|2)?天|今明后三天|明后(?:两|2)?天")
_WORKDAY: Final = Pattern("下一?个工作日|上一?个工作日")
_STEP: Final = Pattern(
    f"(?:的|之)?(?:(?P<before>前)|(?P<after>后))(?:的?第)?(?P<count>{NUM})(?P<unit>天|个?星期|周)(?!内)"
    "|的?(?:(?P<eve>前夕)|(?P<second>第二天))"
)
_NEXT: Final = Pattern("次日|翌日|(?P<second>第二天)")
_CHECK: Final = Pattern(f" ?[(\\[,]? ?{WEEK}(?P<day>[一二三四五六日天])[)\\]]?(?![一二三四五六日天、至到])")


_SAID_WEEKDAY: Final = Pattern(f"{WEEK}[一二三四五六日天1-6]$")


def ends_in_weekday(text: str, end: int) -> bool:
    """True if the text up to `end` names a weekday (下周三)."""
    return _SAID_WEEKDAY.search(text, max(0, end - 3), end) is not None


def read_day(text: str, at: int, today: Today, after: date | None = None) -> tuple[Day, int] | None:
    """The date said at `at` and where it ends, or `None`.

    `after`: the beginning of the range or list it stands in (28号到3号: the 3rd after that 28th).
    """
    found = _base(text, at, today, after)
    if found is None or is_greeting(text, found[1]):
        return None
    day, end = found
    moved = _STEP.match(text, end)
    if moved is not None and day.start is not None:
        count = 1 if moved["count"] is None else integer(moved["count"])
        if count is not None and moved["unit"] is not None and moved["unit"] != "天":
            count *= 7
        if count is not None and count <= 400:
            day, end = day.shifted(-count if moved["before"] or moved["eve"] else count), moved.end()
    elif day.end is not None and day.unit != "day" and (placed := read_place(text, end, day)) is not None:
        day, end = placed
    week = _ITS_WEEK.match(text, end) if day.start is not None and day.end is None else None
    if week is not None and day.start is not None:
        monday = step(day.start, -day.start.weekday())
        return Day(monday, step(monday, 6), unit="week"), week.end()
    return _checked(text, day, end)


_ITS_WEEK: Final = Pattern(f"的?那一?个?{WEEK}(?![一二三四五六日天末报会])")
"""17号那周."""


def _checked(text: str, day: Day, end: int) -> tuple[Day, int]:
    """11月20日(周五): the weekday said beside a date must be its weekday."""
    beside = _CHECK.match(text, end)
    if (
        beside is None
        or day.start is None
        or day.end is not None
        or day.unit in {"weekday", "week", "weekend"}
        or ends_in_weekday(text, end)  # 下周三周五: two days of one week
    ):
        return day, end
    said = WEEKDAY_NUMBERS[beside["day"]]
    if day.start.weekday() == said:
        return day, beside.end()
    if "," in beside.group() and "(" not in beside.group():
        return day, end  # 明天，周五: two days
    names = "一二三四五六日"
    reason = f"{day.start.month}月{day.start.day}日是周{names[day.start.weekday()]}，不是周{names[said]}"
    return Day(None, unit=day.unit, invalid=reason), beside.end()


def _base(text: str, at: int, today: Today, after: date | None) -> tuple[Day, int] | None:
    character = text[at]
    found: tuple[Day, int] | None = None
    if character in "大前昨今明后":
        found = _relative(text, at, today)
    if found is None and character in "上下这本周星礼双再":
        found = _weekly(text, at, today, after)
    if found is None and character in "0123456789一二三四五六七八九十廿":
        found = _numbered(text, at, today, after)
    if found is None and character in "上下这本当年月大前去今明后0123456789一二第":
        found = read_monthly(text, at, today)
    if found is None and character in "次翌第" and today.said is not None:
        found = _day_after(text, at, today.said)
    if found is None:
        found = read_festive(text, at, today, None)
    return found


def _day_after(text: str, at: int, said: date) -> tuple[Day, int] | None:
    """11月20日出发，次日返回: the day after the one just said."""
    found = _NEXT.match(text, at)
    if found is None or (found["second"] and text[at - 1 : at] != ","):
        return None
    return Day(step(said, 1)), found.end()


def _relative(text: str, at: int, today: Today) -> tuple[Day, int] | None:
    several = _SEVERAL.match(text, at)
    if several is not None:
        word = several.group()
        first, last = (1 if word.startswith("明") else 0), (2 if "后" in word else 1)
        return Day(step(today.date, first), step(today.date, last), unit="several"), several.end()
    found = _DAY.match(text, at)
    if found is None or found.lastgroup is None:
        return None
    word = found[found.lastgroup]
    end = found.end()
    days = _RELATIVE[word]
    unit = "today" if days == 0 else "tomorrow" if days == 1 else "day"
    # Before five in the morning 明天 may mean the day that has begun.
    unsure = days == 1 and today.moment.hour < 5
    return Day(step(today.date, days), unit=unit, ambiguous="which_day" if unsure else None), end


def _is_another_word(text: str, at: int) -> bool:
    """True if 周 belongs to the word before: 三周三次, 老周三点到; 万一周二下雨 has a weekday."""
    if at == 0:
        return False
    if text[at - 1] in _SURNAMED and text[at] == "周" and _CLOCK_BEHIND.match(text, at + 1) is not None:
        return True
    return text[at - 1] in _AFTER_NUMERAL and text[at - 2 : at] not in _ENDS_IN_ONE


def _weekly(text: str, at: int, today: Today, after: date | None) -> tuple[Day, int] | None:
    workday = _WORKDAY.match(text, at)
    if workday is not None:
        return (Day(add_workdays(today.date, 1)), workday.end()) if text[at] == "下" else None
    weekend = _WEEKEND.match(text, at)
    if weekend is not None:
        shift = weekend["shift"]
        saturday = step(today.monday, 5 + 7 * SHIFTS.get(shift or "这", 0))
        unsure = shift is None and today.date.weekday() == 6
        if shift is None and today.week is not None:
            saturday, unsure = step(today.week, 5), False
        day = Day(saturday, step(saturday, 1), unit="weekend", ambiguous="which_week" if unsure else None)
        return day, weekend.end()
    found = _WEEKDAY.match(text, at)
    if found is not None:
        if found["shift"] is None and after is None and _is_another_word(text, at):
            return None
        weekday = WEEKDAY_NUMBERS[found["day"]]
        if found["shift"] is None:
            if today.week is not None:
                return Day(step(today.week, weekday), unit="weekday"), found.end()
            return next_weekday(today, weekday, after), found.end()
        if found["one"] and found["shift"] == "下":
            return next_weekday(today, weekday, step(today.date, 1)), found.end()
        return weekday_in_week(today, weekday, SHIFTS[found["shift"]]), found.end()
    whole = _WEEK.match(text, at)
    if whole is None:
        return None
    monday = step(today.monday, 7 * SHIFTS.get(whole["shift"] or "这", 0))
    unsure = today.date.weekday() == 6 and whole["shift"] is not None
    return Day(monday, step(monday, 6), unit="week", ambiguous="which_week" if unsure else None), whole.end()


def _numbered(text: str, at: int, today: Today, after: date | None) -> tuple[Day, int] | None:
    iso = _ISO.match(text, at)
    if iso is not None and 1900 <= int(iso["year"]) <= 2200:
        return dated(today, int(iso["month"]), int(iso["day"]), int(iso["year"]), None), iso.end()
    month = NAMED_MONTH.match(text, at)
    if month is not None and (at == 0 or text[at - 1] not in "0123456789.第满个每"):
        return in_named_month(text, month, today, None, after)
    dashed = _DASHED.match(text, at) or DOTTED_DATE.match(text, at)
    if dashed is not None:
        return dated(today, int(dashed["month"]), int(dashed["day"]), None, after), dashed.end()
    slash = _SLASH.match(text, at)
    if slash is not None and (len(slash["month"]) == 2 or len(slash["day"]) == 2):
        return dated(today, int(slash["month"]), int(slash["day"]), None, after), slash.end()
    found = _MONTHDAY.match(text, at)
    if found is None or (after is None and _GOES_ON.search(text, max(0, at - 2), at)):
        return None
    day = integer(found["day"])
    if day is None or day == 0 or day >= 40 or is_numbered_thing(text, at, found.end()):
        return None
    if found["unit"] == "日" and (
        is_not_a_day(text, found.end())
        or not (found["day"].isdigit() or day > 10)
        or text.startswith(("内", "后", "前", "之"), found.end())
    ):
        return None
    since = today.since
    if since is not None and since < today.date and day <= since.day:
        since = None  # 9月30日入职，15号发工资: no longer of the month that was named
    return next_monthday(today, day, after or since), found.end()
