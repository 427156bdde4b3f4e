"""A backup put back: into an empty place, or instead of what is there where that is asked for."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine import schema
from ..engine.database import Database
from ..engine.errors import DatabaseCorrupt, StorageError
from ..engine.process_lock import ProcessLock
from . import postgresql_tools, sqlite_file
from .backup import in_thread, remove
from .errors import CopyRefused
from .places import address, connected, file_of, is_database, nobody_at, our_tables, url_of
from .rows import Counts, copy_all, count_rows

_DEADLINE = 60.0
_SQLITE_MAGIC = b"SQLite format 3\x00"
_ASIDE = ".replaced"


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore: rows by table."""

    counts: Counts
    aside: Path | None
    """Path of the replaced SQLite file."""


async def restore(url: str, file: Path, *, replace: bool) -> Restored:
    """Put a backup into the database at `url`, whole or not at all; brought to this version's tables.

    A SQLite backup goes into either kind of database, one by pg_dump into PostgreSQL only.

    Raises:
        StorageError: nothing is changed. Among other reasons: a bot uses the database, or it holds data and
            not `replace`.
    """
    target = address(url)
    path = file_of(target)
    dumped = await in_thread(lambda: _is_dump(file))
    if dumped:
        if path is not None:
            raise CopyRefused(
                "这是 pg_dump 的备份，只能恢复到 PostgreSQL；要用 SQLite，先恢复到 PostgreSQL，再用 move。"
            )
        return await _restore_dump(target, file, replace=replace)
    if path is not None:
        return await _restore_sqlite(path.resolve(), file, replace=replace)
    with tempfile.TemporaryDirectory(prefix="mishu-restore-") as folder:
        working = Path(folder, "working.db")
        await _make_working_copy(file, working)
        return await _restore_rows(target, working, replace=replace)


def _is_dump(file: Path) -> bool:
    if not file.is_file():
        raise CopyRefused(f"没有 {file} 这个文件。")
    with file.open("rb") as opened:
        start = opened.read(len(_SQLITE_MAGIC))
    if start.startswith(postgresql_tools.MAGIC):
        return True
    try:
        ours = start == _SQLITE_MAGIC and is_database(file)
    except DatabaseCorrupt:
        raise CopyRefused(f"{file} 已经损坏，没有用它。") from None
    if not ours:
        raise CopyRefused(f"{file} 不是秘书的备份。")
    return False


async def _make_working_copy(file: Path, working: Path) -> Counts:
    """A copy of the backup, checked and brought to this version's tables: the backup stays as it is."""
    await in_thread(lambda: _copy_file(file, working))
    database = Database(url_of(working).render_as_string(hide_password=False), _DEADLINE)
    try:
        await database.open()
    except DatabaseCorrupt:
        raise CopyRefused(f"{file} 已经损坏，没有用它。") from None
    finally:
        await database.close()
    await in_thread(lambda: sqlite_file.remove_wal(working))
    try:
        return await in_thread(lambda: sqlite_file.count_checked(working))
    except DatabaseCorrupt:
        raise CopyRefused(f"{file} 已经损坏，没有用它。") from None


def _copy_file(file: Path, working: Path) -> None:
    """With what stands in its WAL, where it is a plain copy of a database and no backup of ours."""
    for suffix in ("", "-wal"):
        part = file.with_name(file.name + suffix)
        if part.exists():
            shutil.copyfile(part, working.with_name(working.name + suffix))


def _check_empty(counts: Counts) -> None:
    rows = sum(counts.values())
    if rows:
        raise CopyRefused(f"那里已经有数据（{rows} 行），没有动它；确实要换成备份里的，请加上 --replace。")


async def _restore_sqlite(path: Path, file: Path, *, replace: bool) -> Restored:
    await in_thread(lambda: path.parent.mkdir(parents=True, exist_ok=True))
    lock = ProcessLock(path)
    lock.acquire()
    working = path.with_name(f"{path.name}.restoring")
    try:
        there = await in_thread(lambda: path.exists() and path.stat().st_size > 0)
        if there and not replace:
            _check_empty(await in_thread(lambda: _count_rows(path)))
        await in_thread(lambda: remove(working))
        counts = await _make_working_copy(file, working)
        aside = await in_thread(lambda: _replace_file(path, working) if there else _place_file(path, working))
        if dict(await in_thread(lambda: sqlite_file.count_checked(path))) != dict(counts):
            raise CopyRefused("恢复后的数据和备份对不上，请再试一次。")
        return Restored(counts, aside)
    finally:
        await in_thread(lambda: remove(working))
        lock.release()


def _count_rows(path: Path) -> Counts:
    try:
        return sqlite_file.count_checked(path)
    except (StorageError, sqlite3.Error) as error:
        raise CopyRefused(f"{path} 里的东西读不出来，没有动它；确实要换掉，请加上 --replace。") from error


def _place_file(path: Path, working: Path) -> None:
    """Put the file where none is, or an empty one."""
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    sqlite_file.sync_file(working)
    working.replace(path)
    sqlite_file.sync_file(path)


def _replace_file(path: Path, working: Path) -> Path:
    """Put the file in place of another, which is kept beside it. A WAL never meets a file it is not of."""
    aside = path.with_name(path.name + _ASIDE)
    sqlite_file.checkpoint_wal(path)
    for suffix in ("", "-wal", "-shm"):
        aside.with_name(aside.name + suffix).unlink(missing_ok=True)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.replace(aside.with_name(aside.name + suffix))
    path.replace(aside)
    _place_file(path, working)
    return aside


async def _drop_tables(connection: AsyncConnection, tables: list[str]) -> None:
    for table in tables:
        await connection.execute(text(f'DROP TABLE IF EXISTS "{table}" CASCADE'))


async def _list_replaced(connection: AsyncConnection, *, replace: bool) -> list[str]:
    """Names of the tables to be replaced. Raises `CopyRefused` where they hold data and not `replace`."""
    await nobody_at(connection, "那个数据库")
    if not replace:
        _check_empty(await count_rows(connection))
    return await our_tables(connection)


async def _restore_rows(target: URL, working: Path, *, replace: bool) -> Restored:
    async with connected(url_of(working), snapshot=True) as reading, connected(target) as writing:
        await _drop_tables(writing, await _list_replaced(writing, replace=replace))
        await schema.upgrade(writing)
        await copy_all(reading, writing)
        counts = await count_rows(writing)
        if counts != await count_rows(reading):
            raise CopyRefused("恢复后的数据和备份对不上，没有改动原来的，请再试一次。")
    return Restored(counts, None)


async def _restore_dump(target: URL, file: Path, *, replace: bool) -> Restored:
    if not postgresql_tools.found("pg_restore", "psql"):
        raise CopyRefused("这是 pg_dump 的备份，恢复要用 pg_restore 和 psql，这台机器上没有。")
    async with connected(target) as connection:
        replaced = await _list_replaced(connection, replace=replace)
    try:
        expected = await postgresql_tools.count(file)
        await postgresql_tools.load(target, file, replaced)
    except postgresql_tools.ToolFailed:
        raise CopyRefused(
            "pg_restore 没有做成，原来的数据没有改动：备份可能损坏，或者来自更新的 PostgreSQL。"
        ) from None
    async with connected(target) as connection:
        counts = await count_rows(connection)
        await schema.upgrade(connection)
    if counts != expected:
        raise CopyRefused("恢复后的数据和备份对不上，请再试一次。")
    return Restored(counts, None)
