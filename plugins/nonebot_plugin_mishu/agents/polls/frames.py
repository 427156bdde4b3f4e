"""Frame of a line about a poll: an order, a voice, or a pasted list. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...language.polls.lists import PastedList
from ...language.polls.orders import PollDraft, PollOrder
from ...language.polls.voices import PollVoice
from ..api.frame import Span

Intent = Literal["make", "answer", "show", "chase", "change", "close", "delete", "follow"]


@dataclass(frozen=True, slots=True)
class PollFrame:
    """What was read, once; `poll` is the poll that a voice or a list is for."""

    order: PollOrder | None = None
    made: PollDraft | None = None
    voice: PollVoice | None = None
    pasted: PastedList | None = None
    poll: int | None = None
    doubts: str = ""
    """The words of a voice that is asked about before it counts; empty where nothing is doubtful."""
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])

    @property
    def slots(self) -> Mapping[str, Any]:
        """What was said, as plain values: for `explain`, and for a model."""
        if self.made is not None:
            return _said(
                kind=self.made.form,
                question=self.made.question,
                options=list(self.made.options),
                limit=self.made.places,
                closes_at=self.made.closes_at.isoformat() if self.made.closes_at else None,
                anonymous=self.made.anonymous or None,
                several=self.made.several or None,
            )
        if self.voice is not None:
            return _said(
                poll=str(self.poll),
                choice=None if self.voice.choice is None else self.voice.choice + 1,
                choices=[each + 1 for each in self.voice.choices] or None,
                count=self.voice.amount if self.voice.relation == "take" else 0,
                member=list(self.voice.names) or None,
            )
        if self.pasted is not None:
            return _said(poll=str(self.poll), names=[each.name for each in self.pasted.entries])
        if self.order is not None:
            return _said(
                limit=self.order.places,
                options=list(self.order.options),
                closes_at=self.order.closes_at.isoformat() if self.order.closes_at else None,
                into=self.order.follow,
            )
        return {}


def _said(**slots: Any) -> dict[str, Any]:
    return {name: value for name, value in slots.items() if value not in (None, [])}
