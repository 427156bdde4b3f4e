"""Recurrences as they are said: 每周一三五, 周一至周五, 工作日, 每隔30分钟, 每晚, 除了周三每天."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from itertools import takewhile
from typing import Final

from .....patterns import Pattern
from ..days.periods import WEEK, WEEKDAY_NUMBERS
from ..expression import WEEKDAYS, Recurrence
from ..numbers import NUM, SMALL, decimal
from ..phrase import Phrase
from .occurrences import dates
from .yearly import LUNAR_MONTHLY, Every, monthly, yearly

_WEEKDAY_SET: Final = "一二三四五六日天"
# A numeral behind a weekday is a weekday too (周一三五), unless it begins another word: 周三四点, 周二三亚.
# What 日 begins, and is no Sunday: 周六日程 asks of Saturday, 周六日报名 of both days.
_DAY_NOUN: Final = "(?:[本料常期程均子志落]|语(?!文)|报(?![名销到告])|历(?!史)|用品|记(?![得一下住录账到]))"
OTHER_WORD: Final = (
    "(?:[点时月号个次天人小分楼年节十百刻差:0-9万千周川亚安环季级里星国明合峡门联线甲手维盘台道金神位张件本份条口只篇]"
    "|[杯顿趟遍回场瓶元成块]"
    f"|日{_DAY_NOUN})"
)
RUN_DAY: Final = f"(?:[一二三四五六](?!{OTHER_WORD})|日(?!{OTHER_WORD}|{_DAY_NOUN}))"
# 每周1、3、5 and 每周3, but not 每周3次, 每周1到2次.
_DIGIT: Final = f"(?P<digit>[1-7])(?!{OTHER_WORD}|[.%]|(?:到|至|-|~|、)[0-9](?:{OTHER_WORD}))"
_NEXT_WEEKDAY: Final = Pattern(
    f"(?:、|,|和|跟|与|及|以及|或|还有)? ?{WEEK}(?P<full>[{_WEEKDAY_SET}])"
    f"|(?:、|和|跟|与|及|以及|或) ?(?P<linked>[{_WEEKDAY_SET}])(?!{OTHER_WORD})"
    f"|(?P<run>{RUN_DAY})"
    f"|(?:、|,|和|跟|与|及) ?{_DIGIT}"
)
_TO_WEEKDAY: Final = Pattern(
    f" ?(?:到|至|-|~|–|—) ?(?:{WEEK}(?P<full>[{_WEEKDAY_SET}])"
    f"|(?P<short>[{_WEEKDAY_SET}])(?!{OTHER_WORD})|{_DIGIT})"
)
_FIRST_WEEKDAY: Final = Pattern(
    f"{WEEK}(?P<day>[{_WEEKDAY_SET}])(?!(?:次|遍|回|趟|顿|篇|节课|个|场|杯|份|天[^津气空台]|天$|人|小时))"
    f"|{WEEK}{_DIGIT}"
)
_ALTERNATE: Final = Pattern(
    f"(?<![0-9〇零一二三四五六七八九十百第])(?:{WEEK})?(?P<days>一三五|二四六)(?:日)?(?!{OTHER_WORD}|[七八九〇零])"
)
_BEGINNINGS: Final = frozenset("每天隔工逢除上法周星礼一二两三四五六半单双农阴旧")
_EVERY: Final = Pattern(
    f"每(?:(?P<gap>间?隔)|过(?=[0-9一二两三四五六七八九十半]))?(?:(?P<amount>{NUM}|半)(?P<each>个)?(?P<half>半)?|(?P<one>个|一个?))?"
    "(?P<unit>分钟|刻钟|小时|钟头|h(?![a-zA-Z])|min(?![a-zA-Z])|工作日|天|日|周末|周|星期|礼拜|月|季度|年(?!轻)|晚上?|早上?|早晨|晨|夜里?"
    "|上午|中午|下午|凌晨|傍晚|半夜|深夜)(?P<more>半)?"
)
_GAP: Final = Pattern(
    "(?:每)?隔(?P<unit>天|日|周|月|年)|隔(?P<amount>[0-9]{1,3}|[一二两三四五六七八九十]{1,3}|半)(?P<each>个)?"
    "(?P<unit2>分钟|小时|钟头|天|周|星期|礼拜|月)(?=就|提醒|[叫喊做吃喝发催打报测换浇洗]|的?(?:周|星期|礼拜)[一二三四五六日天]|[^,。!?;]{1,4}一次)"
)
_ONCE_IN: Final = Pattern(
    "(?P<amount>[一二两三四五六半])个?(?P<unit>天|周|星期|礼拜|月|季度|年)"
    "(?:开|办|搞|来|弄|做|聚)?一[次回](?![^,。!? 吧了啊哈呗的])"
)
"""两周一次: how often, behind what it is."""
_DAILY: Final = Pattern("天天(?!向上|快乐|开心|酷跑|爱消除|象棋)|每一天")
_EACH_DAY: Final = Pattern(",?的?(?:每天|天天|每日)")
_EVERY_LUNAR: Final = Pattern(
    "(?:农历|阴历|旧历)的?每个?月的?(?:初[一二三四五六七八九十]|十[一二三四五六七八九]?|廿[一二三四五六七八九]?|二十[一二三四五六七八九]?|三十)"
    "|每个?月的?(?:农历|阴历|旧历)的?(?:十[一二三四五六七八九]?|廿[一二三四五六七八九]?|二十[一二三四五六七八九]?|三十)"
    "|(?:每逢|逢|每个?月(?:的|农历|阴历)*)初[一二三四五六七八九十](?:[、和跟同与,]?(?:十五|初[一二三四五六七八九十]))?"
)
_IN_A_QUARTER: Final = Pattern(
    f"的?(?:(?:最后|第|倒数|头)[一二两三四0-9]*个?(?:天|周|月|工作日|{WEEK}[{_WEEKDAY_SET}])|季?[初末底])"
)
_ODD_WEEKS: Final = Pattern(
    f"(?:每个?|逢|(?<![一-鿿]))[单双]周的?(?:{WEEK}[{_WEEKDAY_SET}]|[一二三四五六日](?![年级]))"
)
ODD_WEEKS: Final = "单周双周从哪周算起我不知道，请说每隔一周的周几、从几号起，比如从11月25号起每隔一周周三"
QUARTERLY: Final = "每季度的第几天还不能重复，请说每三个月的几号，比如每三个月30号"
_EXCEPT: Final = Pattern(f"除(?:了|去)?(?={WEEK}[{_WEEKDAY_SET}末])")
_EXCEPT_BEHIND: Final = Pattern(f",? ?[((]?(?:除了?|除去|除开|不含|不包括|不算)(?={WEEK}[{_WEEKDAY_SET}末])")
_EXCEPTED: Final = Pattern("(?:以外|之外|外)?(?:的|都)?[))]?")
_THE_REST: Final = Pattern("(?:以外|之外|外)?,?的?(?:都|其余|其他)?(?:每天|天天|每日)")
_ON_EVERY: Final = Pattern(
    f"(?:每逢|每到|逢|每个|每一个|每)(?=(?:{WEEK}[{_WEEKDAY_SET}末])|月底|月末|月初(?![一二三四五六七八九十]))"
    f"|(?:每逢|每到|逢)(?={SMALL}[号日])"
)
_WORKDAYS: Final = Pattern("(?:每个|每逢|每)?(?:法定)?工作日(?!内|之内|志|程|常)|(?:每个?)?上班日")
_FROM_NOW_ON: Final = ("以后", "今后", "往后", "此后")
_WEEKENDS: Final = Pattern(f"(?:每个?|每逢|逢|每到)(?:周末|{WEEK}末|双休日)")
_PARTS: Final = Pattern("早|晨|夜|晚|上午|中午|下午|凌晨|傍晚|半夜|深夜")


def read_every(text: str, at: int) -> Every | None:
    """The recurrence said at `at`, or `None`."""
    every = _read_every(text, at)
    if every is None or every.part_at is not None:
        return every
    return read_exception(text, every.end, every) or every


def read_exception(text: str, at: int, every: Every) -> Every | None:
    """每天除了周日, 每天早上8点，除了周末: the other weekdays, where such an exception stands at `at`."""
    days = _DAYS_OF.get(every.rules)
    excepted = _EXCEPT_BEHIND.match(text, at) if days is not None else None
    without = _weekly(text, excepted.end(), 1) if excepted is not None else None
    left = _other_weekdays(without, days or ()) if without is not None else ()
    if without is None or not left:
        return None
    close = _EXCEPTED.match(text, without.end)
    return Every((Recurrence("weekly", byday=left),), close.end() if close else without.end)


_DAYS_OF: Final[Mapping[tuple[Recurrence, ...], tuple[str, ...]]] = {
    (Recurrence("daily"),): tuple(WEEKDAYS),
    (Recurrence("workday"),): tuple(WEEKDAYS)[:5],
}
"""Weekdays of a recurrence from which some can be excepted."""
_ONE_DAY: Final = frozenset({"day", "today", "tomorrow", "monthday"})


def leaves_out(daily: Phrase, days: Phrase, end: int) -> bool:
    """Make what repeats come without these days, up to `end`; False where that cannot be."""
    if daily.every is None or len(daily.every.rules) != 1:
        return False
    rule = daily.every.rules[0]
    dates = [day.start for day in days.days if day.start is not None and day.end is None]
    if dates and len(dates) == len(days.days) and all(day.unit in _ONE_DAY for day in days.days):
        if days.times or days.every is not None or days.last_day is not None:
            return False
        daily.every = replace(daily.every, rules=(replace(rule, without=(*rule.without, *dates)),))
        daily.spans.append((days.start, end))
        return True  # 每周一例会，11月30号那次不开
    stretch = days.days[0] if len(days.days) == 1 and not days.times and days.last_day is None else None
    if stretch is not None and stretch.unit in {"week", "month"} and stretch.start and stretch.end:
        within = _within(rule, stretch.start, stretch.end)
        if within:
            daily.every = replace(daily.every, rules=(replace(rule, without=(*rule.without, *within)),))
            daily.spans.append((days.start, end))
        return bool(within)  # 每周三周会，元旦那周不开
    if rule == Recurrence("daily"):
        on = tuple(WEEKDAYS)
    elif rule == Recurrence("workday"):
        on = tuple(WEEKDAYS)[:5]  # 工作日九点打卡，周五除外: the other weekdays
    elif rule.freq == "weekly" and rule.interval == 1 and rule.byday:
        on = rule.byday
    else:
        return False
    without: set[str] = set()
    for day in days.days:
        if day.unit == "weekend":
            without |= {"SA", "SU"}
        elif day.unit == "weekday" and day.start is not None:
            without.add(WEEKDAYS[day.start.weekday()])
    for rule in days.every.rules if days.every is not None else ():
        without |= set(rule.byday)
    left = tuple(code for code in on if code not in without)
    if not without or not left or days.times:
        return False
    daily.every = Every((replace(rule, freq="weekly", byday=left),), daily.every.end)
    daily.spans.append((days.start, end))
    return True


def _within(rule: Recurrence, first: date, last: date) -> tuple[date, ...]:
    """The days of a rule in a week or a month."""
    if rule.freq not in {"daily", "weekly", "monthly", "workday"} or rule.interval != 1:
        return ()
    return tuple(takewhile(lambda day: day <= last, dates(rule, first)))


_MONTH_SAID: Final = Pattern(f"{SMALL}月(?={SMALL}[号日])")


def dated_every(text: str, at: int, every: Every) -> Every | None:
    """`every` with the day at `at`: 每年 with 5月6日, 每月 with 15号, 每周 with 周三. `None` if it has a day
    already or the day does not fit; `end` is the end of the day."""
    if every.rules == (Recurrence("yearly"),):
        dated = yearly(text, at)
    elif every.rules == (Recurrence("monthly"),):
        month = _MONTH_SAID.match(text, at)
        dated = monthly(text, at if month is None else month.end(), 1)
    elif every.rules == (Recurrence("weekly"),):
        dated = _weekly(text, at, 1)
    else:
        return None
    named = dated is not None and any(rule.byday or rule.bymonthday or rule.bymonth for rule in dated.rules)
    return dated if named else None


def _read_every(text: str, at: int) -> Every | None:
    if text[at : at + 1] not in _BEGINNINGS:
        return None
    odd = _ODD_WEEKS.match(text, at)
    if odd is not None:
        return Every((), odd.end(), invalid=ODD_WEEKS)
    if text[at] in "周星礼一二两三四五六半":
        often = _ONCE_IN.match(text, at)
        return _bare_weekdays(text, at) if often is None else _once_in(text, at, often)
    excepted = _EXCEPT.match(text, at)
    if excepted is not None:
        return _except(text, excepted.end())
    daily = _DAILY.match(text, at)
    if daily is not None and text[at - 1 : at] != "一":
        return Every((Recurrence("daily"),), daily.end())
    workdays = _WORKDAYS.match(text, at)
    if workdays is not None:
        numbered = at and text[at - 1] in "0123456789一二两三四五六七八九十个下上后"
        if numbered and text[max(0, at - 2) : at] not in _FROM_NOW_ON:
            return None
        return Every((Recurrence("workday"),), workdays.end())
    weekends = _WEEKENDS.match(text, at)
    if weekends is not None:
        return Every((Recurrence("weekly", byday=("SA", "SU")),), weekends.end())
    lunar = _EVERY_LUNAR.match(text, at)
    if lunar is not None:
        return Every((), lunar.end(), invalid=LUNAR_MONTHLY)
    on_every = _ON_EVERY.match(text, at)
    if on_every is not None:
        return _weekly(text, on_every.end(), 1) or monthly(text, on_every.end(), 1)
    gap = _GAP.match(text, at)
    if gap is not None and not (gap["unit"] and at and text[at - 1] in "相间阻分"):
        return _spaced(
            text, gap.end(), gap["amount"] or "1", gap["each"], gap["unit"] or gap["unit2"], gap=True
        )
    found = _EVERY.match(text, at)
    return _every(text, found) if found is not None else None


def _once_in(text: str, at: int, found: re.Match[str]) -> Every | None:
    if at and text[at - 1] in "0123456789一二两三四五六七八九十几第每":
        return None
    every = _spaced(text, found.end(), found["amount"], "个", found["unit"], gap=False)
    return None if every is None else replace(every, end=found.end())


def _bare_weekdays(text: str, at: int) -> Every | None:
    """周一至周五, 周一三五 and 一三五 without 每: nothing else repeats without it."""
    if at and text[at - 1] in "上下这本个0123456789一二两三四五六七八九十几":
        return None
    alternate = _ALTERNATE.match(text, at)
    if alternate is not None:
        days = [WEEKDAY_NUMBERS[day] for day in alternate["days"]]
        each = _EACH_DAY.match(text, alternate.end())
        end = each.end() if each else alternate.end()
        return Every((Recurrence("weekly", byday=_codes(days)),), end)
    first = _FIRST_WEEKDAY.match(text, at)
    if first is None:
        return None
    to = _TO_WEEKDAY.match(text, first.end())
    if to is None or first["day"] != "一":
        return None
    last = WEEKDAY_NUMBERS[to["full"] or to["short"] or to["digit"]]
    if last < 4:
        return None  # 周一到周三: the next three days of that name
    each = _EACH_DAY.match(text, to.end())
    end = each.end() if each else to.end()
    return Every((Recurrence("weekly", byday=_codes(list(range(last + 1)))),), end)


def _codes(days: list[int]) -> tuple[str, ...]:
    return tuple(WEEKDAYS[day] for day in sorted(set(days)))


def _except(text: str, at: int) -> Every | None:
    """除了周三每天: the other days of the week."""
    without = _weekly(text, at, 1)
    rest = _THE_REST.match(text, without.end) if without is not None else None
    if without is None or rest is None:
        return None
    left = _other_weekdays(without, tuple(WEEKDAYS))
    return Every((Recurrence("weekly", byday=left),), rest.end()) if left else None


def _other_weekdays(without: Every, days: tuple[str, ...]) -> tuple[str, ...]:
    """Remaining ones of these weekdays; none without a weekday."""
    byday = without.rules[0].byday
    return tuple(code for code in days if code not in byday) if byday else ()


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
        return Every((Recurrence("daily"),), found.start("unit"), part_at=found.start("unit"))
    if unit in {"天", "日"}:
        return Every((Recurrence("daily"),), end)
    if unit == "工作日":
        return Every((Recurrence("workday"),), end)
    if unit == "周末":
        return Every((Recurrence("weekly", byday=("SA", "SU")),), end)
    if unit in {"周", "星期", "礼拜"}:
        monthday = _MONTHDAY.match(text, end)
        if monthday is not None:
            reason = f"一周里没有{monthday.group()}，是每月{monthday.group()}吗？"
            return Every((Recurrence("weekly"),), monthday.end(), invalid=reason)
        return _weekly(text, found.start("unit"), 1)
    if unit == "月":
        return monthly(text, end, 1)
    if unit == "年":
        return yearly(text, end)
    if unit == "季度":
        day = _IN_A_QUARTER.match(text, end)
        if day is not None:
            return Every((Recurrence("monthly", 3),), day.end(), invalid=QUARTERLY)
        return Every((Recurrence("monthly", 3),), end)
    freq = "hourly" if _MINUTES[unit] == 60 else "minutely"
    return Every((Recurrence(freq, 15 if unit == "刻钟" else 1),), end)


_MONTHDAY: Final = Pattern(f"的?{SMALL}号(?![楼线])")
"""每周15号: no week has one."""
_MINUTES: Final = {"小时": 60, "钟头": 60, "h": 60, "刻钟": 15, "分钟": 1, "min": 1}


def _spaced(
    text: str, end: int, amount: str, each: str | None, unit: str, *, gap: bool, half: str | None = None
) -> Every | None:
    """每两周, 每半小时, 每隔30分钟, 隔天. 隔天 and 每隔一天 leave one out, 每隔两天 is every second."""
    count = decimal(amount)
    if count is None or count <= 0 or count > 1000:
        return None
    if half:
        count += decimal("0.5") or 0
    if unit in _MINUTES:
        minutes = count * _MINUTES[unit]
        if minutes % 60 == 0 and _MINUTES[unit] == 60:
            return Every((Recurrence("hourly", int(minutes) // 60),), end)
        return Every((Recurrence("minutely", int(minutes)),), end) if minutes % 1 == 0 else None
    if unit == "月" and count % 1 and each:
        return Every((Recurrence("daily", 15),), end) if count < 1 else None
    if unit == "年" and count == decimal("0.5"):
        return Every((Recurrence("monthly", 6),), end)
    if count % 1:
        return None
    interval = 2 if gap and count == 1 else int(count)
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
        return monthly(text, end, interval)
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
    days, end = [WEEKDAY_NUMBERS[first["day"] or first["digit"]]], first.end()
    while True:
        to = _TO_WEEKDAY.match(text, end)
        if to is not None:
            last = WEEKDAY_NUMBERS[to["full"] or to["short"] or to["digit"]]
            days.extend(day % 7 for day in range(days[-1], last + (7 if last < days[-1] else 0) + 1))
            end = to.end()
            continue
        more = _NEXT_WEEKDAY.match(text, end)
        if more is None:
            break
        day = WEEKDAY_NUMBERS[more["full"] or more["linked"] or more["run"] or more["digit"]]
        if more["run"] and day <= days[-1]:
            break
        days.append(day)
        end = more.end()
    return Every((Recurrence("weekly", interval, byday=_codes(days)),), end)
