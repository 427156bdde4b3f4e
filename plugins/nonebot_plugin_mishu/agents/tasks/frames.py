"""What a line says to the task agent: typed frames, made by `reader` and used by the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, Literal

from ...language.clause import Mention
from ...language.match import AnswerMatch
from ...language.recognise.handing import Handing as Handing
from ...language.recognise.members import Person
from ...language.timing.ahead import Ahead
from ..api.frame import AgentFrame, Span
from .planning.task_time import Wish

UNSURE: Final = "_unsure"
"""Slot of an answer: a hum where only an explicit yes counts."""
PART: Final = "_part"
"""Slot of an answer: what was picked was named by a part of its name."""
POINTED: Final = "_pointed"
"""Slot of an answer to 要删除…吗: not that, but the last, the first or the other one; empty: not said."""
DAYS: Final = "_onDays"
"""Slot of such an answer: only on these days."""
CLOCK: Final = "_atClock"
"""Slot of such an answer: the one at this clock, and whether it may be in either half of the day."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A task to be made, as far as it is known."""

    title: str = ""
    wish: Wish = field(default_factory=Wish)
    priority: str | None = None
    description: str | None = None
    assignee: str | None = None
    """A member's id; only one who is @-mentioned in the message it was said in."""
    assignee_name: str = ""
    """Their name, put here by code that saw the mention; without it nothing is assigned."""


@dataclass(frozen=True, slots=True)
class TaskReference:
    """What was said about which task is meant. `positions` are 1-based numbers of the list last shown, -1 the
    last of it; `dates` what a day said with it allows."""

    words: str = ""
    positions: tuple[int, ...] = ()
    days: tuple[date, date] | None = None
    everything: bool = False
    this: bool = False
    nameable: bool = True
    """The words may be said back as a name; False for a piece of a line that names nothing."""
    finished: bool = False
    """Those that are done (把已完成的任务删了)."""

    @property
    def empty(self) -> bool:
        """Whether nothing says which."""
        return not (
            self.words or self.positions or self.days or self.everything or self.this or self.finished
        )

    def as_json(self) -> dict[str, Any]:
        """For keeping with the task's frame."""
        found: dict[str, Any] = {}
        if self.words:
            found["words"] = self.words
        if self.positions:
            found["positions"] = list(self.positions)
        if self.days:
            found["days"] = [day.isoformat() for day in self.days]
        if self.everything:
            found["everything"] = True
        if self.this:
            found["this"] = True
        if self.finished:
            found["finished"] = True
        return found

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TaskReference:
        """The way back."""
        days = values.get("days")
        return cls(
            words=values.get("words", ""),
            positions=tuple(values.get("positions", ())),
            days=(date.fromisoformat(days[0]), date.fromisoformat(days[1])) if days else None,
            everything=values.get("everything", False),
            this=values.get("this", False),
            finished=values.get("finished", False),
        )


Cleared = Literal["clock", "segment", "reminder", "recurrence", "priority", "description"]


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed about a task."""

    wish: Wish = field(default_factory=Wish)
    shift: int | None = None
    """Minutes later; negative: earlier."""
    title: str | None = None
    priority: str | None = None
    description: str | None = None
    leads: tuple[int, ...] = ()
    """Minutes before the thing at which its owner is to be called, the longest first."""
    cleared: frozenset[Cleared] = frozenset()
    """What is to be taken away."""
    handing: Handing | None = None
    """To whom it is handed over (这个改成提醒老猫)."""

    @property
    def empty(self) -> bool:
        """Whether nothing says what."""
        return self.wish.empty and not (
            self.leads or self.shift or self.title or self.priority or self.description or self.handing
        )


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """Which tasks are looked for; dates are `YYYY-MM-DD`, both ends included; `label` their words."""

    status: Literal["pending", "completed"] | None = None
    first: str | None = None
    last: str | None = None
    priority: str | None = None
    label: str = ""
    repeats: str = ""
    """How often what is looked for comes again (daily, weekly)."""
    all_of: tuple[date, date] | None = None
    """All that there is on these days is asked for, whosever it is."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A task to be made, as an order for oneself."""

    draft: Draft
    person: Person | None = None
    """For whom else than the speaker it is."""
    more: tuple[Mapping[str, Any], ...] = ()
    """What is otherwise at the further times of it (`several.more_times`)."""
    items: tuple[Draft, ...] = ()
    """The tasks of a list, each a draft of its own; then `draft` is all of it, unread."""
    crowd: bool = False
    """Several members are @-ed, and the speaker is none of those it is for."""
    plain: bool = False
    """It says that it is a task, and when: nothing is asked back."""
    ahead: Ahead | None = None
    """How long ahead it is to be called."""
    guessed: bool = False
    """The half of the day was chosen for the member: it is said that it can be taken back."""


@dataclass(frozen=True, slots=True)
class TaskFrame:
    """An order about tasks."""

    creation: Creation = field(default_factory=lambda: Creation(Draft()))
    reference: TaskReference = field(default_factory=TaskReference)
    """Which task is meant."""
    change: Change = field(default_factory=Change)
    one_day: bool = False
    """What is meant is named by one day (周五的跑步)."""
    days_off: tuple[tuple[date, date], ...] = ()
    """The days on which what repeats is not to be (这周末都别喊我吃药), both ends included."""
    weekdays_off: tuple[str, ...] = ()
    """The weekdays on which what repeats is never to be (周末就不用了), as codes."""
    query: TaskQuery = field(default_factory=TaskQuery)
    whose: Mention | None = None
    """Whose tasks are asked about, if another's."""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


@dataclass(frozen=True, slots=True)
class TaskReply:
    """A line about an open question of ours."""

    bound: AnswerMatch | None = None
    """How it answers; None: our rules do not say."""
    order: TaskFrame = field(default_factory=TaskFrame)
    """The order that the line completes, or the change it asks for."""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> TaskFrame:
    """What a frame orders; nothing where it is no order."""
    if isinstance(read, TaskReply):
        return read.order
    return read if isinstance(read, TaskFrame) else TaskFrame()


def reply_in(read: AgentFrame) -> TaskReply:
    """A frame as a reply; one that says nothing where it is none."""
    return read if isinstance(read, TaskReply) else TaskReply()


def told(draft: Draft, slots: Mapping[str, Any]) -> Draft:
    """The draft, where the rules found nothing with what a model said; what they found stays."""
    title, priority = draft.title or str(slots.get("title") or "")[:100], slots.get("priority")
    return replace(
        draft, title=title, priority=draft.priority or (priority if isinstance(priority, str) else None)
    )
