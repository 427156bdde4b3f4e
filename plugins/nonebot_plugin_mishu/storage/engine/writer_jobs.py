"""Jobs of the writer: work that somebody awaits. Those of one kind in one transaction are done together.

A statement takes several turns of the event loop, however much it writes. Where fifty conversations note
their decisions at once, fifty statements are what everybody else's answer then waits for; one is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Work

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 - an item, beside `T`

Kind: TypeAlias = Callable[[AsyncConnection, Sequence[I]], Awaitable[Sequence[T]]]
"""Does a number of items, each of which means the same whether others are done with it or not; their results
in order. Kinds are told apart by what they are: hand in the same function or bound method each time."""


@dataclass(slots=True, eq=False)
class Job:
    """One item of a kind, and who waits for it."""

    kind: Kind[Any, Any]
    item: Any
    done: asyncio.Future[Any]
    after_rows: bool
    """True when every row queued before it has to be on disk first. Else it goes with the next transaction,
    however many rows still wait: an answer's claim does not stand behind a flood."""
    lease: object = None
    """Lease at submission: the job is refused under another (`duties`)."""
    abandoned: bool = False
    """Nobody waits for it any more; not run if it has not begun."""

    def answer(self, result: Any) -> None:
        """Hand the result to whoever still waits."""
        if not self.done.done():
            self.done.set_result(result)

    def fail(self, error: Exception) -> None:
        """Hand the error to whoever still waits."""
        if not self.done.done():
            self.done.set_exception(error)


def alone(work: Work[T]) -> Kind[None, T]:
    """A kind of its own for work that is like no other."""

    async def run_single(connection: AsyncConnection, _items: Sequence[None]) -> Sequence[T]:
        return [await work(connection)]

    return run_single


async def done_together(connection: AsyncConnection, jobs: Sequence[Job]) -> list[Any]:
    """Do jobs in the order they came, each kind at the place of its first; the results in the jobs' order."""
    kinds: dict[Kind[Any, Any], list[int]] = {}
    for number, job in enumerate(jobs):
        kinds.setdefault(job.kind, []).append(number)
    results: list[Any] = [None] * len(jobs)
    for kind, numbers in kinds.items():
        made = await kind(connection, [jobs[number].item for number in numbers])
        for number, result in zip(numbers, made, strict=True):
            results[number] = result
    return results
