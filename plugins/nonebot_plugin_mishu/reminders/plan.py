"""Plan of due rows: the messages in which they are sent, and their marks. Pure.

Few things due are said one by one. Many at the same moment are joined into few messages. What is long
overdue (the bot was away, the group was silent) is gathered into one message that lists the first and
counts the rest, so that two days off do not become a flood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..storage.reminders.records import APART, DIGEST, NOTICE, NUDGE, POLL, ReminderRecord

LATE_AFTER = 30.0
"""Seconds after which a reminder is marked as late, whatever the reason."""

GATHER_AFTER = 1800.0
"""Seconds after which overdue reminders are gathered, where there are more than `FEW_OVERDUE`."""

FEW_OVERDUE = 2
SINGLES = 5
"""Reminders said one by one at one look."""
JOINT = 10
"""Reminders in one joint message; also how many a gathered one lists."""
MESSAGES = 3
"""Messages at one look where there are more than `SINGLES` reminders."""
LOOK = JOINT * MESSAGES + 1
"""Rows to be read for a plan; with one more than fit, we know that there are more."""

RETRIES = (30.0, 120.0, 600.0, 1800.0)
"""Seconds until the next try after the first, second … send that certainly failed."""
MOST_FAILURES = len(RETRIES) + 1
"""The failure at which a reminder is given up."""
RESEND_AFTER = 30.0
"""Seconds until a reminder that may have been sent is sent once more, marked."""


@dataclass(frozen=True, slots=True)
class MaySpeak:
    """Conditions for speaking in a conversation."""

    connected: bool = True
    allowed: bool = True
    """The feature 提醒 is on there; a digest has its own."""
    silent_until: float | None = None
    """Wall seconds; None where nothing is silent."""
    paused_until: float | None = None
    """A send failed there a moment ago."""

    def open(self, now: float) -> bool:
        """True when a message may be sent at `now`."""
        return self.connected and self.wait_until(now) is None

    def wait_until(self, now: float) -> float | None:
        """End of the silence or pause (wall seconds); None where there is none."""
        times = [each for each in (self.silent_until, self.paused_until) if each is not None and each > now]
        return max(times, default=None)


@dataclass(frozen=True, slots=True)
class ReminderMessage:
    """Rows to be sent in one message."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All rows that were due by then go out in one message: the first are listed, the others counted."""

    due_by: float


def plan(
    rows: Sequence[ReminderRecord], now: float, *, singles: int = SINGLES
) -> tuple[ReminderMessage | Gathered, ...]:
    """The messages of one look at one conversation, in order; more than `singles` reminders are joined.

    `rows` are the first `LOOK` due rows in the order they are due; notices go out together. What does not fit
    in comes at the next look, which follows at once.
    """
    more = len(rows) >= LOOK
    digests = [ReminderMessage((row.id,)) for row in rows if row.agent_code in (DIGEST, POLL, NUDGE)]
    if notices := tuple(row.id for row in rows if row.agent_code == NOTICE):
        digests.insert(0, ReminderMessage(notices))
    plain = [row for row in rows if row.agent_code not in APART]
    overdue = [row for row in plain if now - row.due_at > GATHER_AFTER]
    found: list[ReminderMessage | Gathered] = []
    if len(overdue) > FEW_OVERDUE:
        long_ago = now - GATHER_AFTER
        found.append(Gathered(long_ago))
        plain = [row for row in plain if row.due_at > long_ago]  # what is at the limit is gathered with them
        if more:
            return (*found, *digests)
    if len(plain) <= singles:
        found.extend(ReminderMessage((row.id,)) for row in plain)
        return (*found, *digests)
    ids = [row.id for row in plain]
    parts = [tuple(ids[start : start + JOINT]) for start in range(0, len(ids), JOINT)]
    room = MESSAGES - len(found)
    if len(parts) <= room:
        found.extend(ReminderMessage(part) for part in parts)
    else:
        found.extend(ReminderMessage(part) for part in parts[: room - 1])
        found.append(Gathered(now))
    return (*found, *digests)


def late(row: ReminderRecord, now: float, hindered_at: float) -> bool:
    """True when a row is marked as late: by `LATE_AFTER`, or due before we could speak.

    `hindered_at`: when we last were not able to speak there, or when we started.
    """
    return now - row.due_at > LATE_AFTER or (row.due_at <= hindered_at and now > row.due_at)


def retry_after(failures: int) -> float:
    """Seconds until the next try, after `failures` sends failed before this one."""
    return RETRIES[min(failures, len(RETRIES) - 1)]


def next_look(now: float, due_at: float | None, waits: Sequence[float], at_latest: float) -> float:
    """Time of the next look: the next due row or end of a wait, at the latest after `at_latest` seconds."""
    coming = [each for each in (due_at, *waits) if each is not None]
    return min([now + at_latest, *(max(each, now) for each in coming)])
