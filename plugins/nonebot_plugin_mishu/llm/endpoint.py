"""State of one endpoint: an address and a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .answers.ladder import Ladder
from .errors import ErrorKind
from .failures import Cause
from .limits.breaker import Breaker, BreakerRules
from .limits.tokens import Calibration
from .transport.request import Transport
from .vendors import Thinker, Vendor, thinker_of, vendor_of


@dataclass(slots=True)
class Endpoint:
    """One model behind one address, with everything learned about it."""

    model: str
    transport: Transport
    vendor: Vendor
    ladder: Ladder
    breaker: Breaker
    thinker: Thinker | None = None
    thinks_on: bool = False
    """The fields that switch thinking off were refused once: they are left out from then on."""
    calibration: Calibration = field(default_factory=Calibration)
    last_failure: ErrorKind | None = None
    """Kind of the last finished call where it failed."""
    cause: Cause | None = None
    """Cause of the last failed call or trial, where the owner has to look at it."""

    @classmethod
    def at(cls, transport: Transport, model: str, rules: BreakerRules) -> Endpoint:
        """A fresh endpoint: a model where the transport leads."""
        url = transport.base_url
        vendor = vendor_of(url)
        return cls(
            model, transport, vendor, Ladder.for_vendor(vendor), Breaker(rules), thinker_of(url, model)
        )

    def failing(self, now: float) -> bool:
        """True if its last call failed or its breaker is open."""
        return self.last_failure is not None or self.breaker.state(now) != "closed"

    @property
    def can_stop_thinking(self) -> bool:
        """True if answers without thoughts can be asked for."""
        return self.thinker is not None and bool(self.thinker.off) and not self.thinks_on

    def body(self, asked: dict[str, Any], *, decides: bool, off: bool) -> dict[str, Any]:
        """A request for this model; where it `decides`, without thoughts (`off`) or as thinking allows."""
        body = {"model": self.model, **asked}
        if not decides or self.thinker is None:
            return body
        if off:
            return {**body, **self.thinker.off}
        if not self.thinker.forces_tools:
            body.pop("tool_choice", None)  # who thinks here chooses tools alone
        return body
