"""The values that storage keeps and hands out: plain, immutable, free of the database.

Ids are text everywhere: QQ's are numbers, other platforms' are not. Times are seconds since the epoch
(UTC); wall time and zone are the business of whoever shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

ConversationKind = Literal["group", "private"]
Role = Literal["owner", "admin", "member"]
WordKind = Literal["silence", "wake", "speak"]


@dataclass(frozen=True, slots=True, order=True)
class Conversation:
    """Conversation of a bot account with one group or one friend."""

    self_id: str
    kind: ConversationKind
    peer: str
    """The group's id, or the friend's."""

    @property
    def is_group(self) -> bool:
        """True for a group, False for a private conversation."""
        return self.kind == "group"


PRESSED: Final = "press-"
"""Beginning of the ids of lines that are pressed buttons."""


@dataclass(frozen=True, slots=True)
class LedgerMessage:
    """One message of the ledger (product section 1). Unique by `(conversation.self_id, message_id)`."""

    conversation: Conversation
    message_id: str
    time: float
    """The event's time in seconds."""
    receipt: int
    """Our receipt in nanoseconds since the epoch, strictly growing within a process."""
    user_id: str
    name: str
    """Group card, else nickname."""
    role: Role
    text: str
    """Text of the message; pictures, voices and the like as placeholders such as [图片]."""
    segments: list[dict[str, Any]] | None = field(default_factory=list[dict[str, Any]])
    """The platform's segments as heard, `{"type", "data"}` each; None in memory where it is text alone."""
    captions: list[str] = field(default_factory=list[str])
    """Descriptions of its pictures, once made."""
    reply_to: str | None = None
    """Id of the message it quotes."""
    is_bot: bool = False
    """Said by us."""
    addressed: bool = False
    """Recognised as a summons, an answer or an order when it was heard: it must be answered."""
    processed: bool = False
    recalled: bool = False
    tries: int = 0
    """Number of retries after restarts that interrupted it."""

    @property
    def order(self) -> tuple[float, int]:
        """The key of the ledger's order."""
        return (self.time, self.receipt)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Its segments, of a message of text alone too."""
        return [{"type": "text", "data": {"text": self.text}}] if self.segments is None else self.segments

    @property
    def pressed(self) -> bool:
        """It is the words of a button that its sender pressed."""
        return self.message_id.startswith(PRESSED)


@dataclass(frozen=True, slots=True)
class Removed:
    """Row counts of a member's deletion by table: `gone` were deleted, `left` stay without the member."""

    gone: Mapping[str, int]
    left: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Silence:
    """A silence of one conversation, kept until `until` (seconds) or until it is lifted."""

    until: float
    by_command: bool
    """Set by a command or a mute and not by a word: then a word of an ordinary member does not lift it."""


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """Settings of one conversation; absent parts follow the configuration."""

    persona: str | None = None
    features: dict[str, bool] = field(default_factory=dict[str, bool])
    """Feature name (插话, 复读, …) to whether it is on, where somebody switched it."""
    added_words: dict[WordKind, list[str]] = field(default_factory=dict[WordKind, list[str]])
    removed_words: dict[WordKind, list[str]] = field(default_factory=dict[WordKind, list[str]])
    """Configured words that this conversation does without."""
    silence: Silence | None = None
    listen: str | None = None
    """`off`, `present` or `always`, where somebody set it here (MISHU__SCHEDULE__LISTEN)."""
    digest_time: str | None = None
    """Time of the daily digest, `HH:MM`."""
    weekly_time: str | None = None
    """Time of the weekly minutes: `MO 09:00`."""
    quiet_hours: str | None = None
    """Hours in which nothing unasked is said: `23:00-08:00`."""


FrameStatus = Literal["queued", "active", "awaiting_user", "awaiting_other", "completed", "canceled"]
"""The life of a task (seed 2, section 2); `awaiting_other`: it waits for the answer of another member."""
ASK = "_core_ask"
"""The slot in which is kept what answers a task's question (`agents.Ask`)."""


OPEN_TO = "_core_open_to"
"""The slot in which an agent keeps whose business a task is beside its member's: names of things by the id of
the member they concern. Their lines are shown to the agent's `answers` with their id in `SPEAKER`."""
SPEAKER = "_core_speaker"


