"""Digests of spans of a conversation: sentences that were checked, with the lines they rest on.

One row a piece of talk, from one line to another. A recall within it, a 忘记我, and pruning take it away; who
reads it counts its lines besides, so that a row that no longer fits its lines is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import span_digest


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """A sentence as it may be told."""

    kind: str
    text: str
    lines: tuple[str, ...]
    """Ids of the messages it rests on."""


@dataclass(frozen=True, slots=True)
class SpanDigest:
    """Digest of one span of a conversation."""

    first_id: str
    last_id: str
    since: float
    """Times of the first and the last message, wall seconds."""
    until: float
    lines: int
    """Number of messages from the first to the last."""
    sentences: tuple[KeptSentence, ...]


class SpanDigests(Queries):
    """Digests of spans. Raises `StorageError`."""

    @Queries.reading
    async def over(
        self, connection: AsyncConnection, conversation: Conversation, since: float, until: float
    ) -> list[SpanDigest]:
        """Digests that overlap a span, the earliest first."""
        touching = (span_digest.c.until >= since) & (span_digest.c.since < until)
        wanted = select(span_digest).where(within(span_digest, conversation), touching)
        rows = await connection.execute(wanted.order_by(span_digest.c.since, span_digest.c.id))
        return [_digest_record(row) for row in rows]

    async def store_digest(self, conversation: Conversation, made: SpanDigest) -> None:
        """Store a digest, in place of those with the same first message; on disk when this returns."""
        values = {
            **conversation_values(conversation),
            "first_id": made.first_id,
            "last_id": made.last_id,
            "since": made.since,
            "until": made.until,
            "lines": made.lines,
            "sentences": [{"kind": s.kind, "text": s.text, "lines": list(s.lines)} for s in made.sentences],
        }
        same = within(span_digest, conversation) & (span_digest.c.first_id == made.first_id)
        await self._writer.execute(
            delete(span_digest).where(same), self._database.insert(span_digest).values(**values)
        )

    async def delete_digests(self, conversation: Conversation, first_ids: Sequence[str]) -> None:
        """Delete digests by their first messages."""
        if not first_ids:
            return
        mine = within(span_digest, conversation) & span_digest.c.first_id.in_(list(first_ids))
        await self._writer.execute(delete(span_digest).where(mine))


def _digest_record(row: Any) -> SpanDigest:
    return SpanDigest(
        row.first_id,
        row.last_id,
        row.since,
        row.until,
        row.lines,
        tuple(KeptSentence(s["kind"], s["text"], tuple(s["lines"])) for s in row.sentences),
    )
