"""`read_phrase`: how days, parts of a day, clocks, ranges, lists and recurrences stand together in a text.

It puts the pieces together; what they mean is decided in `resolve`.
"""

from __future__ import annotations

from typing import Final

from ....patterns import Pattern
from .clocks.clock import SpokenClock
from .clocks.span import TO, Span, read_times
from .days.day import Day, Today, step
from .days.days import read_day
from .days.lists import read_days, read_last_day
from .nextword import unless_next
from .nottime import PREMISE
from .offsets import read_offset
from .phrase import Phrase
from .recurrences.recurring import dated_every, read_every, read_exception
from .recurrences.yearly import Every

_PREFIX: Final = Pattern(
    "(?:截止(?:时间|日期|日)?|截至|(?:最晚|最迟)?不(?:得|能|要)?(?:超过|晚于|迟于)|最晚|最迟|赶在|务必在|限在?|[dD][dD][lL]|[dD]eadline)"
    "(?:在|到|于|至|是|为)?[: ]{0,2}"
)
# 最晚周五晚上: until that evening is over.
_LATEST: Final = Pattern("最晚|最迟")
_FROM_WORDS: Final = frozenset("从自打由")
# What the words behind a time begin with; anything else ends the phrase at once.
_TAIL: Final = frozenset(" ,(的之以前内过后起开左右截为止下放收睡天除不到至-~–—〜→直一从")
_FROM: Final = Pattern("(?:从|自从?|打从|由) ?")
_BOUND_FROM: Final = Pattern(",? ?从")
_UNTIL: Final = Pattern(",? ?(?:一直|直)?(?:到|至)")
_CLOSE: Final = Pattern("(?:为止|结束|止)")
_START: Final = Pattern(
    " ?(?:开始|起(?![床来飞跑草诉点个到火步义不得]))(?:,|，)? ?|(?:之后|以后|往后|后)(?=,?(?:每|天天))"
)
_BEFORE: Final = Pattern(
    " ?(?:\\(含\\))?的?(?:下班|放学|收工|睡觉?|天黑)?(?:之前|以前"
    f"|前(?!{unless_next('台面天往任端辈锋途夫妻男女几年半后排门者进线厅景言期车卫夕瞻所沿')}|{PREMISE}|[0-9一二三四五六七八九十两]{{1,3}}[天个周]))"
    "(?:之内)?| ?(?:截止|为止|截至|止(?![痛血步损咳住于汗]))"
)
_WITHIN: Final = Pattern("(?:之内|以内|内(?!" + unless_next("容部存心地向衣卷测涵科外幕鬼") + "))")
_AFTER: Final = Pattern(
    " ?(?:之后|以后|过后|后(?!" + unless_next("悔面果台排续代天年备勤门卫来半端期厨街") + "))"
)
_AROUND: Final = Pattern("(?:前后|左右)")
_THIS_TIME: Final = Pattern("的?(?:(?:这个?|同一个?|此)(?:时候|时间|点(?![儿点])|钟点|时刻)|此时|这会儿?)")
_THING_OVER: Final = Pattern(
    "的?(?:[上下]班|[上放下]学|[上下]课|收工|开工|吃饭|睡觉?|出门|关门|打烊)"
    "(?:之前|以前|前|后|时|的?时候)[, ]?(?=[0-9一二两三四五六七八九十早上中下晚])"
)
"""Event between a day and its clock time, before or after it."""
_WHOLE: Final = Pattern("的?(?:一整天|整天|全天(?!候)|一天(?!到晚|天)|整日)")


_THAT_DAY: Final = Pattern("的?[那这当]一?天(?=[不别莫先就也都没停照要得还有])")
"""周三那天不用喊: repeated day."""


