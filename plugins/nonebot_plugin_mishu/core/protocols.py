"""Protocols of the core's neighbours: memory, the gate, the rules, the switches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ..agents import AgentSpec, Request, Situation
from ..language.clause import KeptThing, LastDone, Mention
from ..language.polls.poll import OpenPoll
from ..language.term.term import Term
from ..llm import ChatMessage
from ..storage.records import Conversation, FrameRecord
from .decision.reading import MessageReading
from .safety.gate import SAFE, Verdict

Allows = Callable[[Conversation, str], Awaitable[bool]]
"""True if a feature is on in a conversation."""
Reminding = Literal["quoted", "recent"] | None


class Reminded(Protocol):
    """Reminders sent, which a line may answer."""

    def answers(self, conversation: Conversation, user_id: str, words: str) -> bool:
        """True if an unaddressed line plainly answers a reminder its sender got a moment ago. Memory only."""
        ...

    async def by(self, conversation: Conversation, user_id: str, quoted_id: str | None) -> Reminding:
        """`quoted` for a line that quotes a reminder, `recent` for a sender who just got one, else None.

        Raises `StorageError`.
        """
        ...

    def about(self, conversation: Conversation, user_id: str) -> str:
        """What a member was just reminded of; empty for nothing. Memory only."""
        ...


class Polled(Protocol):
    """Polls of conversations, which any member's line may answer."""

    async def load(self) -> None:
        """Read all open polls into memory. Raises `StorageError`."""
        ...

    async def read(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """Polls as they are on disk, open or ended lately. Raises `StorageError`."""
        ...

    def of(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """The same from memory."""
        ...

    def strictly(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """The open ones from memory, for a line that nobody addressed to us."""
        ...

    def pass_on(self, conversation: Conversation) -> None:
        """Other work is spoken of: a bare +1 may be of that."""
        ...


class NoPolls:
    """There are no polls."""

    async def load(self) -> None:
        """Nothing."""

    async def read(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """None."""
        return ()

    def of(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """None."""
        return ()

    def strictly(self, conversation: Conversation) -> tuple[OpenPoll, ...]:
        """None."""
        return ()

    def pass_on(self, conversation: Conversation) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True)
class KnownThings:
    """Kept things that a member's words may mean."""

    things: tuple[KeptThing, ...] = ()
    open_tasks: bool = False
    """True if some of them are open tasks of the member's."""
    shown: tuple[KeptThing, ...] = ()
    """Things mentioned last, in order of mention."""
    taught: tuple[tuple[str, str], ...] = ()
    """The conversation's own words for categories of expenses."""
    facts: tuple[str, ...] = ()
    """The subjects of the facts kept in the conversation."""
    recorded: tuple[str, ...] = ()
    """Names of the member's last records in the books."""
    listed: int = 0
    """Number of their records just recorded or listed."""
    shown_at: float | None = None
    """Time of the last mention, wall seconds."""
    done: LastDone | None = None
    """The member's last change that can be undone."""
    undone: LastDone | None = None
    """What the member undid last, with nothing done since."""
    told: tuple[str, str] | None = None
    """Subject and words of the fact that the member gave a moment ago, with nothing done or shown since."""
    bills: tuple[str, ...] = ()
    """Recent records of others that the member shares."""
    kept_facts: tuple[KeptThing, ...] = ()
    """The facts kept in the conversation, with their words and ids."""
    term: Term | None = None
    """School term of the conversation, unless it is over."""


Knows = Callable[[Conversation, str, float], Awaitable[KnownThings]]
"""Kept things that a member's change orders may mean, at wall seconds. May raise `StorageError`."""
Records = Callable[[Conversation, str], Awaitable[Sequence[Mapping[str, Any]]]]
"""A member's last records as a model is shown them: `{id, amount, description}`, the newest first. Asked only
where a model is. May raise `StorageError`."""
Read = Callable[[str, Situation, Iterable[AgentSpec]], MessageReading]
"""The pure rules: `core.decision.read`."""


class Journal(Protocol):
    """Journal of other plugins' changes, for 撤销."""

    def __call__(
        self,
        conversation: Conversation,
        user_id: str,
        agent_code: str,
        summary: str,
        token: Mapping[str, Any],
        at: float,
    ) -> Coroutine[Any, Any, None]:
        """Note a member's last change; `token` is the agent's. Raises `StorageError`."""
        ...


async def no_journal(
    conversation: Conversation,
    user_id: str,
    agent_code: str,
    summary: str,
    token: Mapping[str, Any],
    at: float,
) -> None:
    """Journal that notes nothing."""


class Agents(Protocol):
    """The agents of the instance: `agents.Registry`."""

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code."""
        ...

    def __iter__(self) -> Iterator[AgentSpec]:
        """All agents, the plugin's own first."""
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdict of the gate. `late`: its model check timed out, so nothing may be written."""

    verdict: Verdict = SAFE
    late: bool = False


class Gate(Protocol):
    """The safety gate. Nothing is written before it says SAFE; if it cannot say, nothing is written."""

    async def check(self, request: Request, texts: Sequence[str], *, ask_model: bool) -> Judged:
        """Judge texts: the local rules at once, then a model's second look where it is wanted."""
        ...


class ConversationMemory(Protocol):
    """M1 and M2, as the core uses them. Everything may raise `StorageError`; nothing is lost but memory."""

    async def remembered(
        self, conversation: Conversation, user_id: str, limit: int
    ) -> tuple[ChatMessage, ...]:
        """M1: the last `limit` rounds with this member, oldest first, with a summary before them."""
        ...

    async def alike(self, conversation: Conversation, user_id: str, text: str, limit: int) -> tuple[str, ...]:
        """M2: summaries of this member's earlier tasks that resemble the text, the most alike first."""
        ...

    async def said(self, conversation: Conversation, user_id: str, user_text: str, reply: str) -> None:
        """M1: one round, what the member said and what we answered."""
        ...

    async def summarised(self, frame: FrameRecord, reply: str) -> None:
        """M2: a task was finished, or waits for its user."""
        ...


class NoMemory:
    """Remembers nothing."""

    async def remembered(
        self, conversation: Conversation, user_id: str, limit: int
    ) -> tuple[ChatMessage, ...]:
        """Nothing."""
        return ()

    async def alike(self, conversation: Conversation, user_id: str, text: str, limit: int) -> tuple[str, ...]:
        """Nothing."""
        return ()

    async def said(self, conversation: Conversation, user_id: str, user_text: str, reply: str) -> None:
        """Forgotten."""

    async def summarised(self, frame: FrameRecord, reply: str) -> None:
        """Forgotten."""


Roster = Callable[[Conversation], Awaitable[Sequence[Mention]]]
"""Members of a group by the platform's list; empty where it is not known."""


async def no_roster(conversation: Conversation) -> Sequence[Mention]:
    """No list of members."""
    return ()


async def no_records(conversation: Conversation, user_id: str) -> Sequence[Mapping[str, Any]]:
    """None are kept."""
    return ()


async def everything_on(conversation: Conversation, feature: str) -> bool:
    """All features are on."""
    return True
