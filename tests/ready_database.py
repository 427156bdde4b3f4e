"""Databases with all tables in them, made once a process and copied: making one anew takes most tests longer
than what they are about."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage, default_url
from sqlalchemy import URL, make_url

SERVER = os.environ.get("MISHU_TEST_DATABASE_URL", "")
"""A PostgreSQL server on which tests may make databases."""

_made: bytes | None = None


async def ready_url(folder: Path) -> str:
    """Put a SQLite file where a bot with this data directory looks for it; the address to open."""
    global _made
    if _made is None:
        with tempfile.TemporaryDirectory() as place:
            await (await Storage.open(default_url(Path(place)), on_trouble=print)).close()
            _made = _file(place).read_bytes()
    _put(folder, _made)
    return default_url(folder)


def _put(folder: Path, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    assert not _file(folder).exists(), "there is a database already"
    _file(folder).write_bytes(content)


def _file(folder: Path | str) -> Path:
    return Path(folder, "mishu.db")


class OwnDatabase:
    """A PostgreSQL database for one test after the other, beside the one that `SERVER` names, so that nothing
    of that one is touched and test runs do not meet. Where there is no server, the test is skipped."""

    def __init__(self, purpose: str) -> None:
        self._name = f"mishu_{purpose}_{os.getpid()}"
        self._shape: object = None
        """What `_SHAPE` gave when all tables had just been made."""

    async def __aenter__(self) -> OwnDatabase:
        if not SERVER:
            pytest.skip("MISHU_TEST_DATABASE_URL is not set")
        pytest.importorskip("asyncpg")
        async with _connection(make_url(SERVER)) as server:
            await server.execute(f'DROP DATABASE IF EXISTS "{self._name}" WITH (FORCE)')
            await server.execute(f'CREATE DATABASE "{self._name}"')
            # No test loses the server's power, and waiting for the disk makes each a second longer.
            await server.execute(f'ALTER DATABASE "{self._name}" SET synchronous_commit TO off')
        return self

    async def __aexit__(self, *_: object) -> None:
        async with _connection(make_url(SERVER)) as server:
            await server.execute(f'DROP DATABASE IF EXISTS "{self._name}" WITH (FORCE)')

    @property
    def _url(self) -> URL:
        return make_url(SERVER).set(drivername="postgresql+asyncpg", database=self._name)

    @property
    def url(self) -> str:
        """Its address."""
        return self._url.render_as_string(hide_password=False)

    async def empty(self) -> str:
        """Without a table; its address."""
        async with _connection(self._url) as connection:
            await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return self.url

    async def ready(self) -> str:
        """As new, with all tables; its address. Tables are made anew where a test left them otherwise."""
        async with _connection(self._url) as connection:
            if self._shape is not None and await connection.fetchval(_SHAPE) == self._shape:
                await connection.execute(_KEPT_ROWS)
                return self.url
        await self.empty()
        await (await Storage.open(self.url, on_trouble=print)).close()
        async with _connection(self._url) as connection:
            self._shape = await connection.fetchval(_SHAPE)
            await connection.execute(_KEEP_ROWS)
        return self.url


_SHAPE = """
    SELECT string_agg(part, E'\\n' ORDER BY part) FROM (
        SELECT concat_ws(' ', relname, relkind, attname, atttypid, attnotnull, attidentity) AS part
        FROM pg_class LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
        WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger
        WHERE NOT tgisinternal
        UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ) AS parts
"""
_KEEP_ROWS = """
    DROP SCHEMA IF EXISTS made CASCADE;
    CREATE SCHEMA made;
    DO $$ DECLARE each text; BEGIN
        FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('CREATE TABLE made.%I AS TABLE public.%I', each, each);
        END LOOP;
    END $$
"""
"""What stands in tables that were just made: their version, how far an index is."""
_KEPT_ROWS = """
    DO $$ DECLARE each text; BEGIN
        FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('DELETE FROM public.%I', each);
            EXECUTE format('INSERT INTO public.%I OVERRIDING SYSTEM VALUE SELECT * FROM made.%I', each, each);
        END LOOP;
    END $$;
    SELECT setval(oid::regclass, 1, false) FROM pg_class
    WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
"""
"""Emptying tables row by row touches no file of the server's; TRUNCATE makes a new one for each table."""


@asynccontextmanager
async def _connection(url: URL) -> AsyncIterator[Any]:
    import asyncpg

    connection = await asyncpg.connect(
        host=url.host,
        port=url.port,
        user=url.username,
        password=url.password,
        database=url.database,
        timeout=10,
    )
    try:
        yield connection
    finally:
        await connection.close()
