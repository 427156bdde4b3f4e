"""Reminders as agents keep them: put with a thing, dropped with it, found again by what was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database, Work
from ..engine.queries import Queries
from ..engine.writer import Writer
from ..journal.queries import RowChange, image
from ..records import Conversation
from ..rows import within
from .chains import first_origin
from .due import DueRows
from .records import (
    NOTICE,
    NUDGE,
    POLL,
    Backlog,
    Following,
    NewReminder,
    Next,
    ReminderRecord,
    ReminderState,
    Unsent,
)
from .rows import HELD_BACK, add_row, reminder_records, reminder_values
from .tables import claimed, waiting
from .tables import reminder as table

T = TypeVar("T")

__all__ = [
    "Backlog",
    "Following",
    "NewReminder",
    "Next",
    "Put",
    "ReminderRecord",
    "ReminderState",
    "Reminders",
    "drop",
    "drop_in",
    "drop_row",
    "finish",
    "put",
    "put_each",
]


async def put(connection: AsyncConnection, reminder: NewReminder) -> RowChange:
    """Add a reminder in the transaction of what it reminds of; for the journal.

    One whose `origin` is there already is not added again: the change then changes nothing.
    """
    row_id = await add_row(connection, reminder_values(reminder))
    if row_id is not None:
        return RowChange(table.name, row_id, None, await image(connection, table, row_id))
    same = select(table.c.id).where(table.c.origin == reminder.origin)
    row_id = (await connection.execute(same)).scalar_one()
    there = await image(connection, table, row_id)
    return RowChange(table.name, row_id, there, there)


Put = NewReminder | Sequence[NewReminder] | None
"""The reminders of a thing: one, several where several leads were said, or none."""


async def put_each(connection: AsyncConnection, wanted: Put) -> list[RowChange]:
    """Add the reminders of a thing, as `put`."""
    listed = [wanted] if isinstance(wanted, NewReminder) else list(wanted or ())
    return [await put(connection, each) for each in listed]


async def drop(connection: AsyncConnection, agent_code: str, item_id: int) -> list[RowChange]:
    """Take the waiting reminders of an item away, in the transaction that ends or moves it.

    One that is being sent at this moment is not tried again and does not recur.
    """
    mine = (table.c.agent_code == agent_code) & (table.c.item_id == item_id)
    return await _end_rows(connection, mine & or_(waiting, claimed), "dropped")


async def drop_row(connection: AsyncConnection, reminder_id: int) -> list[RowChange]:
    """Take one waiting reminder away, as `drop`."""
    return await _end_rows(connection, (table.c.id == reminder_id) & or_(waiting, claimed), "dropped")


async def drop_in(
    connection: AsyncConnection, conversation: Conversation, agent_code: str, *, text: str | None = None
) -> list[RowChange]:
    """Take an agent's waiting reminders in a conversation away, as `drop`; `text`: only such."""
    mine = within(table, conversation) & (table.c.agent_code == agent_code)
    if text is not None:
        mine &= table.c.text == text
    return await _end_rows(connection, mine & or_(waiting, claimed), "dropped")


async def finish(connection: AsyncConnection, reminder_id: int) -> list[RowChange]:
    """Note that a member is done with what a sent reminder reminded of."""
    return await _end_rows(connection, (table.c.id == reminder_id) & (table.c.state == "sent"), "done")


async def _end_rows(connection: AsyncConnection, mine: ColumnElement[bool], state: str) -> list[RowChange]:
    found = await connection.execute(select(table).where(mine).order_by(table.c.id).with_for_update())
    changes: list[RowChange] = []
    for row in found.all():
        before: dict[str, Any] = dict(row._mapping)  # pyright: ignore[reportPrivateUsage]
        await connection.execute(update(table).where(table.c.id == row.id).values(state=state))
        changes.append(RowChange(table.name, row.id, before, {**before, "state": state}))
    return changes


