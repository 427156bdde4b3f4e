"""Reading of an answer to an open question: time, yes or no, number, name. Pure.

A line counts only if all of it is an answer (pitfall 43): 明天五点我要去机场 gives no end of the shopping.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final, Literal, cast

from ...language import Act, Answer, Question, answer, is_name, limit
from ...language.clause import Clause
from ...language.clauses.features import without_times
from ...language.match import AnswerMatch
from ...language.names.names import asks_for_a_list, tells_availability, tells_of_state
from ...language.names.naming import extract_title
from ...language.recognise.numerals import NUMERAL, parse_decimal
from ...language.recognise.times import TimeExpression, names_day
from ...language.timing.day_half import half_of_day
from ...language.timing.moved_end import end_moved
from ...language.timing.other_time import names_another_time
from ...language.timing.own_times import sensible
from ...language.timing.pointed_time import place_by_time
from ...language.timing.reminder_leads import ahead_in
from ...language.timing.series import stretches, times_listed
from ...language.timing.stored_length import kept_length
from ...language.timing.unchanged_parts import without_kept
from ...patterns import Pattern
from ...storage.records import FrameRecord
from ..api.builtin_codes import ACTS
from ..api.questions import BEGINS, answered_with_more
from .frames import CLOCK, DAYS, PART, POINTED, UNSURE
from .planning.assignees import reads_whom
from .planning.new_task import best, expressed, title_of
from .planning.policy import AskKind, after_start, asked_kind, lasting, with_end
from .planning.several import MORE, difference
from .planning.task_time import Wish, end_behind, on, pm, raw_slots, segment_of

_CONNECTING: Final = Pattern(
    r"^(?:那就|那|就|还是|大概|差不多|应该|到|至|延到|延至|延期到|推迟到|延后到|提前到|改期到|改在|改到|改成|改为|换到|换成|推到|挪到|放到|放在|结束|是|在|我?要?|提醒我?|叫我?|开始|吧|,|，|。"
    r"|\.|!|！|的?时候|好的?|嗯|可以|行|不|对)++|"
    r"(?:结束|为止|吧|提醒我?|叫我?|好了|就行|就好|可以|开始|,|，|。|!|！|~)+$"
)
_DURATION: Final = Pattern(
    rf"^(?:大概|差不多|需要|要|约|就)?(?:(?P<half>半个?)(?:小时|钟头)|(?P<number>\d+(?:\.\d+)?"
    rf"|{NUMERAL})个?(?P<more>半)?(?P<unit>小时|钟头|分钟|刻钟))(?:左右|吧|后|之后|以后|就够了?|结束)*$"
)
_NO_REMINDER: Final = Pattern("(?:不用|不要|不必|无需|别)提醒(?:了|我)?")
_CHAT: Final = Pattern(
    r"[?？]|吗|哈|呵|嘿|啥|什么|怎么|谁|^(?:嗯+|哦+|好的?|谢谢.*|在吗|你好|是|对|ok)$", re.I
)
LONGEST_ANSWER: Final = 60
_Start = Literal["start"]
"""Kind of an answer with a new begin, which nobody asked for."""


_CALL_ME: Final = Pattern(
    "(?:到点|到时候?|那时候?)?(?:记得|就)?(?:提醒|叫|喊|通知)(?:一下|一声|下)?我(?:一下|一声)?(?:就行|就好|就可以|即可|吧|哈|啊|呗)*"
)
"""Answer to "when does it end?": a reminder at the start is enough"""
_MOVES: Final = Pattern("(?:还是)?[改换挪]")
_LATER: Final = Pattern("再说|再看|再弄|等[等会下]|一会儿?|待会")


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of the clause with the question of the frame; None: no answer to it."""
    kind = asked_kind(frame.slots)
    if kind is None or len(clause.text) > LONGEST_ANSWER:
        return None
    clause = without_kept(clause)  # 改到周六同一时间: the known clock stays
    line = clause.text.strip(" ,，。.!！~")
    said = answer(line, _question(frame, kind))
    if kind == "choose":
        return _chosen(frame, clause, said)
    if said.kind == "cancel":
        return AnswerMatch("cancel")
    if kind == "free":
        return _free(clause, line, said)
    if kind == "whom":
        person = reads_whom(frame.slots, clause)
        if person is not None and clause.times:
            person = replace(person, weak=True)  # 明天提醒@小丽 带身份证: a separate order
        return person or (AnswerMatch("cancel") if said.refuses else _corrected(frame, clause))
    if kind == "meant" and frame.slots.get("_intent") == "complete_task" and _LATER.search(line):
        return AnswerMatch("deny")  # 5分钟后再说
    timed = _time_answer(kind, frame, clause, line, said)
    timed = timed or _time_and_more(kind, frame, clause, said)
    if timed is not None:
        return timed
    if kind == "title":
        return _named(clause, line, said) or _corrected(frame, clause)
    if kind == "delete" and said.kind == "other" and not said.half:
        return _what_goes(frame, clause, line)
    if kind in _YES_OR_NO:
        return _yes_or_no(said, grave=_deletes(frame, kind))
    return AnswerMatch("cancel") if said.refuses else None


