"""Bounded queue of messages and model calls to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, cast

from ..records import LedgerMessage, ModelCall

Key = tuple[str, str]
"""Account and message id."""

QUEUE_ROWS = 20_000
"""Messages, and model calls, kept while nothing can be written; then the oldest are dropped."""

QUEUE_SIZE = 64 * 2**20
"""Characters of queued messages, likewise: a few messages of a megabyte count as much as many small."""


@dataclass(slots=True)
class QueuedRows:
    """Rows that go into one transaction."""

    messages: dict[Key, LedgerMessage] = field(default_factory=dict[Key, LedgerMessage])
    calls: dict[int, ModelCall] = field(default_factory=dict[int, ModelCall])

    def __len__(self) -> int:
        return len(self.messages) + len(self.calls)

    def single(self) -> Iterator[QueuedRows]:
        """The same, one row at a time."""
        for key, message in self.messages.items():
            yield QueuedRows(messages={key: message})
        for number, call in self.calls.items():
            yield QueuedRows(calls={number: call})


class Queue:
    """Messages and model calls that are not on disk yet."""

    def __init__(self) -> None:
        self._messages: dict[Key, LedgerMessage] = {}
        self._calls: dict[int, ModelCall] = {}
        self._numbers = count()
        self._size = 0
        self.dropped = 0
        """Number of dropped rows; reset when it is reported."""

    def __len__(self) -> int:
        return len(self._messages) + len(self._calls)

    @property
    def messages(self) -> Iterable[LedgerMessage]:
        """Messages in order of arrival."""
        return self._messages.values()

    @property
    def calls(self) -> Iterable[ModelCall]:
        """Model calls in order of arrival."""
        return self._calls.values()

    def add(self, message: LedgerMessage) -> None:
        """Queue a message, unless one with its id is queued already."""
        key = (message.conversation.self_id, message.message_id)
        if key in self._messages:
            return
        self._messages[key] = message
        self._size += _message_size(message)
        while len(self._messages) > QUEUE_ROWS or (self._size > QUEUE_SIZE and len(self._messages) > 1):
            self._remove_message(next(iter(self._messages)))
            self.dropped += 1

    def add_call(self, call: ModelCall) -> None:
        """Queue a model call."""
        self._calls[next(self._numbers)] = call
        if len(self._calls) > QUEUE_ROWS:
            del self._calls[next(iter(self._calls))]
            self.dropped += 1

    def change(
        self, self_id: str, message_ids: Iterable[str], how: Callable[[LedgerMessage], LedgerMessage]
    ) -> None:
        """Change messages while they wait."""
        for message_id in message_ids:
            message = self._messages.get((self_id, message_id))
            if message is not None:
                self._messages[self_id, message_id] = how(message)

    def first(self, limit: int) -> QueuedRows:
        """The oldest `limit` of each kind, which stay queued."""
        return QueuedRows(
            dict(islice(self._messages.items(), limit)), dict(islice(self._calls.items(), limit))
        )

    def remove(self, part: QueuedRows) -> None:
        """Remove rows that are on disk or were refused."""
        for key in part.messages:
            self._remove_message(key)
        for number in part.calls:
            self._calls.pop(number, None)

    def withdraw(self, which: Callable[[LedgerMessage], bool]) -> list[LedgerMessage]:
        """Remove and return the queued messages that `which` selects."""
        found = {key: message for key, message in self._messages.items() if which(message)}
        for key in found:
            self._remove_message(key)
        return list(found.values())

    def _remove_message(self, key: Key) -> None:
        message = self._messages.pop(key, None)
        if message is not None:
            self._size -= _message_size(message)


def _message_size(message: LedgerMessage) -> int:
    """About how many characters a message holds, without its captions, which come later."""
    size = len(message.text)
    for segment in message.parts:
        size += 100
        data = segment.get("data")
        if isinstance(data, dict):
            parts = cast("dict[str, Any]", data).values()
            size += sum(len(part) for part in parts if isinstance(part, str))
    return size
