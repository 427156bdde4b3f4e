"""Expiry of questions: one task that wakes for the next due one."""

from __future__ import annotations

import asyncio
from typing import Final

from ...agents import Announcer, NotAnnounced
from ...clock import Clock
from ...report import Report
from ...storage.records import Conversation
from ..conversation_locks import ConversationLocks
from ..protocols import Agents
from ..safety.gate import may_say
from .ending import TaskEnding
from .open_tasks import OpenTasks
from .orchestrator import TaskPlan

LONGEST_NAP: Final = 60.0
"""Seconds slept at a time: the wall clock may be set."""
_BUSY: Final = 1.0
"""Seconds until a conversation that is being worked in is looked at again."""


class Expiry:
    """Ends questions in time. `start` and `close`; `changed` after anything may be due earlier."""

    def __init__(
        self, clock: Clock, agents: Agents, tasks: OpenTasks, locks: ConversationLocks, report: Report
    ) -> None:
        self._clock = clock
        self._agents = agents
        self._tasks = tasks
        self._locks = locks
        self._report = report
        self._ending = TaskEnding(agents, tasks, report)
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._announcer: Announcer | None = None

    def start(self, announcer: Announcer | None) -> None:
        """Begin to watch; lines are said through the announcer, where there is one."""
        self._announcer = announcer
        if self._task is None:
            self._task = asyncio.create_task(self._watch(), name="mishu expiry")

    async def close(self) -> None:
        """Stop watching. Twice is once."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def end_due(self) -> None:
        """End all due questions now, also without `start`."""
        await self._end_all()

    def changed(self) -> None:
        """Recompute the next wake-up."""
        self._changed.set()

    async def _watch(self) -> None:
        while True:
            self._changed.clear()
            busy = await self._end_all()
            due = self._tasks.next_expiry()
            try:
                async with asyncio.timeout(self._nap(due, busy=busy)):
                    await self._changed.wait()
            except TimeoutError:
                continue

    def _nap(self, due: float | None, *, busy: bool) -> float | None:
        if due is None:
            return None
        if busy:
            return _BUSY
        return min(max(0.0, due - self._clock.wall()), LONGEST_NAP)

    async def _end_all(self) -> bool:
        """End all due questions; True if some are left because their conversation is busy."""
        busy = False
        for conversation, user_id in self._tasks.members_expired(self._clock.wall()):
            if self._locks.busy(conversation):
                busy = True
                continue
            lines: list[str] = []
            async with self._locks.through(conversation, LONGEST_NAP):
                lines = await self._end(conversation, user_id)
            await self._tell(conversation, user_id, lines)
        return busy

    async def _end(self, conversation: Conversation, user_id: str) -> list[str]:
        now = self._clock.wall()
        before = TaskPlan(self._tasks.of(conversation, user_id))
        after, ended = before.expired(now)
        lines = [line for task in ended if (line := await self._ending.tell(task, lambda spec: spec.expire))]
        await self._ending.store_ended(
            [task for one in ended if (task := after.get(one.task_id)) is not None]
        )
        return lines

    async def _tell(self, conversation: Conversation, user_id: str, lines: list[str]) -> None:
        said = [line for line in lines if may_say(line)]
        if self._announcer is None or not said or self._announcer.silent_until(conversation) is not None:
            return
        mentions = [user_id] if conversation.is_group else []
        try:
            await self._announcer.announce(conversation, "\n".join(said), mentions=mentions)
        except NotAnnounced as error:
            self._report("过期的追问没有说出去", error)
