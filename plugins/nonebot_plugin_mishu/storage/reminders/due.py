"""Due rows on their way out: claimed, sent, failed, recovered. Several processes may share the table.

A row waits, is claimed before it is sent, under a token never used before and for the time of a lease, and
ends as sent, done or dropped. A claim whose lease is over is one whose process died or hung: what it said
nobody knows, so the row waits once more and is marked; the second time it is closed. Where several processes
share the rows, leases are counted by the database's clock: one whose own is wrong neither takes a claim that
holds nor keeps one that is over. What recurs is followed by its next occurrence in the transaction that ends
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    null,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.change_notice import Noted, note
from ..engine.database import Database, server_clock
from ..engine.writer import Writer
from ..records import Conversation
from ..rows import CHUNK, conversation_of, within
from .chains import mend
from .records import APART, Backlog, Next, ReminderRecord
from .rows import HELD_BACK, add_row, following_values, recurring, reminder_record, reminder_records, ripe
from .tables import claimed, waiting
from .tables import reminder as table

LONGEST_LEASE = 3600.0
"""Seconds; a lease that ends later than that was given before a clock was set back."""

_PLACE = (table.c.self_id, table.c.kind, table.c.peer)


@dataclass(frozen=True, slots=True)
class _ReminderClaim:
    ids: Sequence[int]
    token: str
    now: float
    lease: float


@dataclass(frozen=True, slots=True)
class _Close:
    token: str
    message_id: str | None
    at: float
    following: Next
    ids: Collection[int]
    count: int | None
    recurs: bool


class DueRows:
    """Queries of the reminder service over due rows."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    @property
    def alone(self) -> bool:
        """True when no other process shares the rows: a SQLite file has one."""
        return self._database.insert is sqlite_insert

    async def backlog(self, now: float) -> list[Backlog]:
        """Conversations with due rows at `now`, the longest waiting first."""
        first = func.min(table.c.due_at)
        digests = func.sum(case((table.c.agent_code.in_(APART), 1), else_=0)).label("digests")
        heads = select(*_PLACE, func.count().label("rows"), first.label("first"), digests).where(ripe(now))

        async def select_backlog(connection: AsyncConnection) -> list[Backlog]:
            rows = (await connection.execute(heads.group_by(*_PLACE).order_by(first))).all()
            return [Backlog(conversation_of(row), row.rows, row.first, row.digests) for row in rows]

        return await self._database.read(select_backlog)

    async def due(
        self, conversation: Conversation, now: float, limit: int, *, only_digests: bool = False
    ) -> list[ReminderRecord]:
        """The first `limit` rows to be sent to a conversation, in the order they are due."""
        mine = select(table).where(within(table, conversation), ripe(now))
        if only_digests:
            mine = mine.where(table.c.agent_code.in_(APART))

        async def select_due_rows(connection: AsyncConnection) -> list[ReminderRecord]:
            rows = await connection.execute(mine.order_by(table.c.due_at, table.c.id).limit(limit))
            return reminder_records(rows)

        return await self._database.read(select_due_rows)

    async def due_in(
        self, conversations: Collection[Conversation], now: float, limit: int
    ) -> dict[Conversation, list[ReminderRecord]]:
        """As `due`, for several conversations at once: a read costs as much for one as for a hundred."""
        places = [(each.self_id, each.kind, each.peer) for each in conversations]
        number = func.row_number().over(partition_by=_PLACE, order_by=(table.c.due_at, table.c.id))
        numbered = select(table.c.id, number.label("number")).where(ripe(now), tuple_(*_PLACE).in_(places))
        inner = numbered.subquery()
        firsts = select(table).join(inner, inner.c.id == table.c.id).where(inner.c.number <= limit)

        async def select_due_rows(connection: AsyncConnection) -> list[ReminderRecord]:
            rows = await connection.execute(firsts.order_by(table.c.due_at, table.c.id))
            return reminder_records(rows)

        found: dict[Conversation, list[ReminderRecord]] = {each: [] for each in conversations}
        for record in await self._database.read(select_due_rows):
            found[record.conversation].append(record)
        return found

    async def next_due(self, now: float) -> float | None:
        """Due time of the next row after `now`; None where nothing waits."""
        coming = select(func.min(table.c.due_at)).where(waiting, table.c.due_at > now)
        held = select(func.min(table.c.not_before)).where(waiting, table.c.due_at <= now)

        async def select_next_due(connection: AsyncConnection) -> float | None:
            times = [
                await connection.scalar(coming),
                await connection.scalar(held.where(table.c.not_before > now)),
            ]
            return min((each for each in times if each is not None), default=None)

        return await self._database.read(select_next_due)

    async def claim(self, ids: Iterable[int], token: str, now: float, lease: float) -> list[ReminderRecord]:
        """Claim waiting rows for `lease` seconds; those that are ours now, in order.

        The others were claimed by somebody else, or have ended.
        """
        return await self._writer.run_batched(_claim_all, _ReminderClaim(sorted(ids), token, now, lease))

    async def gather(
        self, conversation: Conversation, due_by: float, token: str, now: float, lease: float, limit: int
    ) -> tuple[list[ReminderRecord], int]:
        """Claim all rows of a conversation that were due by then: the first `limit`, and how many in all.

        What is `APART` is no part of another message.
        """
        mine = within(table, conversation) & ripe(now) & table.c.agent_code.not_in(APART)
        free = select(table.c.id).where(mine, table.c.due_at <= due_by)
        taking = _build_claim(free, token, self._database.clock(now) + lease)
        ours = claimed & (table.c.owner == token)
        first = select(table).where(ours).order_by(table.c.due_at, table.c.id).limit(limit)
        counting = select(func.count()).where(ours)

        async def claim_overdue(connection: AsyncConnection) -> tuple[list[ReminderRecord], int]:
            await connection.execute(taking)
            count = int(await connection.scalar(counting) or 0)
            return reminder_records(await connection.execute(first)), count

        return await self._writer.run(claim_overdue)

    async def sent(
        self,
        token: str,
        message_id: str | None,
        at: float,
        following: Next,
        ids: Collection[int] = (),
        *,
        count: int | None = None,
        recurs: bool = True,
    ) -> None:
        """Close the rows claimed under a token as sent in a message; None where there was nothing to say.

        `ids` are those it named: where one was dropped meanwhile, which message it was is kept all the same.
        A second call changes nothing. What the caller knows saves statements: `count`, how many rows were
        claimed, and that none of them `recurs`.
        """

        closing = _Close(token, message_id, at, following, ids, count, recurs)
        await self._writer.run_batched(_close_all, closing)

    async def unclear(self, token: str, at: float, not_before: float, trouble: str, following: Next) -> int:
        """Record an unclear send of the rows claimed under a token; the number of closed rows.

        The first time a row waits again, until `not_before`; the second time it is closed as sent.
        """

        async def mark_unclear(connection: AsyncConnection) -> int:
            mine = claimed & (table.c.owner == token)
            return await _requeue_unclear(connection, mine, at, not_before, trouble, following)

        return await self._writer.run(mark_unclear)

    async def failed(
        self, token: str, at: float, not_before: float, trouble: str, following: Next, *, most: int
    ) -> int:
        """Record a failed send of the rows claimed under a token; the number of rows given up (dropped).

        A row is given up at its failure number `most`; else it waits until `not_before`.
        """

        async def mark_failed(connection: AsyncConnection) -> int:
            mine = claimed & (table.c.owner == token)
            over = mine & (table.c.failures >= most - 1)
            await _insert_following(connection, over, at, following)
            values: dict[str, Any] = {
                "failures": table.c.failures + 1,
                "trouble": trouble,
                "lease_until": None,
            }
            ending = update(table).where(over).values(state="dropped", closed_at=at, **values)
            given_up = (await connection.execute(ending)).rowcount
            again = update(table).where(mine)
            await connection.execute(
                again.values(state="waiting", owner=None, not_before=not_before, **values)
            )
            return given_up

        return await self._writer.run(mark_failed)

    async def hold_back(self, where: Conversation, now: float, why: str, token: str | None = None) -> int:
        """Mark what is due in a conversation where nothing may be said unasked, with the reason, and release
        the rows claimed under `token`; the number of marked rows. They stay due."""
        due = within(table, where) & waiting & (table.c.due_at <= now)
        marking = update(table).where(due).values(trouble=HELD_BACK + why)

        async def mark_held_back(connection: AsyncConnection) -> int:
            if token is not None:
                mine = claimed & (table.c.owner == token)
                await connection.execute(
                    update(table).where(mine).values(state="waiting", owner=None, lease_until=None)
                )
            return (await connection.execute(marking)).rowcount

        return await self._writer.run(mark_held_back)

    async def defer(self, row_id: int, until: float) -> None:
        """Have a waiting row due later; what it recurs by stays."""
        mine = (table.c.id == row_id) & waiting
        await self._writer.execute(update(table).where(mine).values(due_at=until))

    async def release(self, token: str) -> None:
        """Release the rows claimed under a token, which were not tried."""
        mine = claimed & (table.c.owner == token)
        freeing = update(table).where(mine).values(state="waiting", owner=None, lease_until=None)
        await self._writer.execute(freeing)

    async def recover(
        self, now: float, ours: Collection[str], following: Next, *, everything: bool = False
    ) -> int:
        """Re-queue expired claims as unclear; the number of rows. `ours`: tokens still in use.

        `everything`: whatever their lease says, for a process that has just started and is alone.
        """
        by = self._database.clock(now)
        over = or_(table.c.lease_until <= by, table.c.lease_until > by + LONGEST_LEASE)
        if everything:
            over = true()
        dead = select(table.c.id).where(claimed, over, table.c.owner.not_in(sorted(ours)))

        async def has_expired_claims(connection: AsyncConnection) -> bool:
            return await connection.scalar(dead.limit(1)) is not None

        async def requeue_expired(connection: AsyncConnection) -> int:
            # Fixed first: several statements follow, and another process may recover at the same moment.
            ids = list(await connection.scalars(dead.limit(500).with_for_update(skip_locked=True)))
            mine = claimed & table.c.id.in_(ids)
            await _requeue_unclear(connection, mine, now, 0.0, "发送时进程中断", following)
            return len(ids)

        total = 0
        while await self._database.read(has_expired_claims) and (
            found := await self._writer.run(requeue_expired)
        ):
            total += found
        return total

    async def closed_after(self, moment: float) -> list[int]:
        """Ids of rows closed as sent after a moment in the future, by a clock that was ahead."""
        ahead = select(table.c.id).where(table.c.state == "sent", table.c.closed_at > moment)

        async def select_closed_ids(connection: AsyncConnection) -> list[int]:
            return list(await connection.scalars(ahead.order_by(table.c.id)))

        return await self._database.read(select_closed_ids)

    async def mend(self, ids: Collection[int], now: float, following: Next) -> tuple[int, int]:
        """Undo what a clock that was ahead did to rows `closed_after` found: how many rows are to come again,
        and how many could not be looked at, since something of theirs is being sent."""

        async def mend_chains(connection: AsyncConnection) -> tuple[int, int]:
            return await mend(connection, ids, now, following)

        return await self._writer.run(mend_chains)

    async def prune(self, before: float) -> int:
        """Delete what has ended before then, and was due; how many rows."""
        ended = and_(table.c.due_at < before, func.coalesce(table.c.closed_at, 0.0) < before)
        old = select(table.c.id).where(ended, ~or_(waiting, claimed)).limit(CHUNK)

        async def delete_ended(connection: AsyncConnection) -> int:
            return (await connection.execute(delete(table).where(table.c.id.in_(old)))).rowcount

        total = 0
        while deleted := await self._writer.run(delete_ended):
            total += deleted
        return total


