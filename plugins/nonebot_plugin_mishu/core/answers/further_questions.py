"""Last query of each member: 下周呢 repeats it for another time. In memory; wall seconds.

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
"""Seconds in which a query can be repeated."""
_REMEMBERED: Final = 1000


class FurtherQuestions:
    """Last query of each member in each conversation."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[Conversation, str], tuple[str, float]] = OrderedDict()

    def note_query(self, conversation: Conversation, user_id: str, words: str | None, now: float) -> None:
        """Note the words of a member's query; None: other work was done."""
        self._asked.pop((conversation, user_id), None)
        if words is not None:
            self._asked[conversation, user_id] = (words, now)
            while len(self._asked) > _REMEMBERED:
                self._asked.popitem(last=False)

    def after(self, job: MessageContext, agents: Agents) -> None:
        """Note the outcome of a message: only a pure query can be repeated; talk keeps the last one."""
        tasks = [task for one in job.touched if (task := job.plan.get(one)) is not None]
        tasks = [task for task in tasks if task.agent_code != CHAT]
        if not (job.keeps and tasks):
            return
        reads = {(spec.code, one.name) for spec in agents for one in spec.intents if one.reads_only}
        looked = all((task.agent_code, task.intent) in reads for task in tasks) and not job.asked
        self.note_query(job.conversation, job.user_id, job.said.words if looked else None, job.request.now)

    def anew(self, conversation: Conversation, user_id: str, words: str, where: Situation) -> str | None:
        """The whole query for a line that gives only another time; None for any other line."""
        words_at = self._asked.get((conversation, user_id))
        if words_at is None or not 0 <= where.now.timestamp() - words_at[1] < HOLDS:
            return None
        return asked_anew(whole(words, where), whole(words_at[0], where))

    def delete_queries(self, conversation: Conversation, user_id: str) -> None:
        """Delete a member's queries."""
        self._asked.pop((conversation, user_id), None)