def _deletes(frame: FrameRecord, kind: AskKind) -> bool:
    return kind == "delete" or str(frame.slots.get("_intent") or frame.intent) == "delete_task"


def _what_goes(frame: FrameRecord, clause: Clause, line: str) -> AnswerMatch | None:
    """Answer to 要删除…吗: a bare name (neither yes nor no), a choice of several (不是都删 就删后面那个), or
    an occurrence of a recurring task (就明天这一次)."""
    names = [str(each) for each in frame.slots.get("_titles") or ()]
    if len(names) > 1:  # a choice among the tasks asked about
        some = answer(line, Question("delete", len(names), tuple(names)))
        if some.kind == "pick" and len(some.values) == len(names):
            return AnswerMatch("confirm", grave=True)  # 嗯两个都删
        if some.kind in ("pick", "name") and len(some.values) < len(names):
            return AnswerMatch("fills", {"_picked": [place + 1 for place in some.values]})
    bare = _AROUND_NAME.sub("", line)
    if len(bare) > 1 and any(bare in name for name in names):
        return AnswerMatch("fills", {UNSURE: True})
    clocks = [time.span for time in clause.times]
    found = limit(clause.text, clocks, _shorter(names))
    if found is None:
        return None
    days = stretches(clause.times[-1:]) if found.point or not found.whole else stretches(clause.times)
    told: dict[str, Any] = {POINTED: found.point}
    if days:
        told[DAYS] = [[first.isoformat(), last.isoformat()] for first, last in days]
    meant = clause.times[-1] if clause.times else None  # 不是10点 是8点那个
    if meant is not None and meant.start is not None:
        told[CLOCK] = [f"{meant.start:%H:%M}", meant.ambiguous == "am_pm"]
    return AnswerMatch("fills", told)


_AROUND_NAME: Final = Pattern("^(?:是|就|那|把|那个|这个)+|(?:那个|这个|的|吧|啊|呀|哦)+$")


def _shorter(names: Sequence[str]) -> list[str]:
    """The names and all their suffixes: 还花呗 is called 花呗."""
    return [name[at:] for name in names for at in range(len(name) - 1)]


_YES_OR_NO: Final[frozenset[AskKind]] = frozenset(
    {"delete", "series", "meant", "conflict", "duplicate", "past", "evening", "which_day"}
)
_VALUES: Final[frozenset[AskKind]] = frozenset({"end", "am_pm", "invalid", "remind", "what"})


def expects(frame: FrameRecord) -> int | None:
    """Number of listed tasks of which one is to be chosen; 0 where a yes or no is expected; None for another
    answer."""
    kind = asked_kind(frame.slots)
    if kind == "choose":
        return len(frame.slots.get("_ids") or ())
    return 0 if kind in _YES_OR_NO or kind == "delete" else None


def _question(frame: FrameRecord, kind: AskKind) -> Question:
    """Question of the frame, for the answer reader."""
    intent = "delete_task" if kind == "delete" else str(frame.slots.get("_intent") or frame.intent)
    act = cast("Act", ACTS["tasks"].get(intent, "do"))
    titles = tuple(str(one) for one in frame.slots.get("_titles") or ())
    options = len(frame.slots.get("_ids") or ()) if kind == "choose" else 0
    said = f"{frame.text}{frame.question or ''}"
    return Question(act, options, titles if options else (), said, about=_about(frame), value=kind in _VALUES)


