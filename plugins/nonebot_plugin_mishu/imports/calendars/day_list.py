"""Imported entries of some days, shown beside tasks and schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Final

from ...agents.api.ports import DayList
from ...agents.api.task_context import TaskContext
from .occurrences import Occurrence
from .sources import CalendarSources

MOST_LINES: Final = 20


class ImportedOfDays:
    """List of the speaker's imported entries; in a group those shared with it."""

    def __init__(self, sources: CalendarSources) -> None:
        self._sources = sources

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """Entries of these days that are not over."""
        zone = context.clause.situation.zone
        begins = max(datetime.combine(first, time(0), zone), context.now)
        ends = datetime.combine(last + timedelta(days=1), time(0), zone)
        place = context.conversation
        group = place.peer if place.is_group else None
        found = await self._sources.day_list(context.actor.user_id, begins, ends, group)
        lines = [f"  {told(each.occurrence, context.now)}" for each in found[:MOST_LINES]]
        more = [f"  还有 {len(found) - MOST_LINES} 个"] if len(found) > MOST_LINES else []
        return "\n".join(["你日历里的：", *lines, *more]) if lines else ""

    async def of_today(self, user_id: str, now: datetime) -> str:
        """A member's entries of today, for the digest they have in private."""
        begins = datetime.combine(now.date(), time(0), now.tzinfo)
        found = await self._sources.day_list(user_id, begins, begins + timedelta(days=1))
        lines = [f"{number}. {told_in_day(each.occurrence)}" for number, each in enumerate(found, 1)]
        more = [f"……还有 {len(lines) - MOST_LINES} 项"] if len(lines) > MOST_LINES else []
        return "\n".join(["你日历里的：", *lines[:MOST_LINES], *more]) if lines else ""


class SeveralLists:
    """Lists of several agents, one below the other."""

    def __init__(self, lists: Sequence[DayList]) -> None:
        self._lists = lists

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """The lists that have something."""
        found = [await each.of_days(context, first, last) for each in self._lists]
        return "\n".join(each for each in found if each)


def told_in_day(each: Occurrence) -> str:
    """An entry of a day that is named above it: 15:00–16:30 牙医（中山路）."""
    clock = f"{each.begins:%H:%M}"
    if each.all_day:
        clock = "全天"
    elif each.ends > each.begins:
        far = f"{each.ends.month}月{each.ends.day}日" if each.ends.date() > each.begins.date() else ""
        clock += f"–{far}{each.ends:%H:%M}"
    return f"{clock} {each.title}{f'（{each.place}）' if each.place else ''}"


def told(each: Occurrence, now: datetime) -> str:
    """An entry in a line: 11月20日 周五 15:00-16:30 牙医（中山路）."""
    day = each.begins.date()
    year = "" if day.year == now.year else f"{day.year}年"
    when = f"{year}{day.month}月{day.day}日 周{'一二三四五六日'[day.weekday()]}"
    if each.all_day:
        until = (each.ends - timedelta(microseconds=1)).date() if each.ends > each.begins else day
        when += "" if until <= day else f"到{until.month}月{until.day}日"
        when += " 全天"
    else:
        when += f" {each.begins:%H:%M}"
        if each.ends > each.begins:
            next_day = "次日" if each.ends.date() == day + timedelta(days=1) else ""
            far = each.ends.date() > day + timedelta(days=1)
            when += f"到{each.ends.month}月{each.ends.day}日" if far else f"-{next_day}{each.ends:%H:%M}"
    place = f"（{each.place}）" if each.place else ""
    return f"{when} {each.title}{place}"
