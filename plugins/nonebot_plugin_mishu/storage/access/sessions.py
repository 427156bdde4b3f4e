"""One-time login codes and web sessions, stored as hashes: reading the database opens no session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation, Role
from ..rows import conversation_of, conversation_values, within
from .session_tables import web_code, web_session


@dataclass(frozen=True, slots=True)
class Holder:
    """Owner of a code or a session: a member of a group, with the role the platform reported last."""

    place: Conversation
    user_id: str
    """Empty for the owner of the bot, whose place is no group."""
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class WebSession:
    """An open session. Times are wall seconds; `checked_at`: when the platform was asked for the role."""

    holder: Holder
    created_at: float
    expires_at: float
    checked_at: float


class SessionStore(Queries):
    """Login codes and sessions. Changes are on disk on return; expired rows are deleted on the way."""

    async def give(self, digest: str, holder: Holder, now: float, until: float) -> None:
        """Store a code, in place of the member's earlier codes for the same group."""
        mine = within(web_code, holder.place) & (web_code.c.user_id == holder.user_id)
        row = {**_holder_values(holder), "digest": digest, "expires_at": until}
        await self._writer.execute(
            delete(web_code).where(mine | (web_code.c.expires_at <= now)), insert(web_code).values(**row)
        )

    async def take_back(self, digest: str) -> None:
        """Delete a code that could not be delivered."""
        await self._writer.execute(delete(web_code).where(web_code.c.digest == digest))

    @Queries.writing
    async def redeem(
        self, connection: AsyncConnection, code: str, session: str, now: float, lasts: float, waited: float
    ) -> WebSession | None:
        """Turn a code into a session of `lasts` seconds, once: None for one that is used up, expired or never
        was given. Codes last `waited` seconds: the role is as old as the code."""
        this = (web_code.c.digest == code) & (web_code.c.expires_at > now)
        row = (await connection.execute(select(web_code).where(this))).one_or_none()
        if row is None or (await connection.execute(delete(web_code).where(this))).rowcount != 1:
            return None
        opened = WebSession(_row_holder(row), now, now + lasts, row.expires_at - waited)
        await _insert_session(connection, session, opened)
        return opened

    @Queries.writing
    async def begin(
        self, connection: AsyncConnection, session: str, holder: Holder, now: float, until: float
    ) -> WebSession:
        """Open a session without a code: the owner's, who brought the token."""
        opened = WebSession(holder, now, until, now)
        await _insert_session(connection, session, opened)
        return opened

    @Queries.reading
    async def find(self, connection: AsyncConnection, session: str, now: float) -> WebSession | None:
        """An open session; None for one that expired, was ended or never was."""
        this = (web_session.c.digest == session) & (web_session.c.expires_at > now)
        row = (await connection.execute(select(web_session).where(this))).one_or_none()
        return None if row is None else _row_session(row)

    async def checked(self, session: str, role: Role, at: float) -> None:
        """Store the role that the platform reported at `at`."""
        this = web_session.c.digest == session
        await self._writer.execute(update(web_session).where(this).values(role=role, checked_at=at))

    async def end(self, session: str) -> None:
        """End one session."""
        await self._writer.execute(delete(web_session).where(web_session.c.digest == session))

    @Queries.writing
    async def end_all(self, connection: AsyncConnection, user_id: str) -> int:
        """End every session of a person, and their codes, whatever they were given for; how many sessions."""
        gone = 0
        for table in (web_code, web_session):
            theirs = (table.c.kind == "group") & (table.c.user_id == user_id)
            gone = (await connection.execute(delete(table).where(theirs))).rowcount
        return gone

    @Queries.writing
    async def end_here(self, connection: AsyncConnection, place: Conversation, user_id: str | None) -> None:
        """End the sessions and codes of a person in one group; None: everybody's. Whichever of our accounts
        they were given by: a group is one, however many of them are in it."""
        for table in (web_code, web_session):
            theirs = _group_condition(table, place, user_id)
            # Where one of our accounts leaves, what the others opened goes on.
            if user_id is None:
                theirs &= table.c.self_id == place.self_id
            await connection.execute(delete(table).where(theirs))

    async def doubt(self, place: Conversation, user_id: str) -> None:
        """Mark a person's role in a group as outdated, and delete their codes there."""
        theirs = _group_condition(web_session, place, user_id)
        await self._writer.execute(
            delete(web_code).where(_group_condition(web_code, place, user_id)),
            update(web_session).where(theirs).values(checked_at=0.0),
        )


async def _insert_session(connection: AsyncConnection, digest: str, opened: WebSession) -> None:
    await connection.execute(delete(web_session).where(web_session.c.expires_at <= opened.created_at))
    times = {name: getattr(opened, name) for name in ("created_at", "expires_at", "checked_at")}
    await connection.execute(
        insert(web_session).values(**_holder_values(opened.holder), digest=digest, **times)
    )


def _group_condition(table: Table, place: Conversation, user_id: str | None) -> ColumnElement[bool]:
    here = (table.c.kind == place.kind) & (table.c.peer == place.peer)
    return here if user_id is None else here & (table.c.user_id == user_id)


def _holder_values(holder: Holder) -> dict[str, Any]:
    named = {"user_id": holder.user_id, "name": holder.name, "role": holder.role}
    return {**conversation_values(holder.place), **named}


def _row_holder(row: Any) -> Holder:
    return Holder(conversation_of(row), row.user_id, row.name, row.role)


def _row_session(row: Any) -> WebSession:
    return WebSession(_row_holder(row), row.created_at, row.expires_at, row.checked_at)
