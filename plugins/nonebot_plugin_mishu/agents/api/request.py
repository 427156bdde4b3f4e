"""Requests to the core and its outcomes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from ...language.clause import Mention
from ...llm import CallLog, Deadline
from ...storage.records import Conversation, LedgerMessage
from .judgement import Judgement

ReplyMode = Literal["forced", "core", "questioned", "interesting", "fishing", "overheard"]
"""Occasion of a reply: summoned, owing an answer, asked further, joining a topic, joining in,
or having overheard something that an agent may ask about."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message to be answered. Who acts is the event's sender, never what a text or model claims."""

    message: LedgerMessage
    words: str
    quoted: LedgerMessage | None = None
    superuser: bool = False
    mentions: tuple[Mention, ...] = ()
    members: tuple[Mention, ...] = ()
    """Members known here by name, the speaker included, the latest speaker first."""

    @property
    def user_id(self) -> str:
        """Id of the acting member."""
        return self.message.user_id

    @property
    def others(self) -> tuple[Mention, ...]:
        """Members known here by name, without the speaker."""
        return tuple(each for each in self.members if each.user_id != self.user_id)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the core: usually one utterance, several where summons are answered jointly.

    `context` is frozen: the ledger as it stood when the turn began. `now` is wall seconds by our clock;
    `deadline` covers everything done for this request.
    """

    conversation: Conversation
    utterances: tuple[Utterance, ...]
    context: tuple[LedgerMessage, ...]
    reply_mode: ReplyMode
    persona: str | None
    bot_names: tuple[str, ...]
    judgement: Awaitable[Judgement]
    """The analysis, made before; of a summons nothing but the default: its reply brings one along."""
    now: float
    deadline: Deadline
    calls: CallLog
    today: float = 0.0
    """When the current day began in our zone, wall seconds: budgets count from here."""
    speak_now: Callable[[str], Awaitable[None]] | None = None
    """Says a waiting line at once; None where nothing can be said before the reply."""
    planned: bool = False
    """The words are what several members settled on together, as an order; overheard."""
    work_only: bool = False
    """Only work is answered: talk is switched off, or the line is another plugin's."""
    follows_deed: bool = False
    """A line among members that stands right behind what we did for its speaker, and is meant for us."""
    judged: Callable[[Judgement], None] | None = None
    """Hears the judgement that came with the reply to a summons, for the trace."""

    @property
    def lead(self) -> Utterance:
        """The utterance that the reply quotes."""
        return self.utterances[0]


Status = Literal["completed", "awaiting_user", "canceled", "blocked"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that was done, and is on disk (`actions` of `POST /api/ai/chat`)."""

    tool: str
    arguments: dict[str, Any]
    result: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a request: text to be sent, and the reason for the trace.

    `text` None: nothing to say; with `silent` that is meant, even where an answer was owed (a line that
    turned out not to answer our question). `asked` are the tasks whose question the text holds.
    """

    text: str | None
    status: Status
    reason: str
    task_id: str | None = None
    actions: tuple[Action, ...] = ()
    asked: tuple[str, ...] = ()
    silent: bool = False
    pictures: tuple[bytes, ...] = ()
    spoken: bool = False
    """It may be said aloud as well, where the group wants that."""
    told_by_sign: bool = False
    """A sign on the member's line says as much as the text, where the group wants that."""
    buttons: tuple[str, ...] = ()
    """Words that answer what it asks, shown as buttons where the platform has them."""
