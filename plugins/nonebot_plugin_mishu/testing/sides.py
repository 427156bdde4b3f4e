"""The sides of a desk: a clock that stands, a voice that keeps what it says, a model that is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ..agents import AgentSpec, Handed, RegisteredAgents, TaskContext, TaskDispatch, TaskResult
from ..clock import Clock
from ..config import Llm
from ..llm import ModelClient
from ..storage.records import Conversation

Keep = Callable[[Conversation, str, Sequence[str], bool], str]
"""Keeps a line: where it went, its words, whom it mentions, whether in private; its message id."""


class StandingClock(Clock):
    """A clock that shows what it was set to, and moves only when told."""

    def __init__(self, zone: ZoneInfo, at: datetime) -> None:
        super().__init__(zone)
        self._at = (at if at.tzinfo is not None else at.replace(tzinfo=zone)).timestamp()
        self._receipts = 0

    @property
    def now(self) -> datetime:
        """Current time in the clock's zone."""
        return self.local(self._at)

    def wall(self) -> float:
        """Seconds since the epoch."""
        return self._at

    def receipt(self) -> int:
        """Nanoseconds since the epoch, each greater than the one before."""
        self._receipts += 1
        return int(self._at * 1e9) + self._receipts

    def move(self, seconds: float) -> None:
        """Move it on."""
        self._at += seconds


class KeptVoice:
    """Says nothing and keeps it all (`agents.Announcer`)."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self.silenced: float | None = None
        """Wall seconds until which nothing may be said."""
        self.off: set[str] = set()
        """Features that are switched off."""
        self.published: list[str] = []
        """Texts put among the group's announcements."""

    async def announce(
        self,
        conversation: Conversation,
        text: str,
        *,
        mentions: Sequence[str] = (),
        everybody: bool = False,
        timeout: float = 30.0,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> str:
        """Keep it; its message id."""
        return self._keep(conversation, text, mentions, False)

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Files go nowhere."""
        return False

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        """Keep the words; the file goes nowhere."""
        self._keep(conversation, told(False), [user_id], True)
        return Handed(words=True)

    def publishes_as(self, conversation: Conversation) -> str | None:
        """The account of the conversation."""
        return conversation.self_id

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Keep it."""
        self.published.append(text)

    def silent_until(self, conversation: Conversation) -> float | None:
        """Until when nothing may be said."""
        return self.silenced

    def connected(self, conversation: Conversation) -> bool:
        """Always."""
        return True

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        """True if a feature is on."""
        return feature not in self.off


class Watched:
    """The agents, with a note of each whose handler is called."""

    def __init__(self, agents: RegisteredAgents, called: list[str]) -> None:
        self._agents = agents
        self._called = called
        self._noting: dict[str, tuple[AgentSpec, AgentSpec]] = {}

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code."""
        spec = self._agents.get(code)
        return None if spec is None else self._noted(spec)

    def __iter__(self) -> Iterator[AgentSpec]:
        """All agents."""
        return iter([self._noted(spec) for spec in self._agents])

    def _noted(self, spec: AgentSpec) -> AgentSpec:
        known = self._noting.get(spec.code)
        if known is not None and known[0] is spec:
            return known[1]

        async def handler(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
            self._called.append(spec.code)
            does: Any = spec.handler_of(context.intent)
            return await does(dispatch, context)

        noting = replace(spec, handler=handler)
        self._noting[spec.code] = (spec, noting)
        return noting


def no_model() -> ModelClient:
    """A model client that has no endpoint: everything goes by the local rules."""

    async def nothing(conversation: Conversation | None) -> int:
        return 0

    def ignore(call: object) -> None:
        """Nobody reads it."""

    return ModelClient(Llm(), record=ignore, spent=nothing, warn=ignore)
