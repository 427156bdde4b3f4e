"""One call from start to end: budget, breaker, queue, attempts, ladder, record.

    practice? -> budget? -> breaker? -> [ queue -> attempt -> read ] -> record -> answer or failure
                                          ^                        |
                                          +- later: after a wait --+
                                          +- again, step_down: ----+  on a lower rung

All of it stands under one deadline (pitfall 34). What failed is a value until the very end, so that no
exception of the client library is ever a cause or context of ours.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..storage.records import Conversation, ModelCall
from .calls import CallLog
from .deadline import Deadline
from .endpoint import Endpoint
from .failures import BREAKER_OPEN, TIMED_OUT, Failure, wait_before
from .limits.budget import MemberPace, Payer, TokenBudget
from .limits.limiter import PriorityLimiter
from .limits.tokens import estimate_tokens
from .simulator import ModelSimulator
from .transport.completion import Completion
from .transport.request import CHAT, Route
from .transport.wire import estimate_body, has_images

R = TypeVar("R")

LONGEST_LINGER = 2.0
"""Seconds for which the slot of a call that was cut short stays taken at the most: an endpoint seldom notices
that nobody listens any more, and CONCURRENCY bounds what it works on, not what we wait for."""
_MARGIN = 1.5
"""Times its usual time that an attempt may take."""
_WEIGHT = 0.2
"""Of the latest call in the usual time of one."""
ANSWER = 100
"""Tokens that an answer is expected to be."""
AGAIN = 1
"""Repeats of a call whose answer is unusable."""


@dataclass(frozen=True, slots=True)
class ModelRequest(Generic[R]):
    """One call: its request bodies, and the reader of its answer."""

    name: str
    bodies: Sequence[Callable[[], dict[str, Any]]]
    """One request body for each rung, without the model."""
    read: Callable[[Completion], R | Failure]
    structured: bool
    """True if the rungs are those of the endpoint's ladder; else there is one body."""
    route: Route = CHAT
    decides: bool = False
    """It is asked quickly and without thoughts, where the model can be told so."""
    file: tuple[str, bytes] | None = None
    """A file that goes along, by its name; the request is then a form."""


def _estimate_cost(request: ModelRequest[Any], endpoint: Endpoint) -> int:
    """Tokens that a call will cost, before any is spent: its prompt as this endpoint counts, an answer."""
    rung = endpoint.ladder.start if request.structured else 0
    return endpoint.calibration.correct(estimate_body(request.bodies[rung]())) + ANSWER


@dataclass(frozen=True, slots=True)
class ModelSurroundings:
    """Clocks, sleep, chance and log of the engine, replaceable in tests."""

    record: Callable[[ModelCall], None]
    warn: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


@dataclass(slots=True)
class _Progress:
    """Tokens and state of a running call, and its payer."""

    payer: Payer
    owed: bool = False
    patient: bool = True
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    on_wire: float | None = None
    """Since when an attempt is under way, on our clock."""
    estimate: int = 0
    """Prompt tokens of the attempt under way."""
    admitted: bool = False
    """True if the breaker admitted it and waits for its outcome."""


