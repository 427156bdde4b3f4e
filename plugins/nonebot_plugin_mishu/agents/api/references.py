"""Recent references (那个, 第二个): items last made, changed, shown or reminded of; over restarts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.clause import KeptThing
from ...report import Report
from ...storage import StorageError
from ...storage.core_tasks.references import Spoken, SpokenOf
from ...storage.records import Conversation

RECENT: Final = 600.0
"""Seconds in which 那个 means it."""
LISTED: Final = 1800.0
"""Seconds in which the numbers of a list hold."""
OF_THE_GROUP: Final = 86400.0
"""Seconds in which 我也去 means what was spoken of last in the group."""


class ListedReferences:
    """The last thing or list, by member. Times are wall seconds.

    Trouble with the database is reported and changes nothing else: what a member asked for is done by then.
    """

    def __init__(self, kept: SpokenOf, report: Report) -> None:
        self._kept = kept
        self._report = report

    async def note_items(
        self,
        where: Conversation,
        user_id: str,
        agent_code: str,
        ids: Sequence[int],
        now: float,
        *,
        beside: bool = False,
    ) -> None:
        """These were just made, changed, shown or reminded of, in this order; `beside`: with what else was
        done at the same moment, by the same message."""
        try:
            said = [str(each) for each in ids]
            await self._kept.note(where, user_id, agent_code, said, now, beside=beside)
        except StorageError as error:
            self._report("刚才说到的事没有记下来", error)

    async def last(self, where: Conversation, user_id: str, now: float) -> Spoken | None:
        """Items last spoken of with a member, within `RECENT`. Raises `StorageError`."""
        return await self._kept.last(where, user_id, now - RECENT)

    async def list_shown(self, where: Conversation, user_id: str, agent_code: str, now: float) -> list[int]:
        """Ids of the list that a member saw last; empty where it was another agent's."""
        found = await self._kept.last(where, user_id, now - LISTED)
        return [] if found is None else _numbers(found.of(agent_code))

    async def list_mentioned(self, where: Conversation, agent_code: str, now: float) -> list[int]:
        """Ids of an agent's items last spoken of in a conversation, with anybody."""
        found = await self._kept.here(where, agent_code, now - OF_THE_GROUP)
        return [] if found is None else _numbers(found.of(agent_code))


def _numbers(ids: Sequence[str]) -> list[int]:
    return [int(each) for each in ids if each.isdigit()]


def spoken_things(spoken: Spoken | None, things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    """Items last spoken of, as stored things; for a deleted item or a list, its agent alone."""
    if spoken is None:
        return ()
    kept = {(thing.agent, thing.id): thing for thing in things}
    return tuple(kept.get(one) or KeptThing(one[0], id=one[1]) for one in spoken.things) or (
        KeptThing(spoken.agent_code),
    )
