"""Which message an official bot may still answer, and with which number. Pure.

QQ takes a passive message where it names one that was said before (`msg_id`) and a number it has not had for
that one (`msg_seq`): within five minutes in a group and an hour in private, five times a message. We stay
within four and a half and fifty-five, and at four times: our clock and QQ's differ, and an answer may be on
its way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

IN_GROUP = 270.0
"""Seconds in which a message of a group is answered."""
IN_PRIVATE = 55 * 60.0
TIMES = 4
"""Answers to one message."""
KEPT = 20
"""Messages kept of a conversation: the youngest are enough, each new one may be answered four times."""


@dataclass(frozen=True, slots=True)
class Answerable:
    """A message, or an event such as a pressed button, that may be answered."""

    id: str
    received: float
    """Monotonic seconds."""
    next_seq: int = 1
    event: bool = False
    """It is named as `event_id`, not as `msg_id`."""
    closed: bool = False
    """QQ refused an answer to it."""
    most: int = TIMES
    """The last number that an answer to it may have."""

    def left(self, now: float, lasting: float) -> int:
        """Number of answers that may still be given."""
        if self.closed or not 0 <= now - self.received < lasting:
            return 0
        return max(0, self.most + 1 - self.next_seq)


@dataclass(frozen=True, slots=True)
class Passive:
    """A passive message's reference."""

    id: str
    seq: int
    event: bool


Window = tuple[Answerable, ...]
"""What may be answered in one conversation, the youngest first."""


def lasting(*, group: bool) -> float:
    """Seconds in which a message may be answered."""
    return IN_GROUP if group else IN_PRIVATE


def heard(window: Window, one: Answerable, now: float, seconds: float) -> Window:
    """With a message that was just said. Known ones keep their number; what is over is left out."""
    if any(known.id == one.id for known in window):
        return window
    all_of = (one, *(known for known in window if known.left(now, seconds)))
    return tuple(sorted(all_of, key=lambda known: known.received, reverse=True))[:KEPT]


def of_former_run(message_id: str, received: float, *, event: bool) -> Answerable:
    """A message that a former run of ours heard (monotonic seconds of this one), and may have answered as
    often as we do: the one answer that QQ takes beyond that is left, under a number that run never used."""
    return Answerable(message_id, received, next_seq=TIMES + 1, event=event, most=TIMES + 1)


def choose(window: Window, now: float, seconds: float, *, spare: int = 0) -> tuple[Passive | None, Window]:
    """The youngest message that may be answered, and the window in which that answer is counted.

    `spare`: answers of each message that are left for others; a reminder takes none that a reply may need.
    """
    for at, one in enumerate(window):
        if one.left(now, seconds) > spare:
            counted = replace(one, next_seq=one.next_seq + 1)
            return Passive(one.id, one.next_seq, one.event), (*window[:at], counted, *window[at + 1 :])
    return None, window


def refused(window: Window, message_id: str) -> Window:
    """QQ takes no answer to a message any more."""
    return tuple(replace(one, closed=True) if one.id == message_id else one for one in window)


def chances(window: Window, now: float, seconds: float, *, spare: int = 0) -> int:
    """Number of passive messages that can be sent now."""
    return sum(max(0, one.left(now, seconds) - spare) for one in window)
