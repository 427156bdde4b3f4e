"""Known groups, their accounts, and members who spoke in them.

Every table's index begins with account, kind and peer, so the different values of each are found by jumping
from one to the next, not by reading rows: a group with a million messages costs as much as one with ten.
The statements are written out: each question is one of them, and to build it of objects took longer than the
database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..ledger.tables import ledger
from ..records import Conversation, Role
from ..rows import within
from ..schedules.tables import schedule
from ..tasks.tables import task
from ..transactions.tables import transaction
from .tables import conversation

RECENT: Final = 3000
"""Messages in which members are looked for."""
COUNTED: Final = 100
"""Messages in which they are counted, where all groups are listed."""
_TOGETHER: Final = 50
"""Places in one statement."""
_SOURCES: Final[Sequence[Table]] = (ledger, schedule, transaction, task, conversation)

_ACCOUNTS: Final = ", ".join(
    f"""a{number}(self_id) AS (
        SELECT MIN(self_id) FROM {table.name}
        UNION ALL
        SELECT (SELECT MIN(t.self_id) FROM {table.name} t WHERE t.self_id > a{number}.self_id)
        FROM a{number} WHERE a{number}.self_id IS NOT NULL
    )"""
    for number, table in enumerate(_SOURCES)
)
"""The accounts of each table, each the smallest behind the one before; the last is NULL."""
_PEERS: Final = ", ".join(
    f"""p{number}(self_id, peer) AS (
        SELECT self_id, (
            SELECT MIN(t.peer) FROM {table.name} t WHERE t.self_id = a{number}.self_id AND t.kind = 'group'
        ) FROM a{number} WHERE self_id IS NOT NULL
        UNION ALL
        SELECT self_id, (
            SELECT MIN(t.peer) FROM {table.name} t
            WHERE t.self_id = p{number}.self_id AND t.kind = 'group' AND t.peer > p{number}.peer
        ) FROM p{number} WHERE peer IS NOT NULL
    )"""
    for number, table in enumerate(_SOURCES)
)
_ALL: Final = text(
    f"WITH RECURSIVE {_ACCOUNTS}, {_PEERS} "
    + " UNION ".join(
        f"SELECT self_id, peer FROM p{number} WHERE peer IS NOT NULL" for number in range(len(_SOURCES))
    )
)
_KNOWN: Final = " OR ".join(
    f"""EXISTS (
        SELECT 1 FROM {table.name} t
        WHERE t.self_id = one.self_id AND t.kind = 'group' AND t.peer = :peer
    )"""
    for table in _SOURCES
)
_LAST: Final = """(
    SELECT MAX(t.time) FROM mishu_ledger t
    WHERE t.self_id = one.self_id AND t.kind = 'group' AND t.peer = {peer}
)"""
_OF: Final = text(
    f"WITH RECURSIVE {_ACCOUNTS}, one(self_id) AS ("
    + " UNION ".join(
        f"SELECT self_id FROM a{number} WHERE self_id IS NOT NULL" for number in range(len(_SOURCES))
    )
    + f") SELECT self_id, {_LAST.format(peer=':peer')} AS last FROM one WHERE {_KNOWN}"
)
_SPEAKERS: Final = """(
    SELECT COUNT(DISTINCT lately.user_id) FROM (
        SELECT t.user_id, t.is_bot FROM mishu_ledger t
        WHERE t.self_id = one.self_id AND t.kind = 'group' AND t.peer = one.peer
        ORDER BY t.time DESC, t.receipt DESC LIMIT :most
    ) AS lately WHERE NOT lately.is_bot
)"""


@dataclass(frozen=True, slots=True)
class SeenMember:
    """A recent speaker of a group, with name and role at that time; `last_spoke_at` wall seconds."""

    user_id: str
    name: str
    role: Role
    last_spoke_at: float


class Groups(Queries):
    """Read-only queries."""

    @Queries.reading
    async def find_accounts(
        self, connection: AsyncConnection, group_id: str, connected: Sequence[str] = ()
    ) -> list[Conversation]:
        """A group as our accounts know it: connected ones first, in their order, then who heard it last."""
        found: list[tuple[bool, int, float, str]] = []
        for account, last in await connection.execute(_OF, {"peer": group_id}):
            order = connected.index(account) if account in connected else len(connected)
            found.append((account not in connected, order, -(last or 0.0), account))
        return [Conversation(each[3], "group", group_id) for each in sorted(found)]

    @Queries.reading
    async def known(self, connection: AsyncConnection, place: Conversation) -> bool:
        """True when the database has rows of a group under this account."""
        asked = text(f"WITH one(self_id) AS (SELECT CAST(:account AS TEXT)) SELECT {_KNOWN} FROM one")
        return bool(await connection.scalar(asked, {"account": place.self_id, "peer": place.peer}))

    @Queries.reading
    async def all(self, connection: AsyncConnection) -> list[Conversation]:
        """Every group that left anything, by id."""
        places = [Conversation(account, "group", peer) for account, peer in await connection.execute(_ALL)]
        return sorted(places, key=lambda each: (each.peer, each.self_id))

    @Queries.reading
    async def last_messages(
        self, connection: AsyncConnection, places: Sequence[Conversation]
    ) -> dict[Conversation, float | None]:
        """Time of the last message of each group, wall seconds."""
        return await _select_each(connection, places, _LAST.format(peer="one.peer"))

    @Queries.reading
    async def speakers(
        self, connection: AsyncConnection, places: Sequence[Conversation]
    ) -> dict[Conversation, int]:
        """Number of members who spoke within the newest `COUNTED` messages of each group."""
        return await _select_each(connection, places, _SPEAKERS, most=COUNTED)

    @Queries.reading
    async def members(self, connection: AsyncConnection, place: Conversation) -> list[SeenMember]:
        """Members who spoke within the newest `RECENT` messages, the last speaker first."""
        lately = (
            select(ledger.c.user_id, ledger.c.name, ledger.c.role, ledger.c.time, ledger.c.is_bot)
            .where(within(ledger, place))
            .order_by(ledger.c.time.desc(), ledger.c.receipt.desc())
            .limit(RECENT)
        )
        found: dict[str, SeenMember] = {}
        for row in await connection.execute(lately):
            if not row.is_bot and row.user_id not in found:
                found[row.user_id] = SeenMember(row.user_id, row.name, row.role, row.time)
        return list(found.values())


async def _select_each(
    connection: AsyncConnection, places: Sequence[Conversation], asked: str, **more: int
) -> dict[Conversation, Any]:
    """The value of an expression over `one` for each group, many groups in one statement."""
    found: dict[Conversation, Any] = {}
    for start in range(0, len(places), _TOGETHER):
        part = places[start : start + _TOGETHER]
        rows = ", ".join(f"({n}, CAST(:s{n} AS TEXT), CAST(:p{n} AS TEXT))" for n in range(len(part)))
        values: dict[str, Any] = dict(more)
        for number, place in enumerate(part):
            values |= {f"s{number}": place.self_id, f"p{number}": place.peer}
        statement = (
            f"WITH one(number, self_id, peer) AS (VALUES {rows}) SELECT number, {asked} AS found FROM one"
        )
        for row in await connection.execute(text(statement), values):
            found[part[row.number]] = row.found
    return found