_OURS = claimed & (table.c.owner == bindparam("token"))
_CLAIMED_BY = update(table).where(
    # Or ours already: a transaction is run again where nobody knows whether its commit came through.
    table.c.id.in_(
        select(table.c.id)
        .where(table.c.id == bindparam("row"), or_(waiting, _OURS))
        .with_for_update(skip_locked=True)
    )
)
_LEASE = bindparam("lease", type_=table.c.lease_until.type)
_CLAIMING = _CLAIMED_BY.values(state="claimed", owner=bindparam("token"))
_CLAIMING_ALONE = _CLAIMING.values(lease_until=bindparam("by", type_=table.c.lease_until.type) + _LEASE)
_CLAIMING_SHARED = _CLAIMING.values(lease_until=server_clock() + _LEASE)
_CLOSING = (
    update(table)
    .where(_OURS)
    .values(
        state="sent",
        closed_at=bindparam("at", type_=table.c.closed_at.type),
        message_id=bindparam("said", type_=table.c.message_id.type),
        lease_until=null(),
    )
)


async def _claim_all(
    connection: AsyncConnection, claims: Sequence[_ReminderClaim]
) -> Sequence[list[ReminderRecord]]:
    """Claims of several, in two statements: which rows each has now."""
    alone = connection.dialect.name == "sqlite"
    rows = [
        {"row": row, "token": each.token, "lease": each.lease, **({"by": each.now} if alone else {})}
        for each in claims
        for row in each.ids
    ]
    if rows:
        await connection.execute(_CLAIMING_ALONE if alone else _CLAIMING_SHARED, rows)
    mine = claimed & table.c.owner.in_([each.token for each in claims])
    asked = {each.token: frozenset(each.ids) for each in claims}
    found: dict[str, list[ReminderRecord]] = {each.token: [] for each in claims}
    taken = await connection.execute(select(table).where(mine).order_by(table.c.due_at, table.c.id))
    for row in taken:
        if row.id in asked[row.owner]:
            found[row.owner].append(reminder_record(row))
    return [found[each.token] for each in claims]