def _about(frame: FrameRecord) -> tuple[str, ...]:
    """Titles of the task the frame asks about."""
    kept = tuple(str(one) for one in frame.slots.get("_titles") or ())
    made = str(frame.slots.get("title") or "")
    return kept or ((made,) if made else ())


def _yes_or_no(said: Answer, *, grave: bool) -> AnswerMatch | None:
    if said.half:
        return AnswerMatch("fills", {UNSURE: True})
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=grave)
    return AnswerMatch("deny") if said.kind == "no" else None


def _free(clause: Clause, line: str, said: Answer) -> AnswerMatch | None:
    """Answer to a model's free question: a short addressed line, or a time, a yes or a no."""
    if said.refuses:
        return AnswerMatch("cancel")
    plain = said.kind == "yes" or (bool(clause.times) and _only_time(clause))
    told = clause.situation.addressed and not _CHAT.search(line) and len(line) <= _SHORT
    return AnswerMatch("fills", {"_said": line}) if plain or told else None


_SHORT: Final = 30


def _chosen(frame: FrameRecord, clause: Clause, said: Answer) -> AnswerMatch | None:
    """Choice from the list: number, name or all. Part of a name selects, but never deletes without a
    question."""
    places = (0,) if said.kind == "yes" else said.values  # with one candidate a yes is enough
    if said.kind in ("yes", "pick", "name") and not (said.kind == "name" and not said.exact and clause.times):
        picked: dict[str, Any] = {"_picked": [place + 1 for place in places]}
        told = picked if said.exact else {**picked, PART: True}
        return AnswerMatch("fills", told, grave=said.kind == "yes" and _deletes(frame, "choose"))
    if said.refuses:
        return AnswerMatch("cancel" if said.kind == "cancel" else "deny")
    place = place_by_time(clause, frame.slots.get(BEGINS))
    if place is not None:
        return AnswerMatch("fills", {"_picked": [place + 1], PART: True})
    titles = [str(one) for one in frame.slots.get("_titles") or ()]
    found = limit(clause.text, (), _shorter(titles), dated=False) if said.kind == "other" else None
    if found is not None and found.point in ("first", "last") and titles:
        return AnswerMatch("fills", {"_picked": [1 if found.point == "first" else len(titles)], PART: True})
    return None


def _named(clause: Clause, line: str, said: Answer) -> AnswerMatch | None:
    if said.kind != "other":
        return AnswerMatch("cancel") if said.refuses else None
    found = title_of(clause)
    if (
        not found
        or len(found) > 30
        or tells_of_state(clause.text)
        or asks_for_a_list(clause.text)
        or _CHAT.search(line)
        or not is_name(found)
    ):
        return None  # 明儿的晨会别开了 names no task
    books = bool(clause.amounts)  # 午饭花了25 may be an order to the books
    if clause.times:
        wish = expressed(best(clause.times), clause)
        told = {"title": found, "_time": wish.as_json(), **raw_slots(wish)}
        return AnswerMatch("fills", told, weak=books)
    return AnswerMatch("fills", {"title": found}, weak=books)


