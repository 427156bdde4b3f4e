"""Model calls, for usage and budgets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from sqlalchemy import ColumnElement, case, func, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .errors import StorageError
from .records import Conversation, ModelCall, ModelUsage, Usage
from .rows import within
from .tables import model_call as table
from .writer import Writer

NO_FAILURE: Final = ("ok", "canceled")
"""Outcomes that say nothing against the endpoint: nobody waited any more for what was canceled."""


class UsageLog:
    """Every call of a model."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    def record(self, call: ModelCall) -> None:
        """Queue a call, like `Ledger.append`; never blocks."""
        self._writer.add_call(call)

    async def today(self, since: float, conversation: Conversation | None = None) -> Usage:
        """Calls and tokens since `since` (seconds), of one conversation or of all.

        While nothing can be written, calls that wait for it are counted too.
        """
        found = await self.between(since, None, conversation)
        return Usage(
            calls=sum(row.calls for row in found),
            failures=sum(row.failures for row in found),
            tokens=sum(row.prompt_tokens + row.completion_tokens for row in found),
        )

    async def between(
        self, since: float, until: float | None, conversation: Conversation | None = None
    ) -> list[ModelUsage]:
        """The same of a span of time (`until` not included; None: without end), by model and name of call."""
        try:
            await self._writer.flush()
        except StorageError:
            waiting = True
        else:
            waiting = False
        mine = true() if conversation is None else within(table, conversation)
        ended: ColumnElement[bool] = true() if until is None else table.c.at < until
        sums = (
            func.count(),
            func.sum(case((table.c.outcome.in_(NO_FAILURE), 0), else_=1)),
            func.sum(table.c.prompt_tokens),
            func.sum(table.c.cached_tokens),
            func.sum(table.c.completion_tokens),
        )
        counted = (
            select(table.c.model, table.c.name, *sums)
            .where(table.c.at >= since, ended, mine)
            .group_by(table.c.model, table.c.name)
        )

        async def look(connection: AsyncConnection) -> list[ModelUsage]:
            return [
                ModelUsage(model, *(int(each) for each in numbers), call=name)
                for model, name, *numbers in await connection.execute(counted)
            ]

        stored = await self._writer.unmoved(look)
        queued = [
            _one(call)
            for call in self._writer.queue.calls
            if waiting
            and call.at >= since
            and (until is None or call.at < until)
            and conversation in (None, call.conversation)
        ]
        return _summed([*stored, *queued])


def _one(call: ModelCall) -> ModelUsage:
    return ModelUsage(
        call.model,
        1,
        int(call.outcome not in NO_FAILURE),
        call.prompt_tokens,
        call.cached_tokens,
        call.completion_tokens,
        call.name,
    )


def _summed(rows: Iterable[ModelUsage]) -> list[ModelUsage]:
    """One row for each model and name of call, in this order."""
    together: dict[tuple[str, str], list[ModelUsage]] = defaultdict(list)
    for row in rows:
        together[row.model, row.call].append(row)
    return [
        ModelUsage(
            model,
            sum(row.calls for row in same),
            sum(row.failures for row in same),
            sum(row.prompt_tokens for row in same),
            sum(row.cached_tokens for row in same),
            sum(row.completion_tokens for row in same),
            call,
        )
        for (model, call), same in sorted(together.items())
    ]