def read_phrase(text: str, at: int, today: Today) -> Phrase | None:
    """The phrase that begins at `at`, or `None`."""
    prefix = _PREFIX.match(text, at) if text[at] in "截最不赶务限dD" else None
    begin = prefix.end() if prefix else at
    come_from = _FROM.match(text, begin) if text[begin : begin + 1] in _FROM_WORDS else None
    begin = come_from.end() if come_from else begin
    if begin >= len(text):
        return None
    phrase = Phrase([(at, at)])
    offset = read_offset(text, begin, today)
    if offset is not None:
        phrase.offset, end = offset
        if phrase.offset.kind == "day" and phrase.offset.day is not None:
            day = phrase.offset.day
            end = _read_clocks(text, end, today, phrase)
            if phrase.times or phrase.whole:
                phrase.days, phrase.offset = [day], None
        phrase.spans = [(at, end)]
        return phrase
    end = read_days(text, begin, today, phrase)
    if end == begin and (every := read_every(text, begin)) is not None:
        phrase.every, end = every, every.part_at or every.end
    end = _read_anchor(text, begin, end, phrase)
    end = _read_clocks(text, end, today, phrase)
    if end == begin or (not phrase.days and phrase.every is None and _lasts(text, begin, phrase)):
        return None
    if phrase.only_time:
        end = _read_day_behind(text, end, today, phrase)
    end = _read_tail(text, end, today, phrase)
    if prefix is not None:
        latest = phrase.times and _LATEST.match(prefix.group()) is not None
        phrase.limit = phrase.limit or ("within" if latest else "before")
    if phrase.only_day and phrase.every is None and (that := _THAT_DAY.match(text, end)) is not None:
        end = that.end()
    if phrase.after and not phrase.times:
        return None  # 国庆后, 周五以后: no day is named
    phrase.spans = [(at, end)]
    return phrase


