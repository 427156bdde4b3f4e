"""The account books (seed 4): what was spent, received and moved, in whole fen.

A record belongs to the member who spoke of it, in the conversation where it was said. An item of a batch of
drafts is saved at most once, whatever is repeated: batch and place are its unique origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.queries import Queries
from ..engine.writer import Writer
from ..journal import queries as changes
from ..journal.queries import RowChange
from ..records import Conversation
from ..rows import conversation_of, conversation_values, record_of, values_of, within
from .budgets import BudgetNotice, Budgets, notices
from .category_words import CategoryWords
from .debts import DebtRows
from .tables import transaction

AGENT = "bookkeeping"

MOST = 1000
"""Records that one read hands out."""


@dataclass(frozen=True, slots=True)
class TransactionChanges:
    """Content of a transaction. `day` is `YYYY-MM-DD`; `shares` are [user id, name, fen], the payer first."""

    type: str
    fen: int
    category: str
    description: str
    day: str
    shared: bool = False
    shares: Sequence[Sequence[Any]] = ()
    foreign: str = ""
    """The sum as it was said in another currency: amount, code and rate; empty for one in yuan."""


@dataclass(frozen=True, slots=True)
class TransactionRecord:
    """A saved transaction. Times are wall seconds."""

    id: int
    conversation: Conversation
    user_id: str
    user_name: str
    fields: TransactionChanges
    batch: str
    place: int
    ticket: int
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True)
class NewTransactions:
    """One commit: these items of a batch, by their place on its card, all or none."""

    conversation: Conversation
    user_id: str
    user_name: str
    batch: str
    ticket: int
    items: Sequence[tuple[int, TransactionChanges]]
    summary: str
    """Chinese, shown by 撤销."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Records of a commit, and the budgets it reached."""

    records: tuple[TransactionRecord, ...]
    notices: tuple[BudgetNotice, ...]


@dataclass(frozen=True, slots=True)
class CategorySum:
    """The sum of the records of one type and category."""

    type: str
    category: str
    fen: int
    count: int


@dataclass(frozen=True, slots=True)
class BookSpan:
    """Selection of records: of one member, or (None) the shared ones of the whole conversation.

    `first` and `last` are days (`YYYY-MM-DD`), both included; None: no limit. `everything` takes everybody's,
    shared or not: for the administration only.
    """

    conversation: Conversation
    user_id: str | None
    first: str | None = None
    last: str | None = None
    category: str | None = None
    type: str | None = None
    everything: bool = False
    newest: bool = False
    """Of pages: the newest first."""
    shared: bool | None = None
    """Of these those that are shared, or not; None: both."""


