"""Answers to requests that carried an Idempotency-Key: repeated, they get the same answer again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from .api_tables import answered

KEPT: Final = 86400.0
"""Seconds for which an answer is kept."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stored answer to a request. `fingerprint` tells the request from others with the same key."""

    fingerprint: str
    status: int
    body: str


class Answers(Queries):
    """Stored answers, by scope (owner of the key) and idempotency key."""

    @Queries.reading
    async def find(self, connection: AsyncConnection, scope: str, key: str) -> StoredAnswer | None:
        """The stored answer for a key; None where there is none."""
        wanted = select(answered).where(answered.c.scope == scope, answered.c.token == key)
        row = (await connection.execute(wanted)).one_or_none()
        return None if row is None else StoredAnswer(row.fingerprint, row.status, row.body)

    async def keep(self, scope: str, key: str, answer: StoredAnswer, at: float) -> None:
        """Store an answer; the first one for a key stays. Answers older than `KEPT` are deleted."""
        values = {"fingerprint": answer.fingerprint, "status": answer.status, "body": answer.body}
        adding = self._database.insert(answered).values(scope=scope, token=key, at=at, **values)
        await self._writer.execute(
            delete(answered).where(answered.c.at < at - KEPT),
            adding.on_conflict_do_nothing(index_elements=["scope", "token"]),
        )
