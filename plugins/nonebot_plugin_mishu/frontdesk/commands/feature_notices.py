"""Recipients of a feature-switched notice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...storage.records import Conversation

Switched = Callable[[Conversation, str, bool], Awaitable[None]]
"""Told of a feature that was switched, once it is on disk. Raises `StorageError`."""


async def nothing_switched(conversation: Conversation, feature: str, on: bool) -> None:
    """Nobody wants to know."""
