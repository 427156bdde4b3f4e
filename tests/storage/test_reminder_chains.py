"""What a clock that was ahead did to reminders, put right: decided by a table, and rows on a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.reminders.recurring import following
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.reminders.chains import Mending, mending
from nonebot_plugin_mishu.storage.reminders.records import WALL, Following, ReminderRecord, ReminderState
from reminder_support import GROUP, keep, reminder, rows_of

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
WEEKLY = {"freq": "weekly", "interval": 1}
AHEAD = NOW + timedelta(days=365)


def row(days: float, state: ReminderState = "sent", number: int = 1, closed: bool = True) -> ReminderRecord:
    """An occurrence so many days from now, closed a year ahead."""
    due = NOW + timedelta(days=days)
    return ReminderRecord(
        number,
        GROUP,
        "tasks",
        1,
        ("1",),
        everybody=False,
        text="提醒：交周报",
        note=None,
        due_at=due.timestamp(),
        wall=due.strftime(WALL),
        anchor=(NOW - timedelta(days=6)).strftime(WALL),
        zone="Asia/Shanghai",
        recurrence=WEEKLY,
        until=None,
        lead_minutes=0,
        state=state,
        closed_at=AHEAD.timestamp() if closed else None,
        origin=f"after:{number - 1}" if number > 1 else None,
    )


def again_in(days: float) -> Mending:
    due = NOW + timedelta(days=days)
    return Mending("follow", Following(due.timestamp(), due.strftime(WALL)))


WAITING = row(366, "waiting", 2, closed=False)
CASES = {
    "to come, followed in a year": ([row(1), WAITING], Mending("again")),
    "to come, three of them told": ([row(1), row(365, number=2), row(372, "waiting", 3)], Mending("again")),
    "to come, told once": ([replace(row(1), recurrence=None)], Mending("again")),
    "due, and said": ([replace(row(-1), recurrence=None)], Mending("leave")),
    "due, followed in a year": ([row(-6), WAITING], again_in(1)),
    "due, and its last by the clock ahead": ([row(-6)], again_in(1)),
    "due, and followed as it should be": ([row(-6), row(1, "waiting", 2, closed=False)], Mending("leave")),
    "due, and its last": ([replace(row(-6), until="2026-11-18")], Mending("leave")),
    "ended by a member meanwhile": ([row(1), row(366, "dropped", 2, closed=False)], Mending("leave")),
    "done meanwhile": ([row(1), row(365, "done", 2)], Mending("leave")),
    "being said": ([row(1), row(366, "claimed", 2, closed=False)], None),
}


@pytest.mark.parametrize(("chain", "wanted"), CASES.values(), ids=CASES)
def test_what_becomes_of_a_chain(chain: list[ReminderRecord], wanted: Mending | None) -> None:
    assert mending(chain, NOW.timestamp(), following) == wanted


async def told(storage: Storage, at: datetime) -> None:
    """All that is due by then is said and written down."""
    rows = storage.reminders.rows
    due = await rows.due(GROUP, at.timestamp(), 100)
    for each in due:
        token = f"{each.id}-{at:%Y%m%d}"
        await rows.claim([each.id], token, at.timestamp(), 60.0)
        await rows.sent(token, f"m{each.id}", at.timestamp(), following, [each.id])


async def test_rows_a_year_ahead_and_back(storage: Storage) -> None:
    def weekly(days: float, number: int, repeats: bool = True):
        due = NOW + timedelta(days=days)
        return reminder(
            item_id=number,
            due_at=due.timestamp(),
            wall=due.strftime(WALL),
            recurrence=WEEKLY if repeats else None,
        )

    await keep(storage, weekly(1, 1), weekly(-1, 2), weekly(3, 3, repeats=False))
    before = [(each.item_id, each.state, each.wall) for each in await rows_of(storage)]
    assert before[1] == (2, "waiting", "2026-11-17 10:00")
    for days in (0, 7, 14):
        await told(storage, AHEAD + timedelta(days=days))
    rows, now = storage.reminders.rows, NOW.timestamp()
    ids = await rows.closed_after(now + 6 * 3600)
    assert len(ids) == 7
    assert await rows.mend(ids, now, following) == (3, 0)
    assert await rows.closed_after(now) == []
    assert sorted(
        (each.item_id, each.state, each.wall, each.message_id) for each in await rows_of(storage)
    ) == [
        (1, "waiting", "2026-11-19 10:00", None),
        (2, "sent", "2026-11-17 10:00", "m2"),
        (2, "waiting", "2026-11-24 10:00", None),
        (3, "waiting", "2026-11-21 10:00", None),
    ]
    for days in range(1, 15):
        await told(storage, NOW + timedelta(days=days))
    said = sorted((each.item_id, each.wall[5:10]) for each in await rows_of(storage) if each.state == "sent")
    assert said == [(1, "11-19"), (1, "11-26"), (2, "11-17"), (2, "11-24"), (2, "12-01"), (3, "11-21")]
