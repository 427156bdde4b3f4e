"""Changes of schedules as values, which `Schedules.apply` carries out all or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .records import Participant, SchedulePlan, ScheduleRecord


class Outdated(Exception):
    """A schedule was changed or deleted since it was read; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Add:
    """A new one. `origin` names it once and for ever: made again it is the one that is there."""

    plan: SchedulePlan
    origin: str
    order: str | None = None
    """The origin of the edit that it is one half of: one time taken out of what repeats."""
    taken_from: ScheduleRecord | None = None
    """The series of which it is one occurrence: its owner and participants stay."""
    instead_of: str | None = None
    """Original start of that occurrence, wall time."""
    joined: tuple[Participant, ...] | None = None
    """Participants of that occurrence, where they differ from those of the series."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Let a schedule say something else. Done once by its `origin`."""

    id: int
    plan: SchedulePlan
    origin: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a schedule away; its row stays, marked."""

    id: int
    origin: str


@dataclass(frozen=True, slots=True)
class Attend:
    """Somebody takes part, or no longer (`joins` False)."""

    id: int
    member: Participant
    joins: bool
    origin: str


Change: TypeAlias = Add | Edit | Delete | Attend
