"""The front desk: hears every message, keeps the ledger, holds people while the secretary is busy.

An adapter makes a `Heard` of what its platform says and calls `FrontDesk.hear`, then `act` where nobody
else took the message. Ledger, words, triggers, crowd and commands are pure; rooms, turns, outbox and
counter have the effects.
"""

from .desk import FrontDesk
from .incoming_message import IncomingMessage, QuotedMessage, Segment
from .platform import Platform
from .reading import Interest
from .room import Room
from .taken_lines import TakenBy
from .views import Audience, RoomView, view

__all__ = [
    "Audience",
    "FrontDesk",
    "IncomingMessage",
    "Interest",
    "Platform",
    "QuotedMessage",
    "Room",
    "RoomView",
    "Segment",
    "TakenBy",
    "view",
]
