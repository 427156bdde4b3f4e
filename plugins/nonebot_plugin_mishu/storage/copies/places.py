"""Source and target databases of a copy: their kind, tables, version and other connections."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, inspect, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from ..engine.address import parse_address
from ..engine.errors import UNUSUAL, DriverMissing, translate
from ..engine.schema import VERSION_TABLE
from .errors import CopyRefused

APPLICATION = "mishu"
"""The bot's `application_name` at PostgreSQL. Copies use another one, so as to see the bot."""
_OURS = "mishu-copy"
_CONNECT = 10.0
"""Seconds."""
_LEAVING = 1.0
"""Seconds."""
LOCK_WAIT = 10_000
"""Milliseconds that a lock of somebody else's is waited for."""


def address(url: str) -> URL:
    """The parsed address. Raises `CopyRefused` where it is none of a kind we use."""
    try:
        parsed = parse_address(url)
    except ArgumentError:
        raise CopyRefused("看不懂数据库地址。") from None
    if parsed.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise CopyRefused("数据库地址应为 sqlite+aiosqlite:///… 或 postgresql+asyncpg://…。")
    return parsed


def url_of(file: Path) -> URL:
    """The address of a SQLite file."""
    return URL.create("sqlite+aiosqlite", database=str(file))


def file_of(url: URL) -> Path | None:
    """The SQLite file; None where the database is PostgreSQL."""
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or ":memory:" in url.database or url.database.startswith("file:"):
        raise CopyRefused("这里要一个普通的数据库文件。")
    return Path(url.database)


@asynccontextmanager
async def connected(url: URL, *, snapshot: bool = False) -> AsyncGenerator[AsyncConnection]:
    """A connection of its own in a transaction, which is committed at the end unless an error comes out.

    `snapshot`: it only reads, and sees the database as it is now until the end.

    Raises:
        StorageError: for whatever the database raises within.
    """
    postgresql = url.get_backend_name() != "sqlite"
    options: dict[str, Any] = {"poolclass": NullPool, "hide_parameters": True}
    if postgresql:
        named = {"application_name": _OURS}
        options["connect_args"] = {"timeout": _CONNECT, "server_settings": named}
        if snapshot:
            options["isolation_level"] = "REPEATABLE READ"
    try:
        engine = create_async_engine(url, **options)
        event.listen(engine.sync_engine, "connect", _set_lock_timeout if postgresql else _set_busy_timeout)
        if not postgresql:
            event.listen(engine.sync_engine, "begin", _begin_read if snapshot else _begin_write)
        try:
            async with engine.connect() as connection:
                yield connection
                await connection.commit()
        finally:
            await engine.dispose()
    except ModuleNotFoundError as error:
        raise DriverMissing from error
    except UNUSUAL as error:
        raise translate(error) from error


def _set_lock_timeout(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {LOCK_WAIT}")
    cursor.close()
    connection.commit()


def _set_busy_timeout(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # as the bot's own connections: BEGIN is ours to say
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {LOCK_WAIT}")
    cursor.close()


def _begin_read(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_write(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


async def nobody_at(connection: AsyncConnection, where: str) -> None:
    """Raise `CopyRefused` where a bot is connected to this PostgreSQL database, and stays so for a moment.

    The server takes a while to notice that a connection was closed.
    """
    if connection.dialect.name != "postgresql":
        return
    query = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = :name"
    )
    clock = asyncio.get_running_loop().time
    until = clock() + _LEAVING
    while True:
        await connection.execute(text("SELECT pg_stat_clear_snapshot()"))
        if not (await connection.execute(query, {"name": APPLICATION})).scalar_one():
            return
        if clock() > until:
            raise CopyRefused(f"有机器人正在用{where}，先停掉它再来。")
        await asyncio.sleep(0.1)


async def version(connection: AsyncConnection) -> str | None:
    """Schema version of our tables; None where there are none."""
    if not await connection.run_sync(lambda sync: inspect(sync).has_table(VERSION_TABLE)):
        return None
    return (await connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}"))).scalar()


async def our_tables(connection: AsyncConnection) -> list[str]:
    """Every table of ours that is there, whatever version made it."""
    names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    return [name for name in names if name.startswith("mishu_")]


def is_database(file: Path) -> bool:
    """True when a SQLite file holds our version table. Raises `StorageError`."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (VERSION_TABLE,))
            return found.fetchone() is not None
    except sqlite3.Error as error:
        raise translate(error) from error
