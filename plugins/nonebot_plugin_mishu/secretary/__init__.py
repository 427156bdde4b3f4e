"""The secretary: presence, decisions, and seeing one turn at a time through to a reply or to silence.

`presence` is the pure machine and `Seat` runs it for one conversation; `Lock` keeps turns apart;
`Secretary.work` takes a `Turn` along the reply path. It speaks and notes through a `Desk`.
"""

from .analysis import Analyst
from .lock import Lock, Token
from .ports import Desk, SendFailed, Speech
from .presence import Effect, Event, Presence, Rules, State, Step, step, table, take
from .seat import Seat
from .secretary import Secretary
from .turn import Item, Trigger, Turn

__all__ = [
    "Analyst",
    "Desk",
    "Effect",
    "Event",
    "Item",
    "Lock",
    "Presence",
    "Rules",
    "Seat",
    "Secretary",
    "SendFailed",
    "Speech",
    "State",
    "Step",
    "Token",
    "Trigger",
    "Turn",
    "step",
    "table",
    "take",
]
