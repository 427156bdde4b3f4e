"""The addresses of calendars: a token that nobody guesses, for a conversation or for one of its members.

A member has one row in a group. Its token opens their own calendar; what opens the group's for them is made
of it by a keyed digest, so that neither address tells the other, and both end with the row: when they leave.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...patterns import Pattern
from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_of, conversation_values, within
from .tables import calendar as table

TOKEN_BYTES = 24
_HELD = Pattern(r"g([0-9]{1,18})-([A-Za-z0-9_-]{43})\Z")
"""A member's address of the group's calendar; the tokens of rows are 32 characters."""


@dataclass(frozen=True, slots=True)
class OpenCalendar:
    """Calendar opened by a token."""

    place: Conversation
    user_id: str
    """Owner of the calendar; empty for the whole conversation's."""
    holder: str
    """Member who received the address; empty where it was not stored."""


class Calendars(Queries):
    """Tokens and whose calendar each opens. `user_id` is empty for the whole conversation's."""

    async def token(self, conversation: Conversation, user_id: str = "") -> str:
        """The token of a calendar; made where there is none yet."""
        return (await self._ensure_row(conversation, user_id))[1]

    async def held_token(self, conversation: Conversation, holder: str) -> str:
        """The token by which one member opens the calendar of their group."""
        number, token = await self._ensure_row(conversation, holder)
        return f"g{number}-{_group_key(token)}"

    @Queries.writing
    async def _ensure_row(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> tuple[int, str]:
        mine = within(table, conversation) & (table.c.user_id == user_id)
        values = {
            **conversation_values(conversation),
            "user_id": user_id,
            "token": secrets.token_urlsafe(TOKEN_BYTES),
        }
        key = ["self_id", "kind", "peer", "user_id"]
        adding = self._database.insert(table).values(**values).on_conflict_do_nothing(index_elements=key)
        await connection.execute(adding)
        row = (await connection.execute(select(table.c.id, table.c.token).where(mine))).one()
        return row.id, row.token

    async def renew(self, conversation: Conversation, user_id: str = "") -> str:
        """Another token for the same calendar; the old address opens nothing any more."""
        await self.token(conversation, user_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        mine = within(table, conversation) & (table.c.user_id == user_id)

        async def replace_token(connection: AsyncConnection) -> str:
            await connection.execute(update(table).where(mine).values(token=token))
            return token

        return await self._writer.run(replace_token)

    @Queries.reading
    async def opened_by(self, connection: AsyncConnection, token: str) -> OpenCalendar | None:
        """Calendar opened by a token; None for an unknown or expired token."""
        held = _HELD.match(token)
        this = table.c.token == token if held is None else table.c.id == int(held[1])
        row = (await connection.execute(select(table).where(this))).one_or_none()
        if row is None or (held is not None and not hmac.compare_digest(held[2], _group_key(row.token))):
            return None
        return OpenCalendar(conversation_of(row), row.user_id if held is None else "", row.user_id)

    async def end_here(self, place: Conversation, user_id: str | None) -> None:
        """End what was given to a member of a group, whichever of our accounts gave it, and what was given
        before it was kept to whom; None: everything that our account gave there."""
        here = (table.c.kind == place.kind) & (table.c.peer == place.peer)
        if user_id is None:
            here &= table.c.self_id == place.self_id
        else:
            here &= table.c.user_id.in_((user_id, ""))
        await self._writer.execute(delete(table).where(here))


def _group_key(token: str) -> str:
    """Key of the group's calendar, derived from a member's token."""
    made = hmac.new(token.encode(), b"mishu calendar of the group", hashlib.sha256).digest()
    return urlsafe_b64encode(made).rstrip(b"=").decode()