async def _close_all(connection: AsyncConnection, closings: Sequence[_Close]) -> Sequence[None]:
    """Close what several messages said, in two statements where nothing recurs."""
    by = {each.token: each for each in closings}
    mine = claimed & table.c.owner.in_(list(by))
    going = select(table.c.id, *_PLACE, table.c.owner).where(mine).with_for_update()
    counts = dict.fromkeys(by, 0)
    for row in await connection.execute(going):
        counts[row.owner] += 1
        note(connection, Noted(conversation_of(row), table.name, row.id, "changed"))
    for each in closings:
        if each.recurs and counts[each.token]:
            await _insert_following(
                connection, claimed & (table.c.owner == each.token), each.at, each.following
            )
    said = [{"token": each.token, "at": each.at, "said": each.message_id} for each in closings]
    await connection.execute(_CLOSING, said)
    for each in closings:
        if counts[each.token] == each.count:
            continue
        dropped = table.c.id.in_(sorted(each.ids)) & (table.c.owner == each.token)
        late = update(table).where(dropped, table.c.state == "dropped", table.c.message_id.is_(None))
        await connection.execute(late.values(message_id=each.message_id))
    return [None] * len(closings)


def _build_claim(free: Select[int], token: str, until: ColumnElement[float]) -> Update:
    taking = update(table).where(table.c.id.in_(free.with_for_update(skip_locked=True)))
    return taking.values(state="claimed", owner=token, lease_until=until)


async def _requeue_unclear(
    connection: AsyncConnection,
    mine: ColumnElement[bool],
    at: float,
    not_before: float,
    trouble: str,
    following: Next,
) -> int:
    over = mine & (table.c.unclear >= 1)
    await _insert_following(connection, over, at, following)
    values: dict[str, Any] = {"unclear": table.c.unclear + 1, "trouble": trouble, "lease_until": None}
    ending = update(table).where(over).values(state="sent", closed_at=at, **values)
    closed = (await connection.execute(ending)).rowcount
    again = update(table).where(mine)
    await connection.execute(again.values(state="waiting", owner=None, not_before=not_before, **values))
    return closed


async def _insert_following(
    connection: AsyncConnection, ending: ColumnElement[bool], at: float, following: Next
) -> None:
    for record in reminder_records(await connection.execute(select(table).where(ending, recurring))):
        if (after := following(record, at)) is not None:
            await add_row(connection, following_values(record, after))
