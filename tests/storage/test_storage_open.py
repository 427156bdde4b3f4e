"""Opening: by itself, without a question, beside others, and refusing in words."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nonebot_plugin_mishu.storage import (
    DatabaseCorrupt,
    DatabaseLocked,
    DatabaseReadOnly,
    DatabaseUnreachable,
    DriverMissing,
    SchemaNewer,
    Storage,
    StorageError,
    default_url,
)
from nonebot_plugin_mishu.storage.engine import fulltext, schema
from nonebot_plugin_mishu.storage.ledger import tables, word_index
from sqlalchemy.ext.asyncio import create_async_engine
from storage_support import GROUP, file_of, ids, locked, message, outside

EMPTY = True

Opener = Callable[..., Awaitable[Storage]]
INDEXES = (fulltext.INDEX, word_index.INDEX)
"""Tables of the databases' own full-text search."""


def names(url: str) -> str:
    if url.startswith("sqlite"):
        return (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    return "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


async def test_a_fresh_database_has_our_tables_and_no_others(storage: Storage, url: str):
    expected = sorted([*tables.metadata.tables, schema.VERSION_TABLE])
    found = [name for (name,) in await outside(url, names(url))]
    assert [name for name in found if not name.startswith(INDEXES)] == expected
    assert all(name.startswith("mishu_") for name in expected)
    assert await outside(url, "SELECT version_num FROM mishu_version") == [(schema.HEAD,)]


async def test_the_migrated_tables_are_those_the_code_uses(storage: Storage, url: str):
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    def compared(_thing: object, name: str, *_: object) -> bool:
        return not name.startswith(INDEXES)

    engine = create_async_engine(url)
    options = {"version_table": schema.VERSION_TABLE, "include_object": compared}
    async with engine.connect() as connection:
        different = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts=options), tables.metadata)
        )
    await engine.dispose()
    assert different == []


async def test_what_was_stored_is_there_after_opening_again(storage: Storage, opened: Opener):
    storage.ledger.append(message(1))
    await storage.close()
    assert ids(await (await opened()).ledger.load(GROUP, 10)) == ["1"]


async def test_pitfall_67_others_tables_and_versions_are_left_alone(url: str, opened: Opener):
    await outside(url, "CREATE TABLE alembic_version (version_num VARCHAR(32))")
    await outside(url, "INSERT INTO alembic_version VALUES ('theirs')")
    await opened()
    assert await outside(url, "SELECT version_num FROM alembic_version") == [("theirs",)]
    assert await outside(url, "SELECT version_num FROM mishu_version") == [(schema.HEAD,)]


async def test_processes_that_start_together_migrate_once(url: str, opened: Opener):
    storages = await asyncio.gather(*(opened() for _ in range(4)))
    for number, storage in enumerate(storages):
        storage.ledger.append(message(number))
        await storage.ledger.flush()
    assert len(await storages[0].ledger.load(GROUP, 10)) == 4
    assert await outside(url, "SELECT version_num FROM mishu_version") == [(schema.HEAD,)]


async def test_opening_says_nothing_in_the_log(opened: Opener, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    level = logging.getLogger("alembic").level
    await opened()
    assert [record for record in caplog.records if record.name != "asyncio"] == []
    assert logging.getLogger("alembic").level == level


async def test_a_newer_schema_is_refused_and_left_as_it_is(storage: Storage, opened: Opener, url: str):
    await storage.close()
    await outside(url, "UPDATE mishu_version SET version_num = '9999'")
    with pytest.raises(SchemaNewer, match="升级插件"):
        await opened()
    assert await outside(url, "SELECT version_num FROM mishu_version") == [("9999",)]


async def test_a_step_that_fails_leaves_nothing_behind(url: str, opened: Opener, monkeypatch):
    """Steps and version go together or not at all, on SQLite too."""
    migrate = schema._run_migrations

    def failing(connection):
        migrate(connection)
        raise OSError("the power went")

    monkeypatch.setattr(schema, "_run_migrations", failing)
    with pytest.raises(StorageError):
        await opened()
    assert await outside(url, names(url)) == []
    monkeypatch.undo()
    await opened()


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to look like a file" * 40, "damaged", "cut"]
)
async def test_a_corrupt_file_is_refused_and_left_as_it_is(
    storage: Storage, opened: Opener, url: str, content: bytes | str
):
    for number in range(300):
        storage.ledger.append(message(number))
    await storage.close()
    path = Path(file_of(url))
    broken = _broken(path, content)
    with pytest.raises(DatabaseCorrupt, match="已损坏"):
        await opened()
    assert _bytes(path) == broken


