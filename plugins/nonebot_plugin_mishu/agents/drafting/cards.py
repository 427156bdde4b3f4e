"""The public hook of draft cards: `on_draft_batch_updated` (seed 4, 纠正应用与反馈)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias, TypeVar

from ...drafts import Batch
from ...storage.records import Conversation

T = TypeVar("T")

DraftCard: TypeAlias = dict[str, Any]
"""A card in values that JSON knows: `{id, agent_code, user, phase, expires_at, items: [{number, state, …}]}`.

`number` counts from 1, as on the card in the chat; `state` is pending, saved or cancelled; `expires_at` is
ISO 8601 in UTC, null once the batch is closed. The other fields of an item are the agent's.
"""

CardListener: TypeAlias = Callable[[Conversation, DraftCard], None]

_listeners: Final[list[CardListener]] = []


def on_draft_batch_updated(callback: CardListener) -> Callable[[], None]:
    """Have `callback` called after every change of a batch of drafts, with where it is and its card.

    It is called from the event loop, in the order of the changes, and must not block; what it raises is
    reported by the loop and harms no batch. Returns a function that ends it; ending twice is once.
    """
    _listeners.append(callback)

    def end() -> None:
        if callback in _listeners:
            _listeners.remove(callback)

    return end


def card_of(batch: Batch[T], agent_code: str, item_json: Callable[[T], dict[str, Any]]) -> DraftCard:
    """The card of a batch as it stands."""
    return {
        "id": batch.id,
        "agent_code": agent_code,
        "user": batch.owner,
        "phase": batch.phase.value,
        "expires_at": None if batch.wake_at is None else _iso(batch.expires_at),
        "items": [
            {**item_json(item.value), "number": item.number + 1, "state": item.state.value}
            for item in batch.items
        ],
    }


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def tell(conversation: Conversation, card: DraftCard) -> None:
    """Tell everybody who registered; from the loop, so that nobody's error is ours."""
    loop = asyncio.get_running_loop()
    for listener in tuple(_listeners):
        loop.call_soon(listener, conversation, card)