class Reminders(Queries):
    """Due rows: the truth about reminders. `rows` is the side of who sends them."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database, writer)
        self.rows = DueRows(database, writer)
        self.on_changed: Callable[[], None] | None = None
        """Listener for changed rows: the reminder service."""

    def changed(self) -> None:
        """Call after a transaction that put or dropped reminders: whoever waits looks again."""
        if self.on_changed is not None:
            self.on_changed()

    async def write(self, work: Work[T]) -> T:
        """Run `work` (`put`, `drop`, `finish`, `journal`) in one transaction; on disk when it returns."""
        return await self._writer.run(work)

    async def by_message(self, conversation: Conversation, message_id: str) -> list[ReminderRecord]:
        """The reminders that a message of ours was, in their order; several where it gathered them."""
        mine = within(table, conversation) & (table.c.message_id == message_id)
        mine &= table.c.agent_code.not_in((NOTICE, POLL))
        return await self._select_reminders(mine)

    async def find_last_sent(
        self, conversation: Conversation, user_id: str, since: float
    ) -> list[ReminderRecord]:
        """The newest message that reminded a member since then, if it is not done: what it reminded of."""
        recent = within(table, conversation) & (table.c.state == "sent") & (table.c.closed_at >= since)
        recent &= table.c.agent_code.not_in((NOTICE, POLL))
        newest = select(table).where(recent).order_by(table.c.closed_at.desc(), table.c.id).limit(200)

        async def select_sent(connection: AsyncConnection) -> list[ReminderRecord]:
            return reminder_records(await connection.execute(newest))

        to_them = [each for each in await self._database.read(select_sent) if user_id in each.user_ids]
        last = to_them[0].message_id if to_them else None
        return [each for each in to_them if each.message_id is not None and each.message_id == last]

    async def of_item(self, agent_code: str, item_id: int) -> list[ReminderRecord]:
        """The reminders of an item that still wait, the next one first."""
        mine = (table.c.agent_code == agent_code) & (table.c.item_id == item_id)
        return await self._select_reminders(mine & or_(waiting, claimed))

    @Queries.reading
    async def list_troubles(
        self, connection: AsyncConnection, conversation: Conversation, now: float
    ) -> list[Unsent]:
        """Reasons why due rows of a conversation were not sent: of those that wait, and of those given up in
        the last day."""
        given_up = (table.c.state == "dropped") & (table.c.failures > 0) & (table.c.closed_at > now - 86400.0)
        mine = within(table, conversation) & table.c.trouble.is_not(None)
        mine &= or_(waiting & (table.c.due_at <= now), given_up)
        counted = select(table.c.trouble, table.c.state, func.count().label("rows")).where(mine)
        counted = counted.group_by(table.c.trouble, table.c.state).order_by(table.c.state, table.c.trouble)
        rows = (await connection.execute(counted)).all()
        return [Unsent(row.trouble.removeprefix(HELD_BACK), row.rows, row.state == "dropped") for row in rows]

    @Queries.reading
    async def nudges_to(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str | None
    ) -> list[tuple[ReminderRecord, str]]:
        """Nudges of a member that still wait, each with the origin of the order that it goes back to.
        `user_id` None: of all members."""
        mine = within(table, conversation) & (table.c.agent_code == NUDGE) & or_(waiting, claimed)
        rows = select(table).where(mine).order_by(table.c.due_at, table.c.id)
        found = reminder_records(await connection.execute(rows))
        return [
            (each, await first_origin(connection, each.origin or ""))
            for each in found
            if user_id is None or user_id in each.user_ids
        ]

    @Queries.reading
    async def last_of_origin(self, connection: AsyncConnection, begins: str) -> ReminderRecord | None:
        """The newest row whose origin begins so, whatever became of it."""
        mine = table.c.origin.startswith(begins, autoescape=True)
        rows = select(table).where(mine).order_by(table.c.id.desc()).limit(1)
        return next(iter(reminder_records(await connection.execute(rows))), None)

    @staticmethod
    async def count_origins(connection: AsyncConnection, begins: str, *, but: str) -> int:
        """Number of rows whose origin begins so, without the one whose origin is `but`."""
        mine = table.c.origin.startswith(begins, autoescape=True) & (table.c.origin != but)
        return int(await connection.scalar(select(func.count()).where(mine)) or 0)

    @Queries.reading
    async def _select_reminders(
        self, connection: AsyncConnection, condition: ColumnElement[bool]
    ) -> list[ReminderRecord]:
        rows = select(table).where(condition).order_by(table.c.due_at, table.c.id)
        return reminder_records(await connection.execute(rows))
