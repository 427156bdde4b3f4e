"""Facts of a group that members asked to remember, in their words; deleted for good when forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.columns import storable
from ..engine.queries import Queries
from ..ledger.queries import mark, mark_queued
from ..ledger.tables import ledger
from ..ledger.word_index import drop_words
from ..memory.tables import digest, summary, turn
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import fact, span_digest

_LEAST = 4
"""Characters of a fact's words that are looked for in other lines; shorter ones would hit by chance."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its subject (WiFi密码) in one form for comparing, and the whole as it was said."""

    subject: str
    content: str
    user_id: str
    """Author."""
    name: str
    """Author's name at that time."""
    at: float
    """Wall seconds."""
    message_id: str
    id: int = field(default=0, compare=False)
    """Row id; 0 until it is stored."""


class FactRows(Queries):
    """One fact a subject and conversation. Raises `StorageError`, as everything here."""

    async def list_facts(self, conversation: Conversation) -> list[Fact]:
        """All facts of a conversation, the oldest first."""
        wanted = select(fact).where(within(fact, conversation)).order_by(fact.c.id)
        return [_fact_record(row) for row in await self._database.fetch_rows(wanted)]

    @Queries.writing
    async def store_fact(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        new: Fact,
        origin: str,
        *,
        only_own: bool,
    ) -> tuple[Fact | None, bool]:
        """Keep a fact in place of the one of its subject; on disk when this returns.

        `only_own`: a fact of somebody else's is left alone. What stood there before (None: nothing), and
        whether the new one stands there now. The same `origin` twice is once.
        """
        here = within(fact, conversation) & (fact.c.subject == new.subject)
        row = (await connection.execute(select(fact).where(here).with_for_update())).one_or_none()
        before = None if row is None else _fact_record(row)
        if row is not None and row.origin == origin:
            return None, True
        if before is not None and only_own and before.user_id != new.user_id:
            return before, False
        await connection.execute(delete(fact).where(here))
        values = {
            "user_id": new.user_id,
            "name": new.name,
            "subject": new.subject,
            "content": new.content,
            "message_id": new.message_id,
            "origin": origin,
            "at": new.at,
        }
        adding = self._database.insert(fact).values(**conversation_values(conversation), **values)
        await connection.execute(adding.on_conflict_do_nothing())
        return before, True

    async def delete_fact(self, conversation: Conversation, gone: Fact) -> list[str]:
        """Take a fact away, and every line that holds it out of what is told: of the ledger, of M1 and M2, of
        kept digests. The ids of the lines, which are marked as recalled; on disk when this returns."""
        here = within(fact, conversation) & (fact.c.subject == gone.subject)

        async def delete_fact(connection: AsyncConnection) -> list[str]:
            await connection.execute(delete(fact).where(here))
            return await _hide_lines(connection, conversation, gone)

        ids = await self._writer.run(delete_fact)
        mark_queued(self._writer.queue, conversation, ids, recalled=True)
        return ids


async def _hide_lines(connection: AsyncConnection, conversation: Conversation, gone: Fact) -> list[str]:
    """Lines that hold the words, the one that set it, and ours that answered it."""
    said = ledger.c.message_id == gone.message_id
    answers = ledger.c.is_bot & (ledger.c.reply_to == gone.message_id)
    which = [said, answers]
    if len(gone.content) >= _LEAST:
        which.append(_contains(ledger, "text", gone.content))
    rows = await connection.execute(
        select(ledger.c.id, ledger.c.message_id).where(within(ledger, conversation), or_(*which))
    )
    found = [(row.id, row.message_id) for row in rows]
    ids = [message_id for _, message_id in found]
    await mark(connection, [(conversation, each) for each in ids], recalled=True)
    await drop_words(connection, [number for number, _ in found])
    await connection.execute(delete(span_digest).where(within(span_digest, conversation)))
    for table in (turn, digest, summary):
        await connection.execute(
            delete(table).where(within(table, conversation), _contains(table, "content", gone.content))
        )
    return ids


def _contains(table: Table, column: str, words: str) -> ColumnElement[bool]:
    # Letters without case; SQLite lowers ASCII only, which is all that has two cases in Chinese talk.
    return func.lower(table.c[column]).contains(storable(words).lower(), autoescape=True)


def _fact_record(row: Row[Any]) -> Fact:
    return Fact(row.subject, row.content, row.user_id, row.name, row.at, row.message_id, row.id)
