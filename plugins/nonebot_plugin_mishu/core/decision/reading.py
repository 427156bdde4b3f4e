"""What the decision finds in a message: frames, in spoken order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...agents.clause import Clause


@dataclass(frozen=True, slots=True)
class Frame:
    """One intent of one message: which agent, what, with which slots, said in which clause."""

    agent_code: str
    intent: str
    clause: Clause
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sure: bool = True
    priority: int | None = None
    """As a model gave it; clamped to the agent's class by the orchestrator."""

    @property
    def text(self) -> str:
        """The words."""
        return self.clause.text


@dataclass(frozen=True, slots=True)
class Reading:
    """All frames of a message, never empty: a `chat` frame where nothing else fits.

    `sure`: the rules vouch for all of it, so that no model need be asked.
    """

    frames: tuple[Frame, ...]
    sure: bool
