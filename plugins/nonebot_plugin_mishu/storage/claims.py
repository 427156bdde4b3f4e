"""Claims: a reply is claimed in the database before it is sent (product section 2, Once)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .rows import chunks
from .tables import claim as table
from .tables import storable
from .writer import Writer


@dataclass(frozen=True, slots=True)
class _Claim:
    self_id: str
    message_ids: tuple[str, ...]
    token: str
    at: float


_SENT = (
    update(table)
    .where(table.c.self_id == bindparam("its_self_id"), table.c.message_id == bindparam("its_message_id"))
    .values(sent_message_id=bindparam("its_answer"))
)


async def _noting(connection: AsyncConnection, sent: Sequence[list[dict[str, str]]]) -> Sequence[None]:
    rows = sorted((row for rows in sent for row in rows), key=lambda row: tuple(row.values()))
    await connection.execute(_SENT, rows)
    return [None] * len(sent)


class Claims:
    """Who answers which message. One claim per `(self_id, message_id)` over all processes, for good."""

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        self._database = database
        self._writer = writer
        self._now = now

    async def claim(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """Claim messages; those that are newly ours. The others were claimed before, by anybody."""
        asked = {storable(message_id): message_id for message_id in message_ids}
        if not asked:
            return set()
        # Ours are known by the token and not by what was inserted: when a transaction is run again
        # because the connection broke at its commit, what it claimed is still ours.
        claim = _Claim(self_id, tuple(asked), uuid4().hex, self._now())
        return {asked[message_id] for message_id in await self._writer.together(self._claiming, claim)}

    async def _claiming(self, connection: AsyncConnection, claims: Sequence[_Claim]) -> Sequence[set[str]]:
        rows = [
            {"self_id": one.self_id, "message_id": message_id, "token": one.token, "claimed_at": one.at}
            for one in claims
            for message_id in one.message_ids
        ]
        # Sorted, so that processes lock rows in one order; of two here, the one that came first is first.
        rows.sort(key=lambda row: (row["self_id"], row["message_id"]))
        adding = self._database.insert(table).on_conflict_do_nothing(index_elements=["self_id", "message_id"])
        await connection.execute(adding, rows)
        ours: dict[str, set[str]] = {one.token: set() for one in claims}
        for chunk in chunks({message_id for one in claims for message_id in one.message_ids}):
            known = select(table.c.token, table.c.message_id).where(table.c.message_id.in_(chunk))
            for token, message_id in await connection.execute(known.where(table.c.token.in_(ours))):
                ours[token].add(message_id)
        return [ours[one.token] for one in claims]

    async def sent(self, self_id: str, message_ids: Iterable[str], sent_message_id: str) -> None:
        """Note which message of ours answered the claimed ones."""
        rows = [
            {"its_self_id": self_id, "its_message_id": message_id, "its_answer": sent_message_id}
            for message_id in sorted(message_ids)
        ]
        if rows:
            await self._writer.together(_noting, rows)

    async def is_claimed(self, self_id: str, message_id: str) -> bool:
        """Whether anybody claimed this message."""
        mine = (table.c.self_id == self_id) & (table.c.message_id == message_id)

        async def look(connection: AsyncConnection) -> bool:
            return await connection.scalar(select(table.c.id).where(mine)) is not None

        return await self._database.read(look)
