"""The secretary: presence, decisions, and seeing one turn at a time through to a reply or to silence.

`presence` is the pure machine and `Seat` runs it for one conversation; `Lock` keeps turns apart;
`Secretary.work` takes a `Turn` along the reply path. It speaks and notes through a `Desk`.
"""

from .analysis import Analyst
from .lock import Lock, LockToken
from .plans import LINES as PLAN_LINES
from .plans import agreed
from .ports import TALK_FEATURE, Desk, SendFailed, Speech
from .presence import Effect, Event, Presence, PresenceState, Rules, Step, step, table, take
from .seat import Seat
from .secretary import Secretary
from .turn import Trigger, Turn, TurnItem

__all__ = [
    "PLAN_LINES",
    "TALK_FEATURE",
    "Analyst",
    "Desk",
    "Effect",
    "Event",
    "Lock",
    "LockToken",
    "Presence",
    "PresenceState",
    "Rules",
    "Seat",
    "Secretary",
    "SendFailed",
    "Speech",
    "Step",
    "Trigger",
    "Turn",
    "TurnItem",
    "agreed",
    "step",
    "table",
    "take",
]
