"""What a line says to the schedule agent: typed frames, made by `reader` for the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ...language.schedule_phrases import Attendance
from ..api.frame import AgentFrame, Span
from .candidates.candidate import Candidate, Intent

CONFIRMING, FILLING, CHOOSING = "confirming", "filling", "choosing"
STAGE: Final = "_stage"
"""The note of an open task that says what was asked: a yes, what is missing, one of a list."""


@dataclass(frozen=True, slots=True)
class SaidTime:
    """How the first time of a line names what is there."""

    recurring: bool = False
    """As what repeats (每周四)."""
    weekday: bool = False
    """As a bare weekday (周四), which may be all of what repeats."""


@dataclass(frozen=True, slots=True)
class ScheduleFrame:
    """An order, or what was overheard."""

    intent: Intent = "query"
    candidates: tuple[Candidate, ...] = ()
    """What is ordered; empty where somebody takes part or was only overheard."""
    attendance: Attendance | None = None
    attended: Candidate | None = None
    """What `attendance` names, where its words hold a time (退出明天的会)."""
    planned: tuple[Candidate, ...] = ()
    """What is planned in a line that was not said to us; empty where it is not worth a question."""
    time: SaidTime | None = None
    guessed: bool = False
    """The half of the day was chosen for the member: it is said that it can be taken back."""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])
    all_of: tuple[date, date] | None = None
    """A query for all that there is on these days, whosever it is."""
    card: bool = False
    """They are of a text that was pasted: put on a card, and kept by a yes only."""


@dataclass(frozen=True, slots=True)
class ReplyFrame:
    """A line about an open question of ours."""

    filled: Candidate | None = None
    """The candidate of which something was missing, with what the line tells of it."""
    picked: tuple[int, ...] = ()
    """0-based places in the numbered list that was shown."""
    part: bool = False
    """What was picked was named by a part of its name: of several, so that nothing is deleted by it yet."""
    unsure: bool = False
    """A hum, where only an explicit yes counts."""
    leaves: bool = False
    """All of the open card is called off, however it is said."""
    limits: bool = False
    """Only a part of what was to be deleted goes, or another one: nothing that was asked about is deleted."""
    left: Candidate | None = None
    """The deletion of that part, where the line says when it is."""
    planned: tuple[Candidate, ...] = ()
    """What the line plans anew, where it is about something else; empty where it is not worth a question."""
    comes: Attendance | None = None
    """Others who come to what is made by it, said beside the time."""
    unkept: tuple[str, ...] = ()
    """What else was said beside the time, for which a schedule has no place."""
    time: SaidTime | None = None
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> ScheduleFrame:
    """A frame as an order; one that orders nothing where it is none."""
    return read if isinstance(read, ScheduleFrame) else ScheduleFrame()


def reply_in(read: AgentFrame) -> ReplyFrame:
    """A frame as a reply; one that says nothing where it is none."""
    return read if isinstance(read, ReplyFrame) else ReplyFrame()


def time_in(read: AgentFrame) -> SaidTime | None:
    """How a line names a time first; None where it has none."""
    return read.time if isinstance(read, (ScheduleFrame, ReplyFrame)) else None
