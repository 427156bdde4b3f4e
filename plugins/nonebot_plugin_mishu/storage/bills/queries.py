"""Imported bills: a preview is kept until its yes, then its records are written, each order number once.

The records, the order numbers and the note for 撤销 are one transaction. An order number is unique to its
person: whatever is imported twice, however often and from wherever, is there once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..journal.queries import RowChange, journal
from ..records import Conversation
from ..rows import CHUNK, conversation_of, conversation_values
from ..transactions.tables import transaction
from .records import BillRecord
from .tables import bill_preview, imported_order

AGENT = "bookkeeping"


@dataclass(frozen=True, slots=True)
class KeptPreview:
    """A preview that waits. `skipped` are rows that are left out, by reason."""

    id: int
    place: Conversation
    user_id: str
    source: str
    records: tuple[BillRecord, ...]
    skipped: Mapping[str, int]


class Bills(Queries):
    """Imported bills. Raises `StorageError`, as everything here."""

    @Queries.reading
    async def known(
        self, connection: AsyncConnection, user_id: str, source: str, orders: Collection[str]
    ) -> set[str]:
        """Those of the order numbers that the person has already."""
        return await _known(connection, user_id, source, orders)

    @Queries.writing
    async def keep_preview(
        self,
        connection: AsyncConnection,
        place: Conversation,
        user_id: str,
        source: str,
        origin: str,
        records: Sequence[BillRecord],
        skipped: Mapping[str, int],
        at: float,
    ) -> int:
        """Keep a preview in place of the person's others of that source; its id."""
        plain = [_plain(each) for each in records]
        mine = (bill_preview.c.user_id == user_id) & (bill_preview.c.source == source)
        await connection.execute(delete(bill_preview).where(mine | (bill_preview.c.origin == origin)))
        values = {
            **conversation_values(place),
            "user_id": user_id,
            "source": source,
            "origin": origin,
            "rows": plain,
            "skipped": dict(skipped),
            "created_at": at,
        }
        result = await connection.execute(insert(bill_preview).values(**values))
        key = result.inserted_primary_key
        assert key is not None
        return int(key[0])

    async def preview(self, preview_id: int) -> KeptPreview | None:
        """A preview that waits; None where it was confirmed, dropped or replaced."""
        wanted = select(bill_preview).where(bill_preview.c.id == preview_id)
        rows = await self._database.fetch_rows(wanted)
        if not rows:
            return None
        row = rows[0]
        records = tuple(BillRecord(*each) for each in row.rows)
        return KeptPreview(row.id, conversation_of(row), row.user_id, row.source, records, row.skipped)

    async def drop(self, preview_id: int) -> None:
        """Drop a preview."""
        await self._writer.execute(delete(bill_preview).where(bill_preview.c.id == preview_id))

    async def written(self, batch: str) -> int:
        """How many records a batch has written."""
        rows = await self._database.fetch_rows(select(transaction.c.id).where(transaction.c.batch == batch))
        return len(rows)

    @Queries.writing
    async def commit(
        self,
        connection: AsyncConnection,
        preview: KeptPreview,
        user_name: str,
        batch: str,
        ticket: int,
        summary: str,
        at: float,
    ) -> int:
        """Write what is new of a preview, all or none, and drop it; how many records."""
        place, user_id = preview.place, preview.user_id
        this = select(bill_preview.c.id).where(bill_preview.c.id == preview.id).with_for_update()
        if (await connection.execute(this)).first() is None:
            return 0  # somebody else's yes was first
        there = await _known(connection, user_id, preview.source, [each.order_no for each in preview.records])
        new: dict[str, BillRecord] = {}
        for each in preview.records:
            if each.order_no not in there:
                new.setdefault(each.order_no, each)
        rows: list[dict[str, Any]] = [
            {
                **conversation_values(place),
                "user_id": user_id,
                "user_name": user_name,
                "type": each.type,
                "fen": each.fen,
                "category": each.category,
                "description": each.description,
                "day": each.day,
                "shared": False,
                "shares": [],
                "batch": batch,
                "place": number,
                "ticket": ticket,
                "created_at": at,
                "updated_at": at,
            }
            for number, each in enumerate(new.values())
        ]
        for begin in range(0, len(rows), CHUNK):
            await connection.execute(insert(transaction), rows[begin : begin + CHUNK])
        made = (
            await connection.execute(
                select(transaction).where(transaction.c.batch == batch).order_by(transaction.c.place)
            )
        ).mappings()
        written = [dict(row) for row in made]
        orders = [
            {
                **conversation_values(place),
                "user_id": user_id,
                "source": preview.source,
                "order_no": each.order_no,
                "refund_of": each.refund_of,
                "transaction_id": row["id"],
                "created_at": at,
            }
            for each, row in zip(new.values(), written, strict=True)
        ]
        for begin in range(0, len(orders), CHUNK):
            await connection.execute(insert(imported_order), orders[begin : begin + CHUNK])
        await connection.execute(delete(bill_preview).where(bill_preview.c.id == preview.id))
        if written:
            noted = [RowChange(transaction.name, row["id"], None, row) for row in written]
            noted += await _noted_orders(connection, user_id, [row["id"] for row in written])
            await journal(connection, place, user_id, AGENT, summary, noted, at)
        return len(written)


async def _known(connection: AsyncConnection, user_id: str, source: str, orders: Collection[str]) -> set[str]:
    columns = imported_order.c
    mine = (columns.user_id == user_id) & (columns.source == source)
    wanted = sorted(set(orders))
    found: set[str] = set()
    for begin in range(0, len(wanted), CHUNK):
        these = columns.order_no.in_(wanted[begin : begin + CHUNK])
        found |= set(await connection.scalars(select(columns.order_no).where(mine & these)))
    return found


async def _noted_orders(
    connection: AsyncConnection, user_id: str, transactions: Sequence[int]
) -> list[RowChange]:
    columns = imported_order.c
    found: list[RowChange] = []
    for begin in range(0, len(transactions), CHUNK):
        these = columns.transaction_id.in_(transactions[begin : begin + CHUNK])
        rows = await connection.execute(select(imported_order).where((columns.user_id == user_id) & these))
        found += [RowChange(imported_order.name, row["id"], None, dict(row)) for row in rows.mappings()]
    return found


def _plain(record: BillRecord) -> list[Any]:
    return [
        record.order_no,
        record.type,
        record.fen,
        record.category,
        record.description,
        record.day,
        record.refund_of,
    ]
