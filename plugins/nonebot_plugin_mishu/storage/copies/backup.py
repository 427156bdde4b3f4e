"""A backup: one file with everything, made while the bot runs, opened and counted before it counts as one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine import schema
from ..engine.database import Database
from ..engine.errors import UNUSUAL, translate
from . import postgresql_tools, sqlite_file
from .errors import CopyRefused
from .places import address, connected, file_of, is_database, url_of, version
from .rows import Counts, copy_all, count_rows

T = TypeVar("T")
Method = Literal["sqlite", "pg_dump", "rows"]
"""SQLite's online backup, PostgreSQL's own tool, or our own copy of the rows, a SQLite file."""

_DEADLINE = 60.0
"""Seconds a statement on the new file may take."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup."""

    file: Path
    method: Method
    counts: Counts
    size: int
    """Bytes."""


async def back_up(url: str, file: Path) -> Backup:
    """Write the database at `url` into the new file `file`, in one snapshot; a bot may go on writing.

    The file has its name only once it was opened, checked and counted; only its owner may read it.

    Raises:
        StorageError: there is no such file then.
    """
    source = address(url)
    path = file_of(source)
    await in_thread(lambda: _check_target(file, path))
    making = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        if path is not None:
            method, counts = "sqlite", await in_thread(lambda: _copy_sqlite(path, making))
        else:
            method, counts = await _copy_postgresql(source, making)
        size = await in_thread(lambda: _publish_file(making, file))
    finally:
        await in_thread(lambda: remove(making))
    return Backup(file, method, counts, size)


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work on files in a thread. Raises `StorageError` for what it raises."""
    try:
        return await asyncio.to_thread(work)
    except UNUSUAL as error:
        raise translate(error) from error


def remove(file: Path) -> None:
    """Take away a database file that is not wanted, with what SQLite and we put beside it."""
    for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _check_target(file: Path, source: Path | None) -> None:
    if file.is_dir():
        raise CopyRefused(f"{file} 是目录，请写一个文件名。")
    if file.exists() and (file.stat().st_size or (source is not None and file.samefile(source))):
        raise CopyRefused(f"{file} 已经有了，没有动它，请换一个文件名。")
    if source is not None and not (source.is_file() and is_database(source)):
        raise CopyRefused(f"{source} 里还没有秘书的数据，没有可备份的。")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise CopyRefused(f"建不了目录 {file.parent}，请检查路径和权限。") from None


def _create_private(file: Path) -> None:
    os.close(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))


def _publish_file(making: Path, file: Path) -> int:
    sqlite_file.sync_file(making)
    making.replace(file)
    sqlite_file.sync_file(file)
    return file.stat().st_size


def _copy_sqlite(path: Path, making: Path) -> Counts:
    _create_private(making)
    counts = sqlite_file.copy_online(path, making)
    _check_counts(counts, sqlite_file.count_checked(making))
    return counts


def _check_counts(expected: Counts, found: Counts) -> None:
    if dict(expected) != dict(found):
        raise CopyRefused("备份和原来的数据对不上，没有留下它，请再试一次。")


async def _copy_postgresql(source: URL, making: Path) -> tuple[Method, Counts]:
    async with connected(source, snapshot=True) as connection:
        written_by = await version(connection)
        if written_by is None:
            raise CopyRefused("这个数据库里还没有秘书的数据，没有可备份的。")
        counts = await count_rows(connection)
        if postgresql_tools.found("pg_dump", "pg_restore"):
            snapshot = (await connection.execute(text("SELECT pg_export_snapshot()"))).scalar_one()
            try:
                await in_thread(lambda: _create_private(making))
                await postgresql_tools.dump(source, making, snapshot)
                _check_counts(counts, await postgresql_tools.count(making))
                return "pg_dump", counts
            except postgresql_tools.ToolFailed:
                await in_thread(lambda: remove(making))  # as where it is older than the server
        if written_by != schema.HEAD:
            raise CopyRefused("没有能用的 pg_dump，而数据库还是旧版本的：先启动一次机器人再备份。")
        async with new_file(making) as copy:
            await copy_all(connection, copy)
    _check_counts(counts, await in_thread(lambda: sqlite_file.count_checked(making)))
    return "rows", counts


@asynccontextmanager
async def new_file(file: Path) -> AsyncGenerator[AsyncConnection]:
    """A transaction on a new SQLite file with our tables, which is one whole file afterwards."""
    await in_thread(lambda: _create_private(file))
    url = url_of(file)
    database = Database(url.render_as_string(hide_password=False), _DEADLINE)
    try:
        await database.open()
    finally:
        await database.close()
    async with connected(url) as connection:
        yield connection
    await in_thread(lambda: sqlite_file.remove_wal(file))
