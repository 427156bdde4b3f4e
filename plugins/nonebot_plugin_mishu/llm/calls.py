"""What one piece of work asked of models, for its decision trace."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..storage.records import ModelCall


@dataclass(slots=True)
class CallLog:
    """Collects the calls made for one piece of work; pass the same one to each of them.

    Every finished call is here, also failed ones, in the order they ended.
    """

    owed: bool = False
    """Whether somebody is owed what comes of this work: its calls go before those nobody asked for."""
    member: str | None = None
    """For whom it is done, as a platform id: whose share of the day it spends. None: for nobody alone."""
    begun: bool = False
    """Whether a call of it was let through: what was begun is not broken off for its member's pace."""
    calls: list[ModelCall] = field(default_factory=list[ModelCall])

    @property
    def names(self) -> list[str]:
        """Names of the calls, for `DecisionRecord.calls`."""
        return [call.name for call in self.calls]

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together, for `DecisionRecord.tokens`."""
        return sum(call.prompt_tokens + call.completion_tokens for call in self.calls)
