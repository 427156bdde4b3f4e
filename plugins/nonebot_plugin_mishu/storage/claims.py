"""Claims: a reply is claimed in the database before it is sent (product section 2, Once)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import uuid4

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .rows import chunks
from .tables import claim as table
from .tables import storable
from .writer import Writer


class Claims:
    """Who answers which message. One claim per `(self_id, message_id)` over all processes, for good."""

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        self._database = database
        self._writer = writer
        self._now = now

    async def claim(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """Claim messages; those that are newly ours. The others were claimed before, by anybody."""
        asked = {storable(message_id): message_id for message_id in message_ids}
        if not asked:
            return set()
        # Ours are known by the token and not by what was inserted: when a transaction is run again
        # because the connection broke at its commit, what it claimed is still ours.
        token, at = uuid4().hex, self._now()

        async def work(connection: AsyncConnection) -> set[str]:
            ours: set[str] = set()
            for chunk in chunks(asked):
                rows = [
                    {"self_id": self_id, "message_id": message_id, "token": token, "claimed_at": at}
                    for message_id in chunk
                ]
                adding = self._database.insert(table).on_conflict_do_nothing(
                    index_elements=["self_id", "message_id"]
                )
                await connection.execute(adding, rows)
                mine = (table.c.self_id == self_id) & table.c.message_id.in_(chunk) & (table.c.token == token)
                ours.update(await connection.scalars(select(table.c.message_id).where(mine)))
            return ours

        return {asked[message_id] for message_id in await self._writer.run(work)}

    async def sent(self, self_id: str, message_ids: Iterable[str], sent_message_id: str) -> None:
        """Note which message of ours answered the claimed ones."""
        answered = list(message_ids)

        async def work(connection: AsyncConnection) -> None:
            for chunk in chunks(answered):
                mine = (table.c.self_id == self_id) & table.c.message_id.in_(chunk)
                await connection.execute(update(table).where(mine).values(sent_message_id=sent_message_id))

        await self._writer.run(work)

    async def is_claimed(self, self_id: str, message_id: str) -> bool:
        """Whether anybody claimed this message."""
        mine = (table.c.self_id == self_id) & (table.c.message_id == message_id)

        async def look(connection: AsyncConnection) -> bool:
            return await connection.scalar(select(table.c.id).where(mine)) is not None

        return await self._database.read(look)
