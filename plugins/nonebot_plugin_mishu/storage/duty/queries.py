"""Duty of groups (answering account and process), and leases of processes (docs/scale.md).

A group's rows are kept under one account, its home, whichever of ours heard it. On PostgreSQL a process has
a row with a lease, by the database's clock; it has the duty of a group while that row is there. Whoever
takes over deletes the row first: a transaction of a process that was paused holds the row (`KEY SHARE`) and
is waited for, or finds it gone and fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, delete, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import SERVER_CLOCK, Database
from ..engine.errors import DutyLost
from ..engine.writer import Writer
from ..rows import CHUNK
from .inbox import Inbox
from .tables import duty, process

_HELD: Final = text("SELECT 1 FROM mishu_process WHERE name = :name FOR KEY SHARE")
_BURY: Final = text(f"DELETE FROM mishu_process WHERE expires_at < {SERVER_CLOCK} AND name <> :name")


@dataclass(frozen=True, slots=True)
class Post:
    """Duty of one group: home account of its rows, account and process on duty; no `process`: nobody."""

    peer: str
    home: str
    account: str
    process: str
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Watch:
    """Accounts of the live processes, and groups without a process."""

    processes: dict[str, list[str]]
    free: list[Post]


class Lease:
    """A process's right to write. Every transaction of its writer asks for it."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def check(self, connection: AsyncConnection) -> None:
        """Hold the process's row until the transaction ends. Raises `DutyLost` where it is gone."""
        if await connection.scalar(_HELD, {"name": self.name}) is None:
            raise DutyLost


class DutyRows:
    """Rows of duty and process leases. On SQLite, with one process, only the home accounts are stored."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self.inbox = Inbox(database)

    @property
    def alone(self) -> bool:
        """True when no other process shares the database."""
        return self._database.alone

    async def all(self) -> list[Post]:
        """Duty of every known group."""
        return [_row_post(row) for row in await self._database.fetch_rows(select(duty))]

    async def keep(self, posts: Iterable[Post]) -> None:
        """Store the home accounts of new groups and changed duties, in a single process."""
        rows = [_post_values(post) for post in posts]
        adding = self._database.insert(duty)
        adding = adding.on_conflict_do_update(
            index_elements=["kind", "peer"], set_={"account": adding.excluded.account}
        )

        async def insert_homes(connection: AsyncConnection) -> None:
            for start in range(0, len(rows), CHUNK):
                await connection.execute(adding, rows[start : start + CHUNK])

        if rows:
            await self._writer.run(insert_homes)

    async def register(self, name: str, instance: str, accounts: Sequence[str], lease: float) -> None:
        """Begin a process's lease. What an earlier run of the same instance left is over, whatever its lease
        says: the caller holds the instance's lock."""

        async def insert_process(connection: AsyncConnection) -> None:
            await connection.execute(delete(process).where(process.c.instance == instance))
            row = {"name": name, "instance": instance, "accounts": list(accounts), "expires_at": 0.0}
            await connection.execute(insert(process).values(**row))
            await self._extend_lease(connection, name, accounts, lease)

        await self._database.run_apart(insert_process)

    def lend(self, lease: Lease | None) -> None:
        """From now on the writer writes under this lease; what was handed in under another is refused."""
        self._writer.lease = lease

    async def renew(self, name: str, accounts: Sequence[str], lease: float) -> bool:
        """Extend a lease; False where it was over and another process has deleted it."""

        async def extend_lease(connection: AsyncConnection) -> bool:
            return await self._extend_lease(connection, name, accounts, lease)

        return await self._database.run_apart(extend_lease)

    async def leave(self, name: str) -> None:
        """End a lease: what the process had is free at once."""

        async def delete_process(connection: AsyncConnection) -> None:
            await connection.execute(delete(process).where(process.c.name == name))

        await self._database.run_apart(delete_process)

    async def watch(self, name: str) -> Watch:
        """Delete expired leases; the live processes and free groups."""

        async def select_watch(connection: AsyncConnection) -> Watch:
            await connection.execute(_BURY, {"name": name})
            there = {row.name: list(row.accounts) for row in await connection.execute(select(process))}
            # The names are few; so many groups may be kept that only the index finds those without one.
            held = await connection.execute(select(duty.c.process).group_by(duty.c.process))
            gone = [row.process for row in held if row.process not in there]
            free = select(duty).where(duty.c.process.in_(gone))
            return Watch(there, [_row_post(row) for row in await connection.execute(free)] if gone else [])

        return await self._database.run_apart(select_watch)

    async def take(self, name: str, wanted: Sequence[tuple[str, str]]) -> list[Post]:
        """Take the duty of these groups for these accounts, where it is free; all of them as they then are.

        A group nobody knew is from now on kept under the account. Raises `DutyLost` where the process itself
        is not alive any more.
        """
        return [
            post
            for start in range(0, len(wanted), CHUNK)
            for post in await self._database.run_apart(
                self._build_takeover(name, wanted[start : start + CHUNK])
            )
        ]

    def _build_takeover(self, name: str, wanted: Sequence[tuple[str, str]]) -> Any:
        dead = ~select(process.c.id).where(process.c.name == duty.c.process).exists()
        free = or_(duty.c.process == "", duty.c.process == name, dead)
        taking = update(duty).where(duty.c.kind == "group", duty.c.peer == bindparam("its_peer"), free)
        taking = taking.values(account=bindparam("its_account"), process=name, epoch=duty.c.epoch + 1)
        adding = self._database.insert(duty).on_conflict_do_nothing(index_elements=["kind", "peer"])

        async def take_posts(connection: AsyncConnection) -> list[Post]:
            await Lease(name).check(connection)
            ordered = sorted(wanted)
            await connection.execute(adding, [_post_values(Post(*one, one[1], "")) for one in ordered])
            await connection.execute(
                taking, [{"its_peer": peer, "its_account": account} for peer, account in ordered]
            )
            peers = [peer for peer, _ in ordered]
            mine = select(duty).where(duty.c.kind == "group", duty.c.peer.in_(peers))
            return [_row_post(row) for row in await connection.execute(mine)]

        return take_posts

    async def release(self, name: str, peers: Sequence[str]) -> None:
        """Release the duty of groups, so that another process may take them."""
        mine = (duty.c.process == name) & duty.c.peer.in_(list(peers))

        async def clear_process(connection: AsyncConnection) -> None:
            await connection.execute(update(duty).where(mine).values(process=""))

        if peers:
            await self._database.run_apart(clear_process)

    async def _extend_lease(
        self, connection: AsyncConnection, name: str, accounts: Sequence[str], lease: float
    ) -> bool:
        going_on = update(process).where(process.c.name == name)
        until = text(f"{SERVER_CLOCK} + {float(lease)}")
        values = going_on.values(accounts=list(accounts), expires_at=until)
        return (await connection.execute(values)).rowcount > 0


def _row_post(row: Any) -> Post:
    return Post(row.peer, row.home, row.account, row.process, row.epoch)


def _post_values(post: Post) -> dict[str, Any]:
    return {
        "kind": "group",
        "peer": post.peer,
        "home": post.home,
        "account": post.account,
        "process": post.process,
        "epoch": post.epoch,
    }
