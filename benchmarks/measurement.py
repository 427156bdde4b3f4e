"""One measured number and what it is held against."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Measurement:
    """A number that was measured in this run.

    `value` is in `unit`; `against` names what it was compared to in the same run (or the fixed limit),
    `ratio` is this side over the other, `goal` is the goal in words and `met` whether it was reached
    (None where there is no goal).
    """

    name: str
    value: float
    unit: str
    against: str | None = None
    ratio: float | None = None
    goal: str | None = None
    met: bool | None = None

    def as_json(self) -> dict[str, Any]:
        """The object that `--json` prints, one per line."""
        return asdict(self)
