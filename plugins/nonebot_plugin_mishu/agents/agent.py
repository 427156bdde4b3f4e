"""What an agent is: it does the work of one kind of frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from .request import Outcome, Request


@dataclass(frozen=True, slots=True)
class Frame:
    """One intent of one message: which agent, what, with which slots, said in which part of the text."""

    agent_code: str
    intent: str
    text: str
    slots: dict[str, Any] = field(default_factory=dict[str, Any])


class Agent(Protocol):
    """Does the work of one kind of frame."""

    code: str

    async def act(self, request: Request, frames: list[Frame]) -> Outcome:
        """Do it. Called only after the gate said SAFE. Ends within `request.deadline`."""
        ...
