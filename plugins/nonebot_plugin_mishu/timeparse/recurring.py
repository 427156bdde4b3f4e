"""Recurrences as they are said: 每周一三五, 周一至周五, 工作日, 每隔30分钟, 每月最后一天, 每年农历八月十五."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .almanac import month_length
from .day import Today
from .expression import WEEKDAYS, Recurrence
from .festivals import read_festival
from .lunar import read_lunar
from .numbers import NUM, SMALL, decimal, integer
from .periods import WEEK, WEEKDAY_NUMBERS

_WEEKDAY_SET: Final = "一二三四五六日天"
# A numeral behind a weekday is a weekday too (周一三五), unless it begins another word: 周三三点, 周一一起, 周五五一路.
OTHER_WORD: Final = (
    "(?:[点时月号个次天人小分楼年节十百刻差:0-9万千周川亚安环季级里星国明合峡门联线甲手维盘台道金神位张件本份条口只篇杯顿趟遍回场瓶元成块]"
    "|日(?:[本语料常报期程均子]))"
)
_NEXT_WEEKDAY: Final = re.compile(
    f"(?:、|,|和|跟|与|及|以及|或|还有)? ?{WEEK}(?P<full>[{_WEEKDAY_SET}])"
    f"|(?:、|和|跟|与|及|以及|或) ?(?P<linked>[{_WEEKDAY_SET}])(?!{OTHER_WORD})"
    f"|(?P<run>[一二三四五六日])(?!{OTHER_WORD})"
)
_TO_WEEKDAY: Final = re.compile(
    f" ?(?:到|至|-|~|–|—) ?(?:{WEEK}(?P<full>[{_WEEKDAY_SET}])|(?P<short>[{_WEEKDAY_SET}])(?!{OTHER_WORD}))"
)
_FIRST_WEEKDAY: Final = re.compile(
    f"{WEEK}(?P<day>[{_WEEKDAY_SET}])(?!(?:次|遍|回|趟|顿|篇|节课|个|场|杯|份|天[^津气空台]|天$|人|小时))"
)
_ALTERNATE: Final = re.compile(
    f"(?<![0-9〇零一二三四五六七八九十百第])(?:{WEEK})?(?P<days>一三五|二四六)(?:日)?(?!{OTHER_WORD}|[七八九〇零])"
)
_EVERY: Final = re.compile(
    f"每(?P<gap>间?隔)?(?:(?P<amount>{NUM}|半)(?P<each>个)?(?P<half>半)?|(?P<one>个|一个?))?"
    "(?P<unit>分钟|刻钟|小时|钟头|工作日|天|日|周末|周|星期|礼拜|月|季度|年|晚上?|早上?|早晨|晨|夜里?|上午|中午|下午|凌晨|傍晚|半夜|深夜)"
    "(?![一-龥]{0}(?:轻|薪))(?P<more>半)?"
)
_GAP: Final = re.compile(
    "(?:每)?隔(?P<unit>天|日|周|月|年)(?!(?:壁|离))|隔(?P<amount>[0-9]{1,3}|[一二三四五六七八九十]{1,3})(?P<each>个)?(?P<unit2>分钟|小时|钟头|天|周|星期|礼拜|月)(?=就|提醒|[叫喊做吃喝发催打报测换])"
)
_DAILY: Final = re.compile("天天(?!向上|快乐|开心)|每一天")
_ON_EVERY: Final = re.compile(
    f"(?:每逢|每到|逢|每个|每一个|每)(?=(?:{WEEK}[{_WEEKDAY_SET}末])|工作日|周末|月底|月末|月初|年底|年末)"
)
_WORKDAYS: Final = re.compile("(?:每个|每逢|每)?(?:法定)?工作日(?!内|之内|志|程|常)|(?:每个?)?上班日")
_WEEKENDS: Final = re.compile(f"(?:每个?|每逢|逢|每到)(?:周末|{WEEK}末|双休日)")
_MONTHLY_DAY: Final = re.compile(f"的?(?P<day>{SMALL})(?P<unit>[号日])")
_MONTHLY_MORE: Final = re.compile(f"(?:、|,|和|跟|与|及) ?(?P<day>{SMALL})(?P<unit>[号日])")
_MONTHLY_FIRST: Final = re.compile(f"的?(?P<day>{SMALL})(?=[、和,](?:{SMALL})[号日])")
_MONTHLY_PLACE: Final = re.compile(
    f"的?(?:(?P<last>最后一?)|倒数第(?P<back>{SMALL})|第(?P<nth>{SMALL}))个?(?:(?P<day>天)|(?P<workday>工作日)|{WEEK}(?P<weekday>[{_WEEKDAY_SET}]))"
)
_MONTHLY_PART: Final = re.compile(
    "的?(?:(?P<end>月底|月末|底|末)|(?P<early>月初|初(?![一二三四五六七八九十]))|(?P<middle>月中|中旬?))"
)
_MONTHLY_LUNAR: Final = re.compile(
    "(?:农历|阴历)?的?初[一二三四五六七八九十](?:和?(?:十五|初[一二三四五六七八九十]))?"
)
_YEARLY_DAY: Final = re.compile(
    f"的?(?P<month>{SMALL})月(?:份?的?(?:(?P<day>{SMALL})[号日]?|(?P<end>底|最后一天)|(?P<first>1号|初)|(?:(?P<last>最后一)|第(?P<nth>{SMALL}))个?{WEEK}(?P<weekday>[{_WEEKDAY_SET}])))?"
)
_NO_COUNT: Final = re.compile(
    "(?:[0-9]+|[一二两三四五六七八九十]+)(?:次|遍|回|趟|顿|篇|杯|份|节|场|个小时|小时|人)"
)
_PARTS: Final = re.compile("早|晨|夜|晚|上午|中午|下午|凌晨|傍晚|半夜|深夜")


@dataclass(frozen=True, slots=True)
class Every:
    """One or more recurrences said in one phrase. `period_at`: where the part of a day begins (每晚: at 晚)."""

    rules: tuple[Recurrence, ...]
    end: int
    invalid: str | None = None
    period_at: int | None = None


def read_every(text: str, at: int, today: Today) -> Every | None:
    """The recurrence said at `at`, or `None`."""
    if text[at] in "周星礼一二":
        return _bare_weekdays(text, at)
    daily = _DAILY.match(text, at)
    if daily is not None:
        return Every((Recurrence("daily"),), daily.end())
    workdays = _WORKDAYS.match(text, at)
    if workdays is not None:
        if at and text[at - 1] in "0123456789一二两三四五六七八九十个下上后":
            return None
        return Every((Recurrence("workday"),), workdays.end())
    weekends = _WEEKENDS.match(text, at)
    if weekends is not None:
        return Every((Recurrence("weekly", byday=("SA", "SU")),), weekends.end())
    on_every = _ON_EVERY.match(text, at)
    if on_every is not None:
        return _weekly(text, on_every.end(), 1) or _monthly(text, on_every.end(), 1)
    gap = _GAP.match(text, at)
    if gap is not None and not (gap["unit"] and at and text[at - 1] in "相间阻分"):
        return _spaced(
            text, gap.end(), gap["amount"] or "1", gap["each"], gap["unit"] or gap["unit2"], gap=True
        )
    found = _EVERY.match(text, at)
    return _every(text, found) if found is not None else None


def _bare_weekdays(text: str, at: int) -> Every | None:
    """周一至周五, 周一三五 and 一三五 without 每: nothing else repeats without it."""
    if at and text[at - 1] in "上下这本个0123456789一二两三四五六七八九十几":
        return None
    alternate = _ALTERNATE.match(text, at)
    if alternate is not None:
        days = [WEEKDAY_NUMBERS[day] for day in alternate["days"]]
        return Every((Recurrence("weekly", byday=_codes(days)),), alternate.end())
    first = _FIRST_WEEKDAY.match(text, at)
    if first is None:
        return None
    to = _TO_WEEKDAY.match(text, first.end())
    if (
        to is not None
        and WEEKDAY_NUMBERS[first["day"]] == 0
        and WEEKDAY_NUMBERS[to["full"] or to["short"]] in {4, 5, 6}
    ):
        days = list(range(WEEKDAY_NUMBERS[to["full"] or to["short"]] + 1))
        return Every((Recurrence("weekly", byday=_codes(days)),), to.end())
    return None


def _codes(days: list[int]) -> tuple[str, ...]:
    return tuple(WEEKDAYS[day] for day in sorted(set(days)))


def _every(text: str, found: re.Match[str]) -> Every | None:
    unit, end = found["unit"], found.end()
    if found["amount"] or found["gap"]:
        return _spaced(
            text,
            end,
            found["amount"] or "1",
            found["each"],
            unit,
            gap=found["gap"] is not None,
            half=found["half"] or found["more"],
        )
    if _PARTS.match(unit):
        return Every((Recurrence("daily"),), found.start("unit"), period_at=found.start("unit"))
    if unit in {"天", "日"}:
        return Every((Recurrence("daily"),), end)
    if unit == "工作日":
        return Every((Recurrence("workday"),), end)
    if unit == "周末":
        return Every((Recurrence("weekly", byday=("SA", "SU")),), end)
    if unit in {"周", "星期", "礼拜"}:
        return _weekly(text, found.start("unit"), 1)
    if unit == "月":
        return _monthly(text, end, 1)
    if unit == "年":
        return _yearly(text, end)
    if unit == "季度":
        return Every((Recurrence("monthly", 3),), end)
    freq = "hourly" if unit in {"小时", "钟头"} else "minutely"
    return Every((Recurrence(freq, 15 if unit == "刻钟" else 1),), end)


def _spaced(
    text: str, end: int, amount: str, each: str | None, unit: str, *, gap: bool, half: str | None = None
) -> Every | None:
    """每两周, 每半小时, 每隔30分钟, 隔天. Between days, weeks … 隔一 skips one: every second."""
    count = decimal(amount)
    if count is None or count <= 0 or count > 1000:
        return None
    if half:
        count += decimal("0.5") or 0
    if unit in {"小时", "钟头", "刻钟", "分钟"}:
        minutes = count * {"小时": 60, "钟头": 60, "刻钟": 15, "分钟": 1}[unit]
        if minutes % 60 == 0 and unit in {"小时", "钟头"}:
            return Every((Recurrence("hourly", int(minutes) // 60),), end)
        return Every((Recurrence("minutely", int(minutes)),), end) if minutes % 1 == 0 else None
    if unit == "月" and count % 1 and each:
        return Every((Recurrence("daily", 15),), end) if count < 1 else None
    if unit == "年" and count == decimal("0.5"):
        return Every((Recurrence("monthly", 6),), end)
    if count % 1:
        return None
    interval = int(count) + (1 if gap else 0)
    if unit in {"天", "日"}:
        return Every((Recurrence("daily", interval),), end)
    if unit in {"周", "星期", "礼拜"}:
        if re.match(f"的?{WEEK}[{_WEEKDAY_SET}]", text[end : end + 5]):
            begin = end + (1 if text.startswith("的", end) else 0)
            return _weekly(text, begin, interval)
        if re.match(f"[{_WEEKDAY_SET}](?!{OTHER_WORD})", text[end : end + 3]):
            return _weekly(text, end - len(unit), interval)
        return Every((Recurrence("weekly", interval),), end)
    if unit == "月" and each:
        return _monthly(text, end, interval)
    if unit == "季度":
        return Every((Recurrence("monthly", 3 * interval),), end)
    if unit == "年":
        return Every((Recurrence("yearly", interval),), end)
    return None


def _weekly(text: str, at: int, interval: int) -> Every | None:
    """From 周 on: 周, 周三, 周一三五, 周一到周五, 周末, 周一、周三."""
    week = re.compile(f"{WEEK}").match(text, at)
    if week is None:
        return None
    if text.startswith("末", week.end()):
        return Every((Recurrence("weekly", interval, byday=("SA", "SU")),), week.end() + 1)
    if text.startswith(("的工作日", "工作日"), week.end()):
        return Every((Recurrence("workday"),), week.end() + (4 if text[week.end()] == "的" else 3))
    first = _FIRST_WEEKDAY.match(text, at)
    if first is None:
        of = re.compile(f"的(?={WEEK}[{_WEEKDAY_SET}])").match(text, week.end())
        if of is not None:
            return _weekly(text, of.end(), interval)
        return Every((Recurrence("weekly", interval),), week.end())
    days, end = [WEEKDAY_NUMBERS[first["day"]]], first.end()
    while True:
        to = _TO_WEEKDAY.match(text, end)
        if to is not None:
            last = WEEKDAY_NUMBERS[to["full"] or to["short"]]
            days.extend(day % 7 for day in range(days[-1], last + (7 if last < days[-1] else 0) + 1))
            end = to.end()
            continue
        more = _NEXT_WEEKDAY.match(text, end)
        if more is None:
            break
        day = WEEKDAY_NUMBERS[more["full"] or more["linked"] or more["run"]]
        if more["run"] and day <= days[-1]:
            break
        days.append(day)
        end = more.end()
    return Every((Recurrence("weekly", interval, byday=_codes(days)),), end)


def _monthly(text: str, at: int, interval: int) -> Every | None:
    """From behind 每月 on: the day, the part, the last Friday; nothing at all repeats by the month."""
    begin = at
    lunar = _MONTHLY_LUNAR.match(text, at)
    if lunar is not None:
        return Every((), lunar.end(), invalid="每月的农历日期还不能重复，请说公历几号")
    days: list[int] = []
    first = _MONTHLY_FIRST.match(text, at)
    if first is not None:
        days.append(integer(first["day"]) or 0)
        at = first.end()
        if text[at] in "、和,":
            at += 1
    number = _MONTHLY_DAY.match(text, at)
    if number is not None:
        days.append(integer(number["day"]) or 0)
        at = number.end()
        while (more := _MONTHLY_MORE.match(text, at)) is not None:
            days.append(integer(more["day"]) or 0)
            at = more.end()
        wrong = next((day for day in days if not 1 <= day <= 31), None)
        if wrong is not None:
            return Every((Recurrence("monthly", interval),), at, invalid=f"没有{wrong}号")
        return Every(tuple(Recurrence("monthly", interval, bymonthday=day) for day in days), at)
    part = _MONTHLY_PART.match(text, begin)
    if part is not None:
        day = -1 if part["end"] else 1 if part["early"] else 15
        return Every((Recurrence("monthly", interval, bymonthday=day),), part.end())
    place = _MONTHLY_PLACE.match(text, begin)
    if place is None:
        return Every((Recurrence("monthly", interval),), begin)
    nth = -1 if place["last"] else integer(place["back"] or place["nth"]) or 0
    if place["back"]:
        nth = -nth
    if place["workday"]:
        return Every((), place.end(), invalid="每月第几个工作日还不能重复，请说几号或星期几")
    if place["weekday"]:
        if not (1 <= abs(nth) <= 5):
            return Every((), place.end(), invalid=f"没有{place.group().lstrip('的')}")
        code = f"{nth}{WEEKDAYS[WEEKDAY_NUMBERS[place['weekday']]]}"
        return Every((Recurrence("monthly", interval, byday=(code,)),), place.end())
    if nth == -1 or 1 <= nth <= 31:
        return Every((Recurrence("monthly", interval, bymonthday=nth),), place.end())
    return Every((), place.end(), invalid=f"没有{place.group().lstrip('的')}")


def _yearly(text: str, at: int) -> Every | None:
    begin = at + (1 if text.startswith("的", at) else 0)
    lunar = read_lunar(text, begin)
    if lunar is not None and lunar[0].month:
        date, end = lunar
        return Every((Recurrence("lunar_yearly", bymonth=date.month, bymonthday=date.day),), end)
    festival = read_festival(text, begin)
    if festival is not None:
        rule = festival[0].recurrence()
        if rule is None:
            name = text[begin : festival[1]]
            return Every((), festival[1], invalid=f"{name}每年日期不同，请说当年的日期")
        return Every((rule,), festival[1])
    found = _YEARLY_DAY.match(text, at)
    if found is None:
        end = at
        part = re.compile("的?(?:年底|底|年末|最后一天)|的?(?:年初|第一天)").match(text, at)
        if part is None:
            return Every((Recurrence("yearly"),), end)
        month, day = (12, 31) if re.search("底|末|最后", part.group()) else (1, 1)
        return Every((Recurrence("yearly", bymonth=month, bymonthday=day),), part.end())
    month = integer(found["month"]) or 0
    if not 1 <= month <= 12:
        return Every((), found.end(), invalid=f"没有{found['month']}月")
    if found["weekday"]:
        nth = "-1" if found["last"] else str(integer(found["nth"]) or 1)
        code = f"{nth}{WEEKDAYS[WEEKDAY_NUMBERS[found['weekday']]]}"
        return Every((Recurrence("yearly", byday=(code,), bymonth=month),), found.end())
    if found["end"]:
        return Every((Recurrence("yearly", bymonth=month, bymonthday=-1),), found.end())
    day = 1 if found["first"] else integer(found["day"]) if found["day"] else None
    if day is not None and not 1 <= day <= month_length(2024, month):
        return Every((), found.end(), invalid=f"{month}月没有{day}日")
    return Every((Recurrence("yearly", bymonth=month, bymonthday=day),), found.end())
