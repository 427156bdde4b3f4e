"""Lines that one process heard and hands to the one on duty in their group, which perhaps did not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database, server_clock
from ..records import Conversation
from ..rows import CHUNK
from .tables import duty, inbox, process

LASTS: Final = 120.0
"""Seconds a line waits for somebody on duty; after that nobody would answer it any more."""


@dataclass(frozen=True, slots=True)
class InboxLine:
    """One line of a group, kept under the group's home, as an account heard it."""

    conversation: Conversation
    user_id: str
    account: str
    heard: Mapping[str, Any]


class Inbox:
    """Lines that wait for who is on duty. None do where a process has the database for itself (SQLite)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, lines: Sequence[InboxLine]) -> None:
        """Hand lines over. Raises `StorageError`."""
        rows = [
            {
                "self_id": line.conversation.self_id,
                "kind": line.conversation.kind,
                "peer": line.conversation.peer,
                "user_id": line.user_id,
                "account": line.account,
                "heard": dict(line.heard),
            }
            for line in lines
        ]

        async def insert_lines(connection: AsyncConnection) -> None:
            for start in range(0, len(rows), CHUNK):
                await connection.execute(
                    insert(inbox).values(put_at=server_clock()), rows[start : start + CHUNK]
                )

        if rows:
            await self._database.run_apart(insert_lines)

    async def take(self, name: str) -> list[InboxLine]:
        """The lines of groups that a process has the duty of, which are no longer there then; none where its
        lease is over. Lines nobody took in time are deleted. Raises `StorageError`."""
        its = (duty.c.kind == inbox.c.kind) & (duty.c.peer == inbox.c.peer) & (duty.c.process == name)
        alive = select(process.c.id).where(process.c.name == name).exists()
        mine = select(inbox.c.id).where(select(duty.c.id).where(its).exists(), alive)
        taking = delete(inbox).where(inbox.c.id.in_(mine.with_for_update(skip_locked=True))).returning(inbox)

        async def take_lines(connection: AsyncConnection) -> list[InboxLine]:
            if await connection.scalar(select(inbox.c.id).limit(1)) is None:
                return []
            rows = sorted(await connection.execute(taking), key=lambda row: row.id)
            await connection.execute(delete(inbox).where(inbox.c.put_at < server_clock() - LASTS))
            return [
                InboxLine(Conversation(row.self_id, row.kind, row.peer), row.user_id, row.account, row.heard)
                for row in rows
            ]

        return await self._database.run_apart(take_lines)
