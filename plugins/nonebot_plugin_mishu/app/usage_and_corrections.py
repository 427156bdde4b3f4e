"""The use of models, and corrections of drafts kept elsewhere, as the HTTP routes see them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from math import inf
from typing import Any, TypeVar

from ..agents.bookkeeping import correct_for_api
from ..agents.record import RecordAgent
from ..clock import Clock
from ..config import Config
from ..llm import ModelClient, cost_of
from ..storage import Storage, StorageError
from ..storage.records import Conversation, LedgerMessage
from ..web import BackendUnavailable, DayOfUsage

T = TypeVar("T")
Came = Callable[[Conversation, str], Awaitable[float | None]]
"""When a member came into a group, wall seconds."""


class StoredReads:
    """Implements the parts of `web.Backend` that need no front desk."""

    def __init__(
        self, config: Config, clock: Clock, storage: Storage, model: ModelClient, came: Came | None = None
    ) -> None:
        self._config = config
        self._clock = clock
        self._storage = storage
        self._model = model
        self._came: Came = came or storage.joins.since
        self.record: RecordAgent | None = None
        """Sums up spans, while the plugin runs."""

    async def came(self, conversation: Conversation, user_id: str | None) -> float | None:
        """When a member came into a group; None where nobody can tell."""
        if user_id is None:
            return None
        return await _read_from_storage(self._came(conversation, user_id))

    async def record_lines(
        self,
        conversation: Conversation,
        *,
        words: Sequence[str],
        user_id: str | None,
        since: float | None,
        until: float | None,
        limit: int,
    ) -> Sequence[LedgerMessage] | None:
        """The newest lines of members that hold the words; None for a group nobody ever saw."""
        ledger = self._storage.ledger
        if not await _read_from_storage(ledger.load(conversation, 1)):
            return None
        return await _read_from_storage(
            ledger.containing(
                conversation,
                words,
                user_id=user_id,
                since=since or 0.0,
                until=inf if until is None else until,
                limit=limit,
            )
        )

    async def record_line(self, conversation: Conversation, message_id: str) -> LedgerMessage | None:
        """One line of a member; None for none."""
        found = await _read_from_storage(self._storage.ledger.find(conversation, message_id))
        return None if found is None or found.is_bot else found

    async def record_digest(
        self, conversation: Conversation, *, since: float | None, until: float | None
    ) -> Sequence[tuple[str, Sequence[str]]] | None:
        """Sentences about a span, today's without one; None for a group nobody ever saw."""
        if self.record is None or not await _read_from_storage(self._storage.ledger.load(conversation, 1)):
            return None
        start = self._clock.today_began() if since is None else since
        end = self._clock.wall() if until is None else until
        told = await _read_from_storage(self.record.sentences(conversation, start, end))
        return [(each.text, each.lines) for each in told]

    def now(self) -> datetime:
        """Our clock, in our zone."""
        return self._clock.local(self._clock.wall())

    async def usage(
        self, since: datetime, until: datetime, conversation: Conversation | None
    ) -> Sequence[DayOfUsage]:
        """Calls of models by day of our zone, model and name, the oldest day first."""
        prices = self._config.llm.prices
        bounds, days = [since.timestamp()], list[str]()
        while bounds[-1] < until.timestamp():
            day = self._clock.local(bounds[-1]).date()
            midnight = datetime.combine(day + timedelta(days=1), time.min, self._clock.zone).timestamp()
            bounds.append(min(midnight, until.timestamp()))
            days.append(day.isoformat())
        if not days:
            return []
        found = await _read_from_storage(self._storage.usage.spans(bounds, conversation))
        return [
            DayOfUsage(day, row, cost_of(row, prices))
            for day, rows in zip(days, found, strict=True)
            for row in rows
        ]

    async def correct_transaction(self, batch: Sequence[Mapping[str, Any]], text: str) -> Mapping[str, Any]:
        """Seed 4's correction, for programs that keep their own drafts."""
        return await correct_for_api(self._model, self._config.bookkeeping, batch, text, self.now())


async def _read_from_storage(work: Awaitable[T]) -> T:
    try:
        return await work
    except StorageError as error:
        raise BackendUnavailable(str(error)) from None
