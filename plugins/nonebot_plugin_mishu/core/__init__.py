"""The core: every request goes through here. Safety gate and decision first, then the agents.

The secretary calls `Core.handle`; the front desk asks three things of the local rules (`awaits`,
`reads_as_order`, `only_talk`). What stands behind these may grow without either noticing.
"""

from .core import ChatOnly, Core, LocalGate, NoQuestions
from .gate import Verdict, local_verdict, may_say
from .protocols import Decision, Gate, OpenQuestions

__all__ = [
    "ChatOnly",
    "Core",
    "Decision",
    "Gate",
    "LocalGate",
    "NoQuestions",
    "OpenQuestions",
    "Verdict",
    "local_verdict",
    "may_say",
]
