"""From every earlier schema to the newest, with rows in every table, on both databases.

Nothing here names a revision or a table: what the migrations folder holds is walked, and rows are made up
from the columns the database itself reports, so that a further step is tested by being there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from default_run import first
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.engine import fulltext, schema
from nonebot_plugin_mishu.storage.ledger import tables, word_index
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    inspect,
    select,
)
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from storage_support import GROUP, ids, message, outside

EMPTY = True

Opener = Callable[..., Awaitable[Storage]]
Rows = dict[str, list[dict[str, Any]]]

SCRIPTS = ScriptDirectory(str(Path(schema.__file__).parents[1] / "migrations"))
REVISIONS = [script.revision for script in SCRIPTS.walk_revisions()][::-1]
"""The oldest first."""
ROWS = 3
INDEXES = (fulltext.INDEX, word_index.INDEX)
"""What stands beside the tables and only the migrations and one module know."""
JSON = {"segments", "captions", "timings", "calls", "rows", "user_ids", "value", "slots", "data", "sentences"}
"""Columns whose text is JSON wherever they occur."""


def test_the_revisions_are_one_line_and_end_where_the_code_is() -> None:
    assert SCRIPTS.get_heads() == [schema.HEAD]
    assert len(SCRIPTS.get_bases()) == 1
    assert REVISIONS[-1] == schema.HEAD


async def _in(url: str, work: Callable[[Connection], Any]) -> Any:
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _tables(connection: Connection) -> list[Table]:
    """Our tables as they are in the database now, parents first."""
    names = [
        name
        for name in inspect(connection).get_table_names()
        if name.startswith("mishu_") and name != schema.VERSION_TABLE and not name.startswith(INDEXES)
    ]
    found = MetaData()
    found.reflect(connection, only=names)
    return found.sorted_tables


def _made_by_the_database(column: Column[Any]) -> bool:
    whole = isinstance(column.type, Integer) and column.name == "id"
    return column.identity is not None or column.computed is not None or (column.primary_key and whole)


def _value(column: Column[Any], number: int) -> Any:
    if column.nullable and number == ROWS:
        return None
    for key in column.foreign_keys:
        return _value(key.column, number) if not _made_by_the_database(key.column) else number
    if isinstance(column.type, LargeBinary):
        return bytes([number, 0, 255])
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Float | Numeric) and not isinstance(column.type, Integer):
        return number + 0.5
    if isinstance(column.type, Integer):
        return number
    if column.name == "kind":
        return "group"
    if column.name in JSON:
        return "[]"
    if column.name == "zone":
        return "Asia/Shanghai"
    return f"{column.name} {number} 第{number}行"


def _fill(connection: Connection) -> None:
    for table in _tables(connection):
        for number in range(1, ROWS + 1):
            columns = [column for column in table.columns if not _made_by_the_database(column)]
            values = {column.name: _value(column, number) for column in columns}
            connection.execute(table.insert().values(values))


def _rows(connection: Connection) -> Rows:
    found: Rows = {}
    for table in _tables(connection):
        order = list(table.primary_key.columns) or list(table.columns)
        rows = connection.execute(select(table).order_by(*order)).mappings()
        found[table.name] = [dict(row) for row in rows]
    return found


def _different(connection: Connection) -> list[Any]:
    """What of the tables is not as the code has them."""

    def ours(_thing: object, name: str | None, *_: object) -> bool:
        return name is None or not name.startswith(INDEXES)

    options = {"version_table": schema.VERSION_TABLE, "include_object": ours}
    return compare_metadata(MigrationContext.configure(connection, opts=options), tables.metadata)


async def _at(url: str, revision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that a version of then has left."""
    engine = create_async_engine(url, poolclass=NullPool)
    with monkeypatch.context() as then:
        then.setattr(schema, "HEAD", revision)
        async with engine.begin() as connection:
            await schema.upgrade(connection)
    await engine.dispose()


@first(1)
@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_earlier_schema_comes_up_to_date_and_keeps_its_rows(
    revision: str, url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _at(url, revision, monkeypatch)
    assert await outside(url, f"SELECT version_num FROM {schema.VERSION_TABLE}") == [(revision,)]
    await _in(url, _fill)
    before: Rows = await _in(url, _rows)
    assert before
    assert all(len(rows) == ROWS for rows in before.values())

    await (await opened()).close()
    assert await outside(url, f"SELECT version_num FROM {schema.VERSION_TABLE}") == [(schema.HEAD,)]
    assert await _in(url, _different) == []
    after: Rows = await _in(url, _rows)
    for name, rows in before.items():
        pairs = zip(after[name], rows, strict=True)
        kept = [{column: row.get(column) for column in old} for row, old in pairs]
        assert kept == rows, f"rows of {name} from {revision} are not what they were"

    storage = await opened()
    storage.ledger.append(message(1))
    await storage.ledger.flush()
    assert ids(await storage.ledger.load(GROUP, 10)) == ["1"]


async def test_a_step_that_fails_half_way_leaves_the_schema_and_the_rows_of_before(
    url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the oldest schema, with the very last step failing after its work is done."""
    await _at(url, REVISIONS[0], monkeypatch)
    await _in(url, _fill)
    before: Rows = await _in(url, _rows)
    migrate = schema._run_migrations

    def failing(connection: Connection) -> None:
        migrate(connection)
        raise OSError("the power went")

    with monkeypatch.context() as then:
        then.setattr(schema, "_run_migrations", failing)
        with pytest.raises(Exception, match=r"."):
            await opened()
    assert await outside(url, f"SELECT version_num FROM {schema.VERSION_TABLE}") == [(REVISIONS[0],)]
    assert await _in(url, _rows) == before
    await opened()
    assert await outside(url, f"SELECT version_num FROM {schema.VERSION_TABLE}") == [(schema.HEAD,)]
