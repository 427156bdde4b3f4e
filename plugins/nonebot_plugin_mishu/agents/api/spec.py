"""AgentSpec: everything the core knows of an agent, and the whole of what another plugin has to write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ...language.clause import Clause
from ...language.match import AnswerMatch, Match, Rules
from ...storage.records import Conversation, FrameRecord
from .dispatch import Priority, TaskDispatch, TaskResult
from .frame import NOTHING_READ, AgentFrame, ReadFrame, frame_of
from .task_context import TaskContext

ReadAnswer = Callable[[FrameRecord, Clause], AnswerMatch | None]
"""Pure: how a line answers the open question of a task of this agent's. None: it does not."""
ReadReply = Callable[[FrameRecord, Clause], AgentFrame]
"""Pure: the frame of a line that is about an open task of this agent's: what it was asked, as it is said."""
Handler = Callable[[TaskDispatch, TaskContext], Awaitable[TaskResult]]
"""Does the work. Called only after the safety gate said SAFE; ends within `context.deadline`."""


Act = Literal["make", "change", "delete", "finish", "record", "amend", "query"]
"""Act of an order upon stored items."""


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing an agent can be asked for: a row of the agent's table of intents."""

    name: str
    description: str
    """Chinese, one line: for models, and for people where there is no `label`."""
    examples: tuple[str, ...] = ()
    reads_only: bool = False
    """It changes nothing: may go on where the safety check could not be had in time."""
    act: Act | None = None
    """Its act upon stored items; as a row of `AgentSpec.acts`."""
    own_mood: bool = False
    """Its handler weighs by itself whether a line orders it, asks, negates or only reports: it has no act."""
    handler: Handler | None = None
    """Does this one, where the agent has no handler for all of them."""
    label: str = ""
    """A few Chinese words for people (`/秘书 为什么`), where the description instructs a model."""

    @property
    def title(self) -> str:
        """Name of it for people."""
        return self.label or self.description


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of information a task needs.

    `read` reads it from a line that answers the question for it; None where the line holds no such thing.
    """

    name: str
    question: str = ""
    """Asked where it is missing."""
    required: bool = False
    intents: tuple[str, ...] = ()
    """The intents that have it; empty: all."""
    read: Callable[[Clause], Any | None] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Something that was done and is to be undone (`AgentSpec.undo`)."""

    conversation: Conversation
    user_id: str
    """Member who ordered it, and says 撤销."""
    summary: str
    """Summary of the deed, as it was noted."""
    token: Mapping[str, Any]
    """Token that the handler noted."""


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """Access of an agent to earlier talk."""

    turns: int = 0
    """M1: how many of the last rounds between this member and the bot; 0: none."""
    summaries: int = 0
    """M2: how many summaries of earlier tasks of this member that resemble the message; 0: none."""
    group: bool = False
    """The ledger: what the group said before this message."""


def _nothing(intent: str, clause: Clause) -> AgentFrame:
    return NOTHING_READ


def _never(task_id: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent. `code` is unique in an instance; slots named in `slots` are asked for in their order."""

    code: str
    name: str
    """Chinese, for people."""
    intents: tuple[Intent, ...]
    boundary: str
    """Scope of the agent and its limits, in a sentence or two for a model."""
    rules: Rules
    handler: Handler | None = None
    """Does the work of every intent; None: each `Intent` has its own."""
    read: ReadFrame = _nothing
    answers: ReadAnswer | None = None
    """Without one, a line answers where a missing slot's `read` finds something in it."""
    replies: ReadReply | None = None
    """The frame of a line about an open task. Without one it is `read`, with the task's intent."""
    slots: tuple[Slot, ...] = ()
    memory: MemoryPolicy = field(default_factory=MemoryPolicy)
    priority: Priority = Priority.OTHER
    focus: bool = False
    """Its tasks are a member's one focus: the others of the same message wait while it waits."""
    insertable: bool = False
    """Its tasks of a later message may run while a focus waits. Those of class ADMIN always may."""
    own_words: bool = False
    """Its slots are kept in its member's own words: what a model words otherwise is not taken. Without it a
    model may word a slot's value, as long as no number, time, sum, code or member comes in that was not
    said."""
    acts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Act of each intent upon what is kept: `make`, `change`, `delete`, `finish`, `record`, `amend`, `query`.
    Where a line asks, negates, supposes or reports such an act, nothing is written (`language.mood`). An
    intent that is not named here is its agent's to weigh."""
    merges: bool = False
    """Neighbouring clauses of the same intent are one task (午饭35，打车20)."""
    spoken: bool = False
    """Its feedback may be said aloud as well, where the group wants that (product section 8)."""
    feature: str | None = None
    """The switch (`/秘书 开关`) that turns it off in a group."""
    overhears: Callable[[Clause], bool] | None = None
    """Pure: whether an unaddressed line is worth a candidate of this agent's."""
    claims: Callable[[Clause], Match | None] | None = None
    """Pure: the match of a whole line, before it is cut into pieces. The line is then this agent's alone."""
    listens: Callable[[str], bool] | None = None
    """Pure: whether the words of a normalised line alone could be worth it. `overhears` is asked about no
    other line then, and most of what a group says is spared the search for times."""
    expire: Callable[[FrameRecord], Awaitable[str | None]] | None = None
    """Called when a question's time is over, once; what to say then, None for nothing."""
    undo: Callable[[Undo], Awaitable[str | None]] | None = None
    """Takes back what a handler noted with `context.undoable`, when its member says 撤销. None: it is undone;
    else a sentence that says why it is not. A restart may call it twice with the same `Undo`."""
    isolated: bool = False
    """Set by the registry: it is another plugin's, each of its callbacks behind a guard (`isolation`)."""
    gives_up: Callable[[str], bool] = _never
    """Set by the registry, not by an agent: whether a question (a task's id) is to be given up because the
    agent failed to read its answers."""
    drop: Callable[[FrameRecord], Awaitable[None]] | None = None
    """For agents whose questions are drafts: a silence, or a recall of the message that opened it, ends one
    without a word, and so does an emergency of its owner's. Called once, before the task is canceled."""

    def __post_init__(self) -> None:
        rows = self.intents if isinstance(cast("object", self.intents), tuple) else ()
        acts = {
            one.name: one.act
            for one in rows
            if isinstance(cast("object", one), Intent) and one.act is not None
        }
        if acts and isinstance(cast("object", self.acts), Mapping):
            object.__setattr__(self, "acts", {**acts, **self.acts})

    def handler_of(self, intent: str) -> Handler | None:
        """Handler of an intent; None where it has none."""
        return self.handler or next((one.handler for one in self.intents if one.name == intent), None)

    def intent_names(self) -> tuple[str, ...]:
        """The names of its intents."""
        return tuple(intent.name for intent in self.intents)

    def slots_of(self, intent: str) -> tuple[Slot, ...]:
        """The slots that an intent has, in order."""
        return tuple(slot for slot in self.slots if not slot.intents or intent in slot.intents)

    def frame(self, intent: str, clause: Clause, asked: FrameRecord | None = None) -> AgentFrame:
        """Frame read in a clause, or of a line about the open task that `asked`."""
        if asked is not None and self.replies is not None:
            return self.replies(asked, clause)
        return frame_of(self.read(intent, clause))
