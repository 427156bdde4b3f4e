"""The morning's digest of a group, where it was switched on (日报): what is planned today, made by code.

It is a due row that recurs, as every reminder: it survives restarts, waits in a silence and comes once.
Its text is made when it is due, of what is planned then. On a day with nothing planned nothing is said.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from ..agents import Announcer
from ..language.recognise.times import SEGMENT_BOUNDS, Segment
from ..storage import Conversation
from ..storage.reminders.queries import NewReminder, Reminders, drop_in, put
from ..storage.reminders.records import DIGEST, WALL, ReminderRecord
from .calendars.agenda import Agenda
from .calendars.entries import DayEntry
from .wording import weekday

FEATURE = "日报"
CLOCK = time(8, 0)
"""Default time of the digest, wall time."""
LISTED = 15
"""Things of a kind that are listed; the others are counted."""
DECIDED = 5
Decided = Callable[[Conversation, float, float], Awaitable[Sequence[str]]]
"""Quoted decisions of a conversation in a span of wall seconds. Raises `StorageError`."""
OwnDay = Callable[[str, datetime], Awaitable[str]]
"""A member's own day beside ours (imported calendars), for their private digest; empty for nothing. Raises
`StorageError`."""
_SEGMENTS: dict[Segment, str] = {
    "early_morning": "凌晨",
    "morning": "早上",
    "forenoon": "上午",
    "noon": "中午",
    "afternoon": "下午",
    "evening": "晚上",
}


async def usual(conversation: Conversation) -> time:
    """The same clock everywhere."""
    return CLOCK


async def _no_decisions(conversation: Conversation, since: float, until: float) -> Sequence[str]:
    return ()


async def _no_own_day(user_id: str, today: datetime) -> str:
    return ""


class DailyDigest:
    """Switches a group's digest and makes its text (`compose`, for `ReminderService`)."""

    def __init__(
        self,
        reminders: Reminders,
        agenda: Agenda,
        announcer: Announcer,
        zone: ZoneInfo,
        wall: Callable[[], float],
        clock_in: Callable[[Conversation], Awaitable[time]] = usual,
        decided: Decided = _no_decisions,
        own_day: OwnDay = _no_own_day,
    ) -> None:
        """`clock_in` tells when a group wants it, `decided` what a group settled, `own_day` what a member has
        elsewhere. All may raise `StorageError`."""
        self._own_day = own_day
        self._clock_in = clock_in
        self._decided = decided
        self._reminders = reminders
        self._agenda = agenda
        self._announcer = announcer
        self._zone = zone
        self._wall = wall

    async def switch(self, conversation: Conversation, on: bool) -> None:
        """Call when `/秘书 开关 日报` was used. Twice is once. Raises `StorageError`."""
        now = datetime.fromtimestamp(self._wall(), self._zone)
        clock = await self._clock_in(conversation)
        first = datetime.combine(now.date(), clock, self._zone)
        if first <= now:
            first = datetime.combine(now.date() + timedelta(days=1), clock, self._zone)

        async def replace_digest(connection: AsyncConnection) -> None:
            await drop_in(connection, conversation, DIGEST, text=FEATURE)
            if on:
                await put(
                    connection,
                    NewReminder(
                        conversation=conversation,
                        agent_code=DIGEST,
                        item_id=0,
                        user_ids=(),
                        text=FEATURE,
                        due_at=first.timestamp(),
                        wall=first.strftime(WALL),
                        zone=self._zone.key,
                        recurrence={"freq": "daily", "interval": 1},
                    ),
                )

        await self._reminders.write(replace_digest)
        self._reminders.changed()

    async def compose(self, record: ReminderRecord, now: float) -> str | None:
        """Today's text; None where nothing is planned, or the feature is off. Raises `StorageError`."""
        if not await self._announcer.allows(record.conversation, FEATURE):
            return None
        today = datetime.fromtimestamp(now, self._zone)
        entries = await self._agenda.day(record.conversation, today.date())
        decided = await self._decided(record.conversation, now - 86400.0, now)
        told = digest(entries, today, decided)
        own = "" if record.conversation.is_group else await self._own_day(record.conversation.peer, today)
        return f"{told or day_head(today)}\n{own}" if own else told


def digest(entries: Sequence[DayEntry], today: datetime, decided: Sequence[str] = ()) -> str | None:
    """The text; None for nothing. `decided` are quotations of what was settled since the last one."""
    if not entries and not decided:
        return None
    parts = [day_head(today)]
    for kind, head in (("schedule", "群里的日程："), ("task", "今天到期的任务：")):
        mine = [entry for entry in entries if entry.kind == kind]
        if mine:
            parts.append(head)
            parts.extend(
                f"{number}. {_entry_line(entry, today.date())}"
                for number, entry in enumerate(mine[:LISTED], 1)
            )
        if len(mine) > LISTED:
            parts.append(f"……还有 {len(mine) - LISTED} 项")
    if decided:
        parts.append("上次日报以来群里定了：")
        parts.extend(f"· {each}" for each in decided[-DECIDED:])
    return "\n".join(parts)


def day_head(today: datetime) -> str:
    """First line of a day's text."""
    return f"今天是{today.month}月{today.day}日（{weekday(today)}）。"


def _entry_line(entry: DayEntry, on: date) -> str:
    place = f"（{entry.place}）" if entry.place else ""
    who = f"{entry.who}：" if entry.who else ""
    when = _entry_time(entry, on)
    return f"{who}{when}{' ' if when else ''}{entry.title}{place}"


def _entry_time(entry: DayEntry, on: date) -> str:
    if entry.all_day:
        return ""
    if entry.part:
        begins = entry.start.time()
        return next((name for each, name in _SEGMENTS.items() if SEGMENT_BOUNDS[each][0] == begins), "")
    if entry.recurrence is None and entry.end is not None and entry.end.date() > entry.start.date():
        # 周三18:00 to 周六12:00: its clock on the first day, the whole of those between, its end on the last.
        if on == entry.start.date():
            return f"{entry.start:%H:%M}起（到{entry.end.month}月{entry.end.day}日）"
        return f"到{entry.end:%H:%M}" if on == entry.end.date() else "全天"
    end = f"–{entry.end:%H:%M}" if entry.end is not None else ""
    return f"{entry.start:%H:%M}{end}"
