"""Typed frames of the schedule agent, made by `reader` for the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ...language.free_time import FreeQuestion, OfferPick
from ...language.schedule_phrases import Attendance
from ..api.frame import AgentFrame, Span
from .candidates.candidate import Candidate, Intent

CONFIRMING, FILLING, CHOOSING, OFFERING = "confirming", "filling", "choosing", "offering"
STAGE: Final = "_stage"
"""Note of an open task: kind of its question (a yes, a missing value, a choice, an offered
time)"""


@dataclass(frozen=True, slots=True)
class SaidTime:
    """Form of the first time of a reference."""

    recurring: bool = False
    """Recurring (每周四)"""
    weekday: bool = False
    """Bare weekday (周四), perhaps the whole series"""


@dataclass(frozen=True, slots=True)
class ScheduleFrame:
    """Order, or overheard line."""

    intent: Intent = "query"
    candidates: tuple[Candidate, ...] = ()
    """Ordered candidates; empty for an attendance or an overheard line"""
    attendance: Attendance | None = None
    attended: Candidate | None = None
    """Schedule named by `attendance`, if with a time (退出明天的会)"""
    planned: tuple[Candidate, ...] = ()
    """Plans in an overheard line; empty if not worth a question"""
    time: SaidTime | None = None
    guessed: bool = False
    """Half of the day was guessed: the reply offers to undo it"""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])
    all_of: tuple[date, date] | None = None
    """Date range of a query for everything, of any owner"""
    free: FreeQuestion | None = None
    """Question about free time"""
    asks_place: bool = False
    """The query asks where something is"""
    card: bool = False
    """Candidates of a pasted text: on a card, stored only after a yes"""


@dataclass(frozen=True, slots=True)
class ReplyFrame:
    """Line after an open question."""

    filled: Candidate | None = None
    several: bool = False
    """Several times where one was asked for"""
    """Incomplete candidate with the answered value"""
    offer: OfferPick | None = None
    """Offered time that is picked"""
    picked: tuple[int, ...] = ()
    """0-based places picked in the numbered list"""
    part: bool = False
    """The pick was by a part of the name: nothing is deleted by it yet"""
    unsure: bool = False
    """A hum where only an explicit yes counts"""
    leaves: bool = False
    """The whole card is cancelled, in any wording"""
    limits: bool = False
    """Deletion narrowed or redirected: nothing asked about is deleted"""
    left: Candidate | None = None
    """Narrowed deletion, if the line gives its time"""
    planned: tuple[Candidate, ...] = ()
    """New plans of a line about something else; empty if not worth a question"""
    comes: Attendance | None = None
    """Other participants named beside the time"""
    unkept: tuple[str, ...] = ()
    """Further words beside the time without a field"""
    time: SaidTime | None = None
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> ScheduleFrame:
    """Frame as an order; empty if it is none."""
    return read if isinstance(read, ScheduleFrame) else ScheduleFrame()


def reply_in(read: AgentFrame) -> ReplyFrame:
    """Frame as a reply; empty if it is none."""
    return read if isinstance(read, ReplyFrame) else ReplyFrame()


def time_in(read: AgentFrame) -> SaidTime | None:
    """Form of the first time; None without a time."""
    return read.time if isinstance(read, (ScheduleFrame, ReplyFrame)) else None
