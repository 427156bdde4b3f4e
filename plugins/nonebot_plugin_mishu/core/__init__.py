"""The core: every request goes through here. Safety gate and decision first, then the agents.

The secretary calls `Core.handle` and `Core.delivered`; the front desk asks the local rules (`awaits`,
`reads_as_order`, `only_talk`, `overhears`). docs/core.md tells the life of a request.
"""

from .core import Core
from .gate import Verdict, local_verdict, may_say
from .gate_check import TOGETHER, SafetyGate
from .open_tasks import FramesInMemory, FrameStore
from .overhearing import worth_a_question
from .protocols import ConversationMemory, Gate, Judged, NoMemory, Read

__all__ = [
    "TOGETHER",
    "ConversationMemory",
    "Core",
    "FrameStore",
    "FramesInMemory",
    "Gate",
    "Judged",
    "NoMemory",
    "Read",
    "SafetyGate",
    "Verdict",
    "local_verdict",
    "may_say",
    "worth_a_question",
]
