"""Weeks of a term as dates, before anything of a line is read. Pure.

第9周周三 -> 2026年11月4号, 单周周三 -> 2026年11月18号到2027年1月3号每隔一周的周三,
第3到16周每周一 -> 2026年11月23号到2026年12月27号每周一.
A week without a weekday is one only at the beginning of a piece (第9周交论文; 怀孕第20周 is none).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..changes.corrections import Edit
from ..clause import Situation
from ..recognise.times.days.periods import WEEK, WEEKDAY_NUMBERS
from ..recognise.times.lessons import lesson_at
from ..recognise.times.numbers import SMALL, integer
from ..recognise.times.recurrences.recurring import RUN_DAY
from ..repairs.canonical import edited
from ..text.fold import Folded, fold
from .lines import term_line
from .term import Term

_TO: Final = " ?[-~到至–—] ?"
_AND: Final = "[、,和跟及与]"
_DAY: Final = "[一二三四五六日天]"
_WEEKS: Final = Pattern(
    "(?:(?<![上下])(?<![上下]个)(?:[本这]个?|我们)?学期的?)?(?:"
    f"(?P<named>第)?(?P<first>{SMALL})周?{_TO}第?(?P<last>{SMALL})周"
    f"(?:的?[ ,]?[(]?(?P<within>[单双])周?[)]?(?!{_DAY}))?"
    f"|第(?P<listed>{SMALL}(?:周?{_AND}第?{SMALL})*)周"
    "|(?:每个?|逢)?(?P<every>[单双])周"
    ")"
)
_FIRST_DAY: Final = Pattern(f"[的 ,]{{0,2}}(?:每个?)?{WEEK}(?P<day>{_DAY}|末)")
_BARE_DAY: Final = Pattern(f"的?(?P<day>{RUN_DAY})(?![年级])")
_FULL_DAY: Final = Pattern(f"{_AND}?{WEEK}(?P<day>{_DAY})")
_NEXT_DAY: Final = Pattern(f"{_AND}?(?P<day>{RUN_DAY})")
_RUN_BEFORE_LESSON: Final = Pattern(f"(?P<day>{_DAY})(?=[第0-9])")
_LAST_DAY: Final = Pattern(f"{_TO}{WEEK}(?P<day>{_DAY})")
_NO_TERM: Final = Pattern("(?:[年度月]的?|[0-9一二三四五六七八九十])$")
"""Before what is no week of a term: 今年第50周."""
_OTHER_TERM: Final = Pattern("[上下]+个?学期的?$")
_BEGINS: Final = Pattern("(?:^|[ ,。!?;、把在到于从]|我|我们|咱们?|大家|谁|学期的?)$")
_NO_WEEK: Final = Pattern("[ ,]?[::]|的?[章课节回次]|[年岁了过刊报记长边末]")
"""Behind a heading or another word: 第一周：11月23日, 第2周刊."""
_MOST_DATES: Final = 16
_WEEKEND: Final = (5, 6)


@dataclass(frozen=True, slots=True)
class SaidWeeks:
    """Weeks of a term as they are said, at a half-open span."""

    start: int
    end: int
    weeks: tuple[int, ...] = ()
    """Their numbers; none for every week of the parity."""
    parity: str = ""
    """单 or 双."""
    spans: bool = False
    """From one week to another (第3到16周)."""
    weekdays: tuple[int, ...] = ()
    """In their order, Monday is 0; none for whole weeks."""
    through: bool = False
    """From the first weekday to the last (周一到周三)."""
    other: bool = False
    """Of another term than this (下学期第3周)."""
    behind: tuple[int, int] | None = None
    """Where the weekday begins that stands before them (每周一3-4节 3-16周), up to its 周."""

    def are_in(self, term: Term) -> bool:
        """True if the term has all of these weeks."""
        return not self.other and all(1 <= week <= term.last_week for week in self.weeks)


def weeks_in(text: str) -> tuple[SaidWeeks, ...]:
    """Weeks of a term that a line names, whichever the term is."""
    if "周" not in text:
        return ()
    return tuple(said for found in _WEEKS.finditer(text) if (said := _read(text, found)) is not None)


def in_term(folded: Folded, where: Situation) -> Folded:
    """The text with dates for weeks of the term that is known. Unchanged where none is, and where the line
    is about the term."""
    if where.term is None or "周" not in folded.text or term_line(folded.text, where.now) is not None:
        return folded
    return dated(folded, where.term, where.now.date())


def dated(folded: Folded, term: Term, today: date) -> Folded:
    """The text with dates for weeks of a term; what is past is left out where something is to come. Weeks
    that the term has not stay as they are."""
    said = [each for each in weeks_in(folded.text) if each.are_in(term)]
    edits: list[Edit] = []
    for each in said:
        dates = _dates(each, term, today)
        if each.behind is None:
            edits.append((each.start, each.end, dates))
        else:
            edits += [(*each.behind, dates), (each.start, each.end, "")]
    return edited(folded, sorted(edits))


def dated_line(text: str, term: Term, today: date) -> str:
    """A line with dates for weeks of a term."""
    return dated(fold(text), term, today).text


def _read(text: str, found: re.Match[str]) -> SaidWeeks | None:
    before = text[: found.start()]
    if _NO_TERM.search(before):
        return None
    weeks, parity = tuple(_numbers(found)), found["within"] or found["every"] or ""
    if not weeks and not found["every"]:
        return None
    weekdays, through, end = _weekdays(text, found.end(), bare=found["every"] is not None)
    if not weekdays and (found["last"] or found["every"]):
        before_it = _read_behind(found, weeks, parity)
        if before_it is not None:
            return before_it
    if not weekdays:
        named = found["named"] or (found["listed"] and len(weeks) == 1)
        whole = named and not parity and not lesson_at(text, end) and _NO_WEEK.match(text, end) is None
        if not (whole and (_BEGINS.search(before) or "学期" in found.group())):
            return None
    other = _OTHER_TERM.search(before) is not None
    return SaidWeeks(found.start(), end, weeks, parity, found["last"] is not None, weekdays, through, other)


def _read_behind(found: re.Match[str], weeks: tuple[int, ...], parity: str) -> SaidWeeks | None:
    """Weeks said behind their weekday: 周一5-6节 3-16周, 每周三三四节(单周)."""
    text = found.string
    day = _DAY_BEFORE.search(text, 0, found.start())
    if day is None and _ENDS.match(text, found.end()) is not None:
        day = _DAY_AND_TITLE.search(text, 0, found.start())
    if day is None:
        return None
    weekdays, through, _ = _weekdays(text, day.start("week"), bare=False)
    start, end = found.span()
    if text[start - 1] == "(":
        start, end = start - 1, end + text.startswith(")", end)
    elif text[start - 1] in " ,":
        start -= 1
    behind = day.start(), day.end("week")
    return SaidWeeks(start, end, weeks, parity, bool(found["last"]), weekdays, through, behind=behind)


_DAY_BEFORE: Final = Pattern(
    f"(?:每个?)?(?P<week>{WEEK})(?={_DAY})[ ,的第0-9一二三四五六日七八九十节课上中下午早晚:点半到周和、~(-]*$"
)


_DAY_AND_TITLE: Final = Pattern(
    f"(?:每个?)?(?P<week>{WEEK})(?={_DAY}[^,，。!?;周星礼]{{0,10}}节)[^,，。!?;周星礼]{{0,24}}[ ,(]$"
)
"""A weekday with its lessons and what they are of, before the weeks that end the line (每周二五六节体育课
第12到17周)."""
_ENDS: Final = Pattern("[)）]?[。.!~]*$")


def _numbers(found: re.Match[str]) -> Iterator[int]:
    if found["listed"]:
        listed = [integer(each) for each in _NUMBER.findall(found["listed"])]
        yield from (each for each in listed if each)
    elif found["first"]:
        first, last = integer(found["first"]), integer(found["last"])
        if first and last and first < last:
            yield from range(first, last + 1)


_NUMBER: Final = Pattern(SMALL)


def _weekdays(text: str, at: int, *, bare: bool) -> tuple[tuple[int, ...], bool, int]:
    """Weekdays at a place, True for a stretch of them, and where they end. `bare`: 单周三 needs no 周."""
    first = _FIRST_DAY.match(text, at) or (_BARE_DAY.match(text, at) if bare else None)
    if first is None:
        return (), False, at
    if first["day"] == "末":
        return _WEEKEND, True, first.end()
    days, end = [WEEKDAY_NUMBERS[first["day"]]], first.end()
    last = _LAST_DAY.match(text, end)
    if last is not None:
        days += range(days[0] + 1, WEEKDAY_NUMBERS[last["day"]] + 1)
        return tuple(days), True, last.end()
    while not lesson_at(text, end) and (more := _next_day(text, end)) is not None:
        day = WEEKDAY_NUMBERS[more["day"]]
        if day <= days[-1]:
            break
        days.append(day)
        end = more.end()
    return tuple(days), False, end


def _next_day(text: str, at: int) -> re.Match[str] | None:
    run = _RUN_BEFORE_LESSON.match(text, at)
    if run is not None and lesson_at(text, run.end()):
        return run  # 周一三3-4节
    return _FULL_DAY.match(text, at) or _NEXT_DAY.match(text, at)


def _dates(said: SaidWeeks, term: Term, today: date) -> str:
    weeks = said.weeks or tuple(range(1, term.last_week + 1))
    if said.parity:
        weeks = tuple(week for week in weeks if week % 2 == (said.parity == "单"))
    days = said.weekdays
    if not days:
        first, last = term.monday(weeks[0]), term.monday(weeks[-1]) + timedelta(days=6)
        return f"{_said(first)}到{_said(last)}" if said.spans else f"{_said(first)}那周"
    if said.through and len(weeks) == 1:
        first, last = (term.monday(weeks[0]) + timedelta(days=days[at]) for at in (0, -1))
        return f"{_said(first)}到{_said(last)}"
    dates = [term.monday(week) + timedelta(days=day) for week in weeks for day in days]
    dates = [day for day in dates if day >= today] or dates
    if not said.spans and not said.parity:
        return "、".join(map(_said, dates[:_MOST_DATES]))
    rhythm = "每隔一周的" if said.parity else "每"
    rhythm += "周" if said.behind is not None else "".join(f"周{_NAMES[day]}" for day in days)
    if not said.weeks and term.weeks is None:
        return f"从{_said(dates[0])}开始{rhythm}"
    return f"{_said(dates[0])}到{_said(term.monday(weeks[-1]) + timedelta(days=6))}{rhythm}"


_NAMES: Final = "一二三四五六日"


def _said(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}号"