def _read_clocks(text: str, at: int, today: Today, phrase: Phrase) -> int:
    day_said = bool(phrase.days or phrase.every or phrase.offset)
    whole = _WHOLE.match(text, at) if day_said else None
    if whole is not None:
        phrase.whole = True
        return whole.end()
    now = _THIS_TIME.match(text, at) if day_said else None
    if now is not None:
        phrase.same_time = "同" in now.group()
        phrase.times = [Span(clock=SpokenClock(today.minutes // 60, today.minutes % 60, sure=True))]
        return now.end()
    phrase.times, end = read_times(text, at, day_said=day_said, parts_run=phrase.every is not None)
    over = _THING_OVER.match(text, at) if day_said and not phrase.times else None
    if over is not None:  # 每天下班前五点五十
        times, after = read_times(text, over.end(), day_said=True)
        if times and times[0].clock is not None:
            phrase.times, end = times, after
    return end


def _lasts(text: str, at: int, phrase: Phrase) -> bool:
    """一下午, 整个晚上, 一个上午: how long something took, not when."""
    return phrase.times[0].clock is None and text[at - 1 : at] in {"一", "个", "半", "整", "几", "两", "三"}


def _read_day_behind(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """早上8点每天, 下午三点明天: the day may follow its clock at once; where it ends, `at` without one."""
    begin = at + text.startswith(" ", at)
    if begin >= len(text):
        return at
    every = read_every(text, begin)
    if every is not None:
        if every.part_at is not None:
            return at
        phrase.every = every
        return every.end
    found = read_day(text, begin, today)
    if found is None or found[0].end is not None or read_times(text, found[1], day_said=True)[0]:
        return at  # 三点明天五点: the second clock has that day
    phrase.days = [found[0]]
    return found[1]


def _read_anchor(text: str, at_day: int, at: int, phrase: Phrase) -> int:
    """5月6日每年; in 从3号开始每天, 12月1号到5号每天 the days are where the recurrence begins and ends."""
    if not phrase.days:
        return at
    started = _START.match(text, at)
    end = started.end() if started else at
    begin = end + text.startswith(("的", " ", ","), end)
    every = read_every(text, begin) if begin < len(text) and text[begin] in "每天隔工逢周" else None
    if every is None:
        return _bare_end(text, end) if started and not started.group().endswith("后") else at
    dated = dated_every(text, at_day, every) if started is None else None
    if dated is not None and dated.end <= at:
        phrase.days, phrase.last_day = [], None
        phrase.every = Every(dated.rules, every.end, dated.invalid)
        return every.end
    first = phrase.days[0]
    if started is None and phrase.last_day is None and text[at_day - 1 : at_day] in {"到", "至"}:
        phrase.days, phrase.until, phrase.every = [], first, every  # 直到周五每天晚上9点
        return every.part_at or every.end
    phrase.anchor = first
    phrase.until = phrase.last_day or (Day(first.end) if first.end is not None and not started else None)
    phrase.days, phrase.last_day, phrase.every = [], None, every
    return every.part_at or every.end


def _bare_end(text: str, end: int) -> int:
    """`end` without the comma and blank before it."""
    return len(text[:end].rstrip(" ,"))


def _read_tail(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """Trailing part of a phrase: 到后天十点, 开始, 前, 内, 以后, …到月底; its end."""
    end = at
    if text[at : at + 1] not in _TAIL:
        return end
    if phrase.every is not None:
        end = _read_bounds(text, end, today, phrase)
    elif phrase.times and len(phrase.days) == 1 and phrase.last_day is None:
        end = _read_other_end(text, end, today, phrase)
    started = _START.match(text, end)
    if started is not None and not started.group().endswith("后") and phrase.every is None:
        end = _bare_end(text, started.end())
    around = _AROUND.match(text, end)
    if around is not None:
        return around.end()
    within = _WITHIN.match(text, end)
    if within is not None:
        phrase.limit = "within"
        return within.end()
    ranged = phrase.last_day is not None or (phrase.times and phrase.times[-1].ranged)
    closed = _CLOSE.match(text, end) if ranged else None
    if closed is not None:
        return closed.end()
    before = _BEFORE.match(text, end)
    if before is not None:
        phrase.limit = "before"
        return before.end()
    after = _AFTER.match(text, end)
    if after is not None:
        phrase.after = True
        return after.end()
    return end


def _read_other_end(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """明天下午三点到后天上午十点: the end names a day of its own."""
    to = TO.match(text, at)
    last = read_last_day(text, to.end(), today, phrase.days[0]) if to else None
    if last is None:
        return at
    ends, end = read_times(text, last[1], day_said=True)
    phrase.last_day, phrase.own_end = last[0], True
    if (
        ends
        and not phrase.times[-1].ranged
        and (phrase.times[-1].clock is not None or _is_night(phrase, ends))
    ):
        phrase.times[-1].ranged = True
        phrase.times[-1].period2, phrase.times[-1].clock2 = ends[0].period, ends[0].clock
    return end


def _is_night(phrase: Phrase, ends: list[Span]) -> bool:
    """今晚到明早: two parts of the day, but one night."""
    first, last = phrase.times[-1].period, ends[0].period
    if first is None or last is None or ends[0].clock is not None or phrase.last_day is None:
        return False
    one = phrase.days[0].start is not None and phrase.last_day.start == step(phrase.days[0].start, 1)
    return one and first.segment == "evening" and last.segment in {"early_morning", "morning"}


def _read_bounds(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """每天早上8点，从下周一开始, …除了周日 and …到月底为止."""
    end = at
    without = read_exception(text, end, phrase.every) if phrase.every is not None else None
    if without is not None:
        phrase.every, end = without, without.end
    begin = _BOUND_FROM.match(text, end)
    if begin is not None and begin.end() < len(text):
        found = read_day(text, begin.end(), today)
        started = _START.match(text, found[1]) if found else None
        if found is not None and started is not None:
            phrase.anchor, end = found[0], _bare_end(text, started.end())
    until = _UNTIL.match(text, end)
    if until is not None and until.end() < len(text) and phrase.until is None:
        found = read_day(text, until.end(), today)
        if found is not None:
            close = _CLOSE.match(text, found[1])
            phrase.until, end = found[0], close.end() if close else found[1]
    return end
