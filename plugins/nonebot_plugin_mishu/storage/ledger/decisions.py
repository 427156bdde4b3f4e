"""The traces of decisions (product section 2, Trace)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation, DecisionRecord
from ..rows import record_of, values_of, within
from .queries import mark, mark_queued
from .tables import decision as table


class Decisions(Queries):
    """Traces of decisions to reply or stay silent."""

    async def add(self, record: DecisionRecord, considered: Iterable[str] = ()) -> int:
        """Store a decision; its id, once it is on disk. Ids only grow and are never used again.

        The messages `considered` are marked as processed with it, in the same transaction. `record.id` is
        not looked at. Give `user_id`, so that the member can have it deleted.
        """
        marked = list(considered)
        mark_queued(self._writer.queue, record.conversation, marked, processed=True)
        return await self._writer.run_batched(self._insert_decisions, (record, marked))

    async def _insert_decisions(
        self, connection: AsyncConnection, made: Sequence[tuple[DecisionRecord, list[str]]]
    ) -> Sequence[int]:
        marked = [(record.conversation, one) for record, considered in made for one in considered]
        await mark(connection, marked, processed=True)
        adding = insert(table).returning(table.c.id, sort_by_parameter_order=True)
        return (await connection.scalars(adding, [values_of(record, table) for record, _ in made])).all()

    async def latest(
        self, conversation: Conversation, limit: int, before: int | None = None
    ) -> list[DecisionRecord]:
        """The newest `limit` decisions of a conversation, of those before the id `before`; newest first."""
        mine = within(table, conversation)
        if before is not None:
            mine &= table.c.id < before
        newest = select(table).where(mine).order_by(table.c.id.desc()).limit(limit)
        return [record_of(DecisionRecord, row) for row in await self._database.fetch_rows(newest)]

    async def of_message(self, conversation: Conversation, message_id: str) -> list[DecisionRecord]:
        """The decisions on one message, newest first."""
        mine = within(table, conversation) & (table.c.message_id == message_id)
        found = select(table).where(mine).order_by(table.c.id.desc())
        return [record_of(DecisionRecord, row) for row in await self._database.fetch_rows(found)]
