"""What was last made, changed, shown or reminded of, by member and conversation: what 那个 and 第二个 mean.

One row a member, so that a restart forgets nothing (understanding.md, section 2). It knows agents by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import Conversation
from .rows import conversation_values, within
from .tables_frames import spoken_of
from .writer import Writer

MOST = 50
"""Things that are kept of one moment."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Things of one agent in the order in which they were said, at wall seconds; `ids` may be empty."""

    agent_code: str
    ids: tuple[str, ...]
    at: float


class SpokenOf:
    """The last thing or list of each member."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def note(
        self, conversation: Conversation, user_id: str, agent_code: str, ids: Sequence[str], at: float
    ) -> None:
        """These were just spoken of with a member, and nothing else any more. Raises `StorageError`."""
        values = {
            **conversation_values(conversation),
            "user_id": user_id,
            "agent_code": agent_code,
            "ids": list(ids)[:MOST],
            "at": at,
        }
        adding = self._database.insert(spoken_of).values(**values)
        new = {name: values[name] for name in ("agent_code", "ids", "at")}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(
                adding.on_conflict_do_update(index_elements=["self_id", "kind", "peer", "user_id"], set_=new)
            )

        await self._writer.run(work)

    async def last(self, conversation: Conversation, user_id: str, since: float) -> Spoken | None:
        """What was spoken of with a member last, not before `since`. Raises `StorageError`."""
        mine = within(spoken_of, conversation) & (spoken_of.c.user_id == user_id)
        wanted = select(spoken_of).where(mine, spoken_of.c.at >= since)

        async def look(connection: AsyncConnection) -> Spoken | None:
            row = (await connection.execute(wanted)).one_or_none()
            return None if row is None else _spoken(row)

        return await self._database.read(look)

    async def here(self, conversation: Conversation, agent_code: str, since: float) -> Spoken | None:
        """What of an agent's was spoken of last in a conversation, with anybody. Raises `StorageError`."""
        mine = within(spoken_of, conversation) & (spoken_of.c.agent_code == agent_code)
        newest = select(spoken_of).where(mine, spoken_of.c.at >= since).order_by(spoken_of.c.at.desc())

        async def look(connection: AsyncConnection) -> Spoken | None:
            row = (await connection.execute(newest.limit(1))).first()
            return None if row is None else _spoken(row)

        return await self._database.read(look)


def _spoken(row: Any) -> Spoken:
    return Spoken(row.agent_code, tuple(str(each) for each in cast("list[object]", row.ids)), row.at)
