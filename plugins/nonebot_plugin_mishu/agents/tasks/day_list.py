"""A member's own tasks on some days, shown beside the group plans."""

from __future__ import annotations

from datetime import date

from ...storage import Storage
from ..api.task_context import TaskContext
from . import words
from .frames import TaskQuery
from .planning.consequences import clock_of, fits


class TasksOfDays:
    """List of the speaker's open tasks."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """Open tasks of these days, without numbers: numbers belong to the list asked for."""
        query = TaskQuery("pending", first.isoformat(), last.isoformat())
        found = await self._storage.tasks.of_member(
            context.actor.user_id, conversation=context.conversation, status="pending"
        )
        found = sorted(
            (task for task in found if fits(task, query)),
            key=lambda task: (task.fields.due_date, clock_of(task), task.id),
        )
        if not found:
            return ""
        lines = [f"  {words.task_line(task, context.now)}" for task in found[: words.LONGEST_LIST]]
        return "\n".join(["你自己的任务：", *lines])
