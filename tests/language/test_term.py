"""Terms: weeks counted, lines about them, weeks of a line as dates."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.term.lines import term_line, told_line
from nonebot_plugin_mishu.language.term.term import MOST_WEEKS, Term, monday_of, term_with
from nonebot_plugin_mishu.language.term.weeks import dated_line, in_term, weeks_in
from nonebot_plugin_mishu.language.text.fold import fold

DATA: Final[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "terms.yaml").read_text("utf-8")
)
ZONE: Final = ZoneInfo("Asia/Shanghai")
NOW: Final = datetime(2026, 11, 18, 10, tzinfo=ZONE)
TERM: Final = Term(date(2026, 9, 7), 18)


@pytest.mark.parametrize(
    "first", [date(2026, 9, 7), date(2026, 12, 28), date(2027, 2, 22), date(2024, 2, 26)]
)
@pytest.mark.parametrize("weeks", [1, 16, 18, MOST_WEEKS, None])
def test_every_day_of_a_year_is_of_its_week(first: date, weeks: int | None) -> None:
    term = Term(first, weeks)
    for number in range(-200, 400):
        day = first + timedelta(days=number)
        counted = number // 7 + 1 if number >= 0 else None
        within = counted is not None and counted <= term.last_week
        assert term.week_of(day) == (counted if within else None)
        assert term.is_over(day) is (counted is not None and counted > term.last_week)
        if counted is not None and within:
            assert term.monday(counted) == monday_of(day) <= day <= term.last_day
            assert term_with(day, counted, weeks) == term


def test_a_term_over_new_year_counts_on() -> None:
    assert TERM.week_of(date(2026, 12, 31)) == TERM.week_of(date(2027, 1, 3)) == 17
    assert TERM.week_of(date(2027, 1, 4)) == 18
    assert (TERM.last_day, TERM.week_of(date(2027, 1, 11))) == (date(2027, 1, 10), None)


@pytest.mark.parametrize("weeks", [None, 1, 18, MOST_WEEKS])
def test_a_term_is_kept_as_text(weeks: int | None) -> None:
    term = Term(date(2026, 9, 7), weeks)
    assert Term.kept(term.as_kept()) == term


@pytest.mark.parametrize(
    "text", ["", "2026-09-08", "2026-09-07/0", "2026-09-07/31", "2026-09-07/x", "week 1"]
)
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Term.kept(text)


@pytest.mark.parametrize("row", DATA["lines"], ids=lambda row: row["say"])
def test_lines_about_the_term(row: dict[str, Any]) -> None:
    line = term_line(fold(row["say"]).text, NOW)
    if row["kind"] is None:
        assert line is None
        return
    assert line is not None
    assert (line.kind, line.day, line.week, line.weeks) == (
        row["kind"],
        row.get("day"),
        row.get("week"),
        row.get("weeks"),
    )


@pytest.mark.parametrize("row", DATA["dated"], ids=lambda row: row["say"])
def test_weeks_become_dates(row: dict[str, Any]) -> None:
    term = Term.kept(row.get("term", TERM.as_kept()))
    folded = in_term(fold(row["say"]), Situation(NOW, term=term))
    assert folded.text == row.get("put", row["say"])
    places = folded.origin
    assert len(places) == len(folded.text)
    assert list(places) == sorted(places)
    assert in_term(fold(folded.text), Situation(NOW, term=term)).text == folded.text
    assert in_term(fold(row["say"]), Situation(NOW)).text == fold(row["say"]).text


def test_without_a_term_nothing_is_guessed() -> None:
    line = whole("第12周周三三四节高数", Situation(NOW))
    assert line.text == "第12周周三三四节高数"
    assert len(weeks_in(line.text)) == 1


@pytest.mark.parametrize("first", [date(2026, 9, 7), date(2026, 8, 31)])
@pytest.mark.parametrize("parity", ["单", "双"])
def test_alternate_weeks_are_those_of_the_term_on_every_day(first: date, parity: str) -> None:
    """The first time of 单周周三 is in an odd week, whatever day it is said on."""
    term = Term(first, 18)
    for number in range(17 * 7):
        today = first + timedelta(days=number)
        now = datetime(today.year, today.month, today.day, 7, tzinfo=ZONE)
        coming = [
            day
            for week in range(1, 19)
            if week % 2 == (parity == "单") and (day := term.monday(week) + timedelta(days=2)) >= today
        ]
        [time] = whole(f"{parity}周周三三四节打球", Situation(now, term=term)).times
        assert time.recurrence is not None
        assert time.recurrence.interval == 2
        if coming:
            assert time.date == coming[0], today


@pytest.mark.parametrize(
    ("said", "kind", "whole_week"),
    [
        ("9月7号", "day_alone", False),
        ("是9月7号那周吧", "day_alone", True),
        ("9月7号那周 一共18周", "day_alone", True),
        ("第11周", "week_alone", False),
        ("9月7号我请客", None, False),
        ("不知道", None, False),
    ],
)
def test_an_answer_tells_the_term_by_a_day_alone(said: str, kind: str | None, whole_week: bool) -> None:
    line = told_line(fold(said).text, NOW)
    assert (None if line is None else line.kind) == kind
    assert line is None or line.whole_week is whole_week
    assert term_line(fold(said).text, NOW) is None


def test_a_line_is_dated_for_a_term_just_told() -> None:
    assert dated_line("第12周周三三四节高数", TERM, NOW.date()) == "2026年11月25号三四节高数"
