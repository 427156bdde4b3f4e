"""M2: summaries of finished and waiting tasks, found again by full-text search (product section 3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine import fulltext
from ..engine.queries import Queries
from ..records import Conversation, Summary
from ..rows import conversation_values, record_of, within
from .tables import summary


class Summaries(Queries):
    """One summary per task. A search finds what one member asked for in one conversation, nothing else."""

    async def store_summary(self, made: Summary) -> None:
        """Keep a summary, in place of the one its task had; on disk when this returns.

        A task of the same id that is another member's, or was in another conversation, is left alone.
        """
        values = {
            "agent_code": made.agent_code,
            "content": made.content,
            "terms": fulltext.indexed(made.conversation, made.user_id, made.terms),
            "vector": None,
            "vector_model": None,
            "at": made.at,
        }
        key = {**conversation_values(made.conversation), "user_id": made.user_id, "task_id": made.task_id}
        adding = self._database.insert(summary).values(**key, **values)
        own = within(summary, made.conversation) & (summary.c.user_id == made.user_id)
        replacing = adding.on_conflict_do_update(index_elements=["task_id"], set_=values, where=own)
        await self._writer.execute(replacing)

    @Queries.reading
    async def search(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        terms: Collection[str],
        limit: int,
    ) -> list[Summary]:
        """Up to `limit` summaries of a member here that hold any of the terms.

        Those with a pair of characters or a word first, of each kind the newest (`fulltext.candidates`);
        which is the most alike, `memory.ranking` says. At most `fulltext.MOST` terms are looked for.
        """
        owner, asked = fulltext.owner(conversation, user_id), list(terms)
        found = await fulltext.candidates(connection, owner, asked, limit)
        if not found:
            return []
        # The owner's name is one term among others; whose a row is, its columns say.
        own = within(summary, conversation) & (summary.c.user_id == user_id)
        rows = await connection.execute(select(summary).where(summary.c.id.in_(found), own))
        by_id = {row.id: _summary_record(row) for row in rows}
        return [by_id[number] for number in found if number in by_id]

    async def vectors(
        self, conversation: Conversation, user_id: str, model: str, limit: int
    ) -> list[tuple[Summary, bytes]]:
        """The member's newest `limit` summaries here with a vector of that model, newest first."""
        own = within(summary, conversation) & (summary.c.user_id == user_id)
        known = select(summary).where(own, summary.c.vector_model == model, summary.c.vector.is_not(None))
        newest = known.order_by(summary.c.id.desc()).limit(limit)
        return [(_summary_record(row), bytes(row.vector)) for row in await self._database.fetch_rows(newest)]

    async def set_vector(self, task_id: str, content: str, model: str, vector: bytes) -> None:
        """Keep the vector (float32, little-endian) of a summary, if it still is the one it was made of."""
        same = (summary.c.task_id == task_id) & (summary.c.content == content)
        await self._writer.execute(update(summary).where(same).values(vector=vector, vector_model=model))

    async def latest(self, conversation: Conversation, user_id: str, limit: int) -> Sequence[Summary]:
        """The newest `limit` summaries of a member here, newest first."""
        own = within(summary, conversation) & (summary.c.user_id == user_id)
        newest = select(summary).where(own).order_by(summary.c.id.desc()).limit(limit)
        return [_summary_record(row) for row in await self._database.fetch_rows(newest)]


def _summary_record(row: Row[Any]) -> Summary:
    return record_of(Summary, row, terms=tuple(row.terms.split(" ")[1:]))
