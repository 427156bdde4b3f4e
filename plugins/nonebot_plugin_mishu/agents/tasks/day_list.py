"""A member's own tasks on some days, beside the group's plans that were asked for."""

from __future__ import annotations

from datetime import date

from ...storage import Storage
from ..api.task_context import TaskContext
from . import words
from .frames import TaskQuery
from .planning.consequences import clock_of, fits


class TasksOfDays:
    """The list of what the speaker is still to do."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """The open tasks of these days, without numbers: what is picked by number was asked for."""
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
