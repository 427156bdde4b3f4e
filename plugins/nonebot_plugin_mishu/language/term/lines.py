"""Lines about the term: 本学期9月7号开始, 这周是第11周, 学期18周, 现在第几周. Pure; whole lines only."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, cast
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..forms.forms import Grammar
from ..grammar import THINGS, read_forms
from ..lexicon import Lexicon, build
from ..mood import ends_in_question
from ..recognise.times import TimeExpression, parse
from ..recognise.times.numbers import SMALL, integer
from ..text.fold import normalise
from ..text.tokens import Thing, Token, tokens

TermKind = Literal[
    "begins",
    "runs",
    "week_alone",
    "day_alone",
    "lasts",
    "ask_week",
    "ask_parity",
    "ask_dates",
    "ask_term",
    "ask_left",
]
SETS: Final = frozenset({"begins", "runs", "lasts"})
"""Kinds of lines that set the term."""
LONGEST: Final = 50
"""Characters of a line about the term."""
_WEEK: Final = Pattern(f"第(?P<week>{SMALL})(?:个?教学)?(?:周|个?星期|个?礼拜)|首周")
_WEEKS: Final = Pattern(f"(?<!第)(?P<weeks>{SMALL})个?(?:教学)?(?:周|星期|礼拜)(?![一二三四五六日天末])")
_THIS_WEEK: Final = Pattern("那周|那一周|那个星期|那星期|那个礼拜")
_OF_WEEKS: Final = ("周", "星期", "礼拜")
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class TermLine:
    """A line about the term."""

    kind: TermKind
    day: date | None = None
    """The day that it names; None for now."""
    week: int | None = None
    weeks: int | None = None
    """How many weeks the term has."""
    whole_week: bool = False
    """The day stands for its week (9月7号那周)."""

    @property
    def alone(self) -> bool:
        """True for a week or a day alone: it tells the term only where that was asked."""
        return self.kind in ("week_alone", "day_alone")

    @property
    def sets(self) -> bool:
        """True if it sets the term."""
        return self.kind in SETS


_SIGNS: Final = ("周", "学期", "开学", "星期", "礼拜")


def term_line(text: str, now: datetime) -> TermLine | None:
    """Statement or question of a normalised line about the term; None for any other line."""
    if not any(sign in text for sign in _SIGNS):
        return None
    found = told_line(text, now)
    return None if found is None or found.alone else found


def told_line(text: str, now: datetime) -> TermLine | None:
    """Answer of a line to a question about the term: also 9月7号, 第11周."""
    line = text.strip()
    if not 1 < len(line) <= LONGEST or "\n" in line:
        return None
    return _read(line.lower(), now)


@lru_cache(maxsize=256)
def _read(line: str, now: datetime) -> TermLine | None:
    assert isinstance(now.tzinfo, ZoneInfo)
    times = parse(line, now, now.tzinfo)
    found = tokens(line, _lexicon(), [*_times(line, times), *_counts(line)])
    fits = _grammar().fits(line, found)
    if not fits:
        return None
    fit = fits[0]
    said = {name: each[0] for name, each in fit.slots.items() if each}
    day, week, weeks = said.get("day"), said.get("week"), said.get("weeks")
    kind = cast("TermKind", fit.form.reads)
    if kind == "begins" and week is not None and week.value != 1:
        return TermLine("runs", _day(day), cast("int", week.value), _number(weeks), whole_week=True)
    return TermLine(kind, _day(day), _number(week), _number(weeks), whole_week=_is_week(line, day))


_LESSON: Final = (
    "(?:周|星期|礼拜)[一二三四五六日天] {0,2}(?:上午|下午|晚上)?"
    "第?(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?: ?[-~到、,] ?[0-9]{1,2})?节课?"
)
_TIMETABLE: Final = Pattern(
    rf"{_LESSON}[ \t:：,]{{0,3}}(?![和跟与及或到改调换])[一-鿿a-z]{{2,12}}[^。!?？]{{0,40}}?{_LESSON}",
    re.IGNORECASE,
)


def is_timetable(text: str) -> bool:
    """True for a pasted timetable: lessons of several days, named (周一1-2节 高数, 周二3-4节 英语)."""
    found = _TIMETABLE.search(normalise(text)) if "节" in text else None
    return found is not None and not ends_in_question(text)


def _times(line: str, times: Sequence[TimeExpression]) -> list[Thing]:
    return [
        Thing(*each.span, frozenset({"time"}), each)
        for each in times
        if each.date is not None and each.recurrence is None and each.start is None and each.invalid is None
        if each.end_date is None or any(sign in each.text for sign in _OF_WEEKS)
    ]


def _counts(line: str) -> list[Thing]:
    weeks = [
        (found, 1 if found["week"] is None else integer(found["week"])) for found in _WEEK.finditer(line)
    ]
    long = [(found, integer(found["weeks"])) for found in _WEEKS.finditer(line)]
    return [
        Thing(*found.span(), frozenset({kind}), number)
        for kind, each in (("week", weeks), ("weeks", long))
        for found, number in each
        if number
    ]


def _day(token: Token | None) -> date | None:
    time = None if token is None else cast("TimeExpression", token.value)
    return None if time is None else time.date


def _is_week(line: str, token: Token | None) -> bool:
    time = None if token is None else cast("TimeExpression", token.value)
    return time is not None and (time.end_date is not None or _THIS_WEEK.search(line) is not None)


def _number(token: Token | None) -> int | None:
    return None if token is None else cast("int", token.value)


@cache
def _lexicon() -> Lexicon:
    table = tomllib.loads((_HERE / "words.toml").read_text("utf-8"))
    return build((name, name, listed) for name, listed in table.items())


@cache
def _grammar() -> Grammar:
    forms = read_forms((_HERE / "forms.toml").read_text("utf-8"))
    things = (*THINGS, frozenset({"week"}), frozenset({"weeks"}))
    return Grammar(forms, _lexicon(), things=things, passes=("mark", "sign"))
