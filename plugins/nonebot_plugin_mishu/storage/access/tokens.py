"""Members' access tokens for programs, stored as hashes: reading the database opens nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation, Role
from ..rows import conversation_of, conversation_values
from .sessions import Holder
from .token_tables import member_token


@dataclass(frozen=True, slots=True)
class MemberToken:
    """A token of a member in one group. Times are wall seconds; `checked_at`: when the platform was asked
    for the role, which is when a request first brought the token within that hour."""

    id: int
    holder: Holder
    label: str
    created_at: float
    checked_at: float


class TokenStore(Queries):
    """Access tokens. Changes are on disk on return."""

    @Queries.writing
    async def add(
        self, connection: AsyncConnection, digest: str, holder: Holder, label: str, now: float, most: int
    ) -> MemberToken | None:
        """Store a token; None where the member has `most` in this group already."""
        theirs = _group_condition(holder.place, holder.user_id)
        values = {
            **conversation_values(holder.place),
            "user_id": holder.user_id,
            "name": holder.name,
            "role": holder.role,
            "label": label,
            "digest": digest,
            "created_at": now,
            "checked_at": now,
        }
        held = await connection.scalar(select(func.count()).select_from(member_token).where(theirs))
        if (held or 0) >= most:
            return None
        made = await connection.execute(insert(member_token).values(**values).returning(member_token.c.id))
        return MemberToken(made.scalar_one(), holder, label, now, now)

    @Queries.reading
    async def find(self, connection: AsyncConnection, digest: str) -> MemberToken | None:
        """A token by its hash; None for one that was revoked or never was."""
        row = (
            await connection.execute(select(member_token).where(member_token.c.digest == digest))
        ).one_or_none()
        return None if row is None else _row_token(row)

    @Queries.reading
    async def of_member(
        self, connection: AsyncConnection, place: Conversation, user_id: str
    ) -> list[MemberToken]:
        """The tokens of a member in a group, oldest first."""
        theirs = select(member_token).where(_group_condition(place, user_id)).order_by(member_token.c.id)
        return [_row_token(row) for row in await connection.execute(theirs)]

    async def checked(self, token_id: int, role: Role, at: float) -> None:
        """Store the role that the platform reported at `at`."""
        this = member_token.c.id == token_id
        await self._writer.execute(update(member_token).where(this).values(role=role, checked_at=at))

    @Queries.writing
    async def revoke(
        self, connection: AsyncConnection, place: Conversation, user_id: str, token_id: int
    ) -> bool:
        """Delete a token of a member in a group; False where they have no such token."""
        this = _group_condition(place, user_id) & (member_token.c.id == token_id)
        return (await connection.execute(delete(member_token).where(this))).rowcount == 1

    async def revoke_all(self, user_id: str) -> None:
        """Delete every token of a person, whatever the group."""
        await self._writer.execute(delete(member_token).where(member_token.c.user_id == user_id))

    async def end_here(self, place: Conversation, user_id: str | None) -> None:
        """Delete a person's tokens in one group; None: everybody's that the account of `place` gave."""
        theirs = _group_condition(place, user_id)
        if user_id is None:
            theirs &= member_token.c.self_id == place.self_id
        await self._writer.execute(delete(member_token).where(theirs))

    async def doubt(self, place: Conversation, user_id: str) -> None:
        """Mark a person's role in a group as outdated."""
        theirs = _group_condition(place, user_id)
        await self._writer.execute(update(member_token).where(theirs).values(checked_at=0.0))


def _group_condition(place: Conversation, user_id: str | None) -> ColumnElement[bool]:
    here = (member_token.c.kind == place.kind) & (member_token.c.peer == place.peer)
    return here if user_id is None else here & (member_token.c.user_id == user_id)


def _row_token(row: Any) -> MemberToken:
    holder = Holder(conversation_of(row), row.user_id, row.name, row.role)
    return MemberToken(row.id, holder, row.label, row.created_at, row.checked_at)
