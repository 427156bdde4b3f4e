"""Own times of an order for a new item: day here, clock time there. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.money import Amount
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, dates, names_day
from ..word_lists import table

_SETTLED: Final = Pattern("(?:定|约|安排|放)(?:在|到|于)$")
_GOES: Final = Pattern(
    "(?:的时候)?(?:[^,， ]{0,3}(?:结束|散会|散场|解散|回来|回家|返程|返回|收工|离场|走)|之?前|以前)"
)
"""Clock time of an end or departure."""


_SMALL_HOURS: Final = 6
_NOON: Final = 12
_HALF_DAY: Final = 12 * 60
_LATE_THING: Final = Pattern(
    "睡|电影|下班|放学|宵夜|夜宵|酒|晚[饭餐会自]|聚餐|烧烤|火锅|ktv|唱[歌k]|k歌|夜跑|散步|遛|直播|开黑|游戏|蹦迪|夜"
)
_EARLY_THING: Final = Pattern(
    "起床|起来|早[饭餐操会读]|晨|打卡|上班|上课|上学|面试|开会|例会|评审|体检|抽血|挂号|门诊|升旗|报到|出发|赶[高飞火]"
    "|(?<!夜)跑步|吃药|喂药"
)
_OF_THE_MORNING: Final = Pattern(table("times.mornings"))
_SOON: Final = Pattern(table("timing.soon"))


def tells_half(clause: Clause) -> bool:
    """True if the activity implies the morning (周日9点跑步)."""
    text = clause.text.lower()
    return _EARLY_THING.search(text) is not None and _LATE_THING.search(text) is None


def on_said_day(clause: Clause) -> Clause:
    """Clause with a clock time on the day behind it (四点一刻开会 今天的), or today if soon (等下四点一刻): a
    past one is asked about, never moved to tomorrow."""
    clocks = [one for one in clause.times if _is_bare_clock(one)]
    if len(clocks) != 1:
        return clause
    clock, today = clocks[0], clause.situation.now.date()
    days = [one for one in clause.times if one is not clock]
    if len(days) == 1 and days[0].kind == "day" and days[0].span[0] >= clock.span[1]:
        day = days[0]
        if day.recurrence is not None or day.invalid is not None:
            return clause
        found = replace(clock, spans=(*clock.spans, *day.spans), date=day.date)
    elif not days and _SOON.search(clause.text) is not None and clock.date != today:
        found = replace(clock, date=today)
    else:
        return clause
    unclear = None if found.ambiguous == "which_day" else found.ambiguous
    return replace(clause, times=(replace(found, ambiguous=unclear),))


def _is_bare_clock(one: TimeExpression) -> bool:
    plain = one.kind in ("point", "range") and one.moment is None and one.recurrence is None
    return plain and one.start is not None and one.invalid is None and not names_day(one.text)


def sensible(clause: Clause) -> Clause:
    """The clause with clocks that may be of either half of the day read as people mean them.

    1 to 5 is the afternoon, 9 to 11 the morning, but the evening of what one does in the evening; 6 to 8 is
    left open unless the thing tells, and so is what is past on that reading. Of today the half to come.
    Where a part of its day is said as well (周日晚上打烊后 九点半), that tells: `chosen` fits it in.
    """
    if all(one.ambiguous != "am_pm" for one in clause.times):
        return clause
    parts = {
        each.date for each in clause.times if each.segment not in (None, "all_day") and each.start is None
    }
    return replace(
        clause, times=tuple(one if one.date in parts else _meant(one, clause) for one in clause.times)
    )


def guessed(clause: Clause) -> bool:
    """True if `sensible` changed a time: the reply then says how to undo it."""
    return sensible(clause) is not clause and sensible(clause).times != clause.times


def _meant(one: TimeExpression, clause: Clause) -> TimeExpression:
    if one.ambiguous != "am_pm" or one.start is None:
        return one
    hour, text, now = one.start.hour, clause.text.lower(), clause.situation.now
    waking = _waking_half(one)
    begins = None if waking is None else waking.begins_at(clause.situation.zone)
    if waking is not None and (one.recurrence is not None or (begins is not None and begins > now)):
        return waking
    late, early = _LATE_THING.search(text) is not None, _EARLY_THING.search(text) is not None
    afternoon = hour <= 5 or (late and not early and hour <= 11)
    if not afternoon and not (hour >= 9 or (early and not late)):
        return _still_to_come(one, now)
    if one.recurrence is None and one.date == now.date() and now.hour < _SMALL_HOURS:
        return one  # 三点, said at one in the morning: both are to come, and near
    if early and not late and _OF_THE_MORNING.search(text) is not None and one.recurrence is None:
        morning = in_half(one, late=False)
        if one.date == now.date() and not names_day(one.text) and one.start <= now.time():
            morning = replace(morning, date=now.date() + timedelta(days=1))  # 6:40 起床, said at ten
        begins = morning.begins_at(clause.situation.zone)
        return morning if begins is not None and begins > now else one
    options = [afternoon] if one.recurrence is not None else [afternoon, not afternoon]
    for choice in options:
        found = in_half(one, late=choice)
        begins = found.begins_at(clause.situation.zone)
        if one.recurrence is not None or (begins is not None and begins > now):
            today = found.date == now.date()
            return found if choice == afternoon or (today and hour >= 6) else one
    return one


def _still_to_come(one: TimeExpression, now: datetime) -> TimeExpression:
    """八点半, said at ten: the evening; of another day, or early enough, it is left open."""
    assert one.start is not None
    if one.recurrence is not None or one.date != now.date() or one.start >= now.time():
        return one
    late = in_half(one, late=True)
    return late if late.start is not None and late.start > now.time() else one


def in_half(one: TimeExpression, *, late: bool) -> TimeExpression:
    """The expression in one half of the day. Its end is the first of that clock behind the beginning: 七点到
    两点 is 07:00 to 14:00 or 19:00 to 02:00."""
    assert one.start is not None
    start = one.start.replace(hour=one.start.hour % 12 + (12 if late else 0))
    end = one.end
    if end is not None and end.hour <= _NOON:
        first, last = (each.hour % _NOON * 60 + each.minute for each in (start, end))
        after = (last - first) % _HALF_DAY or _HALF_DAY
        end = _moved_on(start, after)
    return replace(one, start=start, end=end, ambiguous=None)


def _moved_on(clock: time, minutes: int) -> time:
    return (datetime.combine(date(2000, 1, 1), clock) + timedelta(minutes=minutes)).time()


def _waking_half(one: TimeExpression) -> TimeExpression | None:
    """A stretch in the one half of the day in which it ends on the same day and begins when people are up
    (七点到两点, 两点到九点); None where both halves or none are like that."""
    if one.start is None or one.end is None or one.end.hour > _NOON:
        return None
    halves = (in_half(one, late=False), in_half(one, late=True))
    awake = [each for each in halves if each.start and each.end and each.start.hour >= _SMALL_HOURS]
    same_day = [each for each in awake if each.start and each.end and each.end > each.start]
    return same_day[0] if len(same_day) == 1 else None


def minutes_apart(new: time, kept: time) -> int:
    """Minutes between a new clock time and the stored one, plus six hours at night: 周会改四点 for ten
    o'clock is the afternoon."""
    first, second = (each.hour * 60 + each.minute for each in (new, kept))
    night = new.hour < _SMALL_HOURS <= kept.hour
    return abs(first - second) + (6 * 60 if night else 0)


