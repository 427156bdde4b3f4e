"""Frame of a line about nudges. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...language.clause import Clause
from ...language.following.nudges import NudgeOrder, nudge_in
from ..api.frame import Span


@dataclass(frozen=True, slots=True)
class NudgeFrame:
    """What was read, once."""

    nudge: NudgeOrder | None = None
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])

    @property
    def slots(self) -> Mapping[str, Any]:
        """What was said, as plain values: for `explain`, and for a model."""
        said = self.nudge
        if said is None:
            return {}
        found: dict[str, Any] = {
            "member": [each.name for each in said.people] or said.named,
            "what": said.title,
            "recurrence": None if said.rhythm is None else dict(said.rhythm),
        }
        return {name: value for name, value in found.items() if value}


def read(intent: str, clause: Clause) -> NudgeFrame:
    """The frame of a line; empty where no nudge is read in it."""
    return NudgeFrame(nudge_in(clause))