def _time_answer(
    kind: AskKind | _Start, frame: FrameRecord, clause: Clause, line: str, answered: Answer
) -> AnswerMatch | None:
    stored: Mapping[str, Any] = frame.slots.get("_time") or {}
    wish = Wish.from_json(stored, clause.situation.zone)
    if kind == "am_pm" and wish.start is not None:
        half = half_of_day(line, _about(frame))
        if half == 0:
            return _fills(on(wish, ambiguous=None), "fills")
        if half == 1:
            start = pm(wish.start)
            late = end_behind(start, wish.end) if wish.end is not None and wish.end.hour <= 12 else wish.end
            begun = on(wish, start=start, ambiguous=None)
            return _fills(with_end(begun, late) if late is not None else begun, "fills")
    if kind == "end" and wish.start is not None:
        minutes = _duration(line)
        if minutes is not None:
            return _fills(lasting(wish, minutes), "fills")
        ahead = ahead_in(clause.text, clause.times)
        if _CALL_ME.fullmatch(line) or (ahead is not None and ahead.called and not clause.times):
            return _fills(on(wish, reminded=True, lead=ahead.minutes if ahead is not None else None), "fills")
        if answered.kind == "leave":
            return _fills(on(wish, start=None, end=None, segment=segment_of(wish.start)), "fills")
    if kind == "remind" and (answered.kind == "leave" or _NO_REMINDER.fullmatch(line)):
        return _fills(on(wish, reminded=False, lead=None, segment=wish.segment), "fills")
    if not clause.times or kind in ("title", "delete", "choose") or (kind == "meant" and not stored):
        return None
    if kind != "end" and (ended := _ended(wish, clause)) is not None:
        return _fills(ended, "fills")  # 改成到九点, 打到九点
    if not _only_time(clause, _about(frame)):
        return None
    if names_another_time(clause, wish.date, wish.start, wish.segment, repeats=wish.recurrence is not None):
        return None
    if kind in _OF_THE_DAY and any(time.moment is not None for time in clause.times):
        return None  # 再等五分钟叫我, to 是早上还是晚上
    clause = clause if kind in ("am_pm", "end") else _as_meant(clause, wish, _about(frame))
    said = expressed(best(clause.times), clause)
    if "延" in line and wish.date is not None and wish.end_date is not None and said.date is not None:
        return _fills(on(wish, end_date=_behind(said.date, wish.date)), "corrects")  # 出差延到周四
    if kind == "end" and _MOVES.match(line):
        kind = "start"  # 改七点: a new start, no end
    first, relation = _merged(kind, wish, said, best(clause.times))
    found = _fills(first, relation)
    further = [one for one in times_listed(clause) if one is not best(clause.times)]
    others = [_merged(kind, wish, expressed(one, clause), one)[0] for one in further]
    more = [difference(first, other) for other in others]
    return replace(found, slots={**found.slots, MORE: more}) if more else found