def _broken(path: Path, content: bytes | str) -> bytes:
    whole = path.read_bytes()
    if content == "damaged":
        broken = whole[:8192] + b"\xff" * 20_000 + whole[28_192:]
    elif content == "cut":
        broken = whole[: len(whole) // 2]
    else:
        assert isinstance(content, bytes)
        broken = content
    path.write_bytes(broken)
    return broken


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


async def test_locked_while_opening(opened: Opener, storage: Storage, url: str):
    async with locked(url):
        with pytest.raises(DatabaseLocked):
            await opened(deadline=0.3)


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_read_only_server(storage: Storage, opened: Opener, url: str, said: list[str]):
    """As a standby is."""
    await storage.close()
    name = url.rpartition("/")[2]
    await outside(url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    try:
        with pytest.raises(DatabaseReadOnly):
            await opened()
    finally:
        await outside(url, f'BEGIN READ WRITE; ALTER DATABASE "{name}" RESET ALL; COMMIT')


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs to become another user")
@pytest.mark.parametrize("what", ["file", "directory", "directory of a new file"])
async def test_read_only(what: str, said: list[str]):
    """Root may write everywhere, so somebody else tries, in a directory of this test's own."""
    folder = Path(tempfile.mkdtemp())
    try:
        if not all(parent.stat().st_mode & 0o001 for parent in folder.parents):
            pytest.skip("others cannot reach the temporary directory")
        url = default_url(folder)
        await (await Storage.open(url, on_trouble=said.append)).close()
        _permit(folder, Path(file_of(url)), what)

        def attempt() -> str:
            async def opening() -> str:
                try:
                    await Storage.open(url, on_trouble=said.append)
                except StorageError as error:
                    return type(error).__name__
                return "opened"

            return asyncio.run(opening())

        kind = await asyncio.to_thread(_as_nobody, attempt)
    finally:
        shutil.rmtree(folder)
    expected = DatabaseUnreachable if what == "directory of a new file" else DatabaseReadOnly
    assert kind == expected.__name__


def _permit(folder: Path, path: Path, what: str) -> None:
    """Lets everybody write in the folder or to the file, but not both."""
    if what == "directory of a new file":
        path.unlink()
    else:
        path.chmod(0o444 if what == "file" else 0o666)
    folder.chmod(0o777 if what == "file" else 0o555)


def _as_nobody(attempt: Callable[[], str]) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "crashed"
        try:
            os.setgid(65534)
            os.setuid(65534)
            answer = attempt()
        finally:
            os.write(writing, answer.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        return pipe.read()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+asyncpg://someone:hunter2@127.0.0.1:1/nowhere",
        "sqlite+aiosqlite:////proc/nothing/here/mishu.db",
        "sqlite+aiosqlite:///:memory:",
        "sqlite+aiosqlite://",
        "nonsense",
        "oracle+nothing://x/y",
    ],
)
async def test_an_address_that_leads_nowhere(address: str, said: list[str]):
    with pytest.raises(DatabaseUnreachable) as caught:
        await Storage.open(address, on_trouble=said.append, deadline=1.0)
    assert "hunter2" not in str(caught.value)
    assert "nowhere" not in str(caught.value)


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_database_that_is_not_there(url: str):
    with pytest.raises(DatabaseUnreachable):
        await Storage.open(url + "_other", on_trouble=print, deadline=2.0)


async def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(DriverMissing, match=r"nonebot-plugin-mishu\[postgresql\]"):
        await Storage.open("postgresql+asyncpg://a@127.0.0.1/b", on_trouble=print)


@pytest.mark.parametrize("folder", ["a b", "中文", "q?x=1#y%20z@:;&", "deep/er/still"])
async def test_any_directory_will_do(tmp_path: Path, folder: str, said: list[str]):
    storage = await Storage.open(default_url(tmp_path / folder), on_trouble=said.append)
    await storage.settings.set_persona(GROUP, "海盗")
    await storage.close()
    assert (tmp_path / folder / "mishu.db").exists()


def test_pitfall_64_importing_needs_no_driver_and_no_migration_tool():
    script = (
        "import sys, storage_alone; sys.modules['asyncpg'] = None; import nonebot_plugin_mishu.storage;"
        "assert 'alembic' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parent
    )
    assert done.returncode == 0, done.stderr


async def test_opening_an_up_to_date_database_needs_no_migration_tool(
    storage: Storage, opened: Opener, monkeypatch
):
    await storage.close()
    monkeypatch.setattr(schema, "_run_migrations", None)
    await opened()


def test_every_error_says_its_own_sentence_in_chinese():
    kinds = [StorageError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    sentences = {str(kind()) for kind in kinds}
    assert len(sentences) == len(kinds)
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in sentence) for sentence in sentences)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_sqlite_keeps_every_commit(opened: Opener):
    """WAL, and each commit forced to the disk, on the connection that writes."""
    storage = await opened(deadline=5)
    async with storage._database._write_engine.connect() as connection:
        assert (await connection.exec_driver_sql("PRAGMA journal_mode")).scalar() == "wal"
        assert (await connection.exec_driver_sql("PRAGMA synchronous")).scalar() == 2
        assert (await connection.exec_driver_sql("PRAGMA busy_timeout")).scalar() == 4000


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_readers_cannot_write_and_hold_no_transaction(storage: Storage, url: str):
    async with storage._database._read_engine.connect() as connection:
        await connection.exec_driver_sql("SELECT count(*) FROM mishu_ledger")
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        assert not raw.in_transaction
        with pytest.raises(Exception, match="readonly"):
            await connection.exec_driver_sql("DELETE FROM mishu_ledger")
    checker = sqlite3.connect(file_of(url), timeout=0, isolation_level=None)
    checker.execute("BEGIN EXCLUSIVE")
    checker.close()
