"""Features that can be switched, and the recipients of a switch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from ...agents import AgentSpec
from ...storage.records import Conversation
from .parsing import FEATURES

Switched = Callable[[Conversation, str, bool], Awaitable[None]]
"""Told of a feature that was switched, once it is on disk. Raises `StorageError`."""


async def nothing_switched(conversation: Conversation, feature: str, on: bool) -> None:
    """Nobody wants to know."""


def feature_names(others: Iterable[AgentSpec]) -> tuple[str, ...]:
    """Names of all features: ours, then those of the agents of other plugins."""
    theirs = [spec.feature for spec in others if spec.feature is not None]
    return tuple(dict.fromkeys([*FEATURES, *theirs]))
