"""What the end-to-end tests stand on: the bot as a process, QQ as a WebSocket client, the model as a server.

Nothing here sleeps to make time pass. Every wait is for something observable (an action of the bot, an
answer of its API, a request at the model) and has a deadline that only a fault reaches.
"""

from .answers import Delay, Disconnect, Fail, Gate, Never
from .api import Api
from .bot_clock import CLOCK, BotClock, instant
from .bot_process import HURRIED, SLOW_MOUTH, BotProcess
from .onebot import OneBotClient
from .room import Chat, Member, Said
from .sent import Action, Sent
from .steps import QUIET, Held, analysis, cooled, observing, seconds_left, summon

__all__ = [
    "CLOCK",
    "HURRIED",
    "QUIET",
    "SLOW_MOUTH",
    "Action",
    "Api",
    "BotClock",
    "BotProcess",
    "Chat",
    "Delay",
    "Disconnect",
    "Fail",
    "Gate",
    "Held",
    "Member",
    "Never",
    "OneBotClient",
    "Said",
    "Sent",
    "analysis",
    "cooled",
    "instant",
    "observing",
    "seconds_left",
    "summon",
]
