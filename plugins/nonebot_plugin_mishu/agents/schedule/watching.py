"""Limits on model calls and questions about unaddressed talk. In memory; times are wall seconds.

Local rules read all talk. A model gets likely plans, and lines after an open question that no rule reads, up
to a limit; a stored schedule resets it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, TypeVar

from ...language.names.referents import shared
from ...storage.records import Conversation
from ..api.task_context import TaskContext
from .candidates.candidate import Candidate

K = TypeVar("K")
V = TypeVar("V")

FREE: Final = 3
"""Calls about talk in a group within an hour, before the rest time applies"""
REST: Final = 900.0
"""Seconds until the next call after these"""
UNASKED: Final = 1
"""Model calls about an unrequested question"""
ORDERED: Final = 3
"""Model calls about a question that belongs to an order"""
_HOUR: Final = 3600.0
_SAME: Final = 600.0
"""Seconds in which the same plan is not asked about again, for any speaker"""
_ALIKE: Final = 2
"""Least common characters of two names of one plan, at the same moment"""
_PLANS: Final = 20
"""Number of remembered plans of a conversation"""
_REMEMBERED: Final = 5000


class Watching:
    """Counters of calls about talk, by group and question."""

    def __init__(self) -> None:
        self._spent: OrderedDict[Conversation, list[float]] = OrderedDict()
        self._unasked: OrderedDict[str, None] = OrderedDict()
        self._heard: OrderedDict[str, int] = OrderedDict()
        self._plans: OrderedDict[Conversation, list[tuple[str, str, float]]] = OrderedDict()

    def plan(self, context: TaskContext) -> bool:
        """True if a model may read an overheard line; the call is counted."""
        where, now = context.conversation, context.request.now
        spent = [at for at in self._spent.pop(where, ()) if now - at < _HOUR]
        free = len(spent) < FREE or now - spent[-1] >= REST
        _kept(self._spent, where, [*spent, now] if free else spent)
        return free

    def answer(self, context: TaskContext) -> bool:
        """True if a model may read a line after its speaker's open question; the call is counted."""
        if context.request.reply_mode == "forced" or context.open is None:
            return True
        asked = context.open.task_id
        before, unasked = self._heard.pop(asked, 0), asked in self._unasked
        free = before < (UNASKED if unasked else ORDERED) and (not unasked or self.plan(context))
        _kept(self._heard, asked, before + 1)
        return free

    def asked(self, task_id: str) -> None:
        """Note an unrequested question."""
        _kept(self._unasked, task_id, None)

    def is_new(
        self, conversation: Conversation, plan: Candidate, kept: Iterable[tuple[str, str]], now: float
    ) -> bool:
        """True if the plan is neither stored (`kept`: start, and name with place) nor asked about here within
        ten minutes: a plan of several speakers is asked about once."""
        asked = [(start, name) for start, name, at in self._plans.get(conversation, ()) if now - at < _SAME]
        begins, name = plan.new_time, f"{plan.new_description}{plan.place}"
        return not any(
            begins == start and shared(name, other) >= _ALIKE for start, other in (*asked, *kept) if begins
        )

    def asked_of(self, conversation: Conversation, plans: Iterable[Candidate], now: float) -> None:
        """Note plans asked about here."""
        before = [known for known in self._plans.pop(conversation, ()) if now - known[2] < _SAME]
        new = [(plan.new_time, f"{plan.new_description}{plan.place}", now) for plan in plans]
        _kept(self._plans, conversation, [*before, *new][-_PLANS:])

    def is_unasked(self, context: TaskContext) -> bool:
        """True if the speaker's open question was unrequested and the line is not addressed to us."""
        unasked = context.open is not None and context.open.task_id in self._unasked
        return unasked and context.request.reply_mode != "forced"

    def led(self, conversation: Conversation) -> None:
        """Reset the limit: a plan asked about is stored."""
        self._spent.pop(conversation, None)


def _kept(known: OrderedDict[K, V], key: K, value: V) -> None:
    known[key] = value
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
