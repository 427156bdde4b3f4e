"""Tasks of members (seed 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..journal import queries as changes
from ..journal.queries import RowChange
from ..records import Conversation
from ..reminders import queries as reminders
from ..rows import conversation_values, record_of, values_of, within
from .records import AGENT, TaskChanges, TaskDraft, TaskRecord, TaskState
from .tables import task

TABLE: Final = task.name
"""Table name in the journal of changes."""
CLOCKED: Final = 20_000
"""Most tasks looked at for free time."""
MOST = 500
"""Tasks of one member that one read hands out, the earliest due first."""

T = TypeVar("T")


RemindTask = Callable[[TaskRecord], reminders.Put]
"""The reminders of a task as it then stands; None: it has none."""
Objection = Callable[[Sequence[TaskRecord]], T | None]
"""Looks at the owner's open tasks inside the transaction; what it returns is why nothing is written."""


@dataclass(frozen=True, slots=True)
class TaskEdit:
    """Edit of one task. `remind` composes its new reminders; None leaves the waiting ones alone unless the
    task ends."""

    task_id: int
    fields: TaskChanges | None = None
    status: TaskState | None = None
    delete: bool = False
    remind: RemindTask | None = None
    owner: tuple[str, str] | None = None
    """Id and name of the new owner."""


