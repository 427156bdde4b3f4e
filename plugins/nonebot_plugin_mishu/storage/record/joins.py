"""Join times of members, as far as the bot saw them: earlier messages are not shown to them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.writer import Writer
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import joined


class Joins:
    """Join time of each member of a group. Raises `StorageError`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def store_join(self, conversation: Conversation, user_id: str, at: float) -> None:
        """Store a member's join time (wall seconds) over an earlier one; on disk when this returns."""
        values = {**conversation_values(conversation), "user_id": user_id, "at": at}
        adding = self._database.insert(joined).values(**values)
        await self._writer.execute(
            adding.on_conflict_do_update(
                index_elements=["self_id", "kind", "peer", "user_id"], set_={"at": at}
            )
        )

    async def since(self, conversation: Conversation, user_id: str) -> float | None:
        """Join time of a member; None for one who was there before the bot."""
        mine = within(joined, conversation) & (joined.c.user_id == user_id)

        async def select_join_time(connection: AsyncConnection) -> float | None:
            return await connection.scalar(select(joined.c.at).where(mine))

        return await self._database.read(select_join_time)
