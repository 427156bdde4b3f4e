"""A member's expenses of a month: of divided expenses their own share, whoever paid."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..records import Conversation
from ..rows import conversation_values

_HERE: Final = (  # `json_each` has columns of these names, too
    "t.self_id = :self_id AND t.kind = :kind AND t.peer = :peer AND t.type = 'EXPENSE' "
    "AND t.day >= :first AND t.day <= :last"
)
_SQLITE: Final = f"""
    SELECT category, fen FROM mishu_transaction AS t
    WHERE {_HERE} AND user_id = :user AND json_array_length(shares) = 0
    UNION ALL
    SELECT category, json_extract(part.value, '$[2]')
    FROM mishu_transaction AS t INDEXED BY mishu_transaction_shared, json_each(shares) AS part
    WHERE {_HERE} AND shared AND json_extract(part.value, '$[0]') = :user
"""
_POSTGRESQL: Final = f"""
    SELECT category, fen FROM mishu_transaction AS t
    WHERE {_HERE} AND user_id = :user AND jsonb_array_length(CAST(shares AS jsonb)) = 0
    UNION ALL
    SELECT category, CAST(part.value ->> 2 AS BIGINT)
    FROM (SELECT category, CAST(shares AS jsonb) AS given FROM mishu_transaction AS t
          WHERE {_HERE} AND shared OFFSET 0) AS split,
         jsonb_array_elements(given) AS part(value)
    WHERE part.value ->> 0 = :user
"""


async def borne(
    connection: AsyncConnection, conversation: Conversation, user_id: str, month: str
) -> dict[str, int]:
    """Fen by category in a month (`YYYY-MM`), and under "" in all."""
    parts = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL
    wanted = text(f"SELECT category, SUM(fen) FROM ({parts}) AS parts GROUP BY 1")
    span = {"first": f"{month}-01", "last": f"{month}-31", "user": user_id}
    found = await connection.execute(wanted, {**conversation_values(conversation), **span})
    sums = {row[0]: int(row[1]) for row in found}
    return {**sums, "": sum(sums.values())}
