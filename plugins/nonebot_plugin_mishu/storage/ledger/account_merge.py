"""Groups as they were kept before they had a home: under each of our accounts that heard them, joined into
one.

Every table that says where a row belongs is known by its columns. What cannot stand twice (a setting, a
word, a budget) stays as the home has it. A line that both accounts wrote down stays once; where two lines
have one id, which each account counts for itself, the other account's gets its account before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Table, UniqueConstraint, and_, delete, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..duty.queries import Post
from ..duty.tables import duty
from ..engine.columns import metadata
from ..engine.database import Database
from ..engine.writer import Writer
from ..groups.queries import Groups
from ..rows import CHUNK
from .tables import ledger
from .word_index import drop_words

_PLACE: Final = ("self_id", "kind", "peer")
_LOCK: Final = 0x6D69736A
NO_ACCOUNT: Final = "http"
"""Account of groups that are known over HTTP only; never a home."""


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """One group that was kept under several accounts: its rows before and after, and those that stood
    twice."""

    peer: str
    home: str
    accounts: Sequence[str]
    before: int
    after: int
    dropped: int


async def merge_accounts(database: Database, writer: Writer) -> list[MergeCounts]:
    """Give every group that left anything a home, and join what it has elsewhere; what was joined."""
    accounts: dict[str, set[str]] = {}
    for place in await Groups(database, writer).all():
        if place.self_id != NO_ACCOUNT:
            accounts.setdefault(place.peer, set()).add(place.self_id)

    async def select_homes(connection: AsyncConnection) -> dict[str, str]:
        return {row.peer: row.home for row in await connection.execute(select(duty.c.peer, duty.c.home))}

    homes = await database.read(select_homes)
    new = {peer: known for peer, known in accounts.items() if peer not in homes}
    alone = [Post(peer, min(known), min(known), "") for peer, known in new.items() if len(known) == 1]
    for start in range(0, len(alone), CHUNK):
        part = alone[start : start + CHUNK]
        await writer.run(lambda connection, part=part: _insert_posts(connection, database, part))
    several = [peer for peer, known in accounts.items() if known - {homes.get(peer)} and len(known) > 1]
    several += [
        peer for peer, known in accounts.items() if len(known) == 1 and homes.get(peer, *known) not in known
    ]
    return [
        await writer.run(
            lambda connection, peer=peer: _join_group(
                connection, database, peer, homes.get(peer), accounts[peer]
            )
        )
        for peer in sorted(set(several))
    ]


async def _insert_posts(connection: AsyncConnection, database: Database, posts: Sequence[Post]) -> None:
    adding = database.insert(duty).on_conflict_do_nothing(index_elements=["kind", "peer"])
    rows = [
        {
            "kind": "group",
            "peer": one.peer,
            "home": one.home,
            "account": one.account,
            "process": "",
            "epoch": 0,
        }
        for one in posts
    ]
    await connection.execute(adding, rows)


async def _join_group(
    connection: AsyncConnection, database: Database, peer: str, home: str | None, accounts: set[str]
) -> MergeCounts:
    """Everything of a group under its home: where it has none yet, the account that heard the most."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))  # processes that start together
    if home is None:
        heard = select(ledger.c.self_id, func.count().label("lines"))
        heard = heard.where(ledger.c.kind == "group", ledger.c.peer == peer).group_by(ledger.c.self_id)
        lines = {row.self_id: row.lines for row in await connection.execute(heard)}
        home = max(sorted(accounts), key=lambda account: lines.get(account, 0))
        await _insert_posts(connection, database, [Post(peer, home, home, "")])
    others = sorted(accounts - {home})
    before = await _count_rows(connection, peer, [home, *others])
    dropped = 0
    for account in others:
        dropped += await _drop_duplicates(connection, peer, home, account)
        for table in _conversation_tables():
            dropped += await _drop_known(connection, table, peer, home, account)
            mine = _group_condition(table, account, peer)
            await connection.execute(update(table).where(mine).values(self_id=home))
    return MergeCounts(peer, home, others, before, await _count_rows(connection, peer, [home]), dropped)


def _conversation_tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if all(name in table.c for name in _PLACE)]


def _group_condition(table: Table, account: str, peer: str) -> ColumnElement[bool]:
    return and_(table.c.self_id == account, table.c.kind == "group", table.c.peer == peer)


async def _count_rows(connection: AsyncConnection, peer: str, accounts: Sequence[str]) -> int:
    total = 0
    for table in _conversation_tables():
        here = and_(table.c.self_id.in_(accounts), table.c.kind == "group", table.c.peer == peer)
        total += await connection.scalar(select(func.count()).select_from(table).where(here)) or 0
    return total


async def _drop_duplicates(connection: AsyncConnection, peer: str, home: str, account: str) -> int:
    """Lines that both accounts wrote down stay once; ids that both have become different."""
    kept = ledger.alias("kept")
    same = and_(
        kept.c.self_id == home,
        kept.c.kind == "group",
        kept.c.peer == peer,
        kept.c.user_id == ledger.c.user_id,
        kept.c.time == ledger.c.time,
        kept.c.text == ledger.c.text,
    )
    mine = _group_condition(ledger, account, peer)
    twins = select(ledger.c.id).where(mine, ~ledger.c.is_bot, select(kept.c.id).where(same).exists())
    ids = list(await connection.scalars(twins))
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        await drop_words(connection, part)
        await connection.execute(delete(ledger).where(ledger.c.id.in_(part)))
    taken = select(kept.c.id).where(kept.c.self_id == home, kept.c.message_id == ledger.c.message_id)
    renamed = literal(f"{account}:") + ledger.c.message_id
    await connection.execute(update(ledger).where(mine, taken.exists()).values(message_id=renamed))
    return len(ids)


async def _drop_known(connection: AsyncConnection, table: Table, peer: str, home: str, account: str) -> int:
    """Rows that the home has already, where there can be only one."""
    dropped = 0
    for rule in table.constraints:
        names = [column.name for column in rule.columns] if isinstance(rule, UniqueConstraint) else []
        if not set(_PLACE) <= set(names):
            continue
        kept = table.alias("kept")
        rest = [kept.c[name] == table.c[name] for name in names if name not in _PLACE]
        there = and_(kept.c.self_id == home, kept.c.kind == "group", kept.c.peer == peer, *rest)
        doubled = _group_condition(table, account, peer) & select(kept.c.id).where(there).exists()
        dropped += (await connection.execute(delete(table).where(doubled))).rowcount
    return dropped