def chosen(clause: Clause) -> tuple[list[TimeExpression], list[TimeExpression]]:
    """The times of something new, and all that tell them: a clock said behind its day counts
    (明晚看电影，七点四十的场), and what is settled before what was thought of (月底前聚一次，定在27号)."""
    # The first time with its companions: 周一周三下午三点 is two with one text.
    first = [each for each in clause.times if each.spans == clause.times[0].spans]
    lead = first[0]
    if len(first) > 1 or lead.start is not None or lead.invalid is not None:
        return first, first
    for each in clause.times[1:]:
        if each.start is None or each.moment is not None or each.invalid is not None:
            continue
        if each.kind == "deadline" or _GOES.match(clause.text, each.span[1]):
            continue
        if _UNTIL.search(clause.text[: each.span[0]]) is not None:
            continue
        if each.recurrence is None and _SETTLED.search(clause.text[: each.span[0]]):
            return [each], [lead, each]
        fitted = _fitted(each, lead)
        if fitted is not None:
            return [fitted], [lead, each]
    return first, first


def _fitted(clock: TimeExpression, day: TimeExpression) -> TimeExpression | None:
    """A clock as one of the day, or of the part of the day, said before it; None where it is none."""
    said = f"{day.text}{clock.text}"
    daily = clock.recurrence is not None and clock.recurrence.freq == "daily" and not clock.recurrence.byday
    if day.kind == "date_range" and daily:
        return replace(clock, text=said, date=day.date, end_date=day.end_date)  # 周一至周三培训 每天九点
    if day.recurrence is None and (clock.recurrence is not None or clock.date != day.date):
        return None
    if day.kind not in ("day", "segment", "recurring"):
        return None
    if clock.recurrence != day.recurrence and not (daily and day.recurrence is not None):
        return None
    start, end, ambiguous = clock.start, clock.end, clock.ambiguous
    if day.segment is not None and day.segment != "all_day":
        first, last = SEGMENT_BOUNDS[day.segment]
        first = time(11) if day.segment == "noon" else first
        late = _afternoon(start)
        if ambiguous == "am_pm" and late is not None and first <= late <= last:
            start, end = late, _afternoon(end)
        elif start is None or not first <= start <= last:
            return None
        ambiguous = None
    elif ambiguous == "which_day":
        ambiguous = None
    on = _first(day, clock.date)
    return replace(day, text=said, date=on, start=start, end=end, segment=None, ambiguous=ambiguous)


