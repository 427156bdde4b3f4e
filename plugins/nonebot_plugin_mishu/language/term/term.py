"""School term as a value: its first Monday and its weeks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

MOST_WEEKS: Final = 30
"""Longest term."""
UNSAID_WEEKS: Final = 26
"""Weeks after which a term whose length nobody said is over."""
_WEEK: Final = timedelta(days=7)


def monday_of(day: date) -> date:
    """Monday of the calendar week of a day."""
    return day - timedelta(days=day.weekday())


@dataclass(frozen=True, slots=True)
class Term:
    """A term. `first` is the Monday of week 1; `weeks` is None where nobody said how many it has. Kept as
    `2026-09-07/18`, or `2026-09-07`."""

    first: date
    weeks: int | None = None

    @classmethod
    def kept(cls, text: str) -> Term:
        """From the stored form. Raises `ValueError`."""
        first, _, weeks = text.partition("/")
        day = date.fromisoformat(first)
        if day.weekday() or (weeks and not 1 <= int(weeks) <= MOST_WEEKS):
            raise ValueError("a term begins on a Monday and has some weeks")
        return cls(day, int(weeks) if weeks else None)

    def as_kept(self) -> str:
        """The stored form."""
        return self.first.isoformat() if self.weeks is None else f"{self.first.isoformat()}/{self.weeks}"

    @property
    def last_week(self) -> int:
        """Number of the last week."""
        return self.weeks or UNSAID_WEEKS

    @property
    def last_day(self) -> date:
        """Sunday of the last week."""
        return self.monday(self.last_week) + timedelta(days=6)

    def monday(self, week: int) -> date:
        """Monday of a week, counted from 1; also of weeks that the term has not."""
        return self.first + (week - 1) * _WEEK

    def week_of(self, day: date) -> int | None:
        """Week of a day; None before the term and behind it."""
        week = (monday_of(day) - self.first).days // 7 + 1
        return week if 1 <= week <= self.last_week else None

    def is_over(self, day: date) -> bool:
        """True behind the last week: such a term says nothing of a day."""
        return day > self.last_day


def term_with(day: date, week: int, weeks: int | None = None) -> Term:
    """Term in which `day` is of a week."""
    return Term(monday_of(day) - (week - 1) * _WEEK, weeks)
