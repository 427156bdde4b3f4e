"""Counts what the plugin does, for `/metrics`: plain numbers, whether or not anybody reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection

from ..clock import Clock
from ..frontdesk import FrontDesk, Platform
from ..reminders import ReminderService
from ..storage import Storage, StorageError
from ..storage.records import DecisionRecord, ModelCall
from ..web import Measures
from ..web.routes.measures import BOUNDS

SENT = "send"
"""The step of a decision's timings that is there where something was sent."""


class Tally:
    """Decisions, replies and model calls since the start."""

    def __init__(self) -> None:
        self.decisions: Counter[tuple[str, bool]] = Counter()
        self.replies = [0] * (len(BOUNDS) + 1)
        self.reply_seconds = 0.0
        self.calls: Counter[tuple[str, str, str]] = Counter()
        self.call_seconds: dict[tuple[str, str], float] = {}
        self.tokens: Counter[tuple[str, str, str]] = Counter()

    def decided(self, record: DecisionRecord) -> None:
        """Count a decision, and where something was sent, how long that took from the message on."""
        sent = SENT in record.timings
        self.decisions[record.trigger, sent] += 1
        if sent:
            seconds = record.timings.get("held", 0.0) + record.timings.get("total", 0.0)
            self.replies[bisect_left(BOUNDS, seconds)] += 1
            self.reply_seconds += seconds

    def called(self, call: ModelCall) -> None:
        """Count a call of a model."""
        key = (call.name, call.model)
        self.calls[call.name, call.model, call.outcome] += 1
        self.call_seconds[key] = self.call_seconds.get(key, 0.0) + call.seconds
        self.tokens[call.name, call.model, "prompt"] += call.prompt_tokens
        self.tokens[call.name, call.model, "completion"] += call.completion_tokens


class Measuring:
    """Puts the numbers of all parts together when somebody asks."""

    def __init__(
        self,
        tally: Tally,
        clock: Clock,
        storage: Storage,
        platform: Platform,
        reminders: ReminderService,
        desk: Callable[[], FrontDesk | None],
        simulated: Collection[str] = (),
    ) -> None:
        """`simulated`: accounts that are no account of a real platform, as the playground's."""
        self._tally = tally
        self._clock = clock
        self._storage = storage
        self._platform = platform
        self._reminders = reminders
        self._desk = desk
        self._simulated = simulated

    async def measures(self) -> Measures:
        """Everything as it stands."""
        desk, tally = self._desk(), self._tally
        rooms = list(desk.rooms) if desk is not None else []
        stored = self._storage.counters()
        return Measures(
            messages=stored.messages,
            decisions=dict(tally.decisions),
            replies=tuple(tally.replies),
            reply_seconds=tally.reply_seconds,
            calls=dict(tally.calls),
            call_seconds=dict(tally.call_seconds),
            tokens=dict(tally.tokens),
            reminders_sent=dict(self._reminders.sent),
            overdue=await self._overdue(),
            queues={
                "held": sum(len(room.hold) for room in rooms),
                "outbox": sum(len(room.outbox) for room in rooms),
                "database_rows": stored.waiting_rows,
                "database_jobs": stored.waiting_jobs,
            },
            database_errors=stored.errors,
            database_up=self._storage.status()[0] == "ok",
            accounts=len(set(self._platform.accounts()) - set(self._simulated)),
            conversations=len(rooms),
        )

    async def _overdue(self) -> tuple[int, float] | None:
        now = self._clock.wall()
        try:
            waiting = await self._storage.reminders.rows.backlog(now)
        except StorageError:
            return None
        oldest = min((each.first_due for each in waiting), default=now)
        return sum(each.count for each in waiting), max(0.0, now - oldest)
