"""`python -m bot backup|restore|move` beside a running bot: exit codes, words, counts."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from crashes.load import Load
from default_run import first
from e2e.harness import BotProcess, OneBotClient
from e2e.harness.bot_process import ENDED, ROOT

WITHIN = 60.0


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: list[str]
    err: list[str]

    @property
    def counts(self) -> dict[str, int]:
        """The rows of each table it told of."""
        return {name: int(rows) for name, rows in (line.split() for line in self.out[1:])}


async def operate(home: Path, *arguments: str) -> Ended:
    """Run a command in a bot's directory."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=home,
        env={
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "plugins"))),
        },
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), WITHIN)
    assert b"Traceback" not in out + err, err.decode()
    return Ended(process.returncode or 0, out.decode().splitlines(), err.decode().splitlines())


@pytest_asyncio.fixture
async def bot(tmp_path: Path) -> AsyncIterator[BotProcess]:
    """A bot without a model, not started."""
    made = BotProcess(tmp_path / "bot")
    made.home.mkdir()
    yield made
    await made.close()


def in_file(database: Path, table: str) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.mark.exhaustive
async def test_backup_under_load_then_restored_and_counted(bot: BotProcess) -> None:
    await bot.start()
    async with OneBotClient(bot.onebot_url, 10_051) as account:
        load = Load(account, 1)
        running = asyncio.create_task(load.run())
        room = account.rooms[0]
        said = await room.call(room.members("己")[0], "在吗")
        await room.expect(quoting=said, within=30)
        backups = [await operate(bot.home, "backup", f"backup-{number}.db") for number in range(2)]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    for number, made in enumerate(backups):
        assert made.code == 0, made
        assert "已打开核对" in made.out[0]
        assert made.counts["mishu_ledger"] == in_file(bot.home / f"backup-{number}.db", "mishu_ledger")
    assert 0 < backups[0].counts["mishu_ledger"] < backups[1].counts["mishu_ledger"], "there was a load"

    refused = await operate(bot.home, "restore", "backup-0.db", "--replace")
    assert (refused.code, refused.out, len(refused.err)) == (1, [], 1)
    assert "机器人在用" in refused.err[0]
    assert await bot.stop() in ENDED

    refused = await operate(bot.home, "restore", "backup-0.db")
    assert (refused.code, refused.out, len(refused.err)) == (1, [], 1)
    assert "--replace" in refused.err[0]
    restored = await operate(bot.home, "restore", "backup-0.db", "--replace")
    assert (restored.code, restored.counts) == (0, backups[0].counts)
    assert restored.counts["mishu_ledger"] == in_file(bot.database, "mishu_ledger")

    moved = await operate(bot.home, "move", f"sqlite+aiosqlite:///{bot.home}/moved.db")
    assert (moved.code, moved.counts) == (0, backups[0].counts)
    bot.settings["MISHU__DATABASE_URL"] = f"sqlite+aiosqlite:///{bot.home}/moved.db"
    await bot.restart()
    async with OneBotClient(bot.onebot_url, 10_051) as account:
        room = account.room()
        said = await room.call(room.members("己")[0], "在吗")
        await room.expect(quoting=said, within=30)


@pytest.mark.exhaustive
async def test_a_bot_with_a_daily_backup_makes_one_and_says_so(bot: BotProcess) -> None:
    bot.settings |= {"MISHU__BACKUP__DAILY": "03:30", "MISHU__BACKUP__DIR": str(bot.home / "kept")}
    await bot.start()
    async with asyncio.timeout(WITHIN):
        while "每日备份好了" not in bot.log:  # noqa: ASYNC110 - a log has no event
            await asyncio.sleep(0.05)
    (made,) = os.listdir(bot.home / "kept")
    assert made.startswith("mishu-20261118-1000"), "by the bot's clock, in its zone"
    assert await bot.stop() in ENDED
    restored = await operate(bot.home, "restore", f"kept/{made}", "--replace")
    assert restored.code == 0, restored


@first(2)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("backup",), "用法：python -m bot backup 文件"),
        (("restore", "--replace"), "用法：python -m bot restore"),
        (("move", "a", "b"), "用法：python -m bot move"),
        (("backup", "--help"), "用法"),
        (("backup", "copy.db"), "还没有秘书的数据"),
        (("restore", "nowhere.db"), "没有 nowhere.db 这个文件"),
        (("move", "mysql://x"), "数据库地址应为"),
    ],
)
async def test_what_cannot_be_done_is_one_sentence_and_exit_1(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    ended = await operate(tmp_path, *arguments)
    assert (ended.code, ended.out, len(ended.err)) == (1, [], 1)
    assert words in ended.err[0]


async def test_a_wrong_configuration_is_said(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MISHU__DATABASE_URL=mysql://mishu:hunter2@db/x\n")
    ended = await operate(tmp_path, "backup", "copy.db")
    assert (ended.code, ended.out, len(ended.err)) == (1, [], 1)
    assert "MISHU__DATABASE_URL" in ended.err[0]
