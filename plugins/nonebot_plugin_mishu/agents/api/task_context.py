"""Context of a handler's call: the asker, the time, the words, the history it may see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...llm import CallLog, ChatMessage, Deadline
from ...storage.records import Conversation, FrameRecord, Role
from .frame import NOTHING_READ, AgentFrame
from .request import Action, Request, Utterance


@dataclass(frozen=True, slots=True)
class Asker:
    """Member who asks. Taken from the event, never from a text or a model."""

    user_id: str
    """The QQ number, as text."""
    name: str
    """The card in the group, else the nickname. Only to be shown: anybody may call themselves anything."""
    role: Role = "member"
    """`owner`, `admin` or `member` of the group; in private `member`."""
    superuser: bool = False
    """True if SUPERUSERS names them."""

    @property
    def governs(self) -> bool:
        """True if they may change items of others in this conversation."""
        return self.superuser or self.role in ("owner", "admin")


@dataclass(frozen=True, slots=True)
class Undoable:
    """A deed that can be undone: its Chinese summary, and the token by which the agent knows it."""

    summary: str
    token: Mapping[str, Any]


class Notices(Protocol):
    """Lines of one task to others than its speaker."""

    async def to_member(self, user_id: str, text: str, *, privately: bool = False) -> bool:
        """A line to a member of the conversation; whether it went out."""
        ...

    async def to_group(self, group_id: str, text: str, mentions: Sequence[str] = ()) -> bool:
        """A line into another group; whether it went out."""
        ...


@dataclass(slots=True)
class TaskContext:
    """One call of a handler."""

    request: Request
    """The whole request: `context` (what the group said before, frozen), `persona`, `bot_names`, `way`."""
    utterance: Utterance
    """The message: its sender, its words, what it quotes (`quoted`), who is @-ed in it (`mentions`)."""
    actor: Asker
    """Member who asks. From the event, never from a text or a model."""
    intent: str
    """Intent of the task: the name of one of `AgentSpec.intents`. For an answer to an open
    question it is the intent of the task that asked."""
    clause: Clause
    """The part of the message that is this task's, with the times and amounts in it; for an answer to an
    open question, the whole line."""
    origin: str
    """Names this work once and for ever, also over a restart that repeats it: rows made by it carry it as a
    unique key, so that nothing is made twice."""
    partial: bool = False
    """True if `clause` is only a part of the message, whose rest belongs to other tasks."""
    frame: AgentFrame = NOTHING_READ
    """Frame that the agent's own `read` returned for `clause`. Of a line
    about an open task it is what its `replies` made of it."""
    refs: tuple[str, ...] = ()
    """The ids of what is kept and meant (那个, 客户那个), as the reading found them."""
    every: bool | None = None
    """All of `refs` are meant (两个都, 这三个), not one of them; False where it is not clear which."""
    bound: AnswerMatch | None = None
    """Match of the line to the open question; None for a new task."""
    open: FrameRecord | None = None
    """The task as it stood before this line; None for a new one."""
    sure: bool = True
    """True if the local rules were sure; False where the model said what this is, or nobody did."""
    ask_back: bool = False
    """The rules are not sure and no model says better: what would be written is put as a question first."""
    needs_yes: bool = False
    """The line is no plain order (a report, a guess, a request for leave): nothing is written before a yes,
    however plain its words are."""
    history: tuple[ChatMessage, ...] = ()
    """M1 as far as the agent's memory policy allows, oldest first."""
    summaries: tuple[str, ...] = ()
    """M2 as far as the policy allows, the most alike first."""
    beside: tuple[str, ...] = ()
    """Tools of the actions that the message's other tasks did before. Chat comes last and may say
    so; what is not among them it did not see done."""
    things: tuple[str, ...] = ()
    """Objects of those actions, in the same order, as far as they are known."""
    told: tuple[str, ...] = ()
    """Replies of the message's other tasks, in the same reply."""
    actions: list[Action] = field(default_factory=list[Action])
    """Actions done so far; `acted` adds to it."""
    pictures: list[bytes] = field(default_factory=list[bytes])
    """Pictures (PNG) that go out behind the reply."""
    reason: str = ""
    """Why it ended as it did, in Chinese words, for the decision trace (`/秘书 为什么`)."""
    reminders: bool = True
    """True if the feature 提醒 is on there: where it is off nothing may be promised to be said later."""
    quiet: bool = False
    """Set by the handler where the line of nobody who called us is done, and nothing is to be said of it."""
    tells_waiting: bool = False
    """Set by the handler of a question whose answer tells itself what is not confirmed yet."""
    passed_on: bool = False
    """Set by the handler where the line is not about its task after all: the core then reads it anew."""
    anew: str | None = None
    """Set by the handler of an answered question: the order that waited for the answer, in words that are now
    read as if their member said them."""
    keep_until: float | None = None
    """Wall seconds when the question this leaves open is over; None: after AWAIT_TIMEOUT."""
    speak_now: Callable[[str], Awaitable[None]] | None = None
    """Sends at once; use `say`. None where nothing can be said before the reply."""
    undoables: list[Undoable] = field(default_factory=list[Undoable])
    """Deeds that 撤销 may take back; `undoable` adds to it."""
    notices: Notices | None = None
    """Writes to others; use `notify` and `post`. None where nobody else can be reached."""

    @property
    def conversation(self) -> Conversation:
        """Conversation of the request."""
        return self.request.conversation

    @property
    def text(self) -> str:
        """The words of this task."""
        return self.clause.text

    @property
    def now(self) -> datetime:
        """When it was said, for everything that counts from now; aware, in the configured zone."""
        return self.clause.situation.now

    @property
    def deadline(self) -> Deadline:
        """When all of the request's work must be done."""
        return self.request.deadline

    @property
    def calls(self) -> CallLog:
        """Log of model calls, for the trace."""
        return self.request.calls

    async def say(self, text: str) -> None:
        """A waiting line, sent at once and before the reply. It never counts as the reply; never raises."""
        if self.speak_now is not None:
            await self.speak_now(text)

    async def notify(self, user_id: str, text: str, *, privately: bool = False) -> bool:
        """A line to another member, at once: with an @ in this conversation, or in private. Whether it went
        out; never raises. In a silence nothing does. A quote of it answers what this task asks of them."""
        return self.notices is not None and await self.notices.to_member(user_id, text, privately=privately)

    async def post(self, group_id: str, text: str, *, mentions: Sequence[str] = ()) -> bool:
        """A line into another group of the same account, at once. Whether it went out; never raises."""
        return self.notices is not None and await self.notices.to_group(group_id, text, mentions)

    def undoable(self, summary: str, token: Mapping[str, Any]) -> None:
        """Note what was done, once it is on disk, so that 撤销 hands it to the agent's `undo` within ten
        minutes. `summary` is Chinese (订了 A3); `token` names it to the agent, as plain JSON values."""
        self.undoables.append(Undoable(summary, dict(token)))

    def acted(self, tool: str, arguments: Mapping[str, Any], result: Any) -> None:
        """Note what was done, once it is on disk (`actions` of `POST /api/ai/chat`)."""
        self.actions.append(Action(tool, dict(arguments), result))