class Engine:
    """Runs calls. One queue for all of them; those whose `CallLog` says `owed` go first."""

    def __init__(
        self,
        budget: TokenBudget,
        concurrency: int,
        surroundings: ModelSurroundings,
        practice: ModelSimulator | None = None,
    ) -> None:
        self._budget = budget
        self._slots = PriorityLimiter(concurrency)
        self._out = surroundings
        self._practice = practice
        self._pace = MemberPace(surroundings.clock)
        self._usual = 0.0
        """Seconds an attempt usually takes."""

    async def run(
        self,
        request: ModelRequest[R],
        endpoint: Endpoint,
        deadline: Deadline,
        conversation: Conversation | None,
        log: CallLog | None,
        *,
        patient: bool = True,
    ) -> R | Failure:
        """The answer, or why there is none. Raises nothing but cancellation; always leaves a record.

        `patient`: what failed for a moment is tried again after a wait; else it is given up at once.
        """
        started = self._out.clock()
        payer = Payer(conversation, log.member if log is not None else None)
        progress = _Progress(payer, owed=log is not None and log.owed, patient=patient)
        failure: Failure | None = None
        outcome = "canceled"
        try:
            result = await self._run_in_time(request, endpoint, deadline, progress, log)
            failure = result if isinstance(result, Failure) else None
            outcome = failure.kind if failure else "ok"
            return result
        finally:
            if progress.on_wire is not None:  # cut short after it was sent: most likely billed
                progress.prompt_tokens += progress.estimate
            self._tell_breaker(endpoint, progress, outcome, failure)
            call = ModelCall(
                name=request.name,
                model=endpoint.model,
                conversation=conversation,
                prompt_tokens=progress.prompt_tokens,
                completion_tokens=progress.completion_tokens,
                seconds=self._out.clock() - started,
                outcome=outcome,
                at=self._out.wall(),
                cached_tokens=progress.cached_tokens,
                member=payer.member,
            )
            self._out.record(call)
            if log is not None:
                log.calls.append(call)
            if failure is not None and failure.kind not in ("share", "pace"):  # a member's own doing
                self._out.warn(f"model call {request.name}: {failure.kind}")

    async def _run_in_time(
        self,
        request: ModelRequest[R],
        endpoint: Endpoint,
        deadline: Deadline,
        progress: _Progress,
        log: CallLog | None,
    ) -> R | Failure:
        if deadline.expired:
            return TIMED_OUT
        try:
            async with asyncio.timeout(deadline.remaining()):
                payer = progress.payer
                simulated = await self._ask_simulator(request, deadline, payer.conversation)
                if simulated is not None:
                    return request.read(simulated) if isinstance(simulated, Completion) else simulated
                refused = self._pace.refusal(payer, log) or await self._budget.refusal(payer)
                if refused is not None:
                    return refused
                if endpoint.breaker.blocked(self._out.clock()):
                    return BREAKER_OPEN
                with self._budget.flying(payer, _estimate_cost(request, endpoint)):
                    return await self._try_rungs(request, endpoint, deadline, progress)
        except TimeoutError:
            return TIMED_OUT

    async def _ask_simulator(
        self, request: ModelRequest[R], deadline: Deadline, conversation: Conversation | None
    ) -> Completion | Failure | None:
        """The simulator's answer to a call; None where it goes on to the endpoint."""
        if self._practice is None:
            return None

        def content() -> str:
            return str(request.bodies[0]()["messages"][-1]["content"])

        return await self._practice.simulate(request.name, content, conversation, deadline, self._out.sleep)

    async def _try_rungs(
        self,
        request: ModelRequest[R],
        endpoint: Endpoint,
        deadline: Deadline,
        progress: _Progress,
    ) -> R | Failure:
        rung = endpoint.ladder.start if request.structured else 0
        tries, again, ignored = 1, 0, False
        off = request.decides and endpoint.can_stop_thinking
        doubted = (
            False  # it was asked for without thoughts, was refused, and is asked for once more with them
        )
        while True:
            body = endpoint.body(request.bodies[rung](), decides=request.decides, off=off)
            received = await self._attempt(request, body, endpoint, deadline, progress)
            result = request.read(received) if isinstance(received, Completion) else received
            if not isinstance(result, Failure):
                if request.structured:
                    endpoint.ladder.note_reached(rung, ignored=ignored)
                endpoint.thinks_on = endpoint.thinks_on or doubted
                return result
            lower = rung + 1 < len(request.bodies)
            if result.remedy == "later":
                wait = wait_before(result, tries, deadline.remaining(), self._out.chance())
                if wait is None or not progress.patient:
                    return result
                tries += 1
                await self._out.sleep(wait)
            elif result.remedy == "step_down" and off and result.about != "form":
                off, doubted = False, True
                endpoint.thinks_on = endpoint.thinks_on or result.about == "thinking"
            elif result.remedy == "step_down" and lower:
                rung += 1
                off, doubted = request.decides and endpoint.can_stop_thinking, False
            elif result.remedy == "again" and again < AGAIN:
                again += 1
                if result.form and lower:
                    rung += 1
                    ignored = True
            else:
                return result

    async def _attempt(
        self,
        request: ModelRequest[R],
        body: dict[str, Any],
        endpoint: Endpoint,
        deadline: Deadline,
        progress: _Progress,
    ) -> Completion | Failure:
        """One request in its turn. Its tokens are counted, whatever comes back."""
        guess = estimate_body(body)
        estimate = endpoint.calibration.correct(guess)
        await endpoint.transport.open()
        async with self._slots.hold_slot(
            owed=progress.owed, lingers=lambda: self._seconds_lingering(progress)
        ):
            if not progress.admitted:
                if not endpoint.breaker.admit(self._out.clock()):
                    return BREAKER_OPEN
                progress.admitted = True
            progress.on_wire = self._out.clock()
            progress.estimate = estimate
            received = await endpoint.transport.send(
                request.name, body, deadline.remaining(), request.route, request.file
            )
            if received is not TIMED_OUT:
                took = self._out.clock() - progress.on_wire
                self._usual += (took - self._usual) * (_WEIGHT if self._usual else 1.0)
                progress.on_wire = None
        if isinstance(received, Completion):
            said, reported = received, received.prompt_tokens
            progress.prompt_tokens += estimate if reported is None else reported
            if reported is not None and not has_images(body):
                endpoint.calibration.learn(guess, reported)
            spoken = said.completion_tokens
            progress.completion_tokens += estimate_tokens(said.text) if spoken is None else spoken
            progress.cached_tokens += said.cached_tokens
        return received

    def _seconds_lingering(self, progress: _Progress) -> float:
        """For how long the endpoint probably goes on with an attempt that was just cut short."""
        if progress.on_wire is None:
            return 0.0
        left = self._usual * _MARGIN - (self._out.clock() - progress.on_wire)
        return min(max(0.0, left), LONGEST_LINGER)

    def _tell_breaker(
        self, endpoint: Endpoint, progress: _Progress, outcome: str, failure: Failure | None
    ) -> None:
        """Report a call's outcome to the breaker. An endpoint that answers, if only to refuse, is alive."""
        if not progress.admitted:
            return
        now = self._out.clock()
        if outcome == "canceled":
            endpoint.breaker.released()
            return
        endpoint.last_failure = failure.kind if failure else None
        endpoint.cause = failure.cause if failure else None
        if failure is not None and failure.exhausted:
            endpoint.breaker.failed(now, at_once=True)
            return
        if failure is None or not failure.outage:
            endpoint.breaker.succeeded()
            return
        waited = 0.0 if progress.on_wire is None else now - progress.on_wire
        if failure.kind != "timeout" or waited >= endpoint.breaker.rules.fair_wait:
            endpoint.breaker.failed(now)
        else:
            endpoint.breaker.released()
