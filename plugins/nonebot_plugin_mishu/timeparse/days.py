"""Dates as they are said: 明天, 下周三, 15号, 11月底, 今年国庆, 农历八月十五, 元旦前一天, 2026-12-01.

`read_day` finds one at a place in a normalised text and answers what it means, counted from today.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from .almanac import add_months, add_workdays, days_off_around, lunar_year_of
from .day import Day, Today, dated, month_span, next_monthday, next_weekday, step, weekday_in_week
from .festivals import Festival, read_festival
from .lunar import following_lunar_day, read_lunar
from .nottime import is_not_a_day, is_numbered_thing
from .numbers import NUM, SMALL, integer
from .periods import WEEK, WEEKDAY_NUMBERS, read_in_month, read_place

_RELATIVE: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
}  # fmt: skip
_DAY: Final = re.compile(
    "(?P<day>大前|大后|前|昨|今|明|后)天(?!会更好|性|努力|系集团)|(?P<formal>昨|今|明)日(?!头条|方舟|之后|说法|之星|香|之子|重现)"
    "|(?P<chatty>昨|今|明|后)儿个?|(?P<part>今|明|昨)(?=[早晚晨夜](?!报|点|安|婚|稻田))|(?P<far>前|后)(?=晚(?!上?辈|期|婚|年|饭))"
)
_SHIFTS: Final = {
    "上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "此": 0, "下": 1, "下下": 2, "下下下": 3,
}  # fmt: skip
_SHIFT: Final = "(?P<shift>上上|下下下|下下|上|下|这|本)(?:(?P<one>一)|一)?个?"
_WEEKDAY: Final = re.compile(f"(?:{_SHIFT})?{WEEK}(?P<day>[一二三四五六日天]|[1-6](?![0-9:]))(?!福|记)")
_WEEKEND: Final = re.compile(
    f"(?:{_SHIFT})?(?:周末|{WEEK}末)(?!愉快|快乐|好)|(?:{_SHIFT.replace('shift', 'shift2').replace('one', 'one2')})双休日"
)
_WEEK: Final = re.compile(f"{_SHIFT}{WEEK}(?![一二三四五六日天末]|刊|报|年)|这一周")
_AFTER_NUMERAL: Final = frozenset("0123456789一二两三四五六七八九十几半每整数多")
_MONTH: Final = re.compile(
    "(?P<shift>上上|下下下|下下|上|下|这|本|当)一?个?月(?!亮|饼|色|薪|光|球|租|经|嫂|老)份?"
)
_BY_NAME: Final = "(?P<month>[0-9]{1,2}|十[一二]?|[一二三四五六七八九])月(?!亮|饼|色|光|球|薪|租)"
_NAMED_MONTH: Final = re.compile(_BY_NAME)
_YEAR: Final = re.compile(
    "(?P<relative>大前|大后|前|去|今|明|后|本|上|下|当)年(?!轻|纪|龄|级|代|糕|货|味|会|终奖|薪|假|报|度|关|夜)度?"
    "|(?P<number>[0-9]{4}|[一二][零〇一二三四五六七八九]{3})年(?!代|级)"
    "|(?P<short>[2-4][0-9])年(?=(?:[0-9]{1,2}|十[一二]?|[一二三四五六七八九])月)"
)
_YEARS: Final = {
    "大前": -3,
    "前": -2,
    "去": -1,
    "上": -1,
    "今": 0,
    "本": 0,
    "当": 0,
    "明": 1,
    "下": 1,
    "后": 2,
    "大后": 3,
}
_YEAR_PART: Final = re.compile(
    "的?(?P<end>年底|年末|岁末|底(?!下)|末(?!尾))|的?(?P<early>年初|开年|初(?![一二三四五六七八九十]))|的?(?P<middle>年中)|的?(?P<half>[上下])半年"
)
_BARE_PART: Final = re.compile(
    "(?P<yearend>年底|年末|岁末)|(?P<yearmiddle>年中)|(?P<monthend>月底|月末)|(?P<monthearly>月初)|(?P<monthmiddle>月中(?!旬))"
)
_ISO: Final = re.compile(
    r"(?<![0-9.])(?P<year>[0-9]{4})(?P<dash>[-/.])(?P<month>[0-9]{1,2})(?P=dash)(?P<day>[0-9]{1,2})(?![0-9]|[-/.][0-9])(?:[Tt](?=[0-9]{1,2}:))?"
)
_SLASH: Final = re.compile(
    r"(?<![0-9./a-zA-Z])(?P<month>0?[1-9]|1[0-2])/(?P<day>[0-2]?[0-9]|3[01])(?![0-9/.%a-zA-Z]|[个份步的以人号])"
)
_MONTHDAY: Final = re.compile(f"(?P<day>{SMALL})(?P<unit>[号日])(?!码)")
_OFF: Final = re.compile(
    "(?:节?(?:小)?长?假期?|放假|节)?期间|节?小?长假|节?假期|假里|放假(?=的?时|这|那)|黄金周"
)
_SEVERAL: Final = re.compile("今明(?:两|2)天|今明后三天|明后(?:两|2)天")
_WORKDAY: Final = re.compile("下一?个工作日|上一?个工作日")
_STEP: Final = re.compile(
    f"(?:的|之)?(?:(?P<before>前)|(?P<after>后))(?:的?第)?(?P<count>{NUM})天(?!内)|的?(?:(?P<eve>前夕)|(?P<second>第二天))"
)
_CHECK: Final = re.compile(
    f" ?[(\\[,]? ?{WEEK}(?P<day>[一二三四五六日天])[)\\]]?(?![一二三四五六日天、至到])"
)


def read_day(
    text: str, at: int, today: Today, after: date | None = None, week: date | None = None
) -> tuple[Day, int] | None:
    """The date said at `at` and where it ends, or `None`.

    `after`: the beginning of the range or list it stands in (28号到3号: the 3rd after that 28th).
    `week`: the Monday of the week spoken of just before, in which a bare weekday lies.
    """
    found = _base(text, at, today, after, week)
    if found is None:
        return None
    day, end = found
    moved = _STEP.match(text, end)
    if moved is not None and day.start is not None:
        count = 1 if moved["count"] is None else integer(moved["count"])
        if count is not None and count <= 400:
            day, end = day.shifted(-count if moved["before"] or moved["eve"] else count), moved.end()
    elif day.end is not None and day.unit != "day" and (placed := read_place(text, end, day)) is not None:
        day, end = placed
    return _checked(text, day, end)


def _checked(text: str, day: Day, end: int) -> tuple[Day, int]:
    """11月20日(周五): the weekday said beside a date must be its weekday."""
    beside = _CHECK.match(text, end)
    if (
        beside is None
        or day.start is None
        or day.end is not None
        or day.unit in {"weekday", "week", "weekend"}
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


def _base(text: str, at: int, today: Today, after: date | None, week: date | None) -> tuple[Day, int] | None:
    character = text[at]
    found: tuple[Day, int] | None = None
    if character in "大前昨今明后":
        found = _relative(text, at, today)
    if found is None and character in "上下这本周星礼双":
        found = _weekly(text, at, today, after, week)
    if found is None and character in "0123456789一二三四五六七八九十廿":
        found = _numbered(text, at, today, after)
    if found is None and character in "上下这本当年月大前去今明后0123456789一二":
        found = _monthly(text, at, today)
    if found is None:
        found = _festive(text, at, today, None)
    return found


def _relative(text: str, at: int, today: Today) -> tuple[Day, int] | None:
    several = _SEVERAL.match(text, at)
    if several is not None:
        word = several.group()
        first, last = (1 if word.startswith("明") else 0), (2 if "后" in word else 1)
        return Day(step(today.date, first), step(today.date, last), unit="span"), several.end()
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


def _weekly(
    text: str, at: int, today: Today, after: date | None, week: date | None
) -> tuple[Day, int] | None:
    workday = _WORKDAY.match(text, at)
    if workday is not None:
        return (Day(add_workdays(today.date, 1)), workday.end()) if text[at] == "下" else None
    weekend = _WEEKEND.match(text, at)
    if weekend is not None:
        shift = weekend["shift"] or weekend["shift2"]
        saturday = step(today.monday, 5 + 7 * _SHIFTS.get(shift or "这", 0))
        unsure = shift is None and today.date.weekday() == 6
        if shift is None and week is not None:
            saturday, unsure = step(week, 5), False
        day = Day(saturday, step(saturday, 1), unit="weekend", ambiguous="which_week" if unsure else None)
        return day, weekend.end()
    found = _WEEKDAY.match(text, at)
    if found is not None:
        if found["shift"] is None and at and text[at - 1] in _AFTER_NUMERAL and after is None:
            return None
        weekday = WEEKDAY_NUMBERS[found["day"]]
        if found["shift"] is None:
            if week is not None:
                return Day(step(week, weekday), unit="weekday"), found.end()
            return next_weekday(today, weekday, after), found.end()
        if found["one"] and found["shift"] == "下":
            return next_weekday(today, weekday, step(today.date, 1)), found.end()
        return weekday_in_week(today, weekday, _SHIFTS[found["shift"]]), found.end()
    whole = _WEEK.match(text, at)
    if whole is None:
        return None
    monday = step(today.monday, 7 * _SHIFTS.get(whole["shift"] or "这", 0))
    unsure = today.date.weekday() == 6 and whole["shift"] not in {None}
    return Day(monday, step(monday, 6), unit="week", ambiguous="which_week" if unsure else None), whole.end()


def _numbered(text: str, at: int, today: Today, after: date | None) -> tuple[Day, int] | None:
    iso = _ISO.match(text, at)
    if iso is not None and (iso["dash"] != "." or 1900 < int(iso["year"]) < 2200):
        return dated(today, int(iso["month"]), int(iso["day"]), int(iso["year"]), None), iso.end()
    month = _NAMED_MONTH.match(text, at)
    if month is not None and (at == 0 or text[at - 1] not in "0123456789.第满个每"):
        return _in_named_month(text, month, today, None, after)
    slash = _SLASH.match(text, at)
    if slash is not None and (len(slash["month"]) == 2 or len(slash["day"]) == 2):
        return dated(today, int(slash["month"]), int(slash["day"]), None, after), slash.end()
    found = _MONTHDAY.match(text, at)
    if found is None or (at and text[at - 1] in "0123456789.:-/一二三四五六七八九十百第几" and after is None):
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
    return next_monthday(today, day, after), found.end()


def _in_named_month(
    text: str, month: re.Match[str], today: Today, year: int | None, after: date | None
) -> tuple[Day, int] | None:
    number = integer(month["month"]) or 0
    lunar = read_lunar(text, month.start())
    if lunar is not None:
        return _lunar_day(lunar[0], year, today), lunar[1]
    if not 1 <= number <= 12:
        refused = re.compile(f"{SMALL}[号日]").match(text, month.end())
        return (Day(None, invalid=f"没有{number}月"), refused.end()) if refused else None
    inside = read_in_month(text, month.end(), today, year, number)
    if inside is not None:
        day, end = inside
        if (
            year is None
            and after is not None
            and day.start is not None
            and day.start < after
            and day.end is None
        ):
            day = dated(today, day.start.month, day.start.day, None, after)
        return day, end
    if text.startswith("天", month.end()) and number == 5:
        return None  # 五月天
    if month.end() < len(text) and re.match("[0-9一二三四五六七八九十]", text[month.end()]):
        return None
    known = year if year is not None else dated(today, number, 15, None, after).start
    span = month_span(known if isinstance(known, int) else known.year if known else today.date.year, number)
    return span, month.end() + (1 if text.startswith("份", month.end()) else 0)


def _monthly(text: str, at: int, today: Today) -> tuple[Day, int] | None:
    bare = _BARE_PART.match(text, at)
    if bare is not None:
        if at and text[at - 1] in "0123456789一二三四五六七八九十两几个每":
            return None
        return Day(_part_of_now(bare, today)), bare.end()
    month = _MONTH.match(text, at)
    if month is not None:
        base = add_months(today.date.replace(day=1), _SHIFTS[month["shift"]])
        inside = read_in_month(text, month.end(), today, base.year, base.month)
        return inside if inside is not None else (month_span(base.year, base.month), month.end())
    year = _YEAR.match(text, at)
    if year is None or (at and text[at - 1] in "0123456789."):
        return None
    if year["relative"]:
        number = today.date.year + _YEARS[year["relative"]]
        if year["relative"] in "上下" or (
            year["relative"] == "当" and not re.match("[0-9]", text[year.end() : year.end() + 1])
        ):
            return None
    else:
        number = integer(year["number"]) or 0 if year["number"] else 2000 + int(year["short"])
    if not 1900 <= number <= 2200:
        return None
    return _in_year(text, year.end(), number, today)


def _part_of_now(bare: re.Match[str], today: Today) -> date:
    """年底, 月底 … without a year or month: this one's; a beginning or middle that is past is the next one's."""
    now = today.date
    if bare["yearend"]:
        return date(now.year, 12, 31)
    if bare["yearmiddle"]:
        return date(now.year + (now > date(now.year, 6, 30)), 6, 30)
    if bare["monthend"]:
        return add_months(now.replace(day=1), 1) - (date(2, 1, 2) - date(2, 1, 1))
    wanted = 1 if bare["monthearly"] else 15
    return add_months(now.replace(day=1), 1 if now.day > wanted else 0).replace(day=wanted)


def _in_year(text: str, at: int, year: int, today: Today) -> tuple[Day, int] | None:
    part = _YEAR_PART.match(text, at)
    if part is not None:
        if part["end"]:
            return Day(date(year, 12, 31)), part.end()
        if part["early"]:
            return Day(date(year, 1, 1)), part.end()
        if part["middle"]:
            return Day(date(year, 6, 30)), part.end()
        first, last = (
            (date(year, 1, 1), date(year, 6, 30))
            if part["half"] == "上"
            else (date(year, 7, 1), date(year, 12, 31))
        )
        return Day(first, last, unit="span"), part.end()
    begin = at + (1 if text.startswith(("的", " "), at) else 0)
    month = _NAMED_MONTH.match(text, begin)
    if month is not None:
        inside = _in_named_month(text, month, today, year, None)
        if inside is not None:
            return inside
    festive = _festive(text, begin, today, year)
    if festive is not None:
        return festive
    whole = Day(date(year, 1, 1), date(year, 12, 31), unit="year")
    return read_place(text, at, whole) or (whole, at)


def _festive(text: str, at: int, today: Today, year: int | None) -> tuple[Day, int] | None:
    lunar = read_lunar(text, at)
    if lunar is not None:
        return _lunar_day(lunar[0], year, today), lunar[1]
    found = read_festival(text, at)
    if found is None:
        return None
    festival, end = found
    off = _OFF.match(text, end)
    day = _festival_day(festival, year, today, off is not None and festival.usual is not None)
    if day is None:
        return Day(None, invalid="日历里没有这一年"), end
    if off is not None and festival.usual is not None:
        first, last = days_off_around(day, festival.usual)
        return Day(first, last, unit="span"), off.end()
    return Day(day), off.end() if off else end


def _festival_day(festival: Festival, year: int | None, today: Today, stretch: bool) -> date | None:
    if year is not None:
        return festival.in_year(year)
    if stretch and festival.usual is not None:
        # 国庆期间 said on 3 October is the holiday that runs.
        running = festival.following(step(today.date, -festival.usual[1]))
        if running is not None and days_off_around(running, festival.usual)[1] >= today.date:
            return running
    return festival.following(today.date)


def _lunar_day(lunar: object, year: int | None, today: Today) -> Day:
    from .lunar import LunarDate

    assert isinstance(lunar, LunarDate)
    if lunar.month == 0:
        found = following_lunar_day(lunar.day, today.date)
    elif year is not None:
        # 明年腊月廿三: people count the lunar year by its 春节.
        found = lunar.in_year(year)
    else:
        found = lunar.following(today.date)
    return Day(found) if found is not None else Day(None, invalid=lunar.reason)


_ = lunar_year_of
