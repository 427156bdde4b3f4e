"""The second endpoint: who answers a call that the first one cannot answer (understanding section 6).

    first closed ----------------------> first --(down, refused, busy)----> second, for the rest of the call
    first open, or its trial under way -> second
    first half open -------------------> first, for half of the time (the trial) --(failed)--> second
                                           `--(good)--> back to the first

The first is asked once and not waited for: whoever called is answered now (`Failure.elsewhere`). What is
refused for the caller's own sake stays where it is: a budget holds for both endpoints, and an answer that
cannot be used says nothing about the endpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...storage.records import Conversation
from ..calls import CallLog
from ..deadline import Deadline
from ..endpoint import Endpoint
from ..engine import Engine, ModelRequest
from ..errors import OWN
from ..failures import Failure

R = TypeVar("R")

TRIAL = 0.5
"""Of what is left of a call's time, how much the trial of the first endpoint may take."""
WENT_OVER = "模型接口不通，先用备用的"
CAME_BACK = "模型接口恢复了，不再用备用的"


class Takeover:
    """Runs calls on the first endpoint, or on the second where there is one and the first is down."""

    def __init__(self, engine: Engine, clock: Callable[[], float], warn: Callable[[str], None]) -> None:
        """`clock` is that of the breakers; `warn` is told when calls go over, and when they return."""
        self._engine = engine
        self._clock = clock
        self._warn = warn
        self._over = False

    async def run(
        self,
        request: Callable[[Endpoint], ModelRequest[R]],
        first: Endpoint,
        second: Endpoint | None,
        deadline: Deadline,
        conversation: Conversation | None,
        log: CallLog | None,
    ) -> R | Failure:
        """The answer, or why there is none. Each endpoint that was asked leaves a record of its own."""
        if second is None:
            return await self._engine.run(request(first), first, deadline, conversation, log)
        if not first.breaker.blocked(self._clock()):
            trial = first.breaker.state(self._clock()) == "half_open"
            given = deadline.earlier(deadline.remaining() * TRIAL) if trial else deadline
            result = await self._engine.run(request(first), first, given, conversation, log, patient=False)
            down = first.breaker.state(self._clock()) != "closed"
            if not isinstance(result, Failure) or result.kind in OWN or not (down or result.elsewhere):
                self._warn_of_change(down)
                return result
            if deadline.expired:
                return result
        self._warn_of_change(True)
        return await self._engine.run(request(second), second, deadline, conversation, log)

    def _warn_of_change(self, over: bool) -> None:
        if over != self._over:
            self._over = over
            self._warn(WENT_OVER if over else CAME_BACK)
