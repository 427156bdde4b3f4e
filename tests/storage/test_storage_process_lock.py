"""A second process on one SQLite file is refused; the lock goes with its process, however that ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nonebot_plugin_mishu.storage import Storage, default_url, occupy
from nonebot_plugin_mishu.storage.engine.errors import DatabaseInUse
from ready_database import ready_url

EMPTY = True


@contextmanager
def another_process(url: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has the database open."""
    program = [sys.executable, str(Path(__file__).with_name("crashing.py")), url, "0"]
    child = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline(), "it did not start"
        yield child
    finally:
        child.kill()
        child.communicate(timeout=30)


async def opened(url: str) -> Storage:
    return await Storage.open(url, on_trouble=lambda sentence: None)


async def test_a_second_process_is_refused_and_one_after_a_kill_is_not(tmp_path: Path):
    url = await ready_url(tmp_path)
    with another_process(url) as child:
        with pytest.raises(DatabaseInUse, match="已经有一个机器人在用这个数据库文件"):
            await opened(url)
        with pytest.raises(DatabaseInUse):
            occupy(url)
        child.kill()
        child.wait(30)
        await (await opened(url)).close()


async def test_the_same_file_by_another_name_is_the_same_file(tmp_path: Path):
    url = await ready_url(tmp_path / "real")
    (tmp_path / "alias").symlink_to(tmp_path / "real", target_is_directory=True)
    with another_process(url), pytest.raises(DatabaseInUse):
        await opened(default_url(tmp_path / "alias"))


@pytest.mark.exhaustive
async def test_a_process_shares_its_lock_with_itself_and_gives_it_back_with_the_last(tmp_path: Path):
    url = await ready_url(tmp_path)
    first, second = await opened(url), await opened(url)
    kept = occupy(url)
    assert kept is not None
    for giving_up in (first.close, second.close):
        await giving_up()
        assert refused(url)
    kept.release()
    kept.release()
    assert not refused(url)


def refused(url: str) -> bool:
    """True if another process is refused."""
    program = (
        "import sys, storage_alone; from nonebot_plugin_mishu.storage import occupy, DatabaseInUse\n"
        "try: occupy(sys.argv[1])\n"
        "except DatabaseInUse: sys.exit(7)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, url], cwd=Path(__file__).parent, timeout=60, check=False
    )
    assert done.returncode in (0, 7)
    return done.returncode == 7


async def test_where_nothing_can_be_locked_the_database_is_used_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from nonebot_plugin_mishu.storage.engine import process_lock

    def no_locks_here(number: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(process_lock, "_lock_file", no_locks_here)
    url = await ready_url(tmp_path)
    await (await opened(url)).close()
    (tmp_path / "mishu.db.lock").unlink()
    (tmp_path / "mishu.db.lock").mkdir()
    await (await opened(url)).close()


def test_a_server_is_nobodys_file():
    assert occupy("postgresql+asyncpg://nobody@127.0.0.1:1/nothing") is None