def _corrected(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Time correction (改成八点) during the question of assignee or title; the question stays open."""
    if not (clause.situation.addressed and clause.times and _only_time(clause, _about(frame))):
        return None
    wish = Wish.from_json(frame.slots.get("_time") or {}, clause.situation.zone)
    return _fills(renewed("start", wish, clause, _about(frame)), "corrects")


def renewed(kind: AskKind | _Start, wish: Wish, clause: Clause, names: Sequence[str] = ()) -> Wish:
    """Wish updated with the time of the clause; `kind`: kind of the question. Day and half of the day stay if
    not named."""
    clause = clause if kind in ("am_pm", "end") else _as_meant(clause, wish, names)
    found = best(clause.times)
    return _merged(kind, wish, expressed(found, clause), found)[0]


def _as_meant(clause: Clause, wish: Wish, names: Sequence[str]) -> Clause:
    """Clause with am or pm resolved from title, day and clock together: 五点半, of today at noon, is to
    come."""
    about = f"{''.join(names)} "
    times = tuple(
        one.moved(len(about))
        if wish.date is None or names_day(one.text) or one.recurrence is not None
        else replace(one.moved(len(about)), date=wish.date)
        for one in clause.times
    )
    read = sensible(replace(clause, text=f"{about}{clause.text}", times=times)).times
    halves = zip(clause.times, read, strict=True)
    return replace(
        clause,
        times=tuple(
            replace(one, start=new.start, end=new.end, ambiguous=new.ambiguous)
            if one.ambiguous == "am_pm" and new.ambiguous is None
            else one
            for one, new in halves
        ),
    )


def _time_and_more(kind: AskKind, frame: FrameRecord, clause: Clause, answered: Answer) -> AnswerMatch | None:
    """Time with a note: 明早九点 带上笔."""
    more = answered_with_more(frame, clause) if kind in _TIMED else None
    if more is None:
        return None
    value = more.value
    found = _time_answer(kind, frame, value, value.text, answered)
    if found is None:
        return None
    beside = (f"地点{more.place}" if more.place else "", *more.comes, *more.notes)
    told = "，".join(one for one in beside if one)
    return replace(found, slots={**found.slots, "description": told} if told else found.slots, whole=True)


_TIMED: Final = frozenset({"start", "remind", "past", "am_pm", "which_day", "evening", "invalid"})
"""Kinds of questions about the time of a task"""


def _ended(wish: Wish, clause: Clause) -> Wish | None:
    """Wish with a new end time (start known); None if the clock is a start."""
    told = kept_length(clause)
    if wish.start is None or wish.ambiguous is not None or (told is not None and told.head):
        return None
    moved, closes = (clause, "surely") if told is not None and told.closes else end_moved(clause)
    if not closes or not moved.times or (told is not None and told.clock is None):
        return None
    said = expressed(best(moved.times), moved)
    if said.start is None or said.end is not None:
        return None
    end = after_start(wish.start, said.start)
    later = wish.end is not None and end > wish.end
    if end <= wish.start or not (closes == "surely" or later):
        return None
    return on(with_end(wish, end), reminded=wish.reminded or wish.end is None)  # a bare clock sets a reminder


_OF_THE_DAY: Final = frozenset({"am_pm", "evening", "which_day"})
"""Kinds of questions about half of the day or day; a relative time answers none of them"""


def _only_time(clause: Clause, names: Sequence[str] = ()) -> bool:
    """True if the line has only a time, apart from names of the task."""
    if tells_availability(without_times(clause.text, clause.times)):
        return False  # 周日我可以 answers a planner, not us
    rest = extract_title(clause.text, clause.times)
    for name in names:
        run = max((rest[:n] for n in range(2, len(rest) + 1) if rest[:n] in name), key=len, default="")
        rest = rest.removeprefix(run)
    before = None
    while rest != before:
        before = rest
        rest = _CONNECTING.sub("", rest).strip()
    return rest == ""


def _merged(
    kind: AskKind | _Start, wish: Wish, said: Wish, found: TimeExpression
) -> tuple[Wish, Literal["fills", "corrects"]]:
    """Old wish merged with the new time: an end, or a new time; the day stays if not named."""
    day_said = names_day(found.text)
    if kind == "end" and wish.start is not None and said.start is not None and said.end is None:
        if day_said and said.date is not None and wish.date is not None and said.date < wish.date:
            return on(wish, end=said.start, end_date=said.date), "fills"
        end = after_start(wish.start, said.start) if said.ambiguous == "am_pm" else said.start
        other_day = day_said and wish.date is not None and said.date not in (None, wish.date)
        crossing = other_day and wish.date is not None and said.date == wish.date + timedelta(days=1)
        if not other_day or (crossing and end < wish.start):
            return with_end(wish, end, said.date if crossing else None), "fills"
        # A clock on a later day is a new start, not an end.
    if said.recurrence is not None:
        new = said
    elif said.start is None and said.segment is None and said.end is None and said.remind_at is None:
        # Day only: the previous clock stays.
        keeps = wish.invalid is None
        new = on(said, start=wish.start, end=wish.end, segment=wish.segment) if keeps else said
        if keeps and wish.end_date is not None and wish.date is not None and said.date is not None:
            new = on(new, end_date=said.date + (wish.end_date - wish.date))
    elif not day_said:
        kept = wish.date if wish.date is not None else None
        new = on(said, date=kept, end_date=None, next_day=False) if kept is not None else said
        if new.ambiguous == "which_day" and kept is not None and said.date is not None and kept >= said.date:
            new = on(new, ambiguous=None)  # 早上七点, of the day that is known
        if new.end is not None and kept is not None:
            new = with_end(new, new.end)
    else:
        new = said
    if new.ambiguous == "am_pm" and wish.start is not None and new.start is not None and kind != "am_pm":
        late = wish.start.hour >= 12
        start = pm(new.start) if late else new.start
        end = end_behind(start, new.end) if late and new.end is not None and new.end.hour <= 12 else new.end
        new = on(new, start=start, end=end, ambiguous=None)
    new = on(new, reminded=wish.reminded, recurrence=new.recurrence or wish.recurrence)
    return new, "fills" if kind in ("end", "am_pm", "remind", "invalid") else "corrects"


def _behind(day: date, first: date) -> date:
    """Next date of the weekday after a day."""
    return day if day > first else day + timedelta(days=7 * ((first - day).days // 7 + 1))


def _fills(wish: Wish, relation: Literal["fills", "corrects"]) -> AnswerMatch:
    return AnswerMatch(relation, {"_time": wish.as_json(), **raw_slots(wish)})


def _duration(line: str) -> int | None:
    found = _DURATION.match(line)
    if found is None:
        return None
    if found["half"]:
        return 30
    number = parse_decimal(found["number"])
    unit = {"小": 60, "钟": 60, "分": 1, "刻": 15}[found["unit"][0]]
    minutes = int((number or 0) * unit) + (unit // 2 if found["more"] else 0)
    return minutes if 0 < minutes < 1440 else None
