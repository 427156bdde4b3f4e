"""Join times of members, as far as the bot saw them: earlier messages are not shown to them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import joined


class Joins(Queries):
    """Join time of each member of a group. Raises `StorageError`."""

    async def store_join(self, conversation: Conversation, user_id: str, at: float) -> None:
        """Store a member's join time (wall seconds) over an earlier one; on disk when this returns."""
        values = {**conversation_values(conversation), "user_id": user_id, "at": at}
        adding = self._database.insert(joined).values(**values)
        await self._writer.execute(
            adding.on_conflict_do_update(
                index_elements=["self_id", "kind", "peer", "user_id"], set_={"at": at}
            )
        )

    @Queries.reading
    async def since(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> float | None:
        """Join time of a member; None for one who was there before the bot."""
        mine = within(joined, conversation) & (joined.c.user_id == user_id)
        return await connection.scalar(select(joined.c.at).where(mine))
