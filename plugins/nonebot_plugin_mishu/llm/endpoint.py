"""What is known about one endpoint: an address and a model."""

from __future__ import annotations

from dataclasses import dataclass, field

from .breaker import Breaker, BreakerRules
from .errors import ErrorKind
from .ladder import Ladder
from .tokens import Calibration
from .vendors import Vendor, vendor_of


@dataclass(slots=True)
class Endpoint:
    """One model behind the configured address, with everything learned about it."""

    model: str
    vendor: Vendor
    ladder: Ladder
    breaker: Breaker
    calibration: Calibration = field(default_factory=Calibration)
    last_failure: ErrorKind | None = None
    """Kind of the last finished call where it failed."""

    @classmethod
    def at(cls, base_url: str, model: str, rules: BreakerRules) -> Endpoint:
        """A fresh endpoint."""
        vendor = vendor_of(base_url)
        return cls(model, vendor, Ladder.of(vendor), Breaker(rules))
