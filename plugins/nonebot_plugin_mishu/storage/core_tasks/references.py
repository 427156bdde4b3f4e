"""Items last created, changed, shown or reminded of, by member: referents of 那个 and 第二个.

One row a member, so that a restart forgets nothing (understanding.md, section 2). It knows agents by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import spoken_of

MOST = 50
"""Items kept of one moment."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Items in the order of their mention, at wall seconds; `ids` may be empty.

    An id of another agent than `agent_code` has that agent before it (`tasks:12`): one message may make some
    of both.
    """

    agent_code: str
    ids: tuple[str, ...]
    at: float

    @property
    def things(self) -> tuple[tuple[str, str], ...]:
        """Agent and id of each."""
        return tuple(_split_tag(self.agent_code, each) for each in self.ids)

    def of(self, agent_code: str) -> tuple[str, ...]:
        """The ids of one agent's."""
        return tuple(each for agent, each in self.things if agent == agent_code)


class SpokenOf(Queries):
    """Last mentioned items of each member."""

    @Queries.writing
    async def note(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        agent_code: str,
        ids: Sequence[str],
        at: float,
        *,
        beside: bool = False,
    ) -> None:
        """Store the items just mentioned to a member, in place of earlier ones; `beside`: added to those of
        the same moment. Raises `StorageError`."""
        mine = within(spoken_of, conversation) & (spoken_of.c.user_id == user_id)
        said = list(ids)
        if beside:
            row = (await connection.execute(select(spoken_of).where(mine))).one_or_none()
            before = None if row is None or row.at != at else _row_reference(row)
            known = () if before is None else before.things
            tagged = [each if agent == agent_code else f"{agent}:{each}" for agent, each in known]
            said = list(dict.fromkeys([*tagged, *said]))
        new = {"agent_code": agent_code, "ids": said[:MOST], "at": at}
        adding = self._database.insert(spoken_of).values(
            **conversation_values(conversation), user_id=user_id, **new
        )
        await connection.execute(
            adding.on_conflict_do_update(index_elements=["self_id", "kind", "peer", "user_id"], set_=new)
        )

    @Queries.reading
    async def last(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, since: float
    ) -> Spoken | None:
        """Items last mentioned to a member, not before `since`. Raises `StorageError`."""
        mine = within(spoken_of, conversation) & (spoken_of.c.user_id == user_id)
        wanted = select(spoken_of).where(mine, spoken_of.c.at >= since)
        row = (await connection.execute(wanted)).one_or_none()
        return None if row is None else _row_reference(row)

    @Queries.reading
    async def here(
        self, connection: AsyncConnection, conversation: Conversation, agent_code: str, since: float
    ) -> Spoken | None:
        """An agent's items last mentioned in a conversation, to anybody. Raises `StorageError`."""
        here = within(spoken_of, conversation) & (spoken_of.c.at >= since)
        newest = select(spoken_of).where(here).order_by(spoken_of.c.at.desc())
        found = (_row_reference(row) for row in await connection.execute(newest.limit(MOST)))
        return next((each for each in found if each.agent_code == agent_code or each.of(agent_code)), None)


def _split_tag(agent_code: str, said: str) -> tuple[str, str]:
    agent, mark, own = said.partition(":")
    return (agent, own) if mark else (agent_code, said)


def _row_reference(row: Any) -> Spoken:
    return Spoken(row.agent_code, tuple(str(each) for each in cast("list[object]", row.ids)), row.at)
