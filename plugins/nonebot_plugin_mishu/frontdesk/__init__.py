"""The front desk: hears every message, keeps the ledger, holds people while the secretary is busy.

An adapter makes a `Heard` of what its platform says and calls `FrontDesk.hear`, then `act` where nobody
else took the message. Ledger, words, triggers, crowd and commands are pure; rooms, turns, outbox and
counter have the effects.
"""

from .desk import FrontDesk
from .lines.foreign_lines import TakenBy
from .lines.incoming_message import IncomingMessage, QuotedMessage, Segment
from .lines.reading import Interest
from .platform import Platform
from .rooms.room import Room
from .rooms.views import Audience, RoomView, view

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
