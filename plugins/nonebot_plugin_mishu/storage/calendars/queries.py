"""Imported calendars: sources of a member, and their entries by UID.

A source is read anew as a whole: what changed is written, what is not there any more goes, in one
transaction. Whose it is counts by the person, under whichever account of ours it was brought in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..records import Conversation
from ..rows import CHUNK, conversation_of, conversation_values, record_of
from .tables import calendar_entry, calendar_source

MOST_SOURCES = 10
"""Calendars of one person."""


@dataclass(frozen=True, slots=True)
class CalendarSource:
    """Where a calendar comes from. `address` is None for a file. Times are wall seconds.

    `shared` are the groups that may see its entries; elsewhere they are busy and no more. `trouble` is why
    the last try failed, a Chinese sentence. `entries` were taken, `skipped` could not be.
    """

    id: int
    place: Conversation
    user_id: str
    key: str
    name: str
    address: str | None
    header: str
    etag: str | None
    modified: str | None
    shared: tuple[str, ...]
    entries: int
    skipped: int
    trouble: str | None
    checked_at: float
    next_at: float | None
    created_at: float


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry of a source, as it was read."""

    uid: str
    sequence: int
    title: str
    place: str | None
    text: str
    first_at: float
    last_at: float | None


@dataclass(frozen=True, slots=True)
class NewContent:
    """Content of a source. With `whole` all of it; else entries beside the others, of which those
    in `cancelled` go, and an older `sequence` of one changes nothing."""

    header: str
    entries: Sequence[NewEntry]
    skipped: int = 0
    etag: str | None = None
    modified: str | None = None
    whole: bool = True
    cancelled: Sequence[str] = field(default_factory=tuple[str, ...])


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """Numbers of entries that a reading changed."""

    added: int
    changed: int
    deleted: int


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry as it is kept, with the source it is of."""

    source_id: int
    uid: str
    title: str
    place: str | None
    text: str


class ImportedCalendars(Queries):
    """Imported calendars. Raises `StorageError`, as everything here."""

    async def of_member(self, user_id: str) -> list[CalendarSource]:
        """A person's sources, the oldest first."""
        wanted = select(calendar_source).where(calendar_source.c.user_id == user_id)
        rows = await self._database.fetch_rows(wanted.order_by(calendar_source.c.id))
        return [_source(row) for row in rows]

    async def of_members(self, user_ids: Sequence[str]) -> list[CalendarSource]:
        """Several people's sources."""
        wanted = select(calendar_source).where(calendar_source.c.user_id.in_(list(user_ids)))
        rows = await self._database.fetch_rows(wanted.order_by(calendar_source.c.id))
        return [_source(row) for row in rows]

    async def get(self, source_id: int) -> CalendarSource | None:
        """A source by its id."""
        rows = await self._database.fetch_rows(
            select(calendar_source).where(calendar_source.c.id == source_id)
        )
        return _source(rows[0]) if rows else None

    async def due(self, now: float, most: int) -> list[CalendarSource]:
        """Subscriptions whose time has come, the longest due first."""
        wanted = (
            select(calendar_source)
            .where(calendar_source.c.next_at <= now)
            .order_by(calendar_source.c.next_at)
            .limit(most)
        )
        return [_source(row) for row in await self._database.fetch_rows(wanted)]

    async def claim(self, source: CalendarSource, next_at: float) -> bool:
        """Take a due subscription for this process; False where another one did."""
        mine = (calendar_source.c.id == source.id) & (calendar_source.c.next_at == source.next_at)
        return bool(await self._writer.execute(update(calendar_source).where(mine).values(next_at=next_at)))

    @Queries.writing
    async def put(
        self,
        connection: AsyncConnection,
        place: Conversation,
        user_id: str,
        key: str,
        name: str,
        address: str | None,
        content: NewContent,
        *,
        at: float,
        next_at: float | None,
    ) -> tuple[CalendarSource, StoredCounts] | None:
        """Keep a source with what it holds, in place of the one of its key; None where the person has as many
        as there may be."""
        this = (calendar_source.c.user_id == user_id) & (calendar_source.c.key == key)
        found = (await connection.execute(select(calendar_source).where(this))).first()
        if found is None:
            many = select(func.count()).where(calendar_source.c.user_id == user_id)
            if ((await connection.execute(many)).scalar() or 0) >= MOST_SOURCES:
                return None
            values: dict[str, Any] = {
                **conversation_values(place),
                "user_id": user_id,
                "key": key,
                "name": name,
                "address": address,
                "header": "",
                "shared": [],
                "entries": 0,
                "skipped": 0,
                "checked_at": at,
                "next_at": next_at,
                "created_at": at,
            }
            adding = self._database.insert(calendar_source).values(**values)
            await connection.execute(adding.on_conflict_do_nothing())
            found = (await connection.execute(select(calendar_source).where(this))).one()
        counts = await self._store_content(connection, found, content, at, next_at)
        row = (await connection.execute(select(calendar_source).where(this))).one()
        return _source(row), counts

    @Queries.writing
    async def refresh(
        self,
        connection: AsyncConnection,
        source: CalendarSource,
        content: NewContent,
        *,
        at: float,
        next_at: float,
    ) -> StoredCounts | None:
        """Keep what a source holds now; None where it was taken away meanwhile."""
        this = select(calendar_source).where(calendar_source.c.id == source.id)
        found = (await connection.execute(this)).first()
        if found is None:
            return None
        return await self._store_content(connection, found, content, at, next_at)

    async def note_try(self, source_id: int, trouble: str | None, *, at: float, next_at: float) -> None:
        """Note a try that brought nothing new: it failed, or nothing had changed."""
        values: dict[str, Any] = {"trouble": trouble, "checked_at": at, "next_at": next_at}
        this = calendar_source.c.id == source_id
        await self._writer.execute(update(calendar_source).where(this).values(**values))

    async def rename(self, source_id: int, name: str) -> None:
        """Call a source otherwise."""
        this = calendar_source.c.id == source_id
        await self._writer.execute(update(calendar_source).where(this).values(name=name))

    async def share(self, source_id: int, groups: Sequence[str]) -> None:
        """Say which groups may see a source's entries."""
        this = calendar_source.c.id == source_id
        await self._writer.execute(update(calendar_source).where(this).values(shared=list(groups)))

    async def remove(self, source_id: int) -> None:
        """Take a source away, with its entries."""
        await self._writer.execute(
            delete(calendar_entry).where(calendar_entry.c.source_id == source_id),
            delete(calendar_source).where(calendar_source.c.id == source_id),
        )

    async def entries(self, source_ids: Sequence[int], first: float, last: float) -> list[KeptEntry]:
        """Entries that may take place between two moments (wall seconds)."""
        if not source_ids:
            return []
        columns = calendar_entry.c
        near = (columns.first_at < last) & or_(columns.last_at.is_(None), columns.last_at >= first)
        wanted = (
            select(columns.source_id, columns.uid, columns.title, columns.place, columns.text)
            .where(columns.source_id.in_(list(source_ids)) & near)
            .order_by(columns.id)
        )
        rows = await self._database.fetch_rows(wanted)
        return [KeptEntry(row.source_id, row.uid, row.title, row.place, row.text) for row in rows]

    async def _store_content(
        self,
        connection: AsyncConnection,
        source: Row[Any],
        content: NewContent,
        at: float,
        next_at: float | None,
    ) -> StoredCounts:
        columns = calendar_entry.c
        mine = columns.source_id == source.id
        kept = select(columns.id, columns.uid, columns.sequence, columns.text).where(mine)
        there = {row.uid: row for row in await connection.execute(kept)}
        owner = {name: getattr(source, name) for name in ("self_id", "kind", "peer", "user_id")}
        added: list[dict[str, Any]] = []
        changed = 0
        for entry in content.entries:
            old = there.get(entry.uid)
            values = {
                "sequence": entry.sequence,
                "title": entry.title,
                "place": entry.place,
                "text": entry.text,
                "first_at": entry.first_at,
                "last_at": entry.last_at,
            }
            if old is None:
                added.append({**owner, "source_id": source.id, "uid": entry.uid, **values})
            elif old.text != entry.text and (content.whole or entry.sequence >= old.sequence):
                await connection.execute(update(calendar_entry).where(columns.id == old.id).values(**values))
                changed += 1
        now_there = {entry.uid for entry in content.entries}
        gone = [
            row.id
            for uid, row in there.items()
            if (uid not in now_there if content.whole else uid in set(content.cancelled))
        ]
        for at_row in range(0, len(added), CHUNK):
            await connection.execute(insert(calendar_entry), added[at_row : at_row + CHUNK])
        for at_row in range(0, len(gone), CHUNK):
            ids = gone[at_row : at_row + CHUNK]
            await connection.execute(delete(calendar_entry).where(columns.id.in_(ids)))
        header = content.header if content.whole else _joined(source.header, content.header)
        values = {
            "header": header,
            "etag": content.etag,
            "modified": content.modified,
            "entries": len(there) + len(added) - len(gone),
            "skipped": content.skipped,
            "trouble": None,
            "checked_at": at,
            "next_at": next_at,
        }
        this = calendar_source.c.id == source.id
        await connection.execute(update(calendar_source).where(this).values(**values))
        return StoredCounts(len(added), changed, len(gone))


def _joined(old: str, new: str) -> str:
    """Zones of invitations that came one after the other."""
    return old if new in old else "\r\n".join(part for part in (old, new) if part)


def _source(row: Row[Any]) -> CalendarSource:
    return record_of(CalendarSource, row, place=conversation_of(row), shared=tuple(row.shared))
