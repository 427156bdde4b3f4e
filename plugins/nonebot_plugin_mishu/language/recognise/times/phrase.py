"""One time phrase in pieces, before anything is counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .clocks.span import Span
from .days.day import Day
from .offsets import Offset
from .recurrences.yearly import Every

Limit = Literal["before", "within"]


@dataclass(slots=True)
class Phrase:
    """The pieces of one time phrase. `spans` are the places in the normalised text it was read from."""

    spans: list[tuple[int, int]]
    days: list[Day] = field(default_factory=list[Day])
    last_day: Day | None = None
    times: list[Span] = field(default_factory=list[Span])
    every: Every | None = None
    offset: Offset | None = None
    limit: Limit | None = None
    after: bool = False
    whole: bool = False
    anchor: Day | None = None
    until: Day | None = None
    count: tuple[int, str] | None = None
    own_end: bool = False
    same_time: bool = False

    @property
    def start(self) -> int:
        """Start of the phrase."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """End of the phrase."""
        return self.spans[-1][1]

    @property
    def only_day(self) -> bool:
        """A date or recurrence that waits for a clock."""
        return bool(self.days or self.every) and not self.times and self.last_day is None and not self.whole

    @property
    def only_time(self) -> bool:
        """Clocks or parts of a day without a date."""
        return bool(self.times) and not self.days and self.every is None and self.offset is None
