"""Conversion between reminders and table rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, and_, literal_column
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from ..rows import conversation_values, record_of
from .records import WALL, Following, NewReminder, ReminderRecord
from .tables import reminder as table
from .tables import waiting

LONGEST_HOLD = 7200.0
"""Seconds a row waits at most after a send that failed. One that would wait longer does so because a clock
was set back, and does not wait."""


def ripe(now: float) -> ColumnElement[bool]:
    """The condition that a row is to be sent at `now`."""
    held = and_(table.c.not_before > now, table.c.not_before <= now + LONGEST_HOLD)
    return and_(waiting, table.c.due_at <= now, ~held)


def reminder_values(reminder: NewReminder) -> dict[str, Any]:
    """The row of a new reminder."""
    wall = _event_wall(reminder)
    return {
        **conversation_values(reminder.conversation),
        **fresh(reminder.due_at, wall),
        "agent_code": reminder.agent_code,
        "item_id": reminder.item_id,
        "origin": reminder.origin,
        "user_ids": list(dict.fromkeys(reminder.user_ids)),
        "everybody": reminder.everybody,
        "text": reminder.text,
        "note": None,
        "anchor": wall,
        "zone": reminder.zone,
        "recurrence": reminder.recurrence,
        "until": reminder.until,
        "lead_minutes": reminder.lead_minutes,
    }


def following_values(record: ReminderRecord, following: Following) -> dict[str, Any]:
    """The row of a reminder's next occurrence; its origin lets it come once."""
    return {
        **conversation_values(record.conversation),
        **fresh(following.due_at, following.wall),
        "agent_code": record.agent_code,
        "item_id": record.item_id,
        "origin": f"after:{record.id}",
        "user_ids": list(record.user_ids),
        "everybody": record.everybody,
        "text": record.text,
        "note": following.note,
        "anchor": record.anchor,
        "zone": record.zone,
        "recurrence": record.recurrence,
        "until": record.until,
        "lead_minutes": record.lead_minutes,
    }


async def add_row(connection: AsyncConnection, values: Mapping[str, Any]) -> int | None:
    """Insert a row; its id, or None where its origin is there already."""
    dialect_insert = sqlite_insert if connection.dialect.name == "sqlite" else postgresql_insert
    adding = dialect_insert(table).values(**values).on_conflict_do_nothing(index_elements=["origin"])
    return await connection.scalar(adding.returning(table.c.id))


def reminder_record(row: Row[Any]) -> ReminderRecord:
    held_back = (row.trouble or "").startswith(HELD_BACK)
    return record_of(ReminderRecord, row, user_ids=tuple(row.user_ids), held_back=held_back)


def reminder_records(rows: Iterable[Row[Any]]) -> list[ReminderRecord]:
    return [reminder_record(row) for row in rows]


HELD_BACK = "held back: "
"""Before the trouble of a row that was due where nothing may be said unasked: no failure of the row's."""

recurring = table.c.recurrence != literal_column("'null'")
"""The condition that a row recurs."""


def fresh(due_at: float, wall: str) -> dict[str, Any]:
    """The columns of a row that waits and was never tried."""
    return {
        "due_at": due_at,
        "wall": wall,
        "state": "waiting",
        "owner": None,
        "lease_until": None,
        "not_before": 0.0,
        "failures": 0,
        "unclear": 0,
        "message_id": None,
        "closed_at": None,
        "trouble": None,
    }


def _event_wall(reminder: NewReminder) -> str:
    if not reminder.lead_minutes:
        return reminder.wall
    own = datetime.strptime(reminder.wall, WALL).replace(tzinfo=ZoneInfo(reminder.zone))
    if abs(own.timestamp() - reminder.due_at) < 60:
        thing = own.timestamp() + reminder.lead_minutes * 60
        return datetime.fromtimestamp(thing, own.tzinfo).strftime(WALL)
    return reminder.wall
