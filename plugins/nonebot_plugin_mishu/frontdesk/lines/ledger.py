"""The ledger in memory: the newest messages of one conversation, in the order of (event time, receipt)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import chain, islice

from ...storage.records import LedgerMessage

KEPT_TEXT = 8000
"""Characters of one message kept in memory; the whole is on disk."""
_NO_CAPTIONS: list[str] = []


class LedgerWindow:
    """At most `size` messages. A message may come in behind newer ones; an id comes in once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._messages: list[LedgerMessage] = []
        self._by_id: dict[str, LedgerMessage] = {}
        self._members: dict[str, tuple[float, str, str]] = {}
        """When each member spoke last, under which name, and their id, in the order of these times."""
        self._members_sorted = True
        self._cards: dict[str, str] = {}
        """Names of members who have not spoken, by the platform."""

    def __len__(self) -> int:
        return len(self._messages)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._by_id

    def append(self, message: LedgerMessage) -> bool:
        """Take a message in at its place; False where its id is known already."""
        if message.message_id in self._by_id:
            return False
        if len(message.text) > KEPT_TEXT:
            cut = f"{message.text[:KEPT_TEXT]}…（共 {len(message.text)} 字）"
            message = replace(message, text=cut, segments=[])
        message = self._slim(message)
        if not self._messages or message.order >= self._messages[-1].order:
            self._messages.append(message)
        else:
            insort(self._messages, message, key=lambda said: said.order)
        self._by_id[message.message_id] = message
        if not message.is_bot:
            self._note_member(message)
        if len(self._messages) > self._size:
            self._forget(self._messages.pop(0))
        return True

    def get(self, message_id: str | None) -> LedgerMessage | None:
        """A message by its id."""
        return self._by_id.get(message_id) if message_id is not None else None

    def said_by(self, user_id: str, text: str) -> LedgerMessage | None:
        """The newest message of these words by somebody; recalled ones are none."""
        if not text:
            return None
        theirs = (said for said in reversed(self._messages) if said.user_id == user_id and not said.recalled)
        return next((said for said in theirs if said.text.strip() == text), None)

    def last_of(self, message: LedgerMessage) -> LedgerMessage | None:
        """The newest other message of its sender."""
        theirs = (said for said in reversed(self._messages) if said.user_id == message.user_id)
        return next((said for said in theirs if said.message_id != message.message_id), None)

    def name_of(self, user_id: str) -> str | None:
        """The name under which a member spoke last, else the one they were introduced by."""
        return self._members[user_id][1] if user_id in self._members else self._cards.get(user_id)

    def introduce(self, user_id: str, name: str) -> None:
        """Note what a member is called who has not spoken."""
        self._cards[user_id] = name
        while len(self._cards) > self._size:
            del self._cards[next(iter(self._cards))]

    def members(self, limit: int) -> list[tuple[str, str]]:
        """Recent speakers by id, with the name used last, newest first; then introduced members who have not
        spoken. At most `limit`."""
        self._sort_members()
        spoke = ((user_id, self._members[user_id][1]) for user_id in reversed(self._members))
        silent = (each for each in self._cards.items() if each[0] not in self._members)
        return list(islice(chain(spoke, silent), limit))

    def may_be_dense(self, since: float, count: int, people: int, without: Collection[str]) -> bool:
        """False where there surely are not so many messages of so many people since then. Costs little.

        What was recalled counts here: this only spares most messages the counting.
        """
        if len(self._messages) - bisect_left(self._messages, since, key=lambda said: said.time) < count:
            return False
        self._sort_members()
        found = 0
        for user_id in reversed(self._members):
            if self._members[user_id][0] < since or found >= people:
                break
            found += user_id not in without
        return found >= people

    def context(self, limit: tuple[float, int]) -> tuple[LedgerMessage, ...]:
        """Frozen: everything up to the order `limit`, without what was recalled."""
        return tuple(said for said in self._messages if said.order <= limit and not said.recalled)

    def since(self, time: float) -> Iterable[LedgerMessage]:
        """Messages of that time or later, newest first."""
        for said in reversed(self._messages):
            if said.time < time:
                return
            yield said

    def update(self, message_ids: Iterable[str], **changes: object) -> None:
        """Change marks of messages, e.g. `processed=True`."""
        for message_id in message_ids:
            old = self._by_id.get(message_id)
            if old is not None:
                new = replace(old, **changes)  # type: ignore[arg-type]
                self._by_id[message_id] = new
                self._messages[self._place(old)] = new

    def replace(self, message: LedgerMessage) -> None:
        """Put a message in the place of the one with its id."""
        old = self._by_id.pop(message.message_id, None)
        if old is not None:
            del self._messages[self._place(old)]
        self.append(message)

    def forget_member(self, user_id: str, *, whole: bool = False) -> None:
        """Drop a member's lines and our answers to them; with `whole` every line of ours."""
        theirs = {said.message_id for said in self._messages if said.user_id == user_id and not said.is_bot}
        for said in list(self._messages):
            answers = said.is_bot and (whole or said.reply_to in theirs)
            if answers or said.message_id in theirs:
                self._messages.remove(said)
                self._forget(said)
        self._members.pop(user_id, None)
        self._cards.pop(user_id, None)

    def _slim(self, message: LedgerMessage) -> LedgerMessage:
        """The message with shared values stored once, and without segments if it is text alone: lists of
        dictionaries take as much memory as all the rest."""
        known = self._members.get(message.user_id)
        plain = message.segments == [{"type": "text", "data": {"text": message.text}}]
        return replace(
            message,
            conversation=self._messages[0].conversation if self._messages else message.conversation,
            user_id=known[2] if known is not None else message.user_id,
            name=known[1] if known is not None and known[1] == message.name else message.name,
            segments=None if plain else message.segments,
            captions=message.captions or _NO_CAPTIONS,
        )

    def _note_member(self, message: LedgerMessage) -> None:
        known = self._members.get(message.user_id)
        if known is not None and known[0] > message.time:
            return
        if known is not None:
            del self._members[message.user_id]
        last = self._members[next(reversed(self._members))][0] if self._members else message.time
        self._members_sorted = self._members_sorted and last <= message.time
        self._members[message.user_id] = (message.time, message.name, message.user_id)
        if len(self._members) > 2 * self._size:
            said = {said.user_id for said in self._messages}
            self._members = {user: last for user, last in self._members.items() if user in said}

    def _sort_members(self) -> None:
        if not self._members_sorted:
            self._members = dict(sorted(self._members.items(), key=lambda member: member[1]))
            self._members_sorted = True

    def _place(self, message: LedgerMessage) -> int:
        place = bisect_left(self._messages, message.order, key=lambda said: said.order)
        while self._messages[place].message_id != message.message_id:
            place += 1
        return place

    def _forget(self, message: LedgerMessage) -> None:
        self._by_id.pop(message.message_id, None)
