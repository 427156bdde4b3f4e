"""Public view of a conversation, and its change listeners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...clock import Clock
from ...secretary import PresenceState
from ...storage.records import DecisionRecord
from .room import Room


@dataclass(frozen=True, slots=True)
class RoomView:
    """A conversation now. Times are seconds since the epoch; None where not in force."""

    state: PresenceState
    since: float
    busy: bool
    held: int
    silenced_until: float | None
    cooldown_until: float | None


def view(room: Room, clock: Clock) -> RoomView:
    """Look at a room."""
    presence = room.seat.presence
    cooling = presence.state is PresenceState.OBSERVING and presence.cooldown_until > clock.monotonic()
    return RoomView(
        state=presence.state,
        since=clock.wall_of(presence.since),
        busy=room.seat.lock.busy,
        held=len(room.hold),
        silenced_until=room.silenced_until(clock.wall()),
        cooldown_until=clock.wall_of(presence.cooldown_until) if cooling else None,
    )


class Audience(Protocol):
    """Whoever wants to know, live."""

    def presence_changed(self, room: Room) -> None:
        """The room's presence, busyness or number of held messages changed."""
        ...

    def decision_made(self, record: DecisionRecord) -> None:
        """A decision was made and stored."""
        ...
