"""Decision: agent, intent and slots of a message, by rules first (seed 2, section 1; product section 3).
Pure.

`read` gives the frames of a message by the rules of the agents it is handed; `clauses` the pieces before they
are joined. `docs/decision.md` tells how.
"""

from ...language.clauses.segments import clauses
from .model.frame_spans import FrameSpans, standing
from .reader import read
from .reading import Cover, Frame, MessageReading
from .rules.choosing import Recogniser
from .rules.veto import FALLBACK, doubt_order

__all__ = [
    "FALLBACK",
    "Cover",
    "Frame",
    "FrameSpans",
    "MessageReading",
    "Recogniser",
    "clauses",
    "doubt_order",
    "read",
    "standing",
]
