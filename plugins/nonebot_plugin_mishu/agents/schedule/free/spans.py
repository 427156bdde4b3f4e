"""Spans in which everybody is free, and how busy each is. Pure: values and `now` in, values out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from .busy import Busy

DAY: Final = 24 * 60
OPENS: Final = 9 * 60
"""Minute of the day at which a day begins unless another clock is said."""
LESSONS_OPEN: Final = 8 * 60
"""The same where lessons are asked about."""
CLOSES: Final = 22 * 60
"""Minute of the day at which it ends."""
KNOWN_WITHIN: Final = timedelta(days=28)
"""Time before and after the asked days in which an entry shows that a member keeps their plans here."""
MOST_DAYS: Final = 92
"""Most days that are looked at."""
_STEP: Final = 30
"""Minutes to which an offered beginning is rounded up."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time that is asked about, half-open, aware."""

    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class FreeSpan:
    """A stretch in which all who have something recorded are free; `unknown`: those who have nothing."""

    begins: datetime
    ends: datetime
    unknown: tuple[str, ...] = ()

    @property
    def minutes(self) -> int:
        """Length in minutes."""
        return int((self.ends - self.begins).total_seconds() // 60)


def day_windows(
    days: Iterable[date], now: datetime, opens: int = OPENS, closes: int = CLOSES
) -> tuple[Window, ...]:
    """Windows of these days between two minutes of the day, from `now` on; `closes` may lie behind
    midnight. Days that are over are left out."""
    found: list[Window] = []
    for day in sorted(set(days)):
        midnight = datetime.combine(day, time(), now.tzinfo)
        begins = max(midnight + timedelta(minutes=opens), _next_minute(now))
        ends = midnight + timedelta(minutes=closes)
        if begins < ends:
            found.append(Window(begins, ends))
    return tuple(found)


def this_minute(now: datetime) -> Window:
    """Window of the minute that has begun."""
    begins = now.replace(second=0, microsecond=0)
    return Window(begins, begins + _MINUTE)


_MINUTE: Final = timedelta(minutes=1)


def _next_minute(now: datetime) -> datetime:
    whole = now.replace(second=0, microsecond=0)
    return whole if whole == now else whole + timedelta(minutes=1)


def unknown_members(users: Collection[str], recorded: Collection[Busy]) -> tuple[str, ...]:
    """Members with no entry of their own, in the order of `users`. `recorded`: all entries of the asked days
    and of `KNOWN_WITHIN` around them."""
    known = {each.user_id for each in recorded if each.own}
    return tuple(each for each in users if each not in known)


def free_spans(
    users: Sequence[str], recorded: Collection[Busy], windows: Sequence[Window], minutes: int = 1
) -> list[FreeSpan]:
    """Longest spans of at least `minutes` within the windows in which none of the members is busy, by time.
    Those of whom nothing is recorded are named in each as unknown; without anybody known there is none."""
    unknown = unknown_members(users, recorded)
    if len(unknown) == len(users):
        return []
    asked = set(users)
    stretches = sorted((each.begins, each.ends) for each in recorded if each.user_id in asked)
    found: list[FreeSpan] = []
    for window in windows:
        at = window.begins
        for begins, ends in stretches:
            if ends <= at or ends <= begins:
                continue
            if begins >= window.ends:
                break
            _add(found, at, min(begins, window.ends), minutes, unknown)
            at = max(at, ends)
        _add(found, at, window.ends, minutes, unknown)
    return found


def _add(
    found: list[FreeSpan], begins: datetime, ends: datetime, minutes: int, unknown: tuple[str, ...]
) -> None:
    if ends - begins >= timedelta(minutes=max(minutes, 1)):
        found.append(FreeSpan(begins, ends, unknown))


def best_spans(found: Sequence[FreeSpan], minutes: int = 0, most: int = 3) -> list[FreeSpan]:
    """The best of these spans, by time: first the first of each day, then the second ones. Each begins on
    the half hour where that leaves `minutes`; with `minutes` it is as long as asked."""
    by_day: dict[date, int] = {}
    ranked: list[tuple[int, FreeSpan]] = []
    for each in found:
        place = by_day.get(each.begins.date(), 0)
        by_day[each.begins.date()] = place + 1
        ranked.append((place, _rounded(each, minutes)))
    chosen = sorted(ranked, key=lambda one: (one[0], one[1].begins))[:most]
    return sorted((each for _, each in chosen), key=lambda each: each.begins)


def other_spans(found: Sequence[FreeSpan], shown: Sequence[FreeSpan], minutes: int = 0) -> list[FreeSpan]:
    """The next best of these spans beside those that were shown; of a shown one what lies behind it."""
    left: list[FreeSpan] = []
    for span in found:
        inside = [each for each in shown if span.begins <= each.begins < span.ends]
        begins = max((each.ends for each in inside), default=span.begins)
        if span.ends - begins >= timedelta(minutes=minutes or _STEP):
            left.append(FreeSpan(begins, span.ends, span.unknown))
    return best_spans(left, minutes)


def _rounded(span: FreeSpan, minutes: int) -> FreeSpan:
    late = -(span.begins.hour * 60 + span.begins.minute) % _STEP
    begins = span.begins + timedelta(minutes=late)
    if span.ends - begins < timedelta(minutes=minutes or _STEP):
        begins = span.begins
    ends = begins + timedelta(minutes=minutes) if minutes else span.ends
    return FreeSpan(begins, ends, span.unknown)


def busy_within(user_id: str, recorded: Iterable[Busy], windows: Sequence[Window]) -> list[Busy]:
    """A member's entries that touch the windows, by time."""
    return sorted(
        (
            each
            for each in recorded
            if each.user_id == user_id
            and any(each.begins < one.ends and each.ends > one.begins for one in windows)
        ),
        key=lambda each: (each.begins, each.ends, each.what),
    )


def busy_stretches(user_id: str, recorded: Iterable[Busy], windows: Sequence[Window]) -> list[Window]:
    """When a member is busy within the windows: entries that touch or overlap are one stretch."""
    found: list[Window] = []
    mine = busy_within(user_id, recorded, windows)
    for window in windows:
        here: list[Window] = []
        for each in mine:
            begins, ends = max(each.begins, window.begins), min(each.ends, window.ends)
            if begins >= ends:
                continue
            if here and begins <= here[-1].ends:
                here[-1] = Window(here[-1].begins, max(here[-1].ends, ends))
            else:
                here.append(Window(begins, ends))
        found += here
    return found


def busy_minutes(user_id: str, recorded: Iterable[Busy], windows: Sequence[Window]) -> int:
    """Minutes within the windows in which a member is busy, counted once where entries overlap."""
    return sum(
        int((each.ends - each.begins).total_seconds() // 60)
        for each in busy_stretches(user_id, recorded, windows)
    )


def free_days(users: Sequence[str], recorded: Collection[Busy], windows: Sequence[Window]) -> list[date]:
    """Days whose whole window is free for all who are known."""
    whole = {(each.begins, each.ends) for each in free_spans(users, recorded, windows)}
    return [each.begins.date() for each in windows if (each.begins, each.ends) in whole]