def _first(day: TimeExpression, not_before: date | None) -> date | None:
    """Its day; of what recurs the first from the clock's own first on, which may be past today."""
    if day.recurrence is None or day.date is None or not_before is None or not_before <= day.date:
        return day.date
    return next(iter(dates(day.recurrence, day.date, skip_to=not_before)), day.date)


def _afternoon(clock: time | None) -> time | None:
    if clock is None or clock.hour > 12:
        return clock
    return clock.replace(hour=(clock.hour + 12) % 24)


_UNTIL: Final = Pattern(
    f"(?:{table('lasting.doing')}|[会饭酒歌球班戏片营课])(?<![改约定推挪换移延调排放前等])到(?:了)?$"
)


def ends_at(clause: Clause, one: TimeExpression) -> bool:
    """True if the only clock time of a new item is its end: 周五喝酒到十二点, 打球打到九点."""
    if one.start is None or one.end is not None or one.recurrence is not None or one.kind != "point":
        return False
    return _UNTIL.search(clause.text[: one.spans[-1][0]]) is not None


_DAY_AND_CLOCK: Final = 2
_EVENING: Final = SEGMENT_BOUNDS["evening"][0]


def is_clock(amount: Amount, times: Sequence[TimeExpression]) -> bool:
    """True for a decimal number inside a clock time (7.30 篮球): no amount."""
    return "." in amount.text and any(
        start <= amount.start and amount.end <= end
        for one in times
        if one.start is not None
        for start, end in one.spans
    )


def lasts_days(clause: Clause) -> bool:
    """True for an activity over several days with both ends given (12月1号到5号出差); not 周末 or 下周, and
    not a single delivery (下周一到周五交作业)."""
    stretched = any(
        one.kind == "date_range" and one.recurrence is None and _TO_DAY.search(one.text) is not None
        for one in clause.times
    )
    return stretched and _GOES_ON.search(clause.text) is not None


_TO_DAY: Final = Pattern(r"到|至|-|~|—|–")
_GOES_ON: Final = Pattern(table("lasting.days", "roster.duty"))


def evening_until(clause: Clause) -> TimeExpression | None:
    """The evening up to the clock at which something ends (今晚加班到十点, 今天值班到晚上九点), from its
    beginning on; None where another part of the day is said, or when the thing begins."""
    whole = clause.times[0] if len(clause.times) == 1 else None
    if whole is not None and whole.start is not None and len(whole.spans) > 1 and names_day(whole.text):
        late = (
            whole.start if whole.ambiguous is None else None
        )  # 今天加班到晚上十点 is one time in two places
        if late is None or late <= _EVENING or not ends_at(clause, whole):
            return None
        return replace(whole, kind="range", start=_EVENING, end=late)
    if len(clause.times) != _DAY_AND_CLOCK:
        return None
    day, clock = clause.times
    if day.start is not None or day.date is None or day.recurrence is not None or day.invalid is not None:
        return None
    if day.segment not in ("evening", "all_day", None) or not ends_at(clause, clock):
        return None
    late = _afternoon(clock.start) if clock.ambiguous == "am_pm" else clock.start
    said = day.segment == "evening" or clock.ambiguous is None
    if late is None or not said or late <= _EVENING or clock.date not in (None, day.date):
        return None
    return replace(
        day,
        kind="range",
        text=f"{day.text}{clock.text}",
        spans=(*day.spans, *clock.spans),
        start=_EVENING,
        end=late,
        segment=None,
        ambiguous=None,
    )


def begins_alone(times: Sequence[TimeExpression], at: int) -> bool:
    """True for a single begin without an end, before place `at` of the text."""
    return len(times) == 1 and times[0].start is not None and times[0].end is None and times[0].span[1] <= at


def ending(begins: TimeExpression, minutes: int) -> TimeExpression:
    """Time with an end, `minutes` after its begin."""
    assert begins.start is not None
    return replace(begins, end=_moved_on(begins.start, minutes))
