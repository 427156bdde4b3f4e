"""The front desk: hears every message, keeps the ledger, holds people while the secretary is busy.

The way of one message through the files here:

    desk              `FrontDesk.hear`: into the ledger; `act`: what is done about it, in a task
    lines             the message, the ledger window, words, triggers, commands in plain words (pure)
    silencing         silence and speak words
    commands          `/秘书 …`, served without a turn: a table of verbs, a file a subject
    turns, hold       one turn at a time in a conversation; everybody else waits in the hold
    reply_service     `secretary.DeskPort`: claims, sends, and stores decisions
    outbox            sends in order, with a gap
    platform          protocol of the adapter that speaks

Beside it: `rooms` (conversations in memory), `resuming` (lines of a former run), `duty` (several accounts and
processes), `notices` (recalls, mutes, members), `announcing` and `private_delivery` (messages that answer
nobody), `voices`. `docs/architecture.md` tells the same way with the secretary and the core in it.
"""

from .desk import FrontDesk
from .lines.foreign_lines import TakenBy
from .lines.incoming_message import IncomingMessage, QuotedMessage, Segment
from .lines.reading import Interest
from .options import DeskOptions
from .platform import Platform
from .rooms.room import Room
from .rooms.views import Audience, RoomView, view

__all__ = [
    "Audience",
    "DeskOptions",
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
