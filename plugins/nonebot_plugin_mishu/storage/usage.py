"""Model calls, for usage and budgets."""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, func, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .errors import StorageError
from .records import Conversation, ModelCall, Usage
from .rows import within
from .tables import model_call as table
from .writer import Writer


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
        try:
            await self._writer.flush()
        except StorageError:
            waiting = True
        else:
            waiting = False
        where: ColumnElement[bool] = true() if conversation is None else within(table, conversation)
        failed = func.sum(case((table.c.outcome == "ok", 0), else_=1))
        tokens = func.sum(table.c.prompt_tokens + table.c.completion_tokens)
        counted = select(func.count(), failed, tokens).where(table.c.at >= since, where)

        async def look(connection: AsyncConnection) -> Usage:
            calls, failures, total = (await connection.execute(counted)).one()
            return Usage(calls, int(failures or 0), int(total or 0))

        stored = await self._writer.unmoved(look)
        queued = [
            call
            for call in self._writer.queue.calls
            if waiting and call.at >= since and conversation in (None, call.conversation)
        ]
        return Usage(
            calls=stored.calls + len(queued),
            failures=stored.failures + sum(call.outcome != "ok" for call in queued),
            tokens=stored.tokens + sum(call.prompt_tokens + call.completion_tokens for call in queued),
        )
