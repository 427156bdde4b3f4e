"""`parse`: all times of a text, phrase by phrase, each in the context of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from ....patterns import Pattern
from ...text.fold import Folded, fold
from .clocks.span import JOIN, Span
from .days.day import Today, step
from .days.festivals import end_of_festive_name
from .days.periods import WEEK
from .expression import WEEKDAYS, Recurrence, TimeExpression
from .lessons import with_lesson_clocks
from .numbers import SMALL
from .phrase import Phrase
from .reading import read_phrase
from .recurrences.bounds import bounds_it, counted
from .recurrences.recurring import dated_every, leaves_out
from .recurrences.yearly import Every
from .resolve import Near, TimeReading, resolve
from .spacing import closed_up
from .spoken import plain, with_dotted_clocks

MAX_LENGTH: Final = 4000
YEARS: Final = range(1900, 9900)
"""Characters of a text that are read; what is behind them is ignored."""
MAX_EXPRESSIONS: Final = 64
"""Expressions found in one text at most."""

# Every character a phrase can begin with; all else is passed over without a second look.
_OPENER: Final = Pattern(
    "[0-9零〇一二两三四五六七八九十廿俩仨半大前昨今明后上下这本当周星礼双单每逢隔天日工年月去过再等最近未接截不赶务限从自打由早晨晚夜凌清拂黎"
    "次翌除中正午晌傍黄深入三差农阴旧夏老闰冬腊初元西情妇女植愚世劳国护儿教程万光平圣跨母父感复黑除春龙端七鬼盂重小立惊谷芒处白第法青读dD秋寒霜雨建]"
)
_SENTENCE_END: Final = Pattern("[。!?;…]")
_PUNCTUATION: Final = Pattern("[,。;!?、:…]")
_MOVED: Final = Pattern("(?:改|换|挪|调|移|推迟|推|延|延后|延迟|提前|提早|变)(?:到|成|为|至)了?$")
# 早上九点爬山 八点二十集合: one gathers shortly before or after, whichever clock is nearer.
_GATHERING: Final = Pattern("(?:集合|碰头|签到|检录|候场|入场)(?:的?时间)?[是为:： ]*$")
_GATHERS: Final = Pattern("(?:就|先|在[^,，。 ]{1,8})?(?:集合|碰头|签到|检录|候场|入场)")
_NAME: Final = Pattern("《[^《》]*》")
# 等一下周三, 忙了一下午, 再加上周四; but 参加上周四的会.
_NO_OPENER: Final = Pattern("(?:一[上下]|(?<![参增追添更])加上)$")
_EXCEPT: Final = Pattern("(?:(?<![删清移去解免])除了?|除去|不含|不包括|除开)$")
_EXCLUDES: Final = Pattern(
    "(?:的?时候|[那这当]一?[次天周场回])?(?:就|都)?(?:除外|不算|不用|不提醒|不要|休息|停|放假|跳过|不叫|不[去开办搞上来])"
    "(?:了|提醒|叫|我|一次)*"
)
"""每天八点打卡，周末除外: after the excluded days."""
_CLOSES_EXCEPTION: Final = Pattern("(?:以外|之外|外)?(?=[吧哈啊呀]?(?:[,。!~;]|$))")
_NO_HOLIDAYS: Final = Pattern(
    "[, ]*(?:除了?|除去)?(?:法定)?(?:节假日|假期|节日|假日)"
    "(?:以外|之外|外|除外|不算|不用|休息|不提醒|不叫)(?:了|我|提醒)*"
)
_ONLY_ORDER: Final = Pattern("[, ]*(?:记得|请|要|帮我|麻烦|都要?)?")
_MORE_EXACTLY: Final = Pattern("[, ]*+(?:吧|呢|啊|哈|呗|嘛|的话|大概|差不多|就|要不|在)*+[, ]*")
"""Between a part of a day and its clock: 周四晚上吧 八点."""
_SAME_HALF: Final = Pattern("[, ]*+(?:是|就)?[, ]*")
_OF_IT: Final = Pattern("的(?![^,。!?; 话吧啊哈])")
_LONGEST_NOUN: Final = 8
_LONGEST_THING: Final = 20
_CALLS: Final = Pattern(
    "[, ]*(?:都|各|也|要|请|记得)*(?:提醒|叫|喊|通知)(?:一下)?(?:我们?|大家|咱们?)(?:在|,)?"
)
_BEFORE_AGAIN: Final = Pattern("[, ](?:请|记得|要|以后|帮我|麻烦|到时候?)*$")
_EACH_TIME: Final = Pattern(
    "(?:的?(?:这|那|当)一?天|到?时候)?(?:都|也|要|得|会|请|给我|帮我|记得)*(?:提醒|叫|喊|通知|记|过|办|重复|一次|交|还|付|来一|$|[,。!~])"
)
_LONGEST_GAP: Final = 14
_SHORT: Final = 500
"""Most characters of a cached text."""


def parse(text: str, now: datetime, zone: ZoneInfo) -> list[TimeExpression]:
    """The time expressions of a text, in order, as contracts.md (`times`) wants them.

    `now` is any moment that knows its zone (one without is taken as wall time of `zone`); everything is
    counted in wall time of `zone`, and neither the machine's clock nor its zone is ever asked. Reads the
    first `MAX_LENGTH` characters. Never raises, whatever the text; a `now` outside `YEARS`, where no calendar
    reaches, finds nothing.
    """
    if now.year not in YEARS:
        return []
    local = now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)
    local = local.replace(microsecond=0)
    return list(_remembered(text, local) if len(text) <= _SHORT else _found(text, local))


@lru_cache(maxsize=512)
def _remembered(text: str, local: datetime) -> tuple[TimeExpression, ...]:
    """Cached: a line is parsed when heard, when served, and for every open question."""
    return tuple(_found(text, local))


def _found(text: str, local: datetime) -> list[TimeExpression]:
    folded = with_lesson_clocks(plain(closed_up(fold(text[:MAX_LENGTH]))))
    folded = with_dotted_clocks(folded, local.date())
    today = Today(local)
    found: list[TimeExpression] = []
    context: date | None = None
    near: Near | None = None
    last_end = 0
    spoken: list[Span] = []
    for phrase in _merged(folded.text, _phrases(folded.text, today), today):
        gap = folded.text[last_end : phrase.start]
        if _SENTENCE_END.search(gap):
            context = near = None
        if near is not None and phrase.only_time:
            gathers = _GATHERING.search(gap) or _GATHERS.match(folded.text, phrase.end)
            near = replace(near, moved=gathers is not None or _MOVED.search(gap) is not None)
        if phrase.same_time and spoken:
            phrase.times = spoken  # 今天下午两点到四点，明天同一时间
        spoken = phrase.times or spoken
        readings = resolve(phrase, today, context, near)
        found.extend(_expression(folded, text, phrase, reading) for reading in readings)
        context = _context(phrase, readings, today, context)
        near = _near(readings) if context is not None or phrase.only_time else None
        last_end = phrase.end
    return found[:MAX_EXPRESSIONS]


def _phrases(text: str, today: Today) -> list[Phrase]:
    found: list[Phrase] = []
    at, length = 0, len(text)
    named = [found.span() for found in _NAME.finditer(text)] if "《" in text else []
    while at < length and len(found) < MAX_EXPRESSIONS:
        opener = _OPENER.search(text, at)
        if opener is None:
            break
        at = opener.start()
        if text[at] in "上下" and _NO_OPENER.search(text, max(0, at - 2), at + 1):
            at += 1
            continue
        if (today.since or today.week or today.said) and _SENTENCE_END.search(text, found[-1].end, at):
            today = replace(today, week=None, since=None, said=None)
        if named and (behind := next((end for start, end in named if start < at < end), None)):
            at = behind  # 《后天》 is a film
            continue
        phrase = read_phrase(text, at, _in_line(text, at, found, today))
        if phrase is None or phrase.end <= at:
            at = _skip(text, at)
            continue
        at = phrase.end
        excluded = _EXCLUDES.match(text, at)
        if excluded is not None and found and leaves_out(found[-1], phrase, excluded.end()):
            at = excluded.end()
            continue
        but = _EXCEPT.search(text, max(0, phrase.start - 3), phrase.start)
        if but is not None or text.startswith("除外", at):
            closing = _CLOSES_EXCEPTION.match(text, at)
            if but is not None and found and closing and leaves_out(found[-1], phrase, closing.end()):
                found[-1].spans[-1] = (but.start(), closing.end())  # 工作日八点打卡 除了周三
            continue  # 除了周三, 周三除外: no time of anything
        found.append(phrase)
        spoken = _week(phrase), _since(text, phrase, today), _said(phrase, today)
        if spoken != (today.week, today.since, today.said):
            today = replace(today, week=spoken[0], since=spoken[1], said=spoken[2])
    _leave_out_holidays(text, found)
    return _without_festive_names(text, found)


def _without_festive_names(text: str, found: list[Phrase]) -> list[Phrase]:
    """Without festivals that are words of a name: 元旦晚会12月30号, 圣诞派对挪到23号. They are such where a
    noun stands right behind them and another day is said."""
    festive = [each for each in found if _is_festive_name(text, each)]
    dated = any(each.days and each not in festive for each in found)
    return [each for each in found if each not in festive] if festive and dated else found


def _is_festive_name(text: str, phrase: Phrase) -> bool:
    if phrase.times or phrase.every is not None or len(phrase.days) != 1:
        return False
    return end_of_festive_name(text, phrase.start) == phrase.end


def _leave_out_holidays(text: str, found: Sequence[Phrase]) -> None:
    """工作日九点打卡，节假日除外: of working days it says nothing more."""
    workdays = [
        each for each in found if each.every is not None and each.every.rules == (Recurrence("workday"),)
    ]
    for said in _NO_HOLIDAYS.finditer(text) if workdays else ():
        before = [each for each in workdays if each.end <= said.start()]
        if before:
            before[-1].spans.append(said.span())


_MONTH_DAY: Final = Pattern(f"{SMALL}月{SMALL}[号日]")
_NUMERAL_RUN: Final = Pattern("[0-9]+|[零〇一二两三四五六七八九十廿百]+")


def _skip(text: str, at: int) -> int:
    """Skip unreadable text: a number as a whole, so that 12345点 is not read from its middle."""
    run = _NUMERAL_RUN.match(text, at)
    return run.end() if run else at + 1


def _week(phrase: Phrase) -> date | None:
    """The Monday of the week a phrase speaks of, for a bare weekday behind it."""
    if len(phrase.days) == 1 and phrase.days[0].unit == "week":
        return phrase.days[0].start
    return None


_BARE_WEEKDAY: Final = Pattern(f"{WEEK}[一二三四五六日天末](?!福)")
_CALLS_AHEAD: Final = Pattern(
    f"{WEEK}[一二三四五六日天末][^,。!?;]{{0,8}}?(?:提醒|[叫喊催]一?[下声]?[我大]|通知|提前|先)"
)
"""下周三考试，周五提醒我: a reminder may precede the event, in any week."""
_OTHERWISE: Final = Pattern("提醒|[叫喊催]|不是|不对|提[前早到]|还是|或者?|要么")
_WEEKS_AHEAD: Final = 21


def _in_line(text: str, at: int, found: Sequence[Phrase], today: Today) -> Today:
    """`today` for what begins at `at`: days in one line do not run backwards, so a bare weekday behind a day
    of a week to come is of that week (下周三例会，周五聚餐)."""
    last = next((each for each in reversed(found) if not each.only_time), None)
    if today.week is not None or last is None or _BARE_WEEKDAY.match(text, at) is None:
        return today
    gap = text[last.end : at]
    if _SENTENCE_END.search(gap) or _OTHERWISE.search(gap) or _CALLS_AHEAD.match(text, at):
        return today
    day = last.last_day or (last.days[-1] if last.days else None)
    said = None if day is None else day.end or day.start
    if day is None or said is None or last.limit is not None or day.unit in _LONG:
        return today
    if day.unit == "weekday" and JOIN.fullmatch(gap):
        return today  # 周一上午和周三下午: each its own next one
    monday = step(said, -said.weekday())
    ahead = (monday - today.monday).days
    return replace(today, week=monday) if 0 < ahead <= _WEEKS_AHEAD else today


_LONG: Final = frozenset({"month", "year", "span"})


def _said(phrase: Phrase, today: Today) -> date | None:
    """The single day a phrase names last, for 次日 behind it; a clock alone leaves the one before."""
    if phrase.only_time:
        return today.said
    last = phrase.last_day or (phrase.days[-1] if phrase.days else None)
    return None if last is None else last.end or last.start


def _since(text: str, phrase: Phrase, today: Today) -> date | None:
    """A date that a phrase names, for a bare day of the month behind it: one to come in another month, or
    one whose month was said (10月1日到7日放假，8号上班: in October, though past)."""
    last = phrase.last_day or (phrase.days[-1] if phrase.days else None)
    said = None if last is None else last.end or last.start
    if said is None or (
        (said.year, said.month) <= (today.date.year, today.date.month)
        and (said >= today.date or _MONTH_DAY.search(text, phrase.start, phrase.end) is None)
    ):
        return today.since if last is None else None
    return said


def _merged(text: str, phrases: list[Phrase], today: Today) -> list[Phrase]:
    """Phrases that say one time in two places (明天我们下午三点见) made one."""
    merged: list[Phrase] = []
    for phrase in phrases:
        before = merged[-1] if merged else None
        if before is None:
            merged.append(phrase)
        elif _ticks_within(text, before, phrase):
            before.spans.extend(phrase.spans)
            before.every = phrase.every
        elif bounds_it(text, before, phrase):
            continue
        elif (dated := _dates_it(text, before, phrase)) is not None:
            before.spans.extend(phrase.spans)
            before.every, before.days, before.times = dated, [], phrase.times or before.times
        elif _belongs(text, before, phrase, today):
            before.spans.extend(phrase.spans)
            before.times, before.limit = phrase.times, phrase.limit
            before.days = phrase.days or before.days
        elif (told := _told_apart(text, before, phrase)) is not None:
            before.spans.extend(phrase.spans)
            before.times = [told]
        elif _is_said_after(text, before, phrase):
            before.spans.extend(phrase.spans)
            before.days = phrase.days
        else:
            _repeat_too(text, before, phrase)
            merged.append(phrase)
    counted(text, merged)
    return merged


def _told_apart(text: str, before: Phrase, phrase: Phrase) -> Span | None:
    """周四晚上吧 八点; 八点 晚上的: a clock and its part of the day, said one behind the other."""
    if not phrase.only_time or before.limit is not None or phrase.limit is not None:
        return None
    if len(before.times) != 1 or len(phrase.times) != 1:
        return None
    first, then, gap = before.times[0], phrase.times[0], text[before.end : phrase.start]
    if first.ranged or then.ranged:
        return None
    if first.clock is None and then.period is None and _MORE_EXACTLY.fullmatch(gap):
        return replace(first, clock=then.clock)
    behind = _OF_IT.match(text, phrase.end) is not None
    if first.period is None and then.clock is None and behind and _SAME_HALF.fullmatch(gap):
        return replace(first, period=then.period)
    return None


def _is_said_after(text: str, before: Phrase, phrase: Phrase) -> bool:
    """早8点的会，明天: a day at the end, alone behind its comma, belongs to the clock before it."""
    gap, rest = text[before.end : phrase.start], text[phrase.end :]
    one_day = phrase.only_day and len(phrase.days) == 1 and phrase.days[0].end is None
    last = not rest or _SENTENCE_END.match(rest) is not None
    alone = gap.endswith(",") and _PUNCTUATION.search(gap[:-1]) is None
    return (
        before.only_time and one_day and phrase.limit is None and last and alone and len(gap) <= _LONGEST_GAP
    )


def _repeat_too(text: str, before: Phrase, phrase: Phrase) -> None:
    """每周三早上和周五晚上, 每天早上8点吃药，晚上10点睡觉: the second repeats as the first does."""
    gap = text[before.end : phrase.start]
    if before.every is None or not before.every.rules or not before.times or len(gap) > _LONGEST_GAP:
        return
    rule = before.every.rules[0]
    if _SENTENCE_END.search(gap) or rule.within_a_day or before.limit or phrase.limit:
        return
    if phrase.only_time:
        phrase.every = before.every
        return
    weekdays = [day.start for day in phrase.days if day.unit == "weekday" and day.start is not None]
    if rule.freq == "weekly" and weekdays and len(weekdays) == len(phrase.days) and phrase.last_day is None:
        numbers = sorted({day.weekday() for day in weekdays})
        byday = tuple(WEEKDAYS[number] for number in numbers)
        phrase.every, phrase.days = Every((replace(rule, byday=byday),), phrase.end), []


def _dates_it(text: str, before: Phrase, phrase: Phrase) -> Every | None:
    """每年生日5月6日, 每周例会周三下午三点, 农历三月初八，每年: a recurrence and its day apart."""
    if before.limit or phrase.limit or before.last_day or phrase.last_day or before.anchor or phrase.anchor:
        return None
    gap = text[before.end : phrase.start]
    if before.every is not None and not before.times and len(phrase.days) == 1 and phrase.every is None:
        if len(gap) > _LONGEST_NOUN or _PUNCTUATION.search(gap):
            return None
        return dated_every(text, phrase.start, before.every)
    if phrase.every is not None and len(before.days) == 1 and before.every is None and not phrase.times:
        apart = _ONLY_ORDER.fullmatch(gap) is not None or _says_again(text, gap, phrase)
        return dated_every(text, before.start, phrase.every) if apart else None
    return None


def _says_again(text: str, gap: str, phrase: Phrase) -> bool:
    """11月25号是我妈生日，每年提醒我一次: how often stands behind what it is, with the order."""
    return (
        len(gap) <= _LONGEST_THING
        and _SENTENCE_END.search(gap) is None
        and _BEFORE_AGAIN.search(gap) is not None
        and _EACH_TIME.match(text, phrase.end) is not None
    )


def _ticks_within(text: str, before: Phrase, phrase: Phrase) -> bool:
    """每天9点到18点每小时: every hour within the hours of every day."""
    daily = before.every is not None and before.every.rules == (Recurrence("daily"),)
    ticking = phrase.every is not None and not phrase.times and not phrase.days
    if not daily or not ticking or phrase.every is None or not phrase.every.rules:
        return False
    near = text[before.end : phrase.start] in {"", " ", ",", "的"}
    return near and phrase.every.rules[0].within_a_day


def _belongs(text: str, before: Phrase, phrase: Phrase, today: Today) -> bool:
    gap = text[before.end : phrase.start]
    if len(gap) > _LONGEST_GAP or before.limit is not None:
        return False
    if _week(before) is not None and not before.times:
        return (
            phrase.every is None
            and len(phrase.days) == 1
            and phrase.days[0].unit == "weekday"
            and not _PUNCTUATION.search(gap)
            and not _MOVED.search(gap)
        )
    if not before.only_day or not phrase.only_time:
        return False
    if len(before.days) > 1 and _CALLS.fullmatch(gap) is None:
        return False
    if _MOVED.search(gap):
        return False  # 明天的会改到四点: the day of what is, the clock of what it will be
    if before.days and (
        before.days[0].end is not None or before.days[0].start is None or before.days[0].start < today.date
    ):
        return False
    if _PUNCTUATION.search(gap) is None:
        return True
    if gap.startswith(",") and _PUNCTUATION.search(gap, 1) is None:
        return True  # 明天，提醒我三点开会
    rest = text[phrase.end : phrase.end + 1]
    alone = gap.endswith(",") and (not rest or _PUNCTUATION.match(rest) is not None)
    return alone and _SENTENCE_END.search(gap) is None


def _context(phrase: Phrase, readings: list[TimeReading], today: Today, context: date | None) -> date | None:
    """The date a later clock without one belongs to."""
    if phrase.offset is not None or phrase.every is not None or phrase.limit is not None:
        return None
    if not phrase.days:
        return context
    last = readings[-1]
    if last.date is None or last.date < today.date or last.kind == "date_range":
        return None
    return last.date


def _near(readings: list[TimeReading]) -> Near | None:
    """The clock that a later one without a part of the day leans on."""
    last = readings[-1]
    clock = last.end or last.start
    if clock is None or last.ambiguous is not None or last.invalid is not None or last.end_date is not None:
        return None
    return Near(clock.hour * 60 + clock.minute)


def _expression(folded: Folded, text: str, phrase: Phrase, reading: TimeReading) -> TimeExpression:
    spans = tuple(folded.span(start, end) for start, end in phrase.spans)
    return TimeExpression(
        text=text[spans[0][0] : spans[-1][1]],
        kind=reading.kind,
        spans=spans,
        date=reading.date,
        start=reading.start,
        end=reading.end,
        end_date=reading.end_date,
        segment=reading.segment,
        recurrence=reading.recurrence,
        ambiguous=reading.ambiguous,
        invalid=reading.invalid,
        each_lasts=reading.each_lasts,
        moment=reading.moment,
    )
