"""The secretary: presence, decisions, and seeing one turn at a time through to a reply or to silence.

`presence` is the pure machine and `ConversationSeat` runs it for one conversation; `Lock` keeps turns apart;
`Secretary.run_turn` takes a `Turn` along the reply path. It speaks and notes through a `DeskPort`.
"""

from .analysis import Analyst
from .conversation_seat import ConversationSeat
from .lock import Lock, LockToken
from .plans import LINES as PLAN_LINES
from .plans import find_agreed_plan
from .ports import TALK_FEATURE, Button, DeskPort, SendFailed, Speech
from .presence import Effect, Presence, PresenceEvent, PresenceState, Rules, Step, step, table, take
from .secretary import Secretary
from .turn import Trigger, Turn, TurnItem

__all__ = [
    "PLAN_LINES",
    "TALK_FEATURE",
    "Analyst",
    "Button",
    "ConversationSeat",
    "DeskPort",
    "Effect",
    "Lock",
    "LockToken",
    "Presence",
    "PresenceEvent",
    "PresenceState",
    "Rules",
    "Secretary",
    "SendFailed",
    "Speech",
    "Step",
    "Trigger",
    "Turn",
    "TurnItem",
    "find_agreed_plan",
    "step",
    "table",
    "take",
]
