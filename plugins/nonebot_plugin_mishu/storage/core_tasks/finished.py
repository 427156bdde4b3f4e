"""Results of a message whose processing was interrupted: created rows and finished tasks."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..record.tables import fact
from ..records import LedgerMessage
from ..rows import within
from ..schedules.tables import schedule
from ..tasks.tables import task
from ..transactions.tables import transaction
from .tables import frame

_MADE = (
    (task.c.origin, task.c.title),
    (schedule.c.origin, schedule.c.description),
    (fact.c.origin, fact.c.content),
    (transaction.c.batch, transaction.c.description),
)
"""Origin column and title column of each table."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Results of a message. `made`: titles of created rows; `whole`: all its tasks are completed."""

    made: tuple[str, ...] = ()
    whole: bool = False


class FinishedWork(Queries):
    """Finds the results of a message by the origin of rows."""

    @Queries.reading
    async def find_results(self, connection: AsyncConnection, message: LedgerMessage) -> Finished:
        """Results of a message that are on disk."""
        origin = f"{message.conversation.self_id}/{message.message_id}/"
        its = within(frame, message.conversation) & (frame.c.message_id == message.message_id)
        made: list[str] = []
        for named, called in _MADE:
            rows = select(called).where(named.startswith(origin, autoescape=True))
            made += list(await connection.scalars(rows))
        states = list(await connection.scalars(select(frame.c.status).where(its)))
        return Finished(tuple(made), bool(states) and all(one == "completed" for one in states))
