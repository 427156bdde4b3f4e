"""M3: the tasks of the core, open and recent (product section 3, Memory)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation, FrameRecord
from ..rows import record_of, values_of, within
from .tables import frame as table

_OPEN = ("queued", "active", "awaiting_user", "awaiting_other")
_KEY = "task_id"


class Frames(Queries):
    """M3: the tasks of the core, open and recent. Unique by `task_id`; what is put is on disk on return."""

    async def put(self, *frames: FrameRecord) -> None:
        """Keep tasks as they stand now, all or none; a known one is overwritten. Raises `StorageError`."""
        rows = [values_of(frame, table) for frame in frames]
        if rows:
            await self._writer.run_batched(self._upsert_frames, rows)

    async def _upsert_frames(
        self, connection: AsyncConnection, asked: Sequence[list[dict[str, Any]]]
    ) -> Sequence[None]:
        adding = self._database.insert(table)
        changed = {name: adding.excluded[name] for name in asked[0][0] if name != _KEY}
        putting = adding.on_conflict_do_update(index_elements=[_KEY], set_=changed)
        await connection.execute(putting, [row for rows in asked for row in rows])
        return [None] * len(asked)

    async def open(self) -> list[FrameRecord]:
        """All open tasks of all conversations, oldest first."""
        wanted = select(table).where(table.c.status.in_(_OPEN))
        return await self._select_frames(wanted.order_by(table.c.created_at, table.c.place, table.c.id))

    async def since(self, moment: float) -> list[FrameRecord]:
        """Tasks of all conversations that changed at `moment` (wall seconds) or later, oldest first."""
        wanted = select(table).where(table.c.updated_at >= moment)
        return await self._select_frames(wanted.order_by(table.c.updated_at, table.c.id))

    async def latest(self, conversation: Conversation, limit: int) -> list[FrameRecord]:
        """The tasks of a conversation that changed last, newest first, whatever became of them."""
        wanted = select(table).where(within(table, conversation))
        return await self._select_frames(
            wanted.order_by(table.c.updated_at.desc(), table.c.id.desc()).limit(limit)
        )

    async def latest_of(self, conversation: Conversation, user_id: str, limit: int) -> list[FrameRecord]:
        """A member's tasks that changed last, newest first, whatever became of them."""
        mine = within(table, conversation) & (table.c.user_id == user_id)
        newest = select(table).where(mine).order_by(table.c.updated_at.desc(), table.c.id.desc())
        return await self._select_frames(newest.limit(limit))

    async def of_member(self, conversation: Conversation, user_id: str) -> list[FrameRecord]:
        """A member's tasks in a conversation, oldest first: what they may export."""
        mine = within(table, conversation) & (table.c.user_id == user_id)
        return await self._select_frames(select(table).where(mine).order_by(table.c.id))

    async def forget(self, conversation: Conversation, user_id: str) -> int:
        """Delete a member's tasks in a conversation; how many there were. See `Core.forget`."""
        mine = within(table, conversation) & (table.c.user_id == user_id)
        return await self._writer.execute(delete(table).where(mine))

    async def _select_frames(self, wanted: Any) -> list[FrameRecord]:
        return [record_of(FrameRecord, row) for row in await self._database.fetch_rows(wanted)]
