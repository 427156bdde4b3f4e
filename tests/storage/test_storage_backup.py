"""Backup and restore: in one snapshot under load, counted, whole or not at all."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from copies_support import contents, fill, use
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.copies import CopyRefused, back_up, postgresql_tools, restore
from nonebot_plugin_mishu.storage.engine import schema
from nonebot_plugin_mishu.storage.engine.errors import DatabaseInUse
from ready_database import ready_url
from storage_support import FRIEND, GROUP, decision, message, outside
from test_storage_process_lock import another_process

Opener = Callable[..., Awaitable[Storage]]


_BY_ROWS = pytest.param("postgresql by rows", marks=pytest.mark.exhaustive)
every_way = pytest.mark.parametrize("kind", ["sqlite", "postgresql", _BY_ROWS], indirect=True)
"""PostgreSQL with its own tools, and as on a machine that has none."""


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which database."""
    if request.param == "postgresql by rows":
        monkeypatch.setattr(postgresql_tools, "found", lambda *names: False)
    return request.param.split()[0]


@pytest.fixture
def method(kind: str) -> str:
    """How a backup is made here."""
    if kind == "sqlite":
        return "sqlite"
    return "pg_dump" if postgresql_tools.found("pg_dump", "pg_restore") else "rows"


@every_way
async def test_a_backup_under_load_holds_all_that_was_on_disk_and_one_moment(
    storage: Storage, opened: Opener, url: str, method: str, tmp_path: Path
):
    written, stop = 0, asyncio.Event()
    enough = asyncio.Event()

    async def load() -> None:
        nonlocal written
        while not stop.is_set():
            storage.ledger.append(message(f"load-{written}", time=float(written)))
            await storage.decisions.add(decision(message_id=str(written)))
            written += 1
            if written > 50:
                enough.set()

    loading = asyncio.create_task(load())
    await asyncio.wait_for(enough.wait(), 30)
    before = written
    made = await back_up(url, tmp_path / "copy")
    stop.set()
    await loading
    await storage.close()
    assert made.method == method
    assert made.counts["mishu_decision"] >= before
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    assert [name for name in os.listdir(tmp_path) if name.startswith("copy")] == ["copy"]

    done = await restore(url, made.file, replace=True)
    assert dict(done.counts) == dict(made.counts)
    kept = await outside(url, "SELECT message_id FROM mishu_decision ORDER BY id")
    assert [int(number) for (number,) in kept] == list(range(len(kept))), "a moment has no holes"
    again = await opened()
    assert await again.decisions.add(decision()) > len(kept)


@every_way
async def test_what_was_restored_is_what_was_there(
    storage: Storage, opened: Opener, url: str, tmp_path: Path
):
    await fill(url)
    await use(storage)
    await storage.close()
    before = await contents(url)
    made = await back_up(url, tmp_path / "copy")
    await outside(url, "DELETE FROM mishu_ledger")
    await outside(url, "UPDATE mishu_conversation SET persona = 'other'")
    await restore(url, made.file, replace=True)
    assert await contents(url) == before
    again = await opened()
    (found,) = await again.summaries.search(FRIEND, "30000", ["牛奶"], 5)
    assert found.content == "买了牛奶"
    assert await again.decisions.add(decision()) > 8, "an id is never used again, deleted or not"


async def test_a_place_with_data_is_left_alone_unless_it_is_to_be_replaced(
    storage: Storage, url: str, tmp_path: Path
):
    await storage.decisions.add(decision())
    await storage.close()
    made = await back_up(url, tmp_path / "copy")
    before = await contents(url)
    with pytest.raises(CopyRefused, match=r"已经有数据（1 行）.*--replace"):
        await restore(url, made.file, replace=False)
    assert await contents(url) == before
    await outside(url, "DELETE FROM mishu_decision")
    assert (await restore(url, made.file, replace=False)).counts["mishu_decision"] == 1


