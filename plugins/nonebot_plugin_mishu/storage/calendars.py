"""The addresses of calendars: a token that nobody guesses, for a conversation or for one of its members."""

from __future__ import annotations

import secrets

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import Conversation
from .rows import conversation_of, conversation_values, within
from .tables_changes import calendar as table
from .writer import Writer

TOKEN_BYTES = 24


class Calendars:
    """Tokens and whose calendar each opens. `user_id` is empty for the whole conversation's."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def token(self, conversation: Conversation, user_id: str = "") -> str:
        """The token of a calendar; made where there is none yet."""
        mine = within(table, conversation) & (table.c.user_id == user_id)
        values = {
            **conversation_values(conversation),
            "user_id": user_id,
            "token": secrets.token_urlsafe(TOKEN_BYTES),
        }
        key = ["self_id", "kind", "peer", "user_id"]
        adding = self._database.insert(table).values(**values).on_conflict_do_nothing(index_elements=key)

        async def work(connection: AsyncConnection) -> str:
            await connection.execute(adding)
            return (await connection.execute(select(table.c.token).where(mine))).scalar_one()

        return await self._writer.run(work)

    async def renew(self, conversation: Conversation, user_id: str = "") -> str:
        """Another token for the same calendar; the old address opens nothing any more."""
        await self.token(conversation, user_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        mine = within(table, conversation) & (table.c.user_id == user_id)

        async def work(connection: AsyncConnection) -> str:
            await connection.execute(update(table).where(mine).values(token=token))
            return token

        return await self._writer.run(work)

    async def opened_by(self, token: str) -> tuple[Conversation, str] | None:
        """Whose calendar a token opens; None for a token that was never given or is not valid any more."""

        async def look(connection: AsyncConnection) -> tuple[Conversation, str] | None:
            row = (await connection.execute(select(table).where(table.c.token == token))).one_or_none()
            return None if row is None else (conversation_of(row), row.user_id)

        return await self._database.read(look)
