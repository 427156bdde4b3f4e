"""How much of talk that nobody addressed to us is worth a call. In memory; times are wall seconds.

Local rules hear all of it. A model hears of a likely plan, and of a line whose speaker has a question open
that no rule takes for an answer, so often and no more; what leads to something on record makes it free again.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, TypeVar

from ...storage.records import Conversation
from ..task_context import TaskContext

K = TypeVar("K")
V = TypeVar("V")

FREE: Final = 4
"""Calls about talk in a group, within an hour, before they become rare."""
REST: Final = 600.0
"""Seconds until the next one after that."""
UNASKED: Final = 1
"""Lines of its member that a model hears about a question nobody asked us for."""
ORDERED: Final = 3
"""And about one that belongs to an order of theirs."""
_HOUR: Final = 3600.0
_REMEMBERED: Final = 5000


class Watching:
    """What was spent on talk, by group and by question."""

    def __init__(self) -> None:
        self._spent: OrderedDict[Conversation, list[float]] = OrderedDict()
        self._unasked: OrderedDict[str, None] = OrderedDict()
        self._heard: OrderedDict[str, int] = OrderedDict()

    def plan(self, context: TaskContext) -> bool:
        """Whether a model is to hear a line that was overheard; it is counted."""
        where, now = context.conversation, context.request.now
        spent = [at for at in self._spent.pop(where, ()) if now - at < _HOUR]
        free = len(spent) < FREE or now - spent[-1] >= REST
        _kept(self._spent, where, [*spent, now] if free else spent)
        return free

    def answer(self, context: TaskContext) -> bool:
        """Whether a model is to hear a line about the open question of its speaker; it is counted."""
        if context.request.reply_mode == "forced" or context.open is None:
            return True
        asked = context.open.task_id
        before, unasked = self._heard.pop(asked, 0), asked in self._unasked
        free = before < (UNASKED if unasked else ORDERED) and (not unasked or self.plan(context))
        _kept(self._heard, asked, before + 1)
        return free

    def asked(self, task_id: str) -> None:
        """A question was asked about what nobody had said to us."""
        _kept(self._unasked, task_id, None)

    def led(self, conversation: Conversation) -> None:
        """Something that was asked about here is on record."""
        self._spent.pop(conversation, None)


def _kept(known: OrderedDict[K, V], key: K, value: V) -> None:
    known[key] = value
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
