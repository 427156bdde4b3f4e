"""What each member last had looked up: 下周呢 asks the same of another time. In memory; wall seconds.

A restart forgets it: the line is talk then, and nothing is written by it either way.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from ...language.changes.asked_anew import asked_anew
from ...language.clause import Situation
from ...storage.records import Conversation
from ..message_context import MessageContext
from ..protocols import Agents
from ..situation import whole
from ..tasks.orchestrator import CHAT

HOLDS: Final = 600.0
"""Seconds in which a question can be asked anew."""
_REMEMBERED: Final = 1000


class FurtherQuestions:
    """The last question of each member in each conversation."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[Conversation, str], tuple[str, float]] = OrderedDict()

    def note(self, conversation: Conversation, user_id: str, words: str | None, now: float) -> None:
        """A member had something looked up in these words; None: something else was done for them."""
        self._asked.pop((conversation, user_id), None)
        if words is not None:
            self._asked[conversation, user_id] = (words, now)
            while len(self._asked) > _REMEMBERED:
                self._asked.popitem(last=False)

    def after(self, job: MessageContext, agents: Agents) -> None:
        """What a message led to: nothing but what was looked up is a question that may be asked anew; talk
        forgets none."""
        tasks = [task for one in job.touched if (task := job.plan.get(one)) is not None]
        tasks = [task for task in tasks if task.agent_code != CHAT]
        if not (job.keeps and tasks):
            return
        reads = {(spec.code, one.name) for spec in agents for one in spec.intents if one.reads_only}
        looked = all((task.agent_code, task.intent) in reads for task in tasks) and not job.asked
        self.note(job.conversation, job.user_id, job.said.words if looked else None, job.request.now)

    def anew(self, conversation: Conversation, user_id: str, words: str, where: Situation) -> str | None:
        """The whole question that a line only says the other time of; None for every other line."""
        words_at = self._asked.get((conversation, user_id))
        if words_at is None or not 0 <= where.now.timestamp() - words_at[1] < HOLDS:
            return None
        return asked_anew(whole(words, where), whole(words_at[0], where))

    def forget(self, conversation: Conversation, user_id: str) -> None:
        """A member's data were deleted."""
        self._asked.pop((conversation, user_id), None)
