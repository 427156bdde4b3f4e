"""End of unanswered tasks: their agent is told, then they are over, also if the write fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from ...agents import AgentSpec
from ...report import Report
from ...storage import StorageError
from ...storage.records import FrameRecord
from ..protocols import Agents
from .open_tasks import OpenTasks

T = TypeVar("T")

GRACE: Final = 10.0
"""Seconds an agent may take over the end of its question."""
Hook = Callable[[FrameRecord], Awaitable[T]]


class TaskEnding:
    """Shared by what ends questions in time (`expiry`) and what drops them (`dropping`)."""

    def __init__(self, agents: Agents, tasks: OpenTasks, report: Report) -> None:
        self._agents = agents
        self._tasks = tasks
        self._report = report

    async def tell(self, task: FrameRecord, hook_of: Callable[[AgentSpec], Hook[T] | None]) -> T | None:
        """Call the agent's hook for a question that was open; an agent that fails stops no ending."""
        spec = self._agents.get(task.agent_code)
        hook = None if spec is None or not task.waits else hook_of(spec)
        if hook is None:
            return None
        try:
            async with asyncio.timeout(GRACE):
                return await hook(task)
        except Exception as error:  # noqa: BLE001 - an agent of anybody's; the question ends all the same
            self._report(f"智能体 {task.agent_code} 结束追问时出错", error)
            return None

    async def store_ended(self, ended: Sequence[FrameRecord]) -> None:
        """Write tasks that are over; over they are also where that fails, and a restart ends them again."""
        try:
            await self._tasks.note(ended)
        except StorageError as error:
            self._report("结束的任务没有写进数据库", error)
