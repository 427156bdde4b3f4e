"""The core: every request goes through here. Safety gate and decision first, then the agents.

The secretary calls `Core.handle` and `Core.delivered`; the front desk asks the local rules (`awaits`,
`reads_as_order`, `only_talk`, `overhears`). docs/core.md tells the life of a request.
"""

from .core import Core
from .overhearing import worth_a_question
from .protocols import ConversationMemory, Gate, Judged, NoMemory, Read
from .safety.gate import Verdict, local_verdict, may_say
from .safety.gate_check import TOGETHER, SafetyGate
from .tasks.open_tasks import FramesInMemory, FrameStore

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