class Tasks(Queries):
    """Tasks of members (seed 1). Every write is one transaction, journal and reminder included."""

    async def created(
        self,
        connection: AsyncConnection,
        new: TaskDraft,
        *,
        summary: str,
        at: float,
        remind: RemindTask,
        objects: Objection[T],
    ) -> TaskRecord | T:
        """Make a task within the caller's transaction; the one of the same origin where it is there."""
        known = await self._select_row(connection, task.c.origin == new.origin)
        if known is not None:
            return _task_record(known)
        objection = objects(await self._select_open(connection, new.owner))
        if objection is not None:
            return objection
        made, rows = await self._insert_task(connection, new, at, remind)
        await changes.journal(connection, new.conversation, new.creator, AGENT, summary, rows, at)
        return made

    create = Queries.writing(created)
    """`created` in a transaction of its own; on disk when it returns."""

    @Queries.writing
    async def create_all(
        self,
        connection: AsyncConnection,
        new: Sequence[TaskDraft],
        *,
        summary: str,
        at: float,
        remind: RemindTask,
    ) -> list[TaskRecord]:
        """Make several tasks of one member in one transaction, as one change. Those of an origin that is
        there already are these."""
        made: list[TaskRecord] = []
        rows: list[RowChange] = []
        for one in new:
            known = await self._select_row(connection, task.c.origin == one.origin)
            if known is not None:
                made.append(_task_record(known))
                continue
            record, added = await self._insert_task(connection, one, at, remind)
            made.append(record)
            rows += added
        if rows:
            await changes.journal(connection, new[0].conversation, new[0].creator, AGENT, summary, rows, at)
        return made

    async def _insert_task(
        self, connection: AsyncConnection, new: TaskDraft, at: float, remind: RemindTask
    ) -> tuple[TaskRecord, list[RowChange]]:
        values = {
            **conversation_values(new.conversation),
            "owner": new.owner,
            "owner_name": new.owner_name,
            "creator": new.creator,
            **_task_values(new.fields),
            "status": "pending",
            "origin": new.origin,
            "deleted": False,
            "created_at": at,
            "updated_at": at,
        }
        adding = self._database.insert(task).values(**values)
        await connection.execute(adding.on_conflict_do_nothing(index_elements=["origin"]))
        row = await self._select_row(connection, task.c.origin == new.origin)
        assert row is not None
        made = _task_record(row)
        rows = [RowChange(task.name, made.id, None, await changes.image(connection, task, made.id))]
        rows += await reminders.put_each(connection, remind(made))
        return made, rows

    @Queries.writing
    async def change(
        self,
        connection: AsyncConnection,
        task_id: int,
        *,
        conversation: Conversation,
        user_id: str,
        summary: str,
        at: float,
        fields: TaskChanges | None = None,
        status: TaskState | None = None,
        delete: bool = False,
        remind: RemindTask | None = None,
        objects: Objection[T] | None = None,
        owner: tuple[str, str] | None = None,
    ) -> TaskRecord | T | None:
        """Change a task that is not deleted; on disk when it returns. None where there is no such task.

        `user_id` is who changes it, in `conversation`, for the journal. `remind` says what reminder it has
        from now on; None leaves the waiting one alone unless the task ends. `owner`: whose it is from now on,
        id and name; the objection is of their open tasks.
        """
        before = await self._select_row(connection, (task.c.id == task_id) & ~task.c.deleted)
        if before is None:
            return None
        if objects is not None:
            whose = before.owner if owner is None else owner[0]
            objection = objects(await self._select_open(connection, whose))
            if objection is not None:
                return objection
        after, rows = await self._apply_edit(
            connection, TaskEdit(task_id, fields, status, delete, remind, owner), at
        )
        await changes.journal(connection, conversation, user_id, AGENT, summary, rows, at)
        return after

    @Queries.writing
    async def change_all(
        self,
        connection: AsyncConnection,
        edits: Sequence[TaskEdit],
        *,
        conversation: Conversation,
        user_id: str,
        summary: str,
        at: float,
    ) -> list[TaskRecord]:
        """Change several tasks in one transaction, as one change that one 撤销 takes back. Those that are not
        there any more are passed over."""
        done: list[TaskRecord] = []
        rows: list[RowChange] = []
        for edit in edits:
            if await self._select_row(connection, (task.c.id == edit.task_id) & ~task.c.deleted) is None:
                continue
            after, changed = await self._apply_edit(connection, edit, at)
            done.append(after)
            rows += changed
        if rows:
            await changes.journal(connection, conversation, user_id, AGENT, summary, rows, at)
        return done

    async def _apply_edit(
        self, connection: AsyncConnection, edit: TaskEdit, at: float
    ) -> tuple[TaskRecord, list[RowChange]]:
        was = await changes.image(connection, task, edit.task_id)
        values: dict[str, Any] = {"updated_at": at}
        if edit.fields is not None:
            values |= _task_values(edit.fields)
        if edit.status is not None:
            values["status"] = edit.status
        if edit.delete:
            values["deleted"] = True
        if edit.owner is not None:
            values |= {"owner": edit.owner[0], "owner_name": edit.owner[1]}
        await connection.execute(update(task).where(task.c.id == edit.task_id).values(**values))
        row = await self._select_row(connection, task.c.id == edit.task_id)
        assert row is not None
        rows = [RowChange(task.name, edit.task_id, was, await changes.image(connection, task, edit.task_id))]
        after = _task_record(row)
        if edit.delete or edit.status == "completed" or edit.remind is not None:
            rows += await reminders.drop(connection, AGENT, edit.task_id)
        if edit.remind is not None:
            rows += await reminders.put_each(connection, edit.remind(after))
        return after, rows

    @Queries.reading
    async def get(self, connection: AsyncConnection, task_id: int) -> TaskRecord | None:
        """A task that is not deleted."""
        row = await self._select_row(connection, (task.c.id == task_id) & ~task.c.deleted)
        return None if row is None else _task_record(row)

    @Queries.reading
    async def of_member(
        self,
        connection: AsyncConnection,
        user_id: str,
        *,
        conversation: Conversation | None = None,
        group_id: str | None = None,
        status: TaskState | None = None,
        created: bool = False,
    ) -> list[TaskRecord]:
        """A member's tasks that are not deleted, the earliest due first, at most `MOST`.

        Args:
            user_id: whose.
            conversation: only those made there.
            group_id: only those made in this group, by whichever account of ours.
            status: only these.
            created: also those they made for others.
        """
        mine = task.c.owner == user_id
        condition = ~task.c.deleted & ((mine | (task.c.creator == user_id)) if created else mine)
        if conversation is not None:
            condition &= within(task, conversation)
        if group_id is not None:
            condition &= (task.c.kind == "group") & (task.c.peer == group_id)
        if status is not None:
            condition &= task.c.status == status
        return await self._select_tasks(connection, condition)

    async def clocked_of(self, users: Collection[str]) -> list[TaskRecord]:
        """Open tasks of these people that stand at a clock or fill a part of the day, wherever they were
        made; of many the newest `CLOCKED`."""
        stands = task.c.start_time.is_not(None) | (
            task.c.remind_at.is_(None) & task.c.time_segment.is_not(None) & (task.c.time_segment != "all_day")
        )
        mine = ~task.c.deleted & (task.c.status == "pending") & stands
        wanted = select(task).where(mine, task.c.owner.in_(list(users)))
        rows = await self._database.fetch_rows(wanted.order_by(task.c.id.desc()).limit(CLOCKED))
        return [_task_record(row) for row in rows]

    async def list_page(
        self,
        user_id: str,
        *,
        limit: int,
        group_id: str | None = None,
        status: TaskState | None = None,
        first: str | None = None,
        last: str | None = None,
        after: tuple[str, int] | None = None,
        given: bool = False,
        newest: bool = False,
    ) -> list[TaskRecord]:
        """A member's tasks by day and id, from behind `after` (day, id) on.

        `group_id`: only those made there. `first` (included) and `last` (not included) are days. `given`:
        those that they gave to others instead. `newest`: the latest day first.
        """
        whose = (task.c.creator == user_id) & (task.c.owner != user_id) if given else task.c.owner == user_id
        condition = ~task.c.deleted & whose
        if group_id is not None:
            condition &= (task.c.kind == "group") & (task.c.peer == group_id)
        if status is not None:
            condition &= task.c.status == status
        if first is not None:
            condition &= task.c.due_date >= first
        if last is not None:
            condition &= task.c.due_date < last
        if after is not None:
            day, key = task.c.due_date, task.c.id
            condition &= (
                (day <= after[0]) & ((day < after[0]) | (key < after[1]))
                if newest
                else (day >= after[0]) & ((day > after[0]) | (key > after[1]))
            )
        order = (task.c.due_date.desc(), task.c.id.desc()) if newest else (task.c.due_date, task.c.id)
        wanted = select(task).where(condition).order_by(*order).limit(limit)
        return [_task_record(row) for row in await self._database.fetch_rows(wanted)]

    @Queries.reading
    async def of_conversation(
        self, connection: AsyncConnection, conversation: Conversation
    ) -> list[TaskRecord]:
        """The open tasks made in a conversation, of all its members, the earliest due first."""
        condition = ~task.c.deleted & within(task, conversation) & (task.c.status == "pending")
        return await self._select_tasks(connection, condition)

    @Queries.reading
    async def all_in(self, connection: AsyncConnection, conversation: Conversation) -> list[TaskRecord]:
        """Everybody's tasks made there that are not deleted, the earliest due first, at most `MOST`."""
        return await self._select_tasks(connection, ~task.c.deleted & within(task, conversation))

    async def _select_open(self, connection: AsyncConnection, owner: str) -> list[TaskRecord]:
        return await self._select_tasks(
            connection, (task.c.owner == owner) & ~task.c.deleted & (task.c.status == "pending")
        )

    @staticmethod
    async def _select_tasks(connection: AsyncConnection, condition: ColumnElement[bool]) -> list[TaskRecord]:
        order = (task.c.due_date, task.c.id)
        rows = await connection.execute(select(task).where(condition).order_by(*order).limit(MOST))
        return [_task_record(row) for row in rows]

    @staticmethod
    async def _select_row(connection: AsyncConnection, condition: ColumnElement[bool]) -> Row[Any] | None:
        return (await connection.execute(select(task).where(condition))).first()


def _task_values(fields: TaskChanges) -> Mapping[str, Any]:
    return {**values_of(fields, task), "remind_more": list(fields.remind_more)}


def _task_record(row: Row[Any]) -> TaskRecord:
    fields = record_of(TaskChanges, row, remind_more=tuple(row.remind_more or ()))
    return record_of(TaskRecord, row, fields=fields)
