"""Schedules as values: what storage keeps and hands out about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ..records import Conversation

WALL = "%Y-%m-%d %H:%M:%S"
"""Format of wall times (seed 0)."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who takes part, with the name they had in the group when they joined."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """Content of a schedule, without its creator. Times are wall time of `zone`, `YYYY-MM-DD HH:MM:SS`."""

    start: str
    zone: str
    description: str
    end: str | None = None
    """End of the first occurrence, or of the only one."""
    segment: str | None = None
    """The part of the day that was said instead of a clock; `start` is then where it begins."""
    place: str | None = None
    recurrence: dict[str, Any] | None = None
    """As `times.recurrence` of the contracts, and `without`: the days (`YYYY-MM-DD`) it is left out on.
    `start` is the first occurrence."""
    until: str | None = None
    """The last day of a recurrence that ends, `YYYY-MM-DD`."""
    lead_minutes: int | None = None
    """Minutes of the reminder before the start, where somebody named them."""
    further_leads: tuple[int, ...] = ()
    """Further minutes before it at which it is reminded of, beside `lead_minutes`."""
    everybody: bool = False
    """An admin asked that all members be reminded."""
    to_group: bool = False
    """The group is reminded (提醒大家), whoever asked; with `everybody` by an @ of all, else by a line that
    @-s nobody."""

    @property
    def begins(self) -> datetime:
        """The first moment, aware."""
        return datetime.fromisoformat(self.start).replace(tzinfo=ZoneInfo(self.zone))

    @property
    def ends(self) -> datetime | None:
        """The end of the first occurrence, aware; None where none was said."""
        return datetime.fromisoformat(self.end).replace(tzinfo=ZoneInfo(self.zone)) if self.end else None


@dataclass(frozen=True, slots=True)
class ScheduleRecord:
    """One schedule of a conversation. `id` only grows and is never used again."""

    id: int
    conversation: Conversation
    plan: SchedulePlan
    created_by: str
    creator: str
    """The creator's name when it was made."""
    joined: tuple[Participant, ...] = field(default=())
    created_at: float = 0.0
    deleted: bool = False
    taken_from: int | None = None
    """Id of the series from which this occurrence was moved."""
    instead_of: str | None = None
    """Original start of that occurrence, wall time of the zone of the series."""

    @property
    def description(self) -> str:
        """Description."""
        return self.plan.description

    def as_json(self) -> dict[str, Any]:
        """As `GET /api/groups/{id}/schedules` gives it (contracts.md); people are their ids."""
        plan = self.plan
        rule = plan.recurrence and {name: of for name, of in plan.recurrence.items() if name != "without"}
        return {
            "id": self.id,
            "time": plan.start,
            "end": plan.end,
            "segment": plan.segment,
            "description": plan.description,
            "place": plan.place,
            "recurrence": rule,
            "created_by": self.created_by,
            "joined": [member.user_id for member in self.joined],
        }
