"""M1: what members and the bot said to each other, the `messages` of seed 1 (product section 3, Memory)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation, Digest, RoundSide
from ..rows import conversation_values, record_of, within
from .tables import digest, turn

_MEMBER = ("self_id", "kind", "peer", "user_id")


class RoundStore(Queries):
    """Rounds of each member of each conversation, and the digest of those that grew old.

    What is said in one conversation is never read in another, and no member's for another.
    """

    async def add(self, conversation: Conversation, user_id: str, said: str, reply: str, at: float) -> int:
        """Store one round; the id of the reply, once both are on disk."""
        member = {**conversation_values(conversation), "user_id": user_id, "at": at}
        both = [
            {**member, "role": role, "content": content}
            for role, content in (("user", said), ("assistant", reply))
        ]
        return await self._writer.run_batched(_insert_rounds, both)

    async def page(
        self, conversation: Conversation, user_id: str, limit: int, before: int | None = None
    ) -> list[RoundSide]:
        """The newest `limit` turns of a member here, of those before the id `before`; oldest first."""
        mine = within(turn, conversation) & (turn.c.user_id == user_id)
        return await self._select_newest(mine, limit, before)

    async def of_user(
        self, user_id: str, limit: int, before: int | None = None, group_id: str | None = None
    ) -> list[RoundSide]:
        """As `page`, whichever of our accounts it was said to: in a group, or without one in private."""
        kind, peer = ("private", user_id) if group_id is None else ("group", group_id)
        mine = (turn.c.user_id == user_id) & (turn.c.kind == kind) & (turn.c.peer == peer)
        return await self._select_newest(mine, limit, before)

    @Queries.reading
    async def recent(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, limit: int
    ) -> tuple[Digest | None, list[RoundSide]]:
        """The member's digest here and the newest `limit` turns behind it, oldest first."""
        mine = within(digest, conversation) & (digest.c.user_id == user_id)
        kept = (await connection.execute(select(digest).where(mine))).one_or_none()
        known = None if kept is None else Digest(kept.content, kept.through, kept.at)
        after = turn.c.id > (0 if known is None else known.through)
        theirs = within(turn, conversation) & (turn.c.user_id == user_id) & after
        rows = await connection.execute(_select_newest(theirs, limit))
        return known, [_turn_record(row) for row in rows][::-1]

    @Queries.writing
    async def digested(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, made: Digest
    ) -> bool:
        """Keep a digest in place of the one before; False where its turns are gone or it comes late.

        So a digest that was under way while its member asked to be forgotten is not kept.
        """
        mine = within(turn, conversation) & (turn.c.user_id == user_id)
        values = {"content": made.content, "through": made.through, "at": made.at}
        key = {**conversation_values(conversation), "user_id": user_id}
        adding = self._database.insert(digest).values(**key, **values)
        replacing = adding.on_conflict_do_update(
            index_elements=_MEMBER, set_=values, where=digest.c.through < made.through
        )
        there = select(turn.c.id).where(mine, turn.c.id == made.through)
        if await connection.scalar(there) is None:
            return False
        return (await connection.execute(replacing)).rowcount > 0

    @Queries.reading
    async def _select_newest(
        self, connection: AsyncConnection, mine: ColumnElement[bool], limit: int, before: int | None
    ) -> list[RoundSide]:
        wanted = mine if before is None else mine & (turn.c.id < before)
        return [_turn_record(row) for row in await connection.execute(_select_newest(wanted, limit))][::-1]


async def _insert_rounds(
    connection: AsyncConnection, rounds: Sequence[list[dict[str, Any]]]
) -> Sequence[int]:
    """The ids of the replies; each is the second of its round."""
    adding = insert(turn).returning(turn.c.id, sort_by_parameter_order=True)
    ids = (await connection.scalars(adding, [row for both in rounds for row in both])).all()
    return ids[1::2]


def _select_newest(wanted: ColumnElement[bool], limit: int) -> Select[Any]:
    return select(turn).where(wanted).order_by(turn.c.id.desc()).limit(limit)


def _turn_record(row: Row[Any]) -> RoundSide:
    return record_of(RoundSide, row)
