"""Members' quiet hours. Every change is on disk when its call returns."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_values
from .records import QuietHours
from .tables import member_quiet as table


class MemberQuiet(Queries):
    """Quiet hours by account and member. Raises `StorageError`."""

    async def of_members(self, self_id: str, users: Collection[str]) -> dict[str, QuietHours]:
        """Hours of those who set some."""
        mine = select(table).where(table.c.self_id == self_id, table.c.user_id.in_(list(users)))

        async def select_hours(connection: AsyncConnection) -> dict[str, QuietHours]:
            return {row.user_id: QuietHours.kept(row.hours) for row in await connection.execute(mine)}

        return await self._database.read(select_hours) if users else {}

    @Queries.writing
    async def set_member(
        self, connection: AsyncConnection, where: Conversation, user_id: str, hours: QuietHours | None
    ) -> None:
        """Set a member's hours, said in `where`; None takes them away."""
        mine = (table.c.self_id == where.self_id) & (table.c.user_id == user_id)
        await connection.execute(delete(table).where(mine))
        if hours is not None:
            values = {**conversation_values(where), "user_id": user_id, "hours": hours.as_kept()}
            await connection.execute(self._database.insert(table).values(**values))
