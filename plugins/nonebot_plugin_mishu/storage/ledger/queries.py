"""The ledger on disk (product section 1): every message heard, unique by `(self_id, message_id)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, delete, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.queries import Queries
from ..engine.queue import Queue
from ..engine.writer import Writer
from ..memory.recalled import forget_recalled
from ..record.tables import span_digest
from ..records import Conversation, LedgerMessage
from ..rows import chunks, record_of, within
from .search import LedgerSearch, holds_all, look_up
from .tables import claim, storable
from .tables import ledger as table
from .word_index import drop_words, index_older


class _Marking:
    """The kind of job that gives messages these values."""

    def __init__(self, **values: Any) -> None:
        self.values = values

    async def __call__(
        self, connection: AsyncConnection, asked: Sequence[tuple[Conversation, list[str]]]
    ) -> Sequence[None]:
        wanted = [(conversation, message_id) for conversation, ids in asked for message_id in ids]
        await mark(connection, wanted, **self.values)
        if self.values.get("recalled"):
            await _forget_recalled(connection, wanted)
        return [None] * len(asked)


_PROCESSED, _ADDRESSED, _RECALLED = (
    _Marking(processed=True),
    _Marking(addressed=True, processed=False),
    _Marking(recalled=True),
)


class Ledger(Queries):
    """Messages of all conversations. Order is `(time, receipt)`. What is queued is always seen too."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database, writer)
        self.appended: Counter[str] = Counter()
        """Messages handed in, by who spoke: `member`, `bot`."""

    def append(self, message: LedgerMessage) -> None:
        """Queue a message; never blocks, never raises for trouble of the database.

        On disk after `writer.DELAY` and one commit. One whose `(self_id, message_id)` is known is ignored.
        While nothing can be written the newest `queue.QUEUE_ROWS` stay queued.
        """
        self.appended["bot" if message.is_bot else "member"] += 1
        self._writer.add(message)

    def withdraw(self, which: Callable[[LedgerMessage], bool]) -> list[LedgerMessage]:
        """Take messages back that wait to be written; what was taken back."""
        return self._writer.queue.withdraw(which)

    async def flush(self) -> None:
        """Return once everything queued before this call is on disk."""
        await self._writer.flush()

    async def exists(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """The subset of `message_ids` that is in the ledger."""
        asked = set(message_ids)
        known = {storable(message_id): message_id for message_id in asked}

        async def select_known_ids(connection: AsyncConnection) -> set[str]:
            found: set[str] = set()
            for chunk in chunks(known):
                mine = (table.c.self_id == self_id) & table.c.message_id.in_(chunk)
                found.update(await connection.scalars(select(table.c.message_id).where(mine)))
            return found

        on_disk = await self._writer.read_settled(select_known_ids) if known else set[str]()
        queued = {m.message_id for m in self._writer.queue.messages if m.conversation.self_id == self_id}
        return {known[message_id] for message_id in on_disk} | (asked & queued)

    async def load(self, conversation: Conversation, limit: int) -> list[LedgerMessage]:
        """The newest `limit` messages, oldest first."""
        newest = _select_in(conversation).order_by(table.c.time.desc(), table.c.receipt.desc()).limit(limit)
        seen = await self._read_messages(newest, lambda m: m.conversation == conversation)
        return seen[-limit:] if limit > 0 else []

    async def list_page(
        self, conversation: Conversation, limit: int, after: str | None = None
    ) -> list[LedgerMessage]:
        """The first `limit` messages behind `after`, oldest first; without `after` the newest `limit`.

        An `after` that the conversation does not know gives an empty list.
        """
        if after is None:
            return await self.load(conversation, limit)
        found = await self._read_messages(
            _select_in(conversation, table.c.message_id == after),
            lambda m: m.conversation == conversation and m.message_id == after,
        )
        if not found:
            return []
        place = found[0].order
        later = _select_in(conversation, tuple_(table.c.time, table.c.receipt) > tuple_(*place))
        later = later.order_by(table.c.time, table.c.receipt).limit(limit)
        return (
            await self._read_messages(later, lambda m: m.conversation == conversation and m.order > place)
        )[:limit]

    async def mark_processed(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as processed; on disk when this returns."""
        await self._mark(_PROCESSED, conversation, message_ids)

    async def mark_addressed(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as having to be answered, whoever looked at them; on disk when this returns."""
        await self._mark(_ADDRESSED, conversation, message_ids)

    def owe(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as having to be answered where they still wait to be written; never blocks.

        What is on disk already is left as it is: it may be an older message with the same id.
        """
        mark_queued(self._writer.queue, conversation, message_ids, addressed=True)
        self._writer.hasten()

    async def mark_tried(self, message: LedgerMessage) -> None:
        """Note that a message is taken up once more; on disk when this returns."""
        await self._mark(_Marking(tries=message.tries + 1), message.conversation, [message.message_id])

    async def mark_recalled(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as recalled; on disk when this returns."""
        await self._mark(_RECALLED, conversation, message_ids)

    async def set_sender(self, message: LedgerMessage) -> None:
        """Store name and role of a message's sender; on disk when this returns."""
        await self._mark(
            _Marking(name=message.name, role=message.role), message.conversation, [message.message_id]
        )

    async def set_captions(
        self, conversation: Conversation, message_id: str, captions: Sequence[str]
    ) -> None:
        """Store the descriptions of a message's pictures; on disk when this returns."""
        await self._mark(_Marking(captions=list(captions)), conversation, [message_id])

    async def pending(self, self_id: str, since: float) -> list[LedgerMessage]:
        """Addressed messages not processed, recalled or claimed, of `since` (seconds) or later, in order."""
        mine = (claim.c.self_id == table.c.self_id) & (claim.c.message_id == table.c.message_id)
        waiting = select(table).where(
            table.c.self_id == self_id,
            table.c.addressed,
            ~table.c.processed,
            ~table.c.recalled,
            table.c.time >= since,
            ~select(claim.c.id).where(mine).exists(),
        )
        # Claims are looked for on disk, so the messages have to be there too.
        await self.flush()
        return await self._read_messages(waiting, lambda _: False)

    @Queries.reading
    async def heard_between(
        self, connection: AsyncConnection, self_id: str, since: float, until: float
    ) -> bool:
        """True when an account has messages from `since` to before `until` (seconds); on disk only."""
        any_of = select(table.c.id).where(
            table.c.self_id == self_id, table.c.time >= since, table.c.time < until
        )
        return (await connection.scalar(any_of.limit(1))) is not None

    async def waiting(self, since: float) -> list[LedgerMessage]:
        """As `pending`, of all accounts, claimed ones too; on disk only."""
        left = select(table).where(table.c.addressed, ~table.c.processed, table.c.time >= since)
        return await self._read_messages(left, lambda _: False)

    async def expire_pending(self, self_id: str, before: float) -> int:
        """Mark addressed, unprocessed messages older than `before` (seconds) processed; how many."""
        old = (table.c.self_id == self_id) & table.c.addressed & ~table.c.processed & (table.c.time < before)
        return await self._writer.execute(update(table).where(old).values(processed=True))

    async def of_member(self, conversation: Conversation, user_id: str) -> list[LedgerMessage]:
        """Everything a member said here, oldest first (product section 11)."""
        return await self._read_messages(
            _select_in(conversation, table.c.user_id == user_id),
            lambda m: m.conversation == conversation and m.user_id == user_id,
        )

    async def between(
        self, conversation: Conversation, since: float, until: float, limit: int
    ) -> list[LedgerMessage]:
        """The newest `limit` messages from `since` to before `until`, oldest first, without recalled ones."""
        newest = _select_in(conversation, table.c.time >= since, table.c.time < until, ~table.c.recalled)
        newest = newest.order_by(table.c.time.desc(), table.c.receipt.desc()).limit(limit)
        found = await self._read_messages(
            newest, lambda m: m.conversation == conversation and since <= m.time < until and not m.recalled
        )
        return found[-limit:] if limit > 0 else []

    async def of_ids(self, conversation: Conversation, message_ids: Sequence[str]) -> list[LedgerMessage]:
        """Messages by their ids, oldest first, without recalled ones."""
        wanted = frozenset(message_ids)
        return await self._read_messages(
            _select_in(conversation, table.c.message_id.in_(wanted), ~table.c.recalled),
            lambda m: m.conversation == conversation and m.message_id in wanted and not m.recalled,
        )

    async def last_said(self, conversation: Conversation, user_id: str, before: float) -> float | None:
        """Time of a member's last message here before that moment; None where nothing is known."""
        newest = _select_in(conversation, table.c.user_id == user_id, table.c.time < before)
        found = await self._read_messages(
            newest.order_by(table.c.time.desc(), table.c.receipt.desc()).limit(1),
            lambda m: m.conversation == conversation and m.user_id == user_id and m.time < before,
        )
        return found[-1].time if found else None

    async def find(self, conversation: Conversation, message_id: str) -> LedgerMessage | None:
        """One message, if it was not recalled."""
        found = await self._read_messages(
            _select_in(conversation, table.c.message_id == message_id, ~table.c.recalled),
            lambda m: m.conversation == conversation and m.message_id == message_id and not m.recalled,
        )
        return found[-1] if found else None

    async def containing(
        self,
        conversation: Conversation,
        words: Sequence[str],
        *,
        user_id: str | None,
        since: float,
        until: float,
        limit: int,
    ) -> list[LedgerMessage]:
        """The newest messages of members that hold all of these words, newest first, without recalled ones.

        Read in one form (`language.text.fold`), letters without case. Found by the index (`ledger_search`).
        """

        wanted = LedgerSearch(conversation, tuple(words), user_id, since, until)

        def matches_search(message: LedgerMessage) -> bool:
            return wanted.takes(message) and holds_all(message.text, words)

        queued = [message for message in self._writer.queue.messages if matches_search(message)]
        found = await self._database.read(lambda connection: look_up(connection, wanted, limit))
        queued += [message for message in self._writer.queue.messages if matches_search(message)]
        seen = {message.message_id: message for message in [*queued, *found]}
        return sorted(seen.values(), key=lambda message: message.order, reverse=True)[:limit]

    async def index_older(self, most: int) -> int:
        """Index the newest `most` rows that the search index does not have yet; how many there were."""
        return await self._writer.run(lambda connection: index_older(connection, most))

    async def _mark(self, marking: _Marking, conversation: Conversation, message_ids: Iterable[str]) -> None:
        ids = list(message_ids)
        mark_queued(self._writer.queue, conversation, ids, **marking.values)
        if ids:
            await self._writer.run_batched(marking, (conversation, ids))

    async def _read_messages(
        self, statement: Select[Any], wanted: Callable[[LedgerMessage], bool]
    ) -> list[LedgerMessage]:
        """Messages of the statement on disk and wanted messages of the queue, in order, each once.

        The queue is looked at before and after: a row that leaves it meanwhile may be too late for the disk's
        answer. Reading again until nothing moved would never end while much is said.
        """
        queued = [message for message in self._writer.queue.messages if wanted(message)]

        async def select_messages(connection: AsyncConnection) -> list[LedgerMessage]:
            return [record_of(LedgerMessage, row) for row in await connection.execute(statement)]

        seen = {message.message_id: message for message in await self._database.read(select_messages)}
        queued[:0] = [message for message in self._writer.queue.messages if wanted(message)]
        for message in queued:
            seen.setdefault(message.message_id, message)
        return sorted(seen.values(), key=lambda message: message.order)


def mark_queued(queue: Queue, conversation: Conversation, message_ids: Iterable[str], **values: Any) -> None:
    """Give messages these values where they still wait to be written."""
    queue.change(conversation.self_id, message_ids, lambda message: replace(message, **values))


_MARKED = (
    (table.c.self_id == bindparam("its_self_id"))
    & (table.c.kind == bindparam("its_kind"))
    & (table.c.peer == bindparam("its_peer"))
    & (table.c.message_id == bindparam("its_message_id"))
)


async def mark(
    connection: AsyncConnection, messages: Iterable[tuple[Conversation, str]], **values: Any
) -> None:
    """Give messages these values on disk. In sorted order: processes then lock rows in one order."""
    rows = [
        {
            "its_self_id": conversation.self_id,
            "its_kind": conversation.kind,
            "its_peer": conversation.peer,
            "its_message_id": message_id,
        }
        for conversation, message_id in messages
    ]
    if rows:
        rows.sort(key=lambda row: tuple(row.values()))
        await connection.execute(update(table).where(_MARKED).values(**values), rows)


def _select_in(conversation: Conversation, *also: ColumnElement[bool]) -> Select[Any]:
    return select(table).where(within(table, conversation), *also)


async def _forget_recalled(connection: AsyncConnection, messages: Iterable[tuple[Conversation, str]]) -> None:
    """Remove recalled messages from the search index and from memory, and delete digests of their spans."""
    for conversation, message_id in messages:
        row = (await connection.execute(_select_in(conversation, table.c.message_id == message_id))).first()
        if row is not None:
            await drop_words(connection, [row.id])
            await forget_recalled(connection, conversation, row)
            over = (span_digest.c.since <= row.time) & (span_digest.c.until >= row.time)
            await connection.execute(delete(span_digest).where(within(span_digest, conversation), over))
