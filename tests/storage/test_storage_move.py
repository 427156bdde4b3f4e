"""From one database to another: not a difference, also after it was cut off anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from copies_support import contents, fill, use
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.copies import CopyRefused, move, moving, rows
from nonebot_plugin_mishu.storage.engine.errors import DatabaseInUse, MoveUnfinished, StorageError
from ready_database import ready_url
from storage_support import FRIEND, decision, outside
from test_storage_process_lock import another_process, refused

EMPTY = True


async def in_use(folder: Path) -> str:
    """A SQLite database with rows of every kind."""
    url = await ready_url(folder)
    await fill(url)
    storage = await Storage.open(url, on_trouble=print)
    await use(storage)
    await storage.close()
    return url


async def works(url: str, greater: int = 0) -> None:
    """A bot can go on with it: words are found, ids go on."""
    storage = await Storage.open(url, on_trouble=print)
    (found,) = await storage.summaries.search(FRIEND, "30000", ["牛奶"], 5)
    assert found.content == "买了牛奶"
    assert await storage.decisions.add(decision()) > greater
    await storage.close()


@pytest.mark.exhaustive
async def test_there_and_back_without_a_difference(url: str, tmp_path: Path):
    """SQLite to SQLite, or to PostgreSQL and back."""
    here, back = await in_use(tmp_path / "here"), default_url(tmp_path / "back")
    there = url if url.startswith("postgresql") else default_url(tmp_path / "there")
    before = await contents(here)
    moved = await move(here, there)
    assert not moved.resumed
    assert moved.counts == {name: count for name, (count, _) in before.items()}
    assert await contents(there) == before == await contents(here)
    await move(there, back)
    assert await contents(back) == before
    await works(there, 8)
    await works(back, 8)


class Cut(Exception):
    """The process ends here."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", [1, 9, 40])
async def test_a_move_that_is_cut_off_goes_on(
    url: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """At the N-th chunk; meanwhile the source changed, in rows that were moved already too."""
    here = await in_use(tmp_path / "here")
    there = url if url.startswith("postgresql") else default_url(tmp_path / "there")
    monkeypatch.setattr(rows, "CHUNK", 3)
    done = 0

    async def cut_off(*arguments: object) -> None:
        nonlocal done
        done += 1
        if done == at:
            raise Cut
        await rows.insert_rows(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as cutting:
        cutting.setattr(moving, "insert_rows", cut_off)
        with pytest.raises(Cut):
            await move(here, there)
    with pytest.raises(MoveUnfinished, match="还没有做完"):
        await Storage.open(there, on_trouble=print)
    await outside(here, "UPDATE mishu_budget SET category = 'changed' WHERE id = 1")
    await outside(here, "DELETE FROM mishu_calendar WHERE id = 2")
    moved = await move(here, there)
    assert moved.resumed
    assert await contents(there) == await contents(here)
    await works(there)


async def test_what_holds_data_is_no_target(url: str, tmp_path: Path):
    here = await in_use(tmp_path / "here")
    storage = await Storage.open(url, on_trouble=print)
    await storage.decisions.add(decision())
    await storage.close()
    before = await contents(url)
    with pytest.raises(CopyRefused, match=r"目标数据库里已经有数据（1 行）"):
        await move(here, url)
    assert await contents(url) == before


@pytest.mark.exhaustive
async def test_a_bot_on_either_side_is_in_the_way(url: str, tmp_path: Path):
    other = await in_use(tmp_path / "other")
    await (await Storage.open(url, on_trouble=print)).close()
    with another_process(url):
        for source, target in ((url, default_url(tmp_path / "new")), (other, url)):
            with pytest.raises((DatabaseInUse, CopyRefused), match=r"机器人.*在用.*停掉"):
                await move(source, target)


@pytest.mark.exhaustive
async def test_no_bot_starts_on_the_source_meanwhile(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    await (await Storage.open(url, on_trouble=print)).close()
    await fill(url, 1)
    tried: list[str] = []

    async def starting(*arguments: object) -> None:
        if not tried:
            with pytest.raises(StorageError) as caught:
                await start(url)
            tried.append(str(caught.value))
        await rows.insert_rows(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(moving, "insert_rows", starting)
    await move(url, default_url(tmp_path / "new"))
    assert "占用" in tried[0] or "在用" in tried[0]


async def start(url: str) -> None:
    """As a bot does; a SQLite file is kept from other processes, and this is the same."""
    if url.startswith("sqlite"):
        if refused(url):
            raise DatabaseInUse
        return
    await (await Storage.open(url, on_trouble=print, deadline=1)).close()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("mysql://x", "应为 sqlite"),
        ("not an address", "看不懂"),
        ("sqlite+aiosqlite://", "普通的数据库文件"),
        ("postgresql+asyncpg://nobody:hunter2@127.0.0.1:1/x", "连不上"),
    ],
)
async def test_what_is_no_target_is_said(target: str, words: str, tmp_path: Path):
    pytest.importorskip("asyncpg")
    here = await in_use(tmp_path / "here")
    with pytest.raises(StorageError, match=words) as caught:
        await move(here, target)
    assert "hunter2" not in str(caught.value)


async def test_it_is_not_moved_to_itself_nor_from_nowhere(tmp_path: Path):
    here = await ready_url(tmp_path / "here")
    (tmp_path / "alias").symlink_to(tmp_path / "here")
    for same in (here, default_url(tmp_path / "alias")):
        with pytest.raises(CopyRefused, match="不用搬"):
            await move(here, same)
    with pytest.raises(CopyRefused, match="没有可搬的"):
        await move(default_url(tmp_path / "nowhere"), default_url(tmp_path / "new"))


async def test_the_same_server_by_another_name_is_found_out(url: str, tmp_path: Path):
    if url.startswith("sqlite"):
        return  # above, by a link
    await (await Storage.open(url, on_trouble=print)).close()
    await fill(url, 1)
    with pytest.raises(CopyRefused, match="已经有数据"):
        await move(url, url.replace("127.0.0.1", "localhost"))
