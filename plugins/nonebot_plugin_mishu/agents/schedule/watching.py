"""How much of talk that nobody addressed to us is worth a call, and which of its plans were asked about
already. In memory; times are wall seconds.

Local rules hear all of it. A model hears of a likely plan, and of a line whose speaker has a question open
that no rule takes for an answer, so often and no more; what leads to something on record makes it free again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, TypeVar

from ...language.names.meant import shared
from ...storage.records import Conversation
from ..api.task_context import TaskContext
from .candidates.candidate import Candidate

K = TypeVar("K")
V = TypeVar("V")

FREE: Final = 3
"""Calls about talk in a group, within an hour, before they become rare."""
REST: Final = 900.0
"""Seconds until the next one after that."""
UNASKED: Final = 1
"""Lines of its member that a model hears about a question nobody asked us for."""
ORDERED: Final = 3
"""And about one that belongs to an order of theirs."""
_HOUR: Final = 3600.0
_SAME: Final = 600.0
"""Seconds in which a plan that was asked about is not asked about again, whoever speaks of it."""
_ALIKE: Final = 2
"""Characters that two names of one plan share at least, at the same moment."""
_PLANS: Final = 20
"""Plans of a conversation that are remembered."""
_REMEMBERED: Final = 5000


class Watching:
    """What was spent on talk, by group and by question."""

    def __init__(self) -> None:
        self._spent: OrderedDict[Conversation, list[float]] = OrderedDict()
        self._unasked: OrderedDict[str, None] = OrderedDict()
        self._heard: OrderedDict[str, int] = OrderedDict()
        self._plans: OrderedDict[Conversation, list[tuple[str, str, float]]] = OrderedDict()

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

    def is_new(
        self, conversation: Conversation, plan: Candidate, kept: Iterable[tuple[str, str]], now: float
    ) -> bool:
        """Whether a plan is neither kept (`kept`: when each begins, and what and where it is) nor was asked
        about here within ten minutes: several members speak of one plan, and it is asked about once."""
        asked = [(start, name) for start, name, at in self._plans.get(conversation, ()) if now - at < _SAME]
        begins, name = plan.new_time, f"{plan.new_description}{plan.place}"
        return not any(
            begins == start and shared(name, other) >= _ALIKE for start, other in (*asked, *kept) if begins
        )

    def asked_of(self, conversation: Conversation, plans: Iterable[Candidate], now: float) -> None:
        """These plans are asked about here."""
        before = [known for known in self._plans.pop(conversation, ()) if now - known[2] < _SAME]
        new = [(plan.new_time, f"{plan.new_description}{plan.place}", now) for plan in plans]
        _kept(self._plans, conversation, [*before, *new][-_PLANS:])

    def is_unasked(self, context: TaskContext) -> bool:
        """Whether the open question of the speaker is one that nobody had asked us for, and the line was not
        said to us either."""
        unasked = context.open is not None and context.open.task_id in self._unasked
        return unasked and context.request.reply_mode != "forced"

    def led(self, conversation: Conversation) -> None:
        """Something that was asked about here is on record."""
        self._spent.pop(conversation, None)


def _kept(known: OrderedDict[K, V], key: K, value: V) -> None:
    known[key] = value
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
