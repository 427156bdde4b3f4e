"""Rows of every kind, and what stands in a database, for the tests of copies."""

from __future__ import annotations

from typing import Any

from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.copies.places import address, connected
from nonebot_plugin_mishu.storage.copies.rows import TABLES, hash_rows
from nonebot_plugin_mishu.storage.records import Summary
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary, Table, insert, text
from storage_support import FRIEND, GROUP, decision, message

ODD = ("日程 'quoted\"", "a\\b\n换行\t", "\U0001f600 emoji", "", "%s :name {x}")


def value(column: Column[Any], number: int) -> Any:
    """A value of a column's kind, another for each number; the odd ones in their turn."""
    if isinstance(column.type, LargeBinary):
        return bytes([number % 256, 0, 255, 92])
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Float):
        return number / 3 + 1e9
    if isinstance(column.type, BigInteger):
        return number * 2**33 + 7
    if isinstance(column.type, Integer):
        return number * 3
    if column.name in {
        *("origin", "task_id", "token", "batch", "message_id", "word", "name", "peer", "order_no", "user_id"),
        "digest",
    }:
        return f"{column.name}-{number}"
    return ODD[number % len(ODD)]


def row(table: Table, number: int) -> dict[str, Any]:
    """A row of a table, with its id."""
    return {column.name: number if column.name == "id" else value(column, number) for column in table.columns}


async def fill(url: str, rows: int = 7) -> None:
    """Rows in every table; then the newest of each is deleted."""
    async with connected(address(url)) as connection:
        for table in TABLES:
            made = [row(table, number) for number in range(1, rows + 2)]
            await connection.execute(insert(table), made)
            await connection.execute(table.delete().where(table.c.id == rows + 1))
            if connection.dialect.name == "postgresql":  # which does not count ids that are given
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                await connection.execute(text(f"SELECT setval({sequence}, {rows + 1})"))


async def use(storage: Storage) -> None:
    """What a bot would write, by its own means."""
    for number in range(1, 30):
        storage.ledger.append(message(number, text=f"第{number}句 \x00 \U0001f600"))
    await storage.decisions.add(decision())
    await storage.settings.set_persona(GROUP, "海盗")
    await storage.summaries.store_summary(
        Summary(FRIEND, "30000", "task-x", "tasks", "买了牛奶", ("牛奶", "买", "奶"), 5.0)
    )


async def contents(url: str) -> dict[str, tuple[int, str]]:
    """How many rows each table has, and the sum of their values."""
    async with connected(address(url), snapshot=True) as connection:
        return {table.name: await hash_rows(connection, table) for table in TABLES}