@dataclass(frozen=True, slots=True)
class FrameRecord:
    """One task as M3 keeps it: a frame, its slots and where it stands. Belongs to one member of one
    conversation. Times are wall seconds."""

    task_id: str
    conversation: Conversation
    user_id: str
    agent_code: str
    intent: str
    text: str
    """The words it came from."""
    status: FrameStatus
    priority: int
    focus: bool
    origin: str
    """Names the work once and for ever: the message's id and its place in it."""
    message_id: str
    """The message it was said in: tasks of one message wait for its focus together."""
    place: int
    """Its place in the message, in spoken order."""
    parent_task_id: str | None = None
    slots: dict[str, Any] = field(default_factory=dict[str, Any])
    """Names that start with `_` are the agent's own notes and shown to nobody."""
    missing_slots: list[str] = field(default_factory=list[str])
    question: str | None = None
    """Question to the member, while it is open."""
    question_ids: list[str] = field(default_factory=list[str])
    """Platform ids of our messages that asked it: a quote of one binds to this task."""
    handoff: str | None = None
    created_at: float = 0.0
    updated_at: float = 0.0
    expires_at: float | None = None
    moved_by: str = ""
    """The message that moved it last: the one it came from, or a later answer."""
    said: str | None = None
    """Reply to that message, so that it can be sent again after a restart."""

    @property
    def open(self) -> bool:
        """True while the task is not finished."""
        return self.status in ("queued", "active", "awaiting_user", "awaiting_other")

    @property
    def waits(self) -> bool:
        """True while a question to its member or to another is open."""
        return self.status in ("awaiting_user", "awaiting_other")

    @property
    def asked_of(self) -> tuple[str, ...]:
        """The members who are asked in its member's place; empty where its member is."""
        ask = self.slots.get(ASK)
        of = cast("Mapping[str, Any]", ask).get("of") if isinstance(ask, Mapping) else None
        return tuple(str(each) for each in cast("list[object]", of)) if isinstance(of, list) else ()

    @property
    def open_to(self) -> Mapping[str, Sequence[str]]:
        """The names of what of it is other members' business too, by the id of the member."""
        found = self.slots.get(OPEN_TO)
        return cast("Mapping[str, Sequence[str]]", found) if isinstance(found, Mapping) else {}


TurnRole = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class RoundSide:
    """One side of one round between a member and us (M1). Ids only grow; `at` is wall seconds."""

    id: int
    conversation: Conversation
    user_id: str
    role: TurnRole
    content: str
    at: float


@dataclass(frozen=True, slots=True)
class Digest:
    """Summary of a member's older turns, up to the id `through`."""

    content: str
    through: int
    at: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of one task (M2). One per `task_id`; `id` is 0 until it is stored; `at` is wall seconds."""

    conversation: Conversation
    user_id: str
    task_id: str
    agent_code: str
    content: str
    terms: tuple[str, ...]
    """Search terms (`memory.terms`)."""
    at: float
    id: int = 0


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The trace of one decision (product section 2). `id` is 0 until it is stored."""

    conversation: Conversation
    message_id: str
    trigger: str
    state_before: str
    state_after: str
    should_reply: bool
    strategy: str
    reason: str
    """In words, Chinese, for `/秘书 为什么`."""
    timings: dict[str, float]
    """Seconds by step."""
    calls: list[str]
    """Names of the model calls made."""
    tokens: int
    at: float
    id: int = 0
    user_id: str = ""
    """Author of the message, so that a member's data can be deleted."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model, for usage and budgets."""

    name: str
    model: str
    conversation: Conversation | None
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    outcome: str
    """`ok` or the kind of failure."""
    at: float
    cached_tokens: int = 0
    """Of `prompt_tokens`, those the endpoint had kept from an earlier call."""
    member: str | None = None
    """Id of the member for whom it was made; None for none."""


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """Calls and tokens of a span of time."""

    calls: int
    failures: int
    """Without those that were canceled."""
    tokens: int


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Usage of one model by one name of call in a span of time."""

    model: str
    calls: int
    failures: int
    prompt_tokens: int
    cached_tokens: int
    """Of `prompt_tokens`."""
    completion_tokens: int
    call: str
    """The name of the call."""
