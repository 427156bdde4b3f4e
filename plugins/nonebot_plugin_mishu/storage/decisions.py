"""The traces of decisions (product section 2, Trace)."""

from __future__ import annotations

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import Conversation, DecisionRecord
from .rows import decision_record, decision_values, within
from .tables import decision as table
from .writer import Writer


class Decisions:
    """Why the secretary spoke or stayed silent."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def add(self, record: DecisionRecord) -> int:
        """Store a decision; its id, once it is on disk. Ids only grow and are never used again.

        `record.id` is not looked at. Give `user_id`, so that the member can have it deleted.
        """

        async def work(connection: AsyncConnection) -> int:
            result = await connection.execute(insert(table).values(decision_values(record)))
            key = result.inserted_primary_key
            assert key is not None
            return key[0]

        return await self._writer.run(work)

    async def latest(self, conversation: Conversation, limit: int) -> list[DecisionRecord]:
        """The newest `limit` decisions of a conversation, newest first."""
        newest = select(table).where(within(table, conversation)).order_by(table.c.id.desc()).limit(limit)

        async def look(connection: AsyncConnection) -> list[DecisionRecord]:
            return [decision_record(row) for row in await connection.execute(newest)]

        return await self._database.read(look)
