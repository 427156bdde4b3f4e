"""The alarm clock: something that calls us at a time. It is trusted with nothing but waking us."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Protocol

from ..clock import Clock

JOB = "mishu-reminders"


class Alarm(Protocol):
    """Wakes its owner at a wall time."""

    def at(self, when: float) -> None:
        """Call at that wall time (seconds), instead of any time set before."""
        ...

    def off(self) -> None:
        """Call no more."""
        ...


class Scheduler(Protocol):
    """The part of APScheduler's `AsyncIOScheduler` that is used."""

    def add_job(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Add a job, or replace the one with its id."""
        ...

    def get_job(self, job_id: str) -> Any | None:
        """The job with an id."""
        ...

    def remove_job(self, job_id: str) -> None:
        """Take a job away."""
        ...


class SchedulerAlarm:
    """An alarm on APScheduler (`nonebot_plugin_apscheduler.scheduler`).

    One job, replaced each time. It has no grace time: APScheduler would drop a job that is a second late,
    as one is after a blocked loop. It reads the machine's clock, so it is told the time in that.
    """

    def __init__(self, scheduler: Scheduler, clock: Clock, ring: Callable[[], None]) -> None:
        self._scheduler = scheduler
        self._clock = clock
        self._ring = ring

    def at(self, when: float) -> None:
        """Ring at that wall time."""
        self._scheduler.add_job(
            self._call_ring,
            "date",
            run_date=datetime.fromtimestamp(self._clock.on_the_machine(when), UTC),
            id=JOB,
            replace_existing=True,
            misfire_grace_time=None,
            coalesce=True,
        )

    def off(self) -> None:
        """Ring no more."""
        if self._scheduler.get_job(JOB) is not None:
            self._scheduler.remove_job(JOB)

    async def _call_ring(self) -> None:
        # A coroutine: a plain function would be called in a thread of the scheduler's.
        self._ring()
