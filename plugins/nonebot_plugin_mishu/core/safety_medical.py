"""Emergencies of the body and immediate danger, happening now to the speaker or somebody named.

The tables stand in `safety_medical_*` and `safety_danger`; here is which of them answers first: what the body
shows, then what it swallowed, what befell it, and what threatens it.
"""

from __future__ import annotations

from typing import Final

from . import safety_danger, safety_medical_hints
from .safety_danger import DANGER, DANGERS, FIRE
from .safety_medical_mishaps import MISHAPS, POISON, POISONED
from .safety_medical_signs import FAILING, MEDICAL, SIGNS
from .safety_rule import Family

__all__ = ["BODY", "DANGER", "FIRE", "MEDICAL", "POISON"]

BODY: Final = Family(
    rules=(*SIGNS, *POISONED, *MISHAPS, *FAILING, *DANGERS),
    hints=(*safety_medical_hints.HINTS, *safety_danger.HINTS),
)
