"""Everything into another database, of either kind: resumable, compared row by row at the end.

Until then the target says in its version that it is unfinished, so that no bot starts on half of the data;
a move that was cut off goes on where it was when it is asked for again. The source is never changed, and kept
from bots meanwhile.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass

from sqlalchemy import URL, Table, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine import schema
from ..engine.database import Database
from ..engine.process_lock import ProcessLock
from .backup import in_thread
from .errors import CopyRefused
from .places import address, connected, file_of, is_database, nobody_at, our_tables, version
from .rows import (
    TABLES,
    Counts,
    copy_numbers,
    count_rows,
    delete_rows,
    hash_rows,
    insert_rows,
    newest_id,
    next_rows,
)

_DEADLINE = 60.0
_UNFINISHED = f"{schema.MOVING}{schema.HEAD}"
"""The target's version until the end."""


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """Result of a move: row counts, the same in both databases."""

    counts: Counts
    resumed: bool
    """True when an earlier, interrupted move was continued."""


async def move(source_url: str, target_url: str) -> MoveCounts:
    """Copy everything from one database into another that holds nothing, or an unfinished move.

    Raises:
        StorageError: the source is as it was. Among other reasons: a bot uses either of them.
    """
    source, target = address(source_url), address(target_url)
    if _is_same_database(source, target):
        raise CopyRefused("这就是现在用的数据库，不用搬。")
    async with AsyncExitStack() as stack:
        for url in (source, target):
            await _lock_file(stack, url)
        await _upgrade_source(source)
        reading = await stack.enter_async_context(connected(source, snapshot=True))
        await _lock_versions(reading)
        resumed = await _prepare_target(target)
        for table in TABLES:
            await _copy_table(reading, target, table)
        return await _finish_move(reading, target, resumed=resumed)


def _is_same_database(source: URL, target: URL) -> bool:
    here, there = file_of(source), file_of(target)
    if here is not None and there is not None:
        return here.resolve() == there.resolve()
    port = 5432
    return here is there and (source.host, source.port or port, source.database) == (
        target.host,
        target.port or port,
        target.database,
    )


async def _lock_file(stack: AsyncExitStack, url: URL) -> None:
    """Keep bots from a SQLite file until the end."""
    path = file_of(url)
    if path is None:
        return
    await in_thread(lambda: path.parent.mkdir(parents=True, exist_ok=True))
    lock = ProcessLock(path)
    lock.acquire()
    stack.callback(lock.release)


async def _upgrade_source(source: URL) -> None:
    """The tables of this version, as a start of the bot would make them, where there are any."""
    path = file_of(source)
    if path is None:
        async with connected(source) as connection:
            await nobody_at(connection, "现在的数据库")
            if await version(connection) is None:
                raise CopyRefused("现在的数据库里还没有秘书的数据，没有可搬的。")
            await schema.upgrade(connection)
        return
    if not await in_thread(lambda: path.is_file() and is_database(path)):
        raise CopyRefused(f"{path} 里还没有秘书的数据，没有可搬的。")
    database = Database(source.render_as_string(hide_password=False), _DEADLINE)
    try:
        await database.open()
    finally:
        await database.close()


async def _lock_versions(reading: AsyncConnection) -> None:
    """Keep bots from starting on a PostgreSQL source: they write into this table as they start."""
    if reading.dialect.name == "postgresql":
        await reading.execute(text(f"LOCK TABLE {schema.VERSION_TABLE} IN SHARE MODE"))
        await nobody_at(reading, "现在的数据库")


async def _prepare_target(target: URL) -> bool:
    """Make the target's tables and mark them unfinished; whether they were so before."""
    async with connected(target) as connection:
        await nobody_at(connection, "目标数据库")
        found = await version(connection)
        if found == _UNFINISHED:
            return True
        if found is not None and found.startswith(schema.MOVING):
            for table in await our_tables(connection):  # begun by another version of the plugin
                await connection.execute(text(f'DROP TABLE IF EXISTS "{table}"'))
        rows = sum((await count_rows(connection)).values())
        if rows:
            raise CopyRefused(f"目标数据库里已经有数据（{rows} 行），没有动它；请用一个空的。")
        await schema.upgrade(connection)
        await connection.execute(
            text(f"UPDATE {schema.VERSION_TABLE} SET version_num = :found"), {"found": _UNFINISHED}
        )
    return False


async def _copy_table(reading: AsyncConnection, target: URL, table: Table) -> None:
    """Go on with a table behind its last row there, in transactions of a chunk."""
    async with connected(target) as connection:
        last = await newest_id(connection, table)
        while rows := await next_rows(reading, table, last):
            await insert_rows(connection, table, rows)
            await connection.commit()
            last = int(rows[-1].id)


async def _finish_move(reading: AsyncConnection, target: URL, *, resumed: bool) -> MoveCounts:
    """Compare everything; what an interrupted move left behind and is not the same is copied anew."""
    async with connected(target) as connection:
        for table in TABLES:
            expected = await hash_rows(reading, table)
            if await hash_rows(connection, table) == expected:
                continue
            await delete_rows(connection, table)
            last = -(2**63)
            while rows := await next_rows(reading, table, last):
                await insert_rows(connection, table, rows)
                last = int(rows[-1].id)
            if await hash_rows(connection, table) != expected:
                raise CopyRefused("搬过去的数据和原来的对不上，没有搬完；原来的没有改动，请再试一次。")
        await copy_numbers(reading, connection)
        counts = await count_rows(connection)
        await connection.execute(
            text(f"UPDATE {schema.VERSION_TABLE} SET version_num = :head"), {"head": schema.HEAD}
        )
    return MoveCounts(counts, resumed)
