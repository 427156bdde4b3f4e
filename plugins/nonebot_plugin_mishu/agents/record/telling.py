"""Summary of a span of one conversation: found by rules, worded by a checked model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from zoneinfo import ZoneInfo

from ...language.lines.check import Sentence
from ...language.lines.line import RecordLine
from ...llm import CallLog, Deadline, ModelClient
from ...record import Findings, gather, line_of, words_of
from ...storage.records import Conversation, LedgerMessage
from .digest import PIECES, SHORT, SPENT, Digests
from .names import MemberNames
from .ports import RecordLedger

MOST: Final = 5_000
"""Most lines of one summary; of more, the newest."""
BEFORE: Final = 500
"""Lines before the span for the group's common words."""
_KEPT: Final = 8.0
"""Seconds of the request's time reserved for the plain form."""


@dataclass(frozen=True, slots=True)
class ToldSpan:
    """Span of a summary from `since` to before `until` (wall seconds), and its asker.

    `before` leaves out what was said behind a line (QQ's times are whole seconds): its order. `asker` is
    whose open questions are looked for; None: nobody's.
    """

    since: float
    until: float
    before: tuple[float, int] | None = None
    asker: str | None = None
    name: str = ""
    """Name of the asker."""


@dataclass(frozen=True, slots=True)
class ToldRecord:
    """Findings, and a model's valid sentences; `why` gives the reason if they are missing or incomplete."""

    found: Findings
    sentences: tuple[Sentence, ...] = ()
    why: str = ""

    @property
    def spent(self) -> bool:
        """True if the day's digest tokens are used up."""
        return self.why == SPENT


class Telling:
    """Reads and summarises a span. Raises `StorageError`."""

    def __init__(
        self, ledger: RecordLedger, digests: Digests, model: ModelClient, zone: ZoneInfo, names: MemberNames
    ) -> None:
        self._names = names
        self._ledger = ledger
        self._digests = digests
        self._model = model
        self._zone = zone

    async def found(self, conversation: Conversation, stretch: ToldSpan) -> Findings:
        """Findings by rules alone."""
        return await self._gather(conversation, stretch, await self.lines(conversation, stretch))

    async def told(
        self,
        conversation: Conversation,
        stretch: ToldSpan,
        deadline: Deadline,
        log: CallLog,
        pieces: int = PIECES,
    ) -> ToldRecord:
        """Summary with a model's sentences, if a model is available and the span long enough."""
        kept = await self._digests.over(conversation, stretch.since, stretch.until)
        since = min([stretch.since, *(each.since for each in kept)])
        known = await self.lines(conversation, replace(stretch, since=since))
        start = next(
            (at for at, line in enumerate(known) if line.at.timestamp() >= stretch.since), len(known)
        )
        lines = known[start:]
        found = await self._gather(conversation, stretch, lines)
        if not self._model.online or len(lines) <= SHORT:
            return ToldRecord(found)
        # What is before the span was read only to know the pieces that reach into it.
        summed = await self._digests.told(
            conversation,
            known,
            kept,
            deadline.earlier(max(deadline.remaining() - _KEPT, 0.0)),
            log,
            pieces,
            start,
        )
        inside = {line.id for line in lines}
        held = tuple(each for each in summed.sentences if inside.issuperset(each.lines))
        return ToldRecord(found, held, summed.why)

    async def lines(self, conversation: Conversation, stretch: ToldSpan) -> list[RecordLine]:
        """Lines of a span, oldest first."""
        heard = await self._ledger.between(conversation, stretch.since, stretch.until, MOST)
        return await self._names.into(conversation, self._read(heard, stretch))

    async def _gather(
        self, conversation: Conversation, stretch: ToldSpan, lines: Sequence[RecordLine]
    ) -> Findings:
        earlier = await self._ledger.between(conversation, stretch.since - 7 * 86400, stretch.since, BEFORE)
        before = words_of(self._read(earlier, stretch))
        # Thousands of lines are searched for times: not in the loop's time.
        names = {stretch.name: stretch.asker} if stretch.asker is not None and stretch.name else {}
        return await asyncio.to_thread(gather, lines, stretch.asker, before, names)

    def _read(self, messages: Sequence[LedgerMessage], stretch: ToldSpan) -> list[RecordLine]:
        return [
            line_of(each, self._zone)
            for each in messages
            if stretch.before is None or each.order < stretch.before
        ]