async def test_an_older_backup_is_brought_up_to_date(
    opened: Opener, kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Made by a version with fewer tables, from a SQLite file, into either kind."""
    old = default_url(tmp_path / "old")
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "HEAD", "0002")
        storage = await Storage.open(old, on_trouble=print)
        await storage.decisions.add(decision())
        await storage.close()
    made = await back_up(old, tmp_path / "copy")
    assert "mishu_transaction" not in made.counts
    url = default_url(tmp_path / "new") if kind == "sqlite" else request.getfixturevalue("url")
    done = await restore(url, made.file, replace=False)
    assert (done.counts["mishu_decision"], done.counts["mishu_transaction"]) == (1, 0)
    await (await Storage.open(url, on_trouble=print)).close()


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_backup_by_its_own_tool_of_an_older_version_is_brought_up_to_date(
    url: str, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if method != "pg_dump":
        pytest.skip("pg_dump is not installed")
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "HEAD", "0002")
        storage = await Storage.open(url, on_trouble=print)
        await storage.decisions.add(decision())
        await storage.close()
    made = await back_up(url, tmp_path / "copy")
    await (await Storage.open(url, on_trouble=print)).close()  # newer tables, which the backup has not
    assert (await restore(url, made.file, replace=True)).counts["mishu_decision"] == 1
    storage = await Storage.open(url, on_trouble=print)
    assert len(await storage.decisions.latest(GROUP, 5)) == 1
    await storage.close()


async def test_what_is_no_backup_changes_nothing(storage: Storage, url: str, kind: str, tmp_path: Path):
    await storage.decisions.add(decision())
    await storage.close()
    before = await contents(url)
    whole = await back_up(url, tmp_path / "whole")
    (tmp_path / "text").write_text("not a database")
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE theirs (x)")
        foreign.commit()
    content = whole.file.read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    (tmp_path / "damaged").write_bytes(content[:8192] + b"\xff" * 4096 * 4 + content[24576:])
    for name, words in {
        "nowhere": "没有.*这个文件",
        "text": "不是秘书的备份",
        "empty": "不是秘书的备份",
        "foreign": "不是秘书的备份",
        "cut": "损坏",
        **({"damaged": "损坏"} if content.startswith(b"SQLite") else {}),
    }.items():
        with pytest.raises(CopyRefused, match=words):
            await restore(url, tmp_path / name, replace=True)
        assert await contents(url) == before, name


async def test_a_backup_writes_over_nothing(storage: Storage, url: str, kind: str, tmp_path: Path):
    (tmp_path / "there").write_text("mine")
    with pytest.raises(CopyRefused, match="已经有了"):
        await back_up(url, tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"
    with pytest.raises(CopyRefused, match="是目录"):
        await back_up(url, tmp_path)
    if kind == "sqlite":
        with pytest.raises(CopyRefused, match="已经有了"):
            await back_up(url, tmp_path / "mishu.db")
    with pytest.raises(CopyRefused, match="建不了目录"):
        await back_up(url, tmp_path / "there" / "below" / "copy")


async def test_where_nothing_is_there_is_nothing_to_back_up(tmp_path: Path):
    with pytest.raises(CopyRefused, match="还没有秘书的数据"):
        await back_up(default_url(tmp_path / "nothing"), tmp_path / "copy")
    assert not (tmp_path / "nothing").exists()


async def test_a_bot_has_to_be_stopped_before_a_restore(tmp_path: Path, url: str, kind: str):
    if kind == "sqlite":
        await ready_url(tmp_path)
    storage = await Storage.open(url, on_trouble=print)
    await storage.close()
    with another_process(url):
        made = await back_up(url, tmp_path / "copy")
        with pytest.raises((DatabaseInUse, CopyRefused), match=r"机器人.*在用.*停掉"):
            await restore(url, made.file, replace=True)


async def test_a_replaced_file_is_kept_beside_a_damaged_one_too(tmp_path: Path):
    url = await ready_url(tmp_path / "good")
    made = await back_up(url, tmp_path / "copy")
    broken = tmp_path / "mishu.db"
    broken.write_bytes(b"no database\n" * 1000)
    with pytest.raises(CopyRefused, match="读不出来"):
        await restore(default_url(tmp_path), made.file, replace=False)
    done = await restore(default_url(tmp_path), made.file, replace=True)
    assert done.aside is not None
    assert done.aside.read_bytes() == b"no database\n" * 1000
    await (await Storage.open(default_url(tmp_path), on_trouble=print)).close()


async def test_a_dump_does_not_go_into_a_file(tmp_path: Path):
    (tmp_path / "dump").write_bytes(b"PGDMP\x01\x0e")
    with pytest.raises(CopyRefused, match="只能恢复到 PostgreSQL"):
        await restore(default_url(tmp_path), tmp_path / "dump", replace=True)
