"""Sums of payer and debtor in shared expenses, computed in the database from JSON."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_values


class DebtRows(Queries):
    """Read-only queries."""

    @Queries.reading
    async def sums(
        self, connection: AsyncConnection, conversation: Conversation
    ) -> list[tuple[str, str, int]]:
        """Payer, debtor and sum in fen, without payers' own shares and unnamed debtors."""
        return await _select_sums(connection, conversation)


_HERE: Final = "WHERE self_id = :self_id AND kind = :kind AND peer = :peer AND shared"
_SQLITE: Final = f"""
    SELECT json_extract(shares, '$[0][0]') AS payer,
           json_extract(part.value, '$[0]') AS who,
           json_extract(part.value, '$[2]') AS fen
    FROM mishu_transaction INDEXED BY mishu_transaction_shared, json_each(shares) AS part {_HERE}
"""
"""Without statistics SQLite takes any index of the group, and reads all of it."""
_POSTGRESQL: Final = f"""
    SELECT given -> 0 ->> 0 AS payer, part.value ->> 0 AS who, CAST(part.value ->> 2 AS BIGINT) AS fen
    FROM (SELECT CAST(shares AS jsonb) AS given FROM mishu_transaction {_HERE} OFFSET 0) AS split,
         jsonb_array_elements(given) AS part(value) OFFSET 0
"""
"""OFFSET 0: each text is read as JSON once, and not again for every word that is taken out of it."""


async def _select_sums(connection: AsyncConnection, conversation: Conversation) -> list[tuple[str, str, int]]:
    parts = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL
    wanted = text(
        f"SELECT payer, who, SUM(fen) FROM ({parts}) AS parts WHERE who != '' AND who != payer GROUP BY 1, 2"
    )
    found = await connection.execute(wanted, conversation_values(conversation))
    return [(row[0], row[1], int(row[2])) for row in found]
