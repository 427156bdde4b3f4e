"""The seams of the core: small protocols that the secretary and the front desk see, and nothing behind them.

The gate may veto; the decision says which agents a request concerns; open questions bind a member's next
line. The orchestrator grows behind `Core.handle` without the secretary noticing.
"""

from __future__ import annotations

from typing import Protocol

from ..agents import Frame, Request, Utterance
from ..storage.records import Conversation
from .gate import Verdict


class Gate(Protocol):
    """The safety gate. Nothing is written before it says SAFE; if it cannot say, nothing is written."""

    async def check(self, request: Request) -> Verdict:
        """Judge the request's texts within the request's deadline."""
        ...


class Decision(Protocol):
    """Turns a text into frames, by rules first."""

    def read(self, text: str) -> list[Frame]:
        """The local reading: never empty, a `chat` frame where nothing else fits. Microseconds, no model."""
        ...

    async def decide(self, request: Request, utterance: Utterance) -> list[Frame]:
        """The reading that is acted on, with a model's help where the rules are unsure."""
        ...


class OpenQuestions(Protocol):
    """Questions and drafts of ours that wait for a member."""

    def awaits(self, conversation: Conversation, user_id: str) -> bool:
        """Whether this member's next line may be an answer. Called for every message: memory only."""
        ...
