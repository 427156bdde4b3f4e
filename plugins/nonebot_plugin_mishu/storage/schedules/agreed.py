"""Agreements of a group: schedules and tasks of one card, created together or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.queries import Queries
from ..engine.writer import Writer
from ..records import Conversation
from ..tasks.queries import RemindTask, Tasks
from ..tasks.records import TaskDraft, TaskRecord
from ..tasks.tables import task
from .queries import Add, Remind, Schedules
from .records import Participant, ScheduleRecord
from .tables import schedule


def _no_objection(_open: Sequence[TaskRecord]) -> None:
    return None


class Agreed(Queries):
    """Raises `StorageError`: then nothing was made; at a `DatabaseTimeout` it may have been."""

    def __init__(self, database: Database, writer: Writer, schedules: Schedules, tasks: Tasks) -> None:
        super().__init__(database, writer)
        self._schedules = schedules
        self._tasks = tasks

    @Queries.writing
    async def make(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        actor: Participant,
        adds: Sequence[Add],
        tasks: Sequence[TaskDraft],
        *,
        at: float,
        remind: Remind,
        remind_task: RemindTask,
    ) -> tuple[list[ScheduleRecord], list[TaskRecord]]:
        """Make all of them in one transaction, each once by its origin. After it, call
        `storage.reminders.changed()`."""
        done: list[ScheduleRecord] = []
        if adds:
            summary = "添加日程" + "、".join(f"「{each.plan.description}」" for each in adds)
            done = await self._schedules.applied(
                connection, conversation, actor, adds, at=at, summary=summary, remind=remind
            )
        made: list[TaskRecord] = []
        for each in tasks:
            summary = f"创建任务「{each.fields.title}」"
            created = await self._tasks.created(
                connection, each, summary=summary, at=at, remind=remind_task, objects=_no_objection
            )
            assert created is not None
            made.append(created)
        return done, made

    async def made_by(self, prefix: str) -> list[str]:
        """The origins that begin with `prefix` and left something on disk."""

        async def select_origins(connection: AsyncConnection) -> list[str]:
            found: list[str] = []
            for column in (schedule.c.origin, task.c.origin):
                rows = await connection.scalars(
                    select(column).where(column.startswith(prefix, autoescape=True))
                )
                found.extend(str(origin) for origin in rows)
            return found

        return await self._writer.read_settled(select_origins)
