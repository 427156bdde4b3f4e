"""Claims: a reply is claimed in the database before it is sent (product section 2, Once)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import ColumnElement, and_, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database, server_clock
from ..engine.writer import Writer
from ..records import Conversation, LedgerMessage
from ..rows import chunks, record_of, within
from .tables import claim as table
from .tables import ledger, storable


@dataclass(frozen=True, slots=True)
class _AnswerClaim:
    self_id: str
    message_ids: tuple[str, ...]
    token: str
    at: float
    reply: str | None


@dataclass(frozen=True, slots=True)
class UnsentReply:
    """A reply that was claimed, and of which nobody knows whether it was said. `message` is the one it was
    made for, `answers` every message that it answers."""

    message: LedgerMessage
    text: str
    answers: tuple[str, ...]


WAITS, TOLD_AGAIN = "", "?"
"""In place of the id of the message that was sent: the reply surely was not, and waits for a chance; it is
being told at one."""
_SENT = (
    update(table)
    .where(table.c.self_id == bindparam("its_self_id"), table.c.message_id == bindparam("its_message_id"))
    .values(sent_message_id=bindparam("its_answer"), reply=None)
)


async def _update_sent(connection: AsyncConnection, sent: Sequence[list[dict[str, str]]]) -> Sequence[None]:
    rows = sorted((row for rows in sent for row in rows), key=lambda row: tuple(row.values()))
    await connection.execute(_SENT, rows)
    return [None] * len(sent)


class Claims:
    """Reply claims. One claim per `(self_id, message_id)` over all processes, for good. When they were made
    is told by the database's clock where several processes share it."""

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        self._database = database
        self._writer = writer
        self._now = now

    async def claim(self, self_id: str, message_ids: Iterable[str], reply: str | None = None) -> set[str]:
        """Claim messages; those that are newly ours. The others were claimed before, by anybody.

        `reply` is what is about to be said: kept with the first of them until it is noted as `sent`.
        """
        asked = {storable(message_id): message_id for message_id in message_ids}
        if not asked:
            return set()
        # Ours are known by the token and not by what was inserted: when a transaction is run again
        # because the connection broke at its commit, what it claimed is still ours.
        claim = _AnswerClaim(self_id, tuple(asked), uuid4().hex, self._now(), reply)
        return {
            asked[message_id] for message_id in await self._writer.run_batched(self._insert_claims, claim)
        }

    async def _insert_claims(
        self, connection: AsyncConnection, claims: Sequence[_AnswerClaim]
    ) -> Sequence[set[str]]:
        rows = [
            {
                "self_id": one.self_id,
                "message_id": message_id,
                "token": one.token,
                "claimed_at": one.at,
                "reply": None if number else one.reply,
            }
            for one in claims
            for number, message_id in enumerate(one.message_ids)
        ]
        # Sorted, so that processes lock rows in one order; of two here, the one that came first is first.
        rows.sort(key=lambda row: (row["self_id"], row["message_id"]))
        adding = self._database.insert(table)
        if not self._database.alone:
            adding = adding.values(claimed_at=server_clock())
            rows = [{name: value for name, value in row.items() if name != "claimed_at"} for row in rows]
        await connection.execute(
            adding.on_conflict_do_nothing(index_elements=["self_id", "message_id"]), rows
        )
        ours: dict[str, set[str]] = {one.token: set() for one in claims}
        for chunk in chunks({message_id for one in claims for message_id in one.message_ids}):
            known = select(table.c.token, table.c.message_id).where(table.c.message_id.in_(chunk))
            for token, message_id in await connection.execute(known.where(table.c.token.in_(ours))):
                ours[token].add(message_id)
        return [ours[one.token] for one in claims]

    async def mark_sent(self, self_id: str, message_ids: Iterable[str], sent_message_id: str) -> None:
        """Store the id of the message that answered the claimed ones."""
        rows = [
            {"its_self_id": self_id, "its_message_id": message_id, "its_answer": sent_message_id}
            for message_id in sorted(message_ids)
        ]
        if rows:
            await self._writer.run_batched(_update_sent, rows)

    async def list_unsent(self, self_id: str, since: float, before: float) -> list[UnsentReply]:
        """Replies claimed from `since` to before `before` (wall seconds of this process) that are not known
        to be sent, in the order of their claims. What was processed or recalled since is not among them."""
        now = self._now()
        by = self._database.clock(now)
        cut_off = and_(
            table.c.claimed_at >= by - (now - since),
            table.c.claimed_at < by - (now - before),
            table.c.reply.is_not(None),
            table.c.sent_message_id.is_(None),
            ~ledger.c.processed,
        )
        return await self._list_replies(self_id, cut_off)

    async def _list_replies(self, self_id: str, which: ColumnElement[bool]) -> list[UnsentReply]:
        both = (ledger.c.self_id == table.c.self_id) & (ledger.c.message_id == table.c.message_id)
        wanted = (
            select(ledger, table.c.token, table.c.reply)
            .join(table, both)
            .where(table.c.self_id == self_id, which, ~ledger.c.recalled)
            .order_by(table.c.id)
        )

        async def select_unsent(connection: AsyncConnection) -> list[UnsentReply]:
            found = (await connection.execute(wanted)).all()
            answers: dict[str, list[str]] = {}
            for chunk in chunks({row.token for row in found}):
                joint = select(table.c.token, table.c.message_id).where(table.c.token.in_(chunk))
                for token, message_id in await connection.execute(joint.order_by(table.c.id)):
                    answers.setdefault(token, []).append(message_id)
            return [
                UnsentReply(record_of(LedgerMessage, row), row.reply, tuple(answers[row.token]))
                for row in found
            ]

        return await self._database.read(select_unsent)

    async def withhold(self, self_id: str, message_ids: Sequence[str], reply: str | None = None) -> bool:
        """Keep a claimed reply that surely was not sent, or this `reply` in its place, until there is a
        chance to say it; False where nothing is to be said of them."""
        kept = table.c.message_id.in_(list(message_ids)) & table.c.reply.is_not(None)
        if reply is not None:
            kept = table.c.message_id == message_ids[0]
        waiting = update(table).where(table.c.self_id == self_id, kept)
        values = {"sent_message_id": WAITS, **({} if reply is None else {"reply": reply})}
        return await self._writer.execute(waiting.values(**values)) > 0

    async def list_withheld(self, self_id: str, where: Conversation | None = None) -> list[UnsentReply]:
        """Replies that wait for a chance to be said, of an account or of one conversation, in the order of
        their claims; also those of which a former run was just telling."""
        waits = table.c.reply.is_not(None) & table.c.sent_message_id.in_((WAITS, TOLD_AGAIN))
        if where is not None:
            waits &= within(ledger, where)
        return await self._list_replies(self_id, waits)

    async def begin_withheld(self, waiting: UnsentReply) -> bool:
        """A withheld reply is told now: it is told twice at most, whatever happens to this process. False
        where somebody else told it."""
        beginning = update(table).where(_of(waiting), table.c.sent_message_id == WAITS)
        if await self._writer.execute(beginning.values(sent_message_id=TOLD_AGAIN)):
            return True
        return await self.take_unsent(waiting)

    async def take_unsent(self, unsaid: UnsentReply) -> bool:
        """Take a reply to say it once more: nobody finds it again. False where somebody took it before."""
        taking = update(table).where(_of(unsaid), table.c.reply.is_not(None)).values(reply=None)
        return await self._writer.execute(taking) > 0

    async def is_claimed(self, self_id: str, message_id: str) -> bool:
        """True when a message is claimed, by any process."""
        mine = (table.c.self_id == self_id) & (table.c.message_id == message_id)

        async def check_claim(connection: AsyncConnection) -> bool:
            return await connection.scalar(select(table.c.id).where(mine)) is not None

        return await self._database.read(check_claim)


def _of(unsaid: UnsentReply) -> ColumnElement[bool]:
    where = unsaid.message.conversation
    return (table.c.self_id == where.self_id) & (table.c.message_id == unsaid.message.message_id)
