"""Which groups the database knows, through which of our accounts, and who spoke in them.

Every table's index begins with account, kind and peer, so the different values of each are found by jumping
from one to the next, not by reading rows: a group with a million messages costs as much as one with ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Table, func, select, text, true
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import Conversation, Role
from .rows import within
from .tables import conversation, ledger
from .tables_schedules import schedule
from .tables_tasks import task
from .tables_transactions import transaction

RECENT: Final = 3000
"""Messages in which members are looked for."""
COUNTED: Final = 200
"""Messages in which they are counted, where all groups are listed."""
_TOGETHER: Final = 50
"""Places in one statement."""
_SOURCES: Final[Sequence[Table]] = (ledger, schedule, transaction, task, conversation)


@dataclass(frozen=True, slots=True)
class SeenMember:
    """Who spoke in a group lately, with the name and role they had then; `last_spoke_at` wall seconds."""

    user_id: str
    name: str
    role: Role
    last_spoke_at: float


class Groups:
    """Looks only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, group_id: str, connected: Sequence[str] = ()) -> list[Conversation]:
        """A group as our accounts know it: connected ones first, in their order, then who heard it last."""

        async def look(connection: AsyncConnection) -> list[Conversation]:
            found: list[tuple[bool, int, float, str]] = []
            for account in await _accounts(connection):
                place = Conversation(account, "group", group_id)
                if not await _known(connection, place):
                    continue
                at = (await _last(connection, [place]))[place] or 0.0
                order = connected.index(account) if account in connected else len(connected)
                found.append((account not in connected, order, -at, account))
            return [Conversation(each[3], "group", group_id) for each in sorted(found)]

        return await self._database.read(look)

    async def known(self, place: Conversation) -> bool:
        """Whether a group left anything through this very account."""

        async def look(connection: AsyncConnection) -> bool:
            return await _known(connection, place)

        return await self._database.read(look)

    async def all(self) -> list[Conversation]:
        """Every group that left anything, by id."""

        async def look(connection: AsyncConnection) -> list[Conversation]:
            places: set[Conversation] = set()
            for account in await _accounts(connection):
                for table in _SOURCES:
                    here = (table.c.self_id == account) & (table.c.kind == "group")
                    peers = await _different(connection, table.c.peer, here)
                    places |= {Conversation(account, "group", peer) for peer in peers}
            return sorted(places, key=lambda each: (each.peer, each.self_id))

        return await self._database.read(look)

    async def last_messages(self, places: Sequence[Conversation]) -> dict[Conversation, float | None]:
        """When something was said last, wall seconds."""

        async def look(connection: AsyncConnection) -> dict[Conversation, float | None]:
            return await _last(connection, places)

        return await self._database.read(look)

    async def speakers(self, places: Sequence[Conversation]) -> dict[Conversation, int]:
        """How many members spoke within the newest `COUNTED` messages of each."""

        async def look(connection: AsyncConnection) -> dict[Conversation, int]:
            return await _speakers(connection, places)

        return await self._database.read(look)

    async def members(self, place: Conversation) -> list[SeenMember]:
        """Who spoke within the newest `RECENT` messages, whoever spoke last first."""
        lately = (
            select(ledger.c.user_id, ledger.c.name, ledger.c.role, ledger.c.time, ledger.c.is_bot)
            .where(within(ledger, place))
            .order_by(ledger.c.time.desc(), ledger.c.receipt.desc())
            .limit(RECENT)
        )

        async def look(connection: AsyncConnection) -> list[SeenMember]:
            found: dict[str, SeenMember] = {}
            for row in await connection.execute(lately):
                if not row.is_bot and row.user_id not in found:
                    found[row.user_id] = SeenMember(row.user_id, row.name, row.role, row.time)
            return list(found.values())

        return await self._database.read(look)


async def _accounts(connection: AsyncConnection) -> list[str]:
    found: set[str] = set()
    for table in _SOURCES:
        found.update(await _different(connection, table.c.self_id, true()))
    return sorted(found)


async def _different(
    connection: AsyncConnection, column: Column[Any], where: ColumnElement[bool]
) -> list[str]:
    """The different values of a column, each the smallest behind the one before."""
    tree = select(func.min(column).label("value")).where(where).cte("different", recursive=True)
    behind = select(func.min(column)).where(where, column > tree.c.value).scalar_subquery()
    tree = tree.union_all(select(behind).where(tree.c.value.is_not(None)))
    rows = await connection.execute(select(tree.c.value).where(tree.c.value.is_not(None)))
    return [str(row[0]) for row in rows]


async def _known(connection: AsyncConnection, place: Conversation) -> bool:
    for table in _SOURCES:
        mine = select(table.c.id).where(within(table, place)).limit(1)
        if await connection.scalar(mine) is not None:
            return True
    return False


async def _speakers(connection: AsyncConnection, places: Sequence[Conversation]) -> dict[Conversation, int]:
    counted = """
        SELECT {number} AS number, COUNT(DISTINCT lately.user_id) AS found FROM (
            SELECT user_id, is_bot FROM mishu_ledger
            WHERE self_id = :s{number} AND kind = :k{number} AND peer = :p{number}
            ORDER BY time DESC, receipt DESC LIMIT :most
        ) AS lately WHERE NOT lately.is_bot"""
    found = await _each(connection, places, counted, most=COUNTED)
    return {place: int(count) for place, count in found.items()}


async def _last(
    connection: AsyncConnection, places: Sequence[Conversation]
) -> dict[Conversation, float | None]:
    newest = """
        SELECT {number} AS number, (
            SELECT MAX(time) FROM mishu_ledger
            WHERE self_id = :s{number} AND kind = :k{number} AND peer = :p{number}
        ) AS found"""
    return await _each(connection, places, newest)


async def _each(
    connection: AsyncConnection, places: Sequence[Conversation], asked: str, **more: int
) -> dict[Conversation, Any]:
    """One question asked of each place, many in one statement. Its text is put together here: to build it of
    objects took longer than the database."""
    found: dict[Conversation, Any] = {}
    for start in range(0, len(places), _TOGETHER):
        part = places[start : start + _TOGETHER]
        statement = " UNION ALL ".join(asked.format(number=number) for number in range(len(part)))
        values: dict[str, Any] = dict(more)
        for number, place in enumerate(part):
            values |= {f"s{number}": place.self_id, f"k{number}": place.kind, f"p{number}": place.peer}
        for row in await connection.execute(text(statement), values):
            found[part[row.number]] = row.found
    return found