class Transactions(Queries):
    """The account books. Every write is one transaction, its entry in the journal included."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database, writer)
        self.budgets = Budgets(database, writer)
        self.words = CategoryWords(database, writer)
        self.debts = DebtRows(database, writer)

    @Queries.writing
    async def commit(self, connection: AsyncConnection, new: NewTransactions, at: float) -> Saved:
        """Save the items, all or none; on disk when it returns. What is there already stays as it is."""

        table = transaction.name
        places = [place for place, _ in new.items]
        mine = (transaction.c.batch == new.batch) & transaction.c.place.in_(places)
        there = {row.place for row in await connection.execute(select(transaction).where(mine))}
        for place, fields in new.items:
            adding = self._database.insert(transaction).values(
                **conversation_values(new.conversation),
                user_id=new.user_id,
                user_name=new.user_name,
                **_transaction_values(fields),
                batch=new.batch,
                place=place,
                ticket=new.ticket,
                created_at=at,
                updated_at=at,
            )
            await connection.execute(adding.on_conflict_do_nothing(index_elements=["batch", "place"]))
        rows = (await connection.execute(select(transaction).where(mine).order_by(transaction.c.place))).all()
        fresh = [row for row in rows if row.place not in there]
        if fresh:
            journalled = [
                RowChange(table, row.id, None, await changes.image(connection, transaction, row.id))
                for row in fresh
            ]
            await changes.journal(
                connection, new.conversation, new.user_id, AGENT, new.summary, journalled, at
            )
        records = tuple(_transaction_record(row) for row in rows)
        told = await notices(
            connection,
            new.conversation,
            new.user_id,
            [(row.category, row.day) for row in fresh if row.type == "EXPENSE"],
        )
        return Saved(records, told)

    async def saved(self, batch: str) -> Mapping[int, int]:
        """Saved items of a batch: place on the card to the ticket of their commit."""
        wanted = select(transaction.c.place, transaction.c.ticket).where(transaction.c.batch == batch)
        return {row.place: row.ticket for row in await self._database.fetch_rows(wanted)}

    @Queries.writing
    async def change(
        self,
        connection: AsyncConnection,
        record_id: int,
        user_id: str,
        fields: TransactionChanges | None,
        summary: str,
        at: float,
        *,
        by: str | None = None,
    ) -> TransactionRecord | None:
        """Change a record of this member's, or take it out (`fields` None); None where they have no such one.

        Of a record taken out, what it was is returned. `by`: who does it, where it is another: theirs to
        take back.
        """
        own = (transaction.c.id == record_id) & (transaction.c.user_id == user_id)
        row = (await connection.execute(select(transaction).where(own))).one_or_none()
        if row is None:
            return None
        before = await changes.image(connection, transaction, record_id)
        if fields is None:
            await connection.execute(delete(transaction).where(own))
        else:
            changed = {**_transaction_values(fields), "updated_at": at}
            await connection.execute(update(transaction).where(own).values(**changed))
        after = await changes.image(connection, transaction, record_id)
        place = conversation_of(row)
        noted = [RowChange(transaction.name, record_id, before, after)]
        await changes.journal(connection, place, by or user_id, AGENT, summary, noted, at)
        if fields is None:
            return _transaction_record(row)
        return _transaction_record((await connection.execute(select(transaction).where(own))).one())

    async def recent(
        self, conversation: Conversation, user_id: str, limit: int, since: float = 0.0
    ) -> list[TransactionRecord]:
        """The member's last records made there since then (wall seconds), the last one first."""
        mine = within(transaction, conversation) & (transaction.c.user_id == user_id)
        wanted = (
            select(transaction)
            .where(mine, transaction.c.created_at >= since)
            .order_by(transaction.c.id.desc())
            .limit(min(limit, MOST))
        )
        return await self._select_records(wanted)

    async def list_records(self, span: BookSpan, limit: int = MOST) -> list[TransactionRecord]:
        """The records of a span, by day and id, the newest `limit` of them, oldest first."""
        newest = (
            select(transaction)
            .where(_span_condition(span))
            .order_by(transaction.c.day.desc(), transaction.c.id.desc())
            .limit(limit)
        )
        return (await self._select_records(newest))[::-1]

    async def list_page(
        self, span: BookSpan, *, limit: int, after: tuple[str, int] | None = None, seen_by: str | None = None
    ) -> list[TransactionRecord]:
        """The records of a span by day and id, from behind `after` (day, id) on; with `seen_by`
        what is shared, and that member's own."""
        condition = _span_condition(span)
        if seen_by is not None:
            condition &= transaction.c.shared | (transaction.c.user_id == seen_by)
        day, key = transaction.c.day, transaction.c.id
        if after is not None and span.newest:
            condition &= (day <= after[0]) & ((day < after[0]) | (key < after[1]))
        elif after is not None:
            condition &= (day >= after[0]) & ((day > after[0]) | (key > after[1]))
        order = (day.desc(), key.desc()) if span.newest else (day, key)
        return await self._select_records(select(transaction).where(condition).order_by(*order).limit(limit))

    async def get(self, record_id: int) -> TransactionRecord | None:
        """One record."""
        found = await self._select_records(select(transaction).where(transaction.c.id == record_id))
        return found[0] if found else None

    async def shares(self, conversation: Conversation) -> list[tuple[str, str, Sequence[Sequence[Any]]]]:
        """Recorder's id, recorder's name and shares of each divided transaction."""
        columns = (transaction.c.user_id, transaction.c.user_name, transaction.c.shares)
        wanted = select(*columns).where(within(transaction, conversation), transaction.c.shared)
        return [
            (row.user_id, row.user_name, row.shares)
            for row in await self._database.fetch_rows(wanted)
            if row.shares
        ]

    @Queries.reading
    async def sums(self, connection: AsyncConnection, span: BookSpan) -> list[CategorySum]:
        """The sums of a span by type and category, the largest first."""
        fen = func.sum(transaction.c.fen)
        wanted = (
            select(transaction.c.type, transaction.c.category, fen, func.count())
            .where(_span_condition(span))
            .group_by(transaction.c.type, transaction.c.category)
        )
        rows = (await connection.execute(wanted)).all()
        found = [CategorySum(row[0], row[1], int(row[2]), int(row[3])) for row in rows]
        return sorted(found, key=lambda each: (-each.fen, each.category))

    @Queries.reading
    async def converted(self, connection: AsyncConnection, span: BookSpan) -> tuple[int, int]:
        """How many records of a span were said in another currency, and their sum in fen."""
        where = _span_condition(span) & (transaction.c.foreign_sum != "")
        wanted = select(func.count(), func.coalesce(func.sum(transaction.c.fen), 0)).where(where)
        row = (await connection.execute(wanted)).one()
        return int(row[0]), int(row[1])

    async def days(self, span: BookSpan) -> list[tuple[str, str, int]]:
        """The sums of a span by day and type: (day, type, fen), by day."""
        wanted = (
            select(transaction.c.day, transaction.c.type, func.sum(transaction.c.fen).label("fen"))
            .where(_span_condition(span))
            .group_by(transaction.c.day, transaction.c.type)
            .order_by(transaction.c.day)
        )
        return [(row.day, row.type, int(row.fen)) for row in await self._database.fetch_rows(wanted)]

    async def split(self, conversation: Conversation) -> list[TransactionRecord]:
        """Every record of a conversation that is divided among members, oldest first."""
        wanted = (
            select(transaction)
            .where(within(transaction, conversation), transaction.c.shared)
            .order_by(transaction.c.id)
        )
        return [record for record in await self._select_records(wanted) if record.fields.shares]

    async def _select_records(self, wanted: Any) -> list[TransactionRecord]:
        return [_transaction_record(row) for row in await self._database.fetch_rows(wanted)]


def _span_condition(span: BookSpan) -> ColumnElement[bool]:
    condition = within(transaction, span.conversation)
    if span.user_id is not None:
        condition &= transaction.c.user_id == span.user_id
    elif not span.everything:
        condition &= transaction.c.shared
    if span.first is not None:
        condition &= transaction.c.day >= span.first
    if span.last is not None:
        condition &= transaction.c.day <= span.last
    if span.category is not None:
        condition &= transaction.c.category == span.category
    if span.type is not None:
        condition &= transaction.c.type == span.type
    if span.shared is not None:
        condition &= transaction.c.shared if span.shared else ~transaction.c.shared
    return condition


def _transaction_values(fields: TransactionChanges) -> dict[str, Any]:
    shares = [list(share) for share in fields.shares]
    return {**values_of(fields, transaction), "shares": shares, "foreign_sum": fields.foreign}


def _transaction_record(row: Row[Any]) -> TransactionRecord:
    shares = tuple(tuple(share) for share in row.shares)
    fields = record_of(TransactionChanges, row, shares=shares, foreign=row.foreign_sum)
    return record_of(TransactionRecord, row, fields=fields)
