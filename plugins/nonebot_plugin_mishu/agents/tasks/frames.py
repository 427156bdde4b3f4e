"""Typed frames of the task agent, made by `reader` and used by the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, Literal

from ...language.clause import Mention
from ...language.following.conditions import Watched
from ...language.match import AnswerMatch
from ...language.recognise.handing import Handing as Handing
from ...language.recognise.members import Person
from ...language.timing.reminder_leads import Ahead
from ..api.frame import AgentFrame, Span
from .planning.task_time import Wish

UNSURE: Final = "_unsure"
"""Answer slot: a hum (嗯嗯) where only an explicit yes counts"""
PART: Final = "_part"
"""Answer slot: the choice was by part of a name"""
POINTED: Final = "_pointed"
"""Answer slot to 要删除…吗: the last, first or other one instead; empty: not given"""
DAYS: Final = "_onDays"
"""Answer slot to 要删除…吗: only these days"""
CLOCK: Final = "_atClock"
"""Answer slot to 要删除…吗: clock of the task, and True if am or pm is open"""


@dataclass(frozen=True, slots=True)
class Draft:
    """Draft of a new task."""

    title: str = ""
    wish: Wish = field(default_factory=Wish)
    priority: str | None = None
    description: str | None = None
    assignee: str | None = None
    """Member id; only a member @-mentioned in the same message"""
    assignee_name: str = ""
    """Display name, set by code that saw the mention; empty: no assignee"""


@dataclass(frozen=True, slots=True)
class TaskReference:
    """Reference to existing tasks. `positions`: 1-based numbers of the list last shown, -1 its last; `days`:
    date range."""

    words: str = ""
    positions: tuple[int, ...] = ()
    days: tuple[date, date] | None = None
    everything: bool = False
    this: bool = False
    nameable: bool = True
    """True if the words can be quoted as a name; False for a fragment"""
    finished: bool = False
    """Completed tasks (把已完成的任务删了)"""

    @property
    def empty(self) -> bool:
        """True if the reference has no criteria."""
        return not (
            self.words or self.positions or self.days or self.everything or self.this or self.finished
        )

    def as_json(self) -> dict[str, Any]:
        """JSON for the frame's notes."""
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
        """Reference from its JSON."""
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
    """Changes to a task."""

    wish: Wish = field(default_factory=Wish)
    shift: int | None = None
    """Minutes later; negative: earlier."""
    title: str | None = None
    priority: str | None = None
    description: str | None = None
    leads: tuple[int, ...] = ()
    """Reminder leads: minutes before the start, longest first"""
    beside: bool = False
    """Leads in addition to the reminders there are (提前一天再提醒一次)"""
    cleared: frozenset[Cleared] = frozenset()
    """Fields to clear"""
    handing: Handing | None = None
    """New assignee (这个改成提醒老猫)"""
    until: date | None = None
    """Last day of a recurring task (改成一直到月底)"""

    @property
    def empty(self) -> bool:
        """True if no change is given."""
        return self.wish.empty and not (
            self.leads
            or self.shift
            or self.title
            or self.priority
            or self.description
            or self.handing
            or self.until
        )


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """Filter for tasks; dates are `YYYY-MM-DD`, both inclusive; `label`: their wording."""

    status: Literal["pending", "completed"] | None = None
    first: str | None = None
    last: str | None = None
    priority: str | None = None
    label: str = ""
    repeats: str = ""
    """Recurrence frequency (daily, weekly)"""
    all_of: tuple[date, date] | None = None
    """Date range of everything, of any owner"""


@dataclass(frozen=True, slots=True)
class Creation:
    """New task of the speaker."""

    draft: Draft
    person: Person | None = None
    """Assignee other than the speaker"""
    more: tuple[Mapping[str, Any], ...] = ()
    """Differences at further times (`several.more_times`)"""
    items: tuple[Draft, ...] = ()
    """Drafts of a task list; then `draft` is the unread whole"""
    crowd: bool = False
    """Several members are @-ed; the speaker is not an assignee"""
    plain: bool = False
    """Explicit task with a time: no question back"""
    ahead: Ahead | None = None
    """Reminder lead"""
    guessed: bool = False
    """Half of the day was guessed: the reply offers to undo it"""
    unwatched: Watched | None = None
    """Condition that nobody can watch (下雨的话提醒我): a time is asked for instead"""


@dataclass(frozen=True, slots=True)
class TaskFrame:
    """Order about tasks."""

    creation: Creation = field(default_factory=lambda: Creation(Draft()))
    reference: TaskReference = field(default_factory=TaskReference)
    """Tasks the order is about"""
    change: Change = field(default_factory=Change)
    one_day: bool = False
    """The task is named by one day (周五的跑步)"""
    days_off: tuple[tuple[date, date], ...] = ()
    """Days to skip of a recurring task (这周末都别喊我吃药), both ends included"""
    weekdays_off: tuple[str, ...] = ()
    """Codes of weekdays to remove from a recurrence (周末就不用了)"""
    query: TaskQuery = field(default_factory=TaskQuery)
    whose: Mention | None = None
    """Member whose tasks are queried, if not the speaker"""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


@dataclass(frozen=True, slots=True)
class TaskReply:
    """Line after an open question."""

    bound: AnswerMatch | None = None
    """Match as an answer; None: unknown to the rules"""
    order: TaskFrame = field(default_factory=TaskFrame)
    """Order that the line completes, or change it asks for"""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> TaskFrame:
    """Order of a frame; empty if it has none."""
    if isinstance(read, TaskReply):
        return read.order
    return read if isinstance(read, TaskFrame) else TaskFrame()


def reply_in(read: AgentFrame) -> TaskReply:
    """Frame as a reply; empty if it is no reply."""
    return read if isinstance(read, TaskReply) else TaskReply()


def told(draft: Draft, slots: Mapping[str, Any]) -> Draft:
    """Draft completed with a model's slots; values found by rules stay."""
    title, priority = draft.title or str(slots.get("title") or "")[:100], slots.get("priority")
    return replace(
        draft, title=title, priority=draft.priority or (priority if isinstance(priority, str) else None)
    )
