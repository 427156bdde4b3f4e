"""Model calls, for usage and budgets."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any, Final

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .engine.errors import StorageError
from .engine.queries import Queries
from .ledger.tables import model_call as table
from .records import Conversation, ModelCall, ModelUsage, Removed, UsageRecord
from .rows import conversation_values, within

NO_FAILURE: Final = ("ok", "canceled")
"""Outcomes that say nothing against the endpoint: nobody waited any more for what was canceled."""
_FINE: Final = ", ".join(f"'{outcome}'" for outcome in NO_FAILURE)
_NEVER: Final = 1e15
"""Seconds that nothing is later than."""


def _span_statement(number: int, mine: bool) -> str:
    """One span's part of the statement. A part each, as text: to ask each row for its span, and to build so
    much of objects, took longer than the sums."""
    here = " AND self_id = :self_id AND kind = :kind AND peer = :peer" if mine else ""
    return f"""
        SELECT {number}, model, name, COUNT(*), SUM(CASE WHEN outcome IN ({_FINE}) THEN 0 ELSE 1 END),
               SUM(prompt_tokens), SUM(cached_tokens), SUM(completion_tokens)
        FROM {table.name} WHERE at >= :since{number} AND at < :until{number}{here} GROUP BY model, name"""


class UsageLog(Queries):
    """Every call of a model."""

    def record(self, call: ModelCall) -> None:
        """Queue a call, like `Ledger.append`; never blocks."""
        self._writer.add_call(call)

    async def spent_by(self, since: float, conversation: Conversation, member: str) -> int:
        """Tokens since `since` (seconds) of the calls made for one member of a conversation."""
        try:
            await self._writer.flush()
        except StorageError:
            waiting = True
        else:
            waiting = False
        sums = func.sum(table.c.prompt_tokens + table.c.completion_tokens)
        theirs = select(sums).where(
            within(table, conversation), table.c.member == member, table.c.at >= since
        )

        async def select_tokens(connection: AsyncConnection) -> int:
            return int(await connection.scalar(theirs) or 0)

        spent = await self._writer.read_settled(select_tokens)
        if waiting:
            spent += sum(
                call.prompt_tokens + call.completion_tokens
                for call in self._writer.queue.calls
                if call.at >= since and (call.conversation, call.member) == (conversation, member)
            )
        return spent

    async def export_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Nothing: how many tokens were spent is the group's business (`/秘书 用量`)."""
        return {}

    async def forget_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Removed:
        """The calls stay, they are the group's tokens; for whom they were made is forgotten, uncounted."""
        theirs = within(table, conversation) & (table.c.member == user_id)
        await connection.execute(update(table).where(theirs).values(member=None))
        return Removed({}, {})

    async def today(self, since: float, conversation: Conversation | None = None) -> UsageRecord:
        """Calls and tokens since `since` (seconds), of one conversation or of all.

        While nothing can be written, calls that wait for it are counted too.
        """
        found = await self.between(since, None, conversation)
        return UsageRecord(
            calls=sum(row.calls for row in found),
            failures=sum(row.failures for row in found),
            tokens=sum(row.prompt_tokens + row.completion_tokens for row in found),
        )

    async def between(
        self, since: float, until: float | None, conversation: Conversation | None = None
    ) -> list[ModelUsage]:
        """The same of a span of time (`until` not included; None: without end), by model and name of call."""
        return (await self.spans([since, inf if until is None else until], conversation))[0]

    async def spans(
        self, bounds: Sequence[float], conversation: Conversation | None = None
    ) -> list[list[ModelUsage]]:
        """The same from each of the bounds (ascending, at least two) to the next, in one look: of days."""
        try:
            await self._writer.flush()
        except StorageError:
            waiting = True
        else:
            waiting = False
        mine = conversation_values(conversation) if conversation is not None else {}
        spans = list(pairwise(bounds))
        statement = text(
            " UNION ALL ".join(_span_statement(number, bool(mine)) for number in range(len(spans)))
        )
        values: dict[str, Any] = dict(mine)
        for number, (start, end) in enumerate(spans):
            values |= {f"since{number}": start, f"until{number}": _NEVER if end == inf else end}

        async def select_usage(connection: AsyncConnection) -> list[tuple[int, ModelUsage]]:
            return [
                (place, ModelUsage(model, *(int(each) for each in numbers), call=name))
                for place, model, name, *numbers in await connection.execute(statement, values)
            ]

        found: list[list[ModelUsage]] = [[] for _ in bounds[1:]]
        for place, row in await self._writer.read_settled(select_usage):
            found[place].append(row)
        if waiting:
            for call in self._writer.queue.calls:
                if bounds[0] <= call.at < bounds[-1] and conversation in (None, call.conversation):
                    found[bisect_right(bounds, call.at) - 1].append(_call_usage(call))
        return [_sum_usage(rows) for rows in found]


def _call_usage(call: ModelCall) -> ModelUsage:
    return ModelUsage(
        call.model,
        1,
        int(call.outcome not in NO_FAILURE),
        call.prompt_tokens,
        call.cached_tokens,
        call.completion_tokens,
        call.name,
    )


def _sum_usage(rows: Iterable[ModelUsage]) -> list[ModelUsage]:
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
