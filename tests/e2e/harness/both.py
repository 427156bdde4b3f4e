"""A group in which two accounts of ours sit, each with its own connection: both hear every line."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence

from .onebot import OneBotClient
from .room import WITHIN, Member, Said
from .segments import Segment
from .sent import Sent

_group_ids = itertools.count(640_001)


class Both:
    """One group, as the members see it."""

    def __init__(self, *accounts: OneBotClient, group_id: int | None = None) -> None:
        self.id = group_id or next(_group_ids)
        self.rooms = [account.room(self.id) for account in accounts]

    async def say(
        self, who: Member, *words: Segment | str, heard_by: Sequence[int] | None = None
    ) -> tuple[Said, ...]:
        """Say something; each account hears it under an id of its own."""
        at = int(self.rooms[0].now())
        said = [room.compose(who, *words, time=at) for room in self.rooms]
        for number in range(len(self.rooms)) if heard_by is None else heard_by:
            await self.rooms[number].deliver(said[number])
        return tuple(said)

    async def answered(self, said: Sequence[Said], within: float = WITHIN) -> tuple[int, Sent]:
        """The answer to a line, by whichever account, and which that was."""
        end = time.monotonic() + within
        while True:
            for number, sent in self.sent():
                if sent.quotes == said[number].id and not sent.taken:
                    sent.taken = True
                    return number, sent
            assert time.monotonic() < end, f"no answer in {self.id} within {within:g} s: {self.texts()}"
            await asyncio.sleep(0.02)

    def sent(self) -> list[tuple[int, Sent]]:
        """What was said in the group, and through which account."""
        return [
            (number, sent)
            for number, room in enumerate(self.rooms)
            for sent in room.client.sends
            if str(sent.group_id) == str(self.id)
        ]

    def texts(self) -> list[str]:
        """What was said in the group."""
        return [sent.text for _, sent in self.sent()]
