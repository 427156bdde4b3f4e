"""One time phrase: how days, parts of a day, clocks, ranges, lists and recurrences stand together in a text.

`read_phrase` puts the pieces together and counts nothing; what they mean is decided in `resolve`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from .clock import Clock, Period, read_clock, read_elliptic, read_period
from .day import Day, Today, next_monthday, next_weekday, step
from .days import read_day
from .nottime import is_not_a_day, is_numbered_thing
from .numbers import SMALL, integer
from .offsets import Offset, read_offset
from .periods import WEEK, WEEKDAY_NUMBERS
from .recurring import OTHER_WORD, Every, read_every

Limit = Literal["before", "within"]

_PREFIX: Final = re.compile(
    "(?:截止到|截止至|截至|截止|最晚|最迟|不晚于|不迟于|赶在|务必在|限在?)(?:在|到|于)? ?"
)
_FROM: Final = re.compile("(?:从|自从?|打从|由) ?")
_START: Final = re.compile(
    " ?(?:开始|起(?![床来飞跑草诉点个到火步义]))(?:,|，)? ?|(?:之后|以后|往后|后)(?=,?(?:每|天天))"
)
_TO: Final = re.compile(" ?(?:一直到|直到|直至|一直至|到|至(?!少|今|于)|-{1,2}|~|–|—{1,2}|〜|→) ?(?:了)?")
_JOIN: Final = re.compile(" ?(?:、|和|跟|与|及|以及|或者?|还是|还有) ?")
_GLUE: Final = re.compile(" ?(?:的|那天|当天|这天|当日)?,? ?(?:大概|大约|约|差不多|可能|是|在|于|就)? ?")
_BEFORE: Final = re.compile(
    " ?(?:的)?(?:下班|放学|收工|睡觉?|天黑)?(?:之前|以前|前(?![台面天往任端辈锋途夫妻男女几年半后排门者进线厅景提言期车卫夕瞻所沿]|[0-9一二三四五六七八九十两]+[天个]))"
    "(?:之内)?| ?(?:截止|为止|截至|止(?![痛血步损咳住于汗]))"
)
_WITHIN: Final = re.compile("(?:之内|以内|内(?![容部存心地向衣卷测涵科外幕鬼]))")
_AFTER: Final = re.compile(" ?(?:之后|以后|过后|后(?![悔面果台排续代天年备勤门卫来半]))")
_AROUND: Final = re.compile("(?:前后|左右)")
_WHOLE: Final = re.compile("的?(?:一整天|整天|全天(?!候)|一天(?!到晚|天)|整日)")
_NEXT_DAY: Final = re.compile("(?:次日|第二天|翌日|隔天|转天)(?:的)?")
_ELLIPTIC_DAYS: Final = re.compile(
    f"(?:(?P<month>{SMALL})月)?(?P<first>{SMALL}) ?(?:到|至|-|~|–|—) ?(?P<last>{SMALL})(?P<unit>[号日])(?!码)"
)
_ELLIPTIC_LIST: Final = re.compile(f"(?P<first>{SMALL})[、和](?P<last>{SMALL})(?P<unit>[号日])(?!码)")
_WEEKDAY_END: Final = re.compile(
    f"(?:{WEEK})?(?P<day>[一二三四五六日天])(?![点时月号个次天人小分楼年百刻:0-9一二三四五六七八九十])"
)
_RUN: Final = re.compile(f"(?P<day>[一二三四五六日])(?!{OTHER_WORD})")


@dataclass(slots=True)
class Span:
    """A clock time or part of a day, or a range of them. `next_day`: the end was said of the next day."""

    period: Period | None = None
    clock: Clock | None = None
    ranged: bool = False
    period2: Period | None = None
    clock2: Clock | None = None
    next_day: bool = False


@dataclass(slots=True)
class Phrase:
    """The pieces of one time phrase. `spans` are the places in the normalised text it was read from."""

    spans: list[tuple[int, int]]
    days: list[Day] = field(default_factory=list[Day])
    last_day: Day | None = None
    times: list[Span] = field(default_factory=list[Span])
    every: Every | None = None
    offset: Offset | None = None
    limit: Limit | None = None
    after: bool = False
    whole: bool = False
    anchor: Day | None = None
    until: Day | None = None
    times_on_both: bool = False

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.spans[-1][1]

    @property
    def only_day(self) -> bool:
        """A date or recurrence that waits for a clock."""
        return bool(self.days or self.every) and not self.times and self.last_day is None and not self.whole

    @property
    def only_time(self) -> bool:
        """Clocks or parts of a day without a date."""
        return bool(self.times) and not self.days and self.every is None and self.offset is None


def read_phrase(text: str, at: int, today: Today, week: date | None = None) -> Phrase | None:
    """The phrase that begins at `at`, or `None`. `week`: the Monday of a week spoken of just before."""
    prefix = _PREFIX.match(text, at)
    begin = prefix.end() if prefix else at
    come_from = _FROM.match(text, begin)
    if come_from is not None:
        begin = come_from.end()
    if begin >= len(text):
        return None
    offset = read_offset(text, begin, today)
    phrase = Phrase([(at, at)])
    if offset is not None:
        phrase.offset, end = offset
        if phrase.offset.kind == "day" and phrase.offset.day is not None:
            end = _read_times(text, end, phrase, day_said=True)
            if phrase.times:
                phrase.days, phrase.offset = [phrase.offset.day], None
        phrase.spans = [(at, end)]
        return phrase
    end = _read_days(text, begin, today, week, phrase)
    if end == begin and (came := read_every(text, begin, today)) is not None:
        phrase.every, end = came, came.period_at if came.period_at is not None else came.end
    end = _read_from(text, end, today, phrase)
    end = _read_times(text, end, phrase, day_said=bool(phrase.days or phrase.every))
    if end == begin:
        return None
    if phrase.every is None and phrase.times and not phrase.days:
        # 早上8点每天, 下午三点明天
        gap = 1 if text.startswith(" ", end) else 0
        follow = _following(text, end + gap, today, phrase, week)
        end = follow if follow is not None else end
    end = _read_tail(text, end, today, phrase)
    if prefix is not None:
        phrase.limit = phrase.limit or "before"
    if phrase.after and not phrase.times:
        return None  # 国庆后, 周五以后: no day is named
    phrase.spans = [(at, end)]
    return phrase


def _following(text: str, at: int, today: Today, phrase: Phrase, week: date | None) -> int | None:
    if at >= len(text):
        return None
    every = read_every(text, at, today)
    if every is not None and every.period_at is None:
        phrase.every = every
        return every.end
    found = read_day(text, at, today, None, week) if every is None else None
    if found is None or found[0].end is not None:
        return None
    if _read_times(text, found[1], Phrase([(at, at)]), day_said=True) != found[1]:
        return None  # 三点明天五点: the clock belongs to what follows
    phrase.days = [found[0]]
    return found[1]


def _read_days(text: str, at: int, today: Today, week: date | None, phrase: Phrase) -> int:
    """Days, lists and ranges of days from `at`; where they end."""
    elliptic = _read_elliptic_days(text, at, today)
    if elliptic is not None:
        phrase.days, end = elliptic
        return end
    every = read_every(text, at, today) if text[at] in "周星礼一二" else None
    if every is not None:
        phrase.every = every
        return every.end
    found = read_day(text, at, today, None, week)
    if found is None:
        return at
    day, end = found
    phrase.days.append(day)
    end = _restated(text, end, today, phrase)
    end = _more_days(text, end, today, week, phrase)
    if len(phrase.days) > 1:
        return end
    to = _TO.match(text, end)
    if to is None:
        return end
    last = _last_day(text, to.end(), today, day, week)
    if last is None:
        return end
    phrase.last_day = last[0]
    return last[1]


def _restated(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """下周三(11月25日): the same day in other words; another day refuses both."""
    day = phrase.days[0]
    gap = re.compile(" ?[(,]? ?").match(text, at)
    begin = gap.end() if gap else at
    if day.start is None or day.end is not None or begin >= len(text) or not text[begin].isdigit():
        return at
    if "," in text[at:begin]:
        return at
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


def _more_days(text: str, at: int, today: Today, week: date | None, phrase: Phrase) -> int:
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
            phrase.days.append(
                Day(
                    step(last.start, WEEKDAY_NUMBERS[run["day"]] - last.start.weekday()),
                    unit=last.unit,
                    ambiguous=last.ambiguous,
                )
            )
            end = run.end()
            continue
        join = _JOIN.match(text, end)
        begin = join.end() if join else end + (1 if text.startswith((" ", ","), end) else 0)
        if begin >= len(text):
            return end
        found = read_day(text, begin, today, last.start, week)
        if found is None or found[0].end is not None or found[0].start is None:
            return end
        if join is None and (
            found[0].unit != last.unit and {found[0].unit, last.unit} - {"today", "tomorrow", "day"}
        ):
            return end
        if (
            join is None
            and begin > end
            and _read_times(text, found[1], Phrase([(0, 0)]), day_said=True) != found[1]
        ):
            return end  # 明天，后天下午三点: two sayings
        phrase.days.append(found[0])
        end = found[1]
    return end


def _weekly_unit(text: str, end: int) -> bool:
    return re.search(f"{WEEK}[一二三四五六日]+$", text[max(0, end - 8) : end]) is not None


def _last_day(text: str, at: int, today: Today, first: Day, week: date | None) -> tuple[Day, int] | None:
    if first.start is None or at >= len(text):
        return None
    found = read_day(text, at, today, first.start, week)
    if found is not None:
        day, end = found
        if day.start is not None and day.start < first.start and day.unit in {"weekday", "monthday", "day"}:
            return Day(None, invalid="结束的日子在开始之前"), end
        return day, end
    weekday = _WEEKDAY_END.match(text, at)
    before = re.search(f"{WEEK}[一二三四五六日天]$", text[max(0, at - 8) : at].rstrip("到至-~–— 直一"))
    if weekday is not None and before is not None:
        return next_weekday(today, WEEKDAY_NUMBERS[weekday["day"]], first.start), weekday.end()
    return None


def _read_elliptic_days(text: str, at: int, today: Today) -> tuple[list[Day], int] | None:
    """3-5号, 11月3到5日, 3、5号: the first number leaves its 号 to the last."""
    found = _ELLIPTIC_DAYS.match(text, at)
    listed = None if found else _ELLIPTIC_LIST.match(text, at)
    match = found or listed
    if match is None or (at and text[at - 1] in "0123456789.:-/第一二三四五六七八九十"):
        return None
    first, last = integer(match["first"]), integer(match["last"])
    if first is None or last is None or not 1 <= first <= 31 or not 1 <= last <= 31:
        return None
    if is_numbered_thing(text, at, match.end()) or (
        match["unit"] == "日" and is_not_a_day(text, match.end())
    ):
        return None
    month = found["month"] if found is not None else None
    begin = next_monthday(today, first, None)
    if month is not None:
        read = read_day(f"{month}月{first}号", 0, today)
        if read is None:
            return None
        begin = read[0]
    if begin.start is None:
        return [begin], match.end()
    end = next_monthday(today, last, begin.start)
    if listed is not None:
        return [Day(begin.start, unit="monthday"), end], match.end()
    return [Day(begin.start, end.start, unit="span")], match.end()


def _read_from(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """从3号开始每天, 下周每天, 12月1号到5号每天: the days are where the recurrence begins and ends."""
    if not phrase.days:
        return at
    started = _START.match(text, at)
    end = started.end() if started else at
    begin = end + (1 if text.startswith(("的", " ", ","), end) else 0)
    every = read_every(text, begin, today) if begin < len(text) and text[begin] in "每天日隔工逢周" else None
    if every is None:
        return len(text[:end].rstrip(" ,，")) if started and not started.group().endswith("后") else at
    first = phrase.days[0]
    phrase.anchor = first
    phrase.until = phrase.last_day or (Day(first.end) if first.end is not None else None)
    phrase.days, phrase.last_day, phrase.every = [], None, every
    return every.period_at if every.period_at is not None else every.end


def _read_times(text: str, at: int, phrase: Phrase, *, day_said: bool) -> int:
    """Clocks and parts of a day from `at`, ranges and lists of them; where they end."""
    end = at
    if day_said:
        whole = _WHOLE.match(text, at)
        if whole is not None:
            phrase.whole = True
            return whole.end()
        glue = _GLUE.match(text, at)
        at = glue.end() if glue else at
    while len(phrase.times) < 8:
        found = _read_span(text, at, day_said=day_said or bool(phrase.times))
        if found is None:
            return end
        span, end = found
        phrase.times.append(span)
        join = _JOIN.match(text, end)
        if join is not None:
            at = join.end()
        elif (
            phrase.every is not None
            and span.period is not None
            and span.clock is None
            and len(span.period.word) == 1
        ):
            at = end  # 每天早晚
        else:
            return end
    return end


def _read_span(text: str, at: int, *, day_said: bool) -> tuple[Span, int] | None:
    first = _read_side(text, at, day_said=day_said)
    if first is None:
        return None
    span, end = first
    to = _TO.match(text, end)
    if to is None:
        return span, end
    begin = to.end()
    next_day = _NEXT_DAY.match(text, begin)
    if next_day is not None:
        begin = next_day.end()
    if begin >= len(text):
        return span, end
    second = _read_side(text, begin, day_said=True)
    if second is None or (span.clock is None) and second[0].clock is None and second[0].period is None:
        return span, end
    span.ranged, span.next_day = True, next_day is not None
    span.period2, span.clock2 = second[0].period, second[0].clock
    return span, second[1]


def _read_side(text: str, at: int, *, day_said: bool) -> tuple[Span, int] | None:
    if at >= len(text):
        return None
    period = read_period(text, at, day_said)
    end = period[1] if period else at
    said = period[0] if period else None
    begin = end
    if period is not None:
        glue = _GLUE.match(text, end)
        begin = glue.end() if glue and "," not in glue.group() else end
    elliptic = read_elliptic(text, begin)
    clock = elliptic or read_clock(text, begin, supported=day_said or period is not None)
    if clock is not None:
        return Span(said, clock[0]), clock[1]
    return (Span(said), end) if period is not None else None


def _read_tail(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """What stands behind: 前, 内, 以后, 起, …到月底; where the phrase ends."""
    end = at
    if phrase.every is not None:
        end = _read_bounds(text, end, today, phrase)
    if phrase.times and phrase.days and (to := _TO.match(text, end)) is not None and phrase.last_day is None:
        last = _last_day(text, to.end(), today, phrase.days[0], None)
        if last is not None:
            side = _read_times(text, last[1], (rest := Phrase([(0, 0)])), day_said=True)
            phrase.last_day, phrase.times_on_both, end = last[0], True, side
            if rest.times and phrase.times[-1].clock is not None:
                phrase.times[-1].ranged = True
                phrase.times[-1].period2, phrase.times[-1].clock2 = rest.times[0].period, rest.times[0].clock
    started = _START.match(text, end)
    if started is not None and not started.group().endswith("后") and not phrase.every:
        end = len(text[: started.end()].rstrip(" ,，"))
    around = _AROUND.match(text, end)
    if around is not None:
        return around.end()
    within = _WITHIN.match(text, end)
    if within is not None:
        phrase.limit = "within"
        return within.end()
    before = _BEFORE.match(text, end)
    if before is not None:
        phrase.limit = "before"
        return before.end()
    after = _AFTER.match(text, end)
    if after is not None:
        phrase.after = True
        return after.end()
    return end


def _read_bounds(text: str, at: int, today: Today, phrase: Phrase) -> int:
    """每天早上8点，从下周一开始 and …到月底为止."""
    end = at
    begin = re.compile(",? ?从").match(text, end)
    if begin is not None and begin.end() < len(text):
        found = read_day(text, begin.end(), today)
        started = _START.match(text, found[1]) if found else None
        if found is not None and started is not None:
            phrase.anchor, end = found[0], len(text[: started.end()].rstrip(" ,，"))
    until = re.compile(",? ?(?:一直|直)?(?:到|至)").match(text, end)
    if until is not None and until.end() < len(text) and phrase.until is None:
        found = read_day(text, until.end(), today)
        if found is not None:
            close = re.compile("(?:为止|结束|止)").match(text, found[1])
            phrase.until, end = found[0], close.end() if close else found[1]
    return end
