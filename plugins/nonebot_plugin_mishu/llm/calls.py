"""Log of the model calls of one piece of work, for its decision trace."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..storage.records import ModelCall


@dataclass(slots=True)
class CallLog:
    """Collects the calls made for one piece of work; pass the same one to each of them.

    Every finished call is here, also failed ones, in the order they ended.
    """

    owed: bool = False
    """True if somebody waits for the result: its calls go before those nobody asked for."""
    member: str | None = None
    """For whom it is done, as a platform id: whose share of the day it spends. None: for nobody alone."""
    begun: bool = False
    """True if a call of it was let through: work that was begun is not broken off for its member's pace."""
    calls: list[ModelCall] = field(default_factory=list[ModelCall])

    @property
    def names(self) -> list[str]:
        """Names of the calls, for `DecisionRecord.calls`."""
        return [call.name for call in self.calls]

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together, for `DecisionRecord.tokens`."""
        return sum(call.prompt_tokens + call.completion_tokens for call in self.calls)
