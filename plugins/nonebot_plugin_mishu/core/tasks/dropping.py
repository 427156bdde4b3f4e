"""Tasks that end without a word: an emergency ends what its speaker has open, a silence the drafts of a
conversation, a recall what the recalled message has open, since its words were taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ...agents import Request, Utterance
from ...clock import Clock
from ...report import Report
from ...storage.records import Conversation, FrameRecord
from ..conversation_locks import ConversationLocks
from ..protocols import Agents
from ..safety.gate import Verdict
from .ending import TaskEnding
from .open_tasks import OpenTasks
from .orchestrator import TaskPlan

_TURN: Final = 300.0
"""Longest wait in seconds for running work in the conversation; more than any turn by default."""


class Dropping:
    """Ends tasks; their agents are told (`AgentSpec.drop`), their members are not."""

    def __init__(
        self, clock: Clock, agents: Agents, tasks: OpenTasks, locks: ConversationLocks, report: Report
    ) -> None:
        self._clock = clock
        self._agents = agents
        self._tasks = tasks
        self._locks = locks
        self._report = report
        self._ending = TaskEnding(agents, tasks, report)

    async def drafts(self, conversation: Conversation, message_id: str | None = None) -> None:
        """End the drafts of a conversation, or whatever one message has open, when it is our turn."""
        try:
            async with self._locks.through(conversation, _TURN):
                for user_id in self._tasks.members_in(conversation):
                    mine = self._tasks.of(conversation, user_id)
                    over = [task for task in mine if self._is_dropped(task, message_id)]
                    await self.end(conversation, user_id, over)
        except TimeoutError as error:
            self._report("草稿没有收掉，会在到期时结束", error)

    async def speakers(
        self, request: Request, gravest: Callable[[Request, Sequence[Utterance]], Verdict]
    ) -> None:
        """End what the speakers of an emergency have open; not what those have who are answered with them."""
        theirs = request.utterances
        if len(theirs) > 1:
            theirs = [said for said in theirs if gravest(request, [said]).verdict == "EMERGENCY"]
        for user_id in dict.fromkeys(said.user_id for said in theirs):
            await self.end(request.conversation, user_id, self._tasks.of(request.conversation, user_id))

    async def end(self, conversation: Conversation, user_id: str, tasks: Sequence[FrameRecord]) -> None:
        """End these tasks of a member's, inside its lock. Over they are whatever the disk says."""
        if not tasks:
            return
        for task in tasks:
            await self._ending.tell(task, lambda spec: spec.drop)
        over = {task.task_id for task in tasks}
        plan = TaskPlan(self._tasks.of(conversation, user_id)).without(over, self._clock.wall())
        await self._ending.store_ended([task for task in plan.tasks if task.task_id in over])

    def _is_dropped(self, task: FrameRecord, message_id: str | None) -> bool:
        if message_id is not None:
            return task.message_id == message_id
        spec = self._agents.get(task.agent_code)
        return spec is not None and spec.drop is not None and task.status == "awaiting_user"
