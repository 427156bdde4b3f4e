"""Self-harm: intent, plan, method or deed of the speaker or of somebody concretely near.

The tables stand in `safety_selfharm_deeds`, `safety_selfharm_near` and `safety_selfharm_wishes`. What names
the speaker answers before what names somebody else, and that before what names nobody.
"""

from __future__ import annotations

from typing import Final

from .safety_rule import Family
from .safety_selfharm_deeds import MINE, PLANS
from .safety_selfharm_near import NEARBY
from .safety_selfharm_wishes import HINTS, WISHES
from .safety_selfharm_words import OTHER, SELF

__all__ = ["OTHER", "SELF", "SELF_HARM"]

SELF_HARM: Final = Family(rules=(*MINE, *NEARBY, *PLANS, *WISHES), hints=HINTS)
