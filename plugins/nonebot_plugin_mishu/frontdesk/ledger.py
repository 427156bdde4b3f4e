"""The ledger in memory: the newest messages of one conversation, in the order of (event time, receipt)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import replace

from ..storage.records import LedgerMessage

KEPT_TEXT = 8000
"""Characters of one message kept in memory; the whole is on disk."""


class Ledger:
    """At most `size` messages. A message may come in behind newer ones; an id comes in once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._messages: list[LedgerMessage] = []
        self._by_id: dict[str, LedgerMessage] = {}
        self._names: dict[str, str] = {}

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
        if not self._messages or message.order >= self._messages[-1].order:
            self._messages.append(message)
        else:
            insort(self._messages, message, key=lambda said: said.order)
        self._by_id[message.message_id] = message
        if not message.is_bot:
            self._names[message.user_id] = message.name
            if len(self._names) > 2 * self._size:
                self._names = {said.user_id: said.name for said in self._messages if not said.is_bot}
        if len(self._messages) > self._size:
            self._forget(self._messages.pop(0))
        return True

    def get(self, message_id: str | None) -> LedgerMessage | None:
        """A message by its id."""
        return self._by_id.get(message_id) if message_id is not None else None

    def name_of(self, user_id: str) -> str | None:
        """The name under which a member spoke last."""
        return self._names.get(user_id)

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

    def forget_member(self, user_id: str) -> None:
        """Drop everything a member said."""
        for said in [said for said in self._messages if said.user_id == user_id and not said.is_bot]:
            self._messages.remove(said)
            self._forget(said)
        self._names.pop(user_id, None)

    def _place(self, message: LedgerMessage) -> int:
        place = bisect_left(self._messages, message.order, key=lambda said: said.order)
        while self._messages[place].message_id != message.message_id:
            place += 1
        return place

    def _forget(self, message: LedgerMessage) -> None:
        self._by_id.pop(message.message_id, None)
