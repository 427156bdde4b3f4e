"""Who paid for whom in what is shared, summed by the database: JSON is read where the rows are."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import Conversation
from .rows import conversation_values


class Debts:
    """Looks only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sums(self, conversation: Conversation) -> list[tuple[str, str, int]]:
        """Who paid, for whom, how many fen. Payers' own parts and what nobody named bears are left out."""

        async def look(connection: AsyncConnection) -> list[tuple[str, str, int]]:
            return await _sums(connection, conversation)

        return await self._database.read(look)


async def _sums(connection: AsyncConnection, conversation: Conversation) -> list[tuple[str, str, int]]:
    if connection.dialect.name == "sqlite":
        # Without statistics SQLite takes any index of the group, and reads all of it.
        table, rows = "t INDEXED BY mishu_transaction_shared", "json_each(t.shares) AS part"
        paid = "json_extract(t.shares, '$[0][0]')"
        who, fen = "json_extract(part.value, '$[0]')", "json_extract(part.value, '$[2]')"
    else:
        table = "t"
        rows = "jsonb_array_elements(CAST(t.shares AS jsonb)) AS part(value)"
        paid = "(CAST(t.shares AS jsonb) -> 0 ->> 0)"
        who, fen = "(part.value ->> 0)", "CAST(part.value ->> 2 AS BIGINT)"
    wanted = text(
        f"SELECT {paid}, {who}, SUM({fen}) FROM mishu_transaction {table}, {rows} "
        "WHERE t.self_id = :self_id AND t.kind = :kind AND t.peer = :peer AND t.shared "
        f"AND {who} != '' AND {who} != {paid} GROUP BY 1, 2"
    )
    found = await connection.execute(wanted, conversation_values(conversation))
    return [(row[0], row[1], int(row[2])) for row in found]
