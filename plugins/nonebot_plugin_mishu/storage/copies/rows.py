"""Rows from one database into another, whichever kind each is: counted, copied, compared.

Values go over as they are stored, JSON as its text, so that nothing is read and written anew on the way. The
ids go along, and with them the numbers the next rows will get: an id is never used again, here or there.
SQLite's full-text index follows by its triggers, PostgreSQL's is an ordinary index.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, MetaData, Row, Table, delete, func, insert, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeDecorator

from ..store import metadata  # with it, every table is known

CHUNK = 200
"""Rows at once: a message may be a megabyte."""

Counts = Mapping[str, int]
"""Rows by table, in the tables' order."""


def _plain_table(table: Table) -> Table:
    """The table without what our column types do to values on their way in and out."""

    def plain(column: Column[Any]) -> Column[Any]:
        kind = column.type
        return Column(column.name, kind.impl_instance if isinstance(kind, TypeDecorator) else kind)

    return Table(table.name, MetaData(), *(plain(column) for column in table.columns))


TABLES: tuple[Table, ...] = tuple(_plain_table(table) for table in metadata.sorted_tables)
"""Every table there is, in an order in which it can be filled."""


async def count_rows(connection: AsyncConnection) -> dict[str, int]:
    """The rows of each of our tables that the database has; an older schema has fewer."""
    there = set(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))
    found: dict[str, int] = {}
    for table in TABLES:
        if table.name in there:
            found[table.name] = (
                await connection.execute(select(func.count()).select_from(table))
            ).scalar_one()
    return found


async def next_rows(connection: AsyncConnection, table: Table, last: int) -> Sequence[Row[Any]]:
    """The next rows behind an id, at most `CHUNK`, by id."""
    wanted = select(table).where(table.c.id > last).order_by(table.c.id).limit(CHUNK)
    return (await connection.execute(wanted)).all()


async def _chunks(
    connection: AsyncConnection, table: Table, last: int = -(2**63)
) -> AsyncIterator[Sequence[Row[Any]]]:
    while rows := await next_rows(connection, table, last):
        yield rows
        last = int(rows[-1].id)


async def newest_id(connection: AsyncConnection, table: Table) -> int:
    """The greatest id, below all ids where there is no row."""
    found: int | None = (await connection.execute(select(func.max(table.c.id)))).scalar()
    return -(2**63) if found is None else found


async def insert_rows(connection: AsyncConnection, table: Table, rows: Sequence[Row[Any]]) -> None:
    """Insert rows with their ids."""
    await connection.execute(insert(table), [dict(row._mapping) for row in rows])  # pyright: ignore[reportPrivateUsage] - SQLAlchemy's own name for it


async def copy_all(source: AsyncConnection, target: AsyncConnection) -> None:
    """Copy every row into empty tables of the same schema, within the target's transaction."""
    for table in TABLES:
        async for rows in _chunks(source, table):
            await insert_rows(target, table, rows)
    await copy_numbers(source, target)


async def delete_rows(connection: AsyncConnection, table: Table) -> None:
    """Take every row out of a table."""
    await connection.execute(delete(table))


async def copy_numbers(source: AsyncConnection, target: AsyncConnection) -> None:
    """Copy the id sequences, so that ids of deleted rows are not used again."""
    for table in TABLES:
        last = max(await _read_last_number(source, table), await newest_id(target, table), 0)
        if last:
            await _set_last_number(target, table, last)


async def _read_last_number(connection: AsyncConnection, table: Table) -> int:
    if connection.dialect.name == "sqlite":
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int((await connection.execute(query, {"name": table.name})).scalar() or 0)
    sequence = await _find_sequence(connection, table)
    if sequence is None:
        return 0
    value, called = (await connection.execute(text(f"SELECT last_value, is_called FROM {sequence}"))).one()
    return int(value) if called else 0


async def _set_last_number(connection: AsyncConnection, table: Table, last: int) -> None:
    if connection.dialect.name == "sqlite":
        there = {"name": table.name, "last": last}
        await connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        await connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), there)
        return
    sequence = await _find_sequence(connection, table)
    if sequence is not None:
        await connection.execute(text(f"SELECT setval('{sequence}', :last)"), {"last": last})


async def _find_sequence(connection: AsyncConnection, table: Table) -> str | None:
    query = text("SELECT pg_get_serial_sequence(:name, 'id')")
    return (await connection.execute(query, {"name": table.name})).scalar()


async def hash_rows(connection: AsyncConnection, table: Table) -> tuple[int, str]:
    """Row count and hash over all values, equal on both databases where nothing differs."""
    count, total = 0, hashlib.sha256()
    async for rows in _chunks(connection, table):
        count += len(rows)
        for row in rows:
            total.update(repr(tuple(map(_comparable, row))).encode("utf-8", "surrogatepass"))
    return count, total.hexdigest()


def _comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value
