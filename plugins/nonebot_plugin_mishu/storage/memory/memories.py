"""Memories of one person (digests of M1, summaries of M2), item by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Table, delete, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine import fulltext
from ..engine.queries import Queries
from ..records import Conversation
from ..rows import conversation_of
from .tables import digest, summary, turn

KINDS: Final[Mapping[str, Table]] = {"digest": digest, "summary": summary}


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing remembered. `id` names it over all kinds; `at` is wall seconds."""

    kind: str
    row_id: int
    conversation: Conversation
    text: str
    at: float
    task_id: str = ""
    """The task whose summary it is; empty for a digest."""

    @property
    def id(self) -> str:
        """`summary-12`."""
        return f"{self.kind}-{self.row_id}"


class Memories(Queries):
    """Lists, corrects and deletes memories."""

    @Queries.reading
    async def list_page(
        self,
        connection: AsyncConnection,
        user_id: str,
        group_id: str | None,
        *,
        limit: int,
        after: tuple[str, int] | None,
    ) -> list[Memory]:
        """A person's items by kind and number, from behind `after` on; of one group where it is named."""
        found: list[Memory] = []
        for kind, table in sorted(KINDS.items()):
            if after is not None and kind < after[0]:
                continue
            behind = table.c.id > after[1] if after is not None and kind == after[0] else true()
            wanted = select(table).where(_member_condition(table, user_id, group_id), behind)
            rows = await connection.execute(wanted.order_by(table.c.id).limit(limit - len(found)))
            found += [
                Memory(
                    kind,
                    row.id,
                    conversation_of(row),
                    row.content,
                    row.at,
                    row.task_id if table is summary else "",
                )
                for row in rows
            ]
        return found[:limit]

    async def correct(
        self, user_id: str, group_id: str | None, item: tuple[str, int], text: str, terms: Iterable[str]
    ) -> bool:
        """Replace text and terms of one memory (kind, number); False where it is not found."""
        table = KINDS.get(item[0])
        if table is None:
            return False
        which = _member_condition(table, user_id, group_id) & (table.c.id == item[1])

        async def update_memory(connection: AsyncConnection) -> bool:
            row = (await connection.execute(select(table).where(which).with_for_update())).one_or_none()
            if row is None:
                return False
            values: dict[str, Any] = {"content": text}
            if table is summary:  # it is found by its words, not by what it said before
                found = fulltext.indexed(conversation_of(row), user_id, terms)
                values |= {"terms": found, "vector": None, "vector_model": None}
            await connection.execute(update(table).where(which).values(**values))
            return True

        return await self._writer.run(update_memory)

    @Queries.writing
    async def delete_memories(
        self, connection: AsyncConnection, user_id: str, group_id: str | None, item: tuple[str, int] | None
    ) -> int:
        """Delete one item (kind, number) or all, with the turns they were made of; how many items."""
        gone = 0
        for kind, table in KINDS.items():
            if item is not None and kind != item[0]:
                continue
            which = _member_condition(table, user_id, group_id)
            if item is not None:
                which &= table.c.id == item[1]
            gone += (await connection.execute(delete(table).where(which))).rowcount
        if item is None:
            await connection.execute(delete(turn).where(_member_condition(turn, user_id, group_id)))
        if gone:
            await fulltext.compact(connection)
        return gone


def _member_condition(table: Table, user_id: str, group_id: str | None) -> ColumnElement[bool]:
    mine = table.c.user_id == user_id
    return mine if group_id is None else mine & (table.c.kind == "group") & (table.c.peer == group_id)
