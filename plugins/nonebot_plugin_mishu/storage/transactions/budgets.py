"""Monthly budgets of members, and the notice at 80 and 100 per cent, once each in a month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..journal import queries as changes
from ..journal.queries import RowChange
from ..records import Conversation
from ..rows import conversation_values, within
from .own_shares import borne
from .tables import budget

LEVELS: Final = (100, 80)
"""Per cent of a budget at which its owner is told, the highest first."""


@dataclass(frozen=True, slots=True)
class BudgetRecord:
    """Monthly budget of a member. `category` is empty for everything, `month` (`YYYY-MM`) for every month."""

    category: str
    month: str
    fen: int
    origin: str = field(default="", compare=False)
    """Names the work that set it last, so that what is done again after a kill is done once."""


@dataclass(frozen=True, slots=True)
class BudgetNotice:
    """A budget that was reached to `level` per cent by a commit, for the first time in that month."""

    category: str
    month: str
    fen: int
    spent: int
    level: int


class Budgets(Queries):
    """The budgets."""

    @Queries.writing
    async def set_budget(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        new: BudgetRecord,
        summary: str,
        at: float,
    ) -> None:
        """Set a member's budget, replacing the one for the same category and month; noted for 撤销."""
        key = (
            within(budget, conversation)
            & (budget.c.user_id == user_id)
            & (budget.c.category == new.category)
            & (budget.c.month == new.month)
        )
        row = (await connection.execute(select(budget).where(key))).one_or_none()
        before = None if row is None else await changes.image(connection, budget, row.id)
        fresh = {"fen": new.fen, "origin": new.origin, "noticed_month": "", "noticed_level": 0}
        adding = self._database.insert(budget).values(
            **conversation_values(conversation),
            user_id=user_id,
            category=new.category,
            month=new.month,
            **fresh,
        )
        unique = ["self_id", "kind", "peer", "user_id", "category", "month"]
        await connection.execute(adding.on_conflict_do_update(index_elements=unique, set_=fresh))
        row = (await connection.execute(select(budget).where(key))).one()
        noted = [RowChange(budget.name, row.id, before, await changes.image(connection, budget, row.id))]
        await changes.journal(connection, conversation, user_id, "bookkeeping", summary, noted, at)

    @Queries.writing
    async def remove(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        category: str,
        month: str,
        summary: str,
        at: float,
    ) -> bool:
        """Delete a member's budget of a category and month; False for none. Noted for 撤销."""
        key = (
            within(budget, conversation)
            & (budget.c.user_id == user_id)
            & (budget.c.category == category)
            & (budget.c.month == month)
        )
        row = (await connection.execute(select(budget.c.id).where(key))).one_or_none()
        if row is None:
            return False
        noted = [RowChange(budget.name, row.id, await changes.image(connection, budget, row.id), None)]
        await connection.execute(delete(budget).where(budget.c.id == row.id))
        await changes.journal(connection, conversation, user_id, "bookkeeping", summary, noted, at)
        return True

    @Queries.reading
    async def list_budgets(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, month: str
    ) -> list[BudgetRecord]:
        """A member's budgets that hold in a month (`YYYY-MM`); that month's own before the monthly one."""
        mine = within(budget, conversation) & (budget.c.user_id == user_id)
        wanted = select(budget).where(mine, budget.c.month.in_([month, ""]))
        rows = sorted((await connection.execute(wanted)).all(), key=lambda row: row.month)
        latest = {row.category: BudgetRecord(row.category, row.month, row.fen, row.origin) for row in rows}
        return [latest[category] for category in sorted(latest)]

    @Queries.reading
    async def spent(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, month: str
    ) -> dict[str, int]:
        """A member's expenses of a month by category, in total under "", as budgets count them: own shares
        of divided expenses."""
        return await borne(connection, conversation, user_id, month)


async def notices(
    connection: AsyncConnection, conversation: Conversation, user_id: str, spent: Sequence[tuple[str, str]]
) -> tuple[BudgetNotice, ...]:
    """The budgets that these expenses, (category, day) each and already in their table, brought to a level.

    Noted in the transaction of the commit, so that each is told once.
    """
    found: list[BudgetNotice] = []
    mine = within(budget, conversation) & (budget.c.user_id == user_id)
    for month in sorted({day[:7] for _, day in spent}):
        categories = {category for category, day in spent if day[:7] == month} | {""}
        holding = mine & budget.c.month.in_([month, ""]) & budget.c.category.in_(categories)
        reached = (await connection.execute(select(budget).where(holding))).all()
        rows = sorted(reached, key=lambda row: row.month)
        sums = await borne(connection, conversation, user_id, month) if rows else {}
        for row in {row.category: row for row in rows}.values():
            total = sums.get(row.category, 0)
            level = next((each for each in LEVELS if total * 100 >= row.fen * each), 0)
            known = row.noticed_level if row.noticed_month == month else 0
            if level > known:
                noted = {"noticed_month": month, "noticed_level": level}
                await connection.execute(update(budget).where(budget.c.id == row.id).values(**noted))
                found.append(BudgetNotice(row.category, month, row.fen, total, level))
    return tuple(found)
