"""Polls in memory, open or ended lately, for lines that nobody addressed to us. The database is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, Literal

from ...language.polls.poll import OpenPoll
from ...storage import Storage
from ...storage.polls.records import PollRecord
from ...storage.records import Conversation

Past = Literal["work", "poll"]
LATELY: Final = 86400.0
"""Seconds for which a poll that ended is still known: 结果, 排进日程, and a late voice are of it."""


class PollBoard:
    """Polls by conversation. `load` once at the start; whoever writes tells `note`."""

    def __init__(self, storage: Storage, wall: Callable[[], float]) -> None:
        self._polls = storage.polls
        self._wall = wall
        self._here: dict[Conversation, dict[int, OpenPoll]] = {}
        self._passed: dict[int, Past] = {}
        """By poll: what was spoken of since it was."""

    async def load(self) -> None:
        """All open polls. Raises `StorageError`."""
        self._here = {}
        for each in await self._polls.list_open():
            self.note(each)

    async def read(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """The polls of a conversation as they are on disk. Raises `StorageError`."""
        found = await self._polls.list_polls(conversation, since=self._wall() - LATELY)
        self._here.pop(conversation, None)
        for each in found:
            self._keep(each)
        return self.of(conversation)

    def of(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """Polls of a conversation, from memory."""
        here = self._here.get(conversation, {}).values()
        return tuple(replace(each, past=self._passed.get(each.id, "")) for each in here)

    def pass_on(self, conversation: Conversation, by: Past = "work") -> None:
        """Something else is spoken of: other work, or a poll that is gone. Memory only."""
        for each in self._here.get(conversation, ()):
            if by == "poll" or each not in self._passed:
                self._passed[each] = by

    def strictly(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """The open ones, as a line that nobody addressed to us may mean them; from memory."""
        return strict(each for each in self.of(conversation) if not each.closed)

    def note(self, poll: PollRecord) -> None:
        """A poll was made, shown, answered, changed or ended: it is what was spoken of last."""
        self._keep(poll)
        if not poll.open:
            self.pass_on(poll.conversation, "poll")
        self._passed.pop(poll.id, None)

    def _keep(self, poll: PollRecord) -> None:
        here = self._here.setdefault(poll.conversation, {})
        if poll.status == "deleted":
            here.pop(poll.id, None)
        else:
            fields = poll.fields
            here[poll.id] = OpenPoll(
                poll.id,
                fields.form,
                fields.question,
                fields.options,
                poll.touched_at,
                not poll.open,
                fields.several,
                frozenset(each.user_id for each in poll.given),
                () if fields.anonymous else tuple(each.name for each in poll.given),
            )
        if not here:
            del self._here[poll.conversation]


def strict(polls: Iterable[OpenPoll]) -> tuple[OpenPoll, ...]:
    """The polls for a line that nobody addressed to us."""
    return tuple(replace(each, strict=True) for each in polls)
