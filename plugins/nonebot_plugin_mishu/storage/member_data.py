"""Member data in other columns than `user_id`, for export and forgetting (`personal`).

A member's tasks go, with their reminders. What a member gave to others or to the group (another's task, a
schedule of the group) stays theirs, without the member's id and name; others' expenses that they share stay
whole. Notes of changes that show a row as
it was go where they name the member or a row that went.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .journal.tables import change
from .polls.tables import poll, poll_answer
from .records import Conversation, Removed
from .reminders.tables import reminder
from .rows import within
from .schedules.tables import schedule
from .tasks.tables import task
from .transactions.tables import transaction

Told = Mapping[str, Sequence[Mapping[str, Any]]]
_UNTOLD = {
    *("self_id", "kind", "peer", "origin", "owner", "creator", "created_by", "touched", "user_ids"),
    *("maker", "turns"),
}


class MemberDataExport:
    """Tasks, schedules, reminders and the notes of changes."""

    async def export_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Told:
        """The member's tasks, the schedules they made or join, and the reminders that reach them."""
        tasks = await _select_rows(connection, task, within(task, conversation) & (task.c.owner == user_id))
        schedules = [
            row
            for row in await _select_rows(connection, schedule, within(schedule, conversation))
            if row.created_by == user_id or _takes_part(row, user_id)
        ]
        reminders = [
            row
            for row in await _select_rows(connection, reminder, within(reminder, conversation))
            if user_id in row.user_ids
        ]
        polls = await _select_rows(connection, poll, within(poll, conversation) & (poll.c.maker == user_id))
        return {
            task.name: [_export_row(task, row) for row in tasks],
            schedule.name: [
                {**_export_row(schedule, row), "joined": [one["name"] for one in row.joined]}
                for row in schedules
            ],
            reminder.name: [_export_row(reminder, row) for row in reminders],
            poll.name: [_export_row(poll, row) for row in polls],
        }

    async def forget_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Removed:
        """Delete what is the member's own, take them out of what is not; rows by table, each on its side."""
        mine = within(task, conversation) & (task.c.owner == user_id)
        tasks = {row.id for row in await _select_rows(connection, task, mine)}
        given = within(task, conversation) & (task.c.creator == user_id) & (task.c.owner != user_id)
        schedules = await self._leave_schedules(connection, conversation, user_id)
        deleted, left = await self._leave_reminders(connection, conversation, user_id, tasks)
        gone = {
            task.name: await _delete_rows(connection, task, mine),
            reminder.name: deleted,
            change.name: await self._drop_notes(connection, conversation, user_id, tasks),
        }
        others = (await connection.execute(update(task).where(given).values(creator=""))).rowcount
        shared = await self._count_shares(connection, conversation, user_id)
        polls = await self._leave_polls(connection, conversation, user_id)
        return Removed(
            gone,
            {
                schedule.name: schedules,
                task.name: others,
                reminder.name: left,
                transaction.name: shared,
                **polls,
            },
        )

    async def _leave_polls(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> dict[str, int]:
        """The group's polls stay without their maker, others' voices without who gave them for them; the
        member's own voices go by `user_id`."""
        made = within(poll, conversation) & (poll.c.maker == user_id)
        given = within(poll_answer, conversation) & (poll_answer.c.said_by == user_id)
        given &= poll_answer.c.user_id != user_id
        nobody = {"said_by": "", "said_by_name": "", "said": ""}
        polls = await connection.execute(update(poll).where(made).values(maker="", maker_name=""))
        voices = await connection.execute(update(poll_answer).where(given).values(**nobody))
        return {poll.name: polls.rowcount, poll_answer.name: voices.rowcount}

    async def _count_shares(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> int:
        """Others' expenses that the member shares: whoever paid needs them to know what is owed."""
        theirs = within(transaction, conversation) & (transaction.c.user_id != user_id) & transaction.c.shared
        rows = await _select_rows(connection, transaction, theirs)
        return sum(any(share[0] == user_id for share in row.shares) for row in rows)

    async def _leave_schedules(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> int:
        count = 0
        for row in await _select_rows(connection, schedule, within(schedule, conversation)):
            values: dict[str, Any] = {}
            if _takes_part(row, user_id):
                values["joined"] = [one for one in row.joined if one["user_id"] != user_id]
            if row.created_by == user_id:
                values |= {"created_by": "", "creator": ""}
            if values:
                count += 1
                await connection.execute(update(schedule).where(schedule.c.id == row.id).values(**values))
        return count

    async def _leave_reminders(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, tasks: set[int]
    ) -> tuple[int, int]:
        """Number of deleted reminders, and of those that stay for others."""
        deleted = left = 0
        for row in await _select_rows(connection, reminder, within(reminder, conversation)):
            others = [one for one in row.user_ids if one != user_id]
            of_task = row.agent_code == "tasks" and row.item_id in tasks
            if not of_task and len(others) == len(row.user_ids):
                continue
            this = reminder.c.id == row.id
            if of_task or (not others and not row.everybody):
                deleted += 1
                await connection.execute(delete(reminder).where(this))
            else:
                left += 1
                await connection.execute(update(reminder).where(this).values(user_ids=others))
        return deleted, left

    async def _drop_notes(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, tasks: set[int]
    ) -> int:
        """Notes of others' changes that show the member or one of their tasks; their own go by `user_id`."""
        count = 0
        for row in await _select_rows(
            connection, change, within(change, conversation) & (change.c.user_id != user_id)
        ):
            shown = any(one["table"] == task.name and one["row_id"] in tasks for one in row.rows)
            if shown or json.dumps(user_id) in json.dumps(row.rows, ensure_ascii=True):
                count += await _delete_rows(connection, change, change.c.id == row.id)
        return count


def _takes_part(row: Row[Any], user_id: str) -> bool:
    return any(one["user_id"] == user_id for one in row.joined)


def _export_row(table: Table, row: Row[Any]) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in table.c if column.name not in _UNTOLD}


async def _select_rows(
    connection: AsyncConnection, table: Table, which: ColumnElement[bool]
) -> list[Row[Any]]:
    return list(await connection.execute(select(table).where(which).order_by(table.c.id)))


async def _delete_rows(connection: AsyncConnection, table: Table, which: ColumnElement[bool]) -> int:
    return (await connection.execute(delete(table).where(which))).rowcount
