"""Tasks of members (seed 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.writer import Writer
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


Reminding = Callable[[TaskRecord], reminders.Put]
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
    remind: Reminding | None = None
    owner: tuple[str, str] | None = None
    """Id and name of the new owner."""


class Tasks:
    """Tasks of members (seed 1). Every write is one transaction, journal and reminder included."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def create(
        self, new: TaskDraft, *, summary: str, at: float, remind: Reminding, objects: Objection[T]
    ) -> TaskRecord | T:
        """Make a task; on disk when it returns. The task of the same origin where there is one already."""

        return await self._writer.run(
            lambda connection: self.created(
                connection, new, summary=summary, at=at, remind=remind, objects=objects
            )
        )

    async def created(
        self,
        connection: AsyncConnection,
        new: TaskDraft,
        *,
        summary: str,
        at: float,
        remind: Reminding,
        objects: Objection[T],
    ) -> TaskRecord | T:
        """As `create`, within the caller's transaction."""
        known = await self._select_row(connection, task.c.origin == new.origin)
        if known is not None:
            return _task_record(known)
        objection = objects(await self._select_open(connection, new.owner))
        if objection is not None:
            return objection
        made, rows = await self._insert_task(connection, new, at, remind)
        await changes.journal(connection, new.conversation, new.creator, AGENT, summary, rows, at)
        return made

    async def create_all(
        self, new: Sequence[TaskDraft], *, summary: str, at: float, remind: Reminding
    ) -> list[TaskRecord]:
        """Make several tasks of one member in one transaction, as one change. Those of an origin that is
        there already are these."""

        async def insert_tasks(connection: AsyncConnection) -> list[TaskRecord]:
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
                await changes.journal(
                    connection, new[0].conversation, new[0].creator, AGENT, summary, rows, at
                )
            return made

        return await self._writer.run(insert_tasks)

    async def _insert_task(
        self, connection: AsyncConnection, new: TaskDraft, at: float, remind: Reminding
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

    async def change(
        self,
        task_id: int,
        *,
        conversation: Conversation,
        user_id: str,
        summary: str,
        at: float,
        fields: TaskChanges | None = None,
        status: TaskState | None = None,
        delete: bool = False,
        remind: Reminding | None = None,
        objects: Objection[T] | None = None,
        owner: tuple[str, str] | None = None,
    ) -> TaskRecord | T | None:
        """Change a task that is not deleted; on disk when it returns. None where there is no such task.

        `user_id` is who changes it, in `conversation`, for the journal. `remind` says what reminder it has
        from now on; None leaves the waiting one alone unless the task ends. `owner`: whose it is from now on,
        id and name; the objection is of their open tasks.
        """

        async def update_task(connection: AsyncConnection) -> TaskRecord | T | None:
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

        return await self._writer.run(update_task)

    async def change_all(
        self,
        edits: Sequence[TaskEdit],
        *,
        conversation: Conversation,
        user_id: str,
        summary: str,
        at: float,
    ) -> list[TaskRecord]:
        """Change several tasks in one transaction, as one change that one 撤销 takes back. Those that are not
        there any more are passed over."""

        async def update_tasks(connection: AsyncConnection) -> list[TaskRecord]:
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

        return await self._writer.run(update_tasks)

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

    async def get(self, task_id: int) -> TaskRecord | None:
        """A task that is not deleted."""

        async def select_task(connection: AsyncConnection) -> TaskRecord | None:
            row = await self._select_row(connection, (task.c.id == task_id) & ~task.c.deleted)
            return None if row is None else _task_record(row)

        return await self._database.read(select_task)

    async def of_member(
        self,
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

        async def select_member_tasks(connection: AsyncConnection) -> list[TaskRecord]:
            return await self._select_tasks(connection, condition)

        return await self._database.read(select_member_tasks)

    async def clocked_of(self, users: Collection[str]) -> list[TaskRecord]:
        """Open tasks of these people that stand at a clock, wherever they were made; of many the newest
        `CLOCKED`."""
        mine = ~task.c.deleted & (task.c.status == "pending") & task.c.start_time.is_not(None)
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

    async def of_conversation(self, conversation: Conversation) -> list[TaskRecord]:
        """The open tasks made in a conversation, of all its members, the earliest due first."""
        condition = ~task.c.deleted & within(task, conversation) & (task.c.status == "pending")

        async def select_open_tasks(connection: AsyncConnection) -> list[TaskRecord]:
            return await self._select_tasks(connection, condition)

        return await self._database.read(select_open_tasks)

    async def all_in(self, conversation: Conversation) -> list[TaskRecord]:
        """Everybody's tasks made there that are not deleted, the earliest due first, at most `MOST`."""

        async def select_all_tasks(connection: AsyncConnection) -> list[TaskRecord]:
            return await self._select_tasks(connection, ~task.c.deleted & within(task, conversation))

        return await self._database.read(select_all_tasks)

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
