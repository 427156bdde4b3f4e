"""A database locked, full, read-only, broken or too new: said clearly, nothing lost (pitfalls 54, 55, 67)."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio
from model_server import ModelServer

from .conftest import StartBot, bot_settings
from .harness import Api, BotProcess, Chat, Held, OneBotClient, summon
from .harness.bot_process import ENDED
from .harness.disk import holds, until_on_disk, version_table

pytestmark = pytest.mark.exhaustive

BOT = {"LOG_LEVEL": "WARNING"}  # a full disk in these tests is a limit on every file, the log included

DATABASE_WORDS = ("数据库", "database")


def said_about_the_database(bot: BotProcess) -> list[str]:
    """Lines of warning or worse that speak of the database."""
    return [
        line
        for line in bot.log.splitlines()
        if any(level in line for level in ("[WARNING]", "[ERROR]", "[CRITICAL]"))
        and any(words in line for words in DATABASE_WORDS)
    ]


@pytest_asyncio.fixture(scope="module")
async def used(
    tmp_path_factory: pytest.TempPathFactory, model_of_session: ModelServer
) -> AsyncIterator[BotProcess]:
    """A bot that ran once and was stopped; its file holds a message."""
    bot = BotProcess(tmp_path_factory.mktemp("bot"), bot_settings(object(), model_of_session))
    try:
        await bot.start()
        async with OneBotClient(bot.onebot_url, 10_041) as account:
            room = account.room()
            await room.say(room.member("阿明"), "从前的话")
            await until_on_disk(bot.database, "从前的话")
        assert await bot.stop() in ENDED
        yield bot
    finally:
        await bot.close()


def heir(start_bot: StartBot, used: BotProcess) -> BotProcess:
    """A bot, not started, with a copy of the used one's file."""
    bot = start_bot()
    shutil.copy(used.database, bot.database)
    return bot


async def answers(bot: BotProcess) -> None:
    """Check that a summons is answered, in words for people."""
    async with OneBotClient(bot.onebot_url, 10_041) as account:
        room = account.room()
        said = await room.call(room.member("阿明"), "在吗")
        sent = await room.expect(quoting=said)
        for words in ("sqlite", "SQL", "Error", "Traceback"):
            assert words not in sent.text


async def test_pitfall_55_the_database_is_locked_for_a_while(room: Chat, bot: BotProcess, api: Api):
    """What was said meanwhile is on disk once the lock is gone, and the caller is answered."""
    await summon(room, room.member("阿明"), "先说一句")
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        try:
            await room.say(room.member("小红"), "锁着时的闲聊")
            said = await room.call(room.member("小红"), "锁着时的问题")
            await api.until(room, lambda seen: seen["busy"] or bool(room.left()), "taken")
            for number in range(20):
                await room.say(room.member("小李"), f"锁着时的第{number}句")
            assert (await api.http.get("/api/health")).status_code == 200
        finally:
            lock.execute("ROLLBACK")
    await room.expect(quoting=said)
    for words in ("锁着时的闲聊", "锁着时的问题", "锁着时的第19句"):
        await until_on_disk(bot.database, words)
    assert all(holds(bot.database, f"锁着时的第{number}句") for number in range(20))
    await summon(room, room.member("阿明"), "好了吗")


async def test_pitfall_55_the_database_stays_locked(room: Chat, bot: BotProcess, api: Api):
    """Longer than anybody waits: a caller is answered all the same, it is said, and nothing is lost."""
    await summon(room, room.member("阿明"), "先说一句")
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        try:
            said = await room.call(room.member("小红"), "一直锁着的问题")
            await room.expect(quoting=said, within=30)
            await api.poll(lambda: asyncio.to_thread(said_about_the_database, bot), bool, "said", 20)
        finally:
            lock.execute("ROLLBACK")
    await until_on_disk(bot.database, "一直锁着的问题")


async def starts_honestly(bot: BotProcess) -> None:
    """Where it cannot be used at start: refused with one clear line (exit 3), or answered without it."""
    await bot.launch()
    assert bot.process is not None
    try:
        code = await asyncio.wait_for(bot.process.wait(), 15)
    except TimeoutError:
        await answers(bot)
        assert said_about_the_database(bot)
        return
    assert code == 3, bot.tail()
    assert "Traceback" not in bot.log
    lines = [line for line in bot.errors.splitlines() if "数据库" in line]
    assert len(lines) == 1, bot.errors


async def test_pitfall_55_a_read_only_database(start_bot: StartBot, used: BotProcess):
    bot = heir(start_bot, used)
    bot.settings["MISHU__DATABASE_URL"] = f"sqlite+aiosqlite:///file:{bot.database}?mode=ro&uri=true"
    await starts_honestly(bot)


async def test_pitfall_55_a_corrupt_database(start_bot: StartBot, used: BotProcess):
    bot = heir(start_bot, used)
    garbage = b"this is no database at all\n" * 400
    bot.database.write_bytes(garbage)
    await starts_honestly(bot)
    assert bot.database.read_bytes() == garbage, "what may be somebody's data is left as it is"
    assert bot.database.name in bot.errors, "whoever shall move the file away must learn where it is"


async def test_pitfall_55_a_schema_newer_than_the_code(start_bot: StartBot, used: BotProcess):
    bot = heir(start_bot, used)
    table = version_table(bot.database)
    with closing(sqlite3.connect(bot.database)) as connection:
        connection.execute(f"UPDATE \"{table}\" SET version_num = '9999_from_the_future'")
        connection.commit()
    await starts_honestly(bot)
    with closing(sqlite3.connect(bot.database)) as connection:
        found = connection.execute(f'SELECT version_num FROM "{table}"').fetchall()
    assert found == [("9999_from_the_future",)]
    assert holds(bot.database, "从前的话")


@pytest.mark.skipif(sys.platform != "linux", reason="a running process's limits can be set on Linux only")
async def test_pitfall_55_the_disk_is_full(room: Chat, bot: BotProcess, api: Api):
    """No file of the process may grow any more, for a while: callers are answered, nothing heard is lost."""
    import resource

    assert bot.process is not None
    pid = bot.process.pid
    await summon(room, room.member("阿明"), "先说一句")
    await until_on_disk(bot.database, "先说一句")
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    try:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (20_000, hard))
        said = await room.call(room.member("小红"), "磁盘满时的问题")
        sent = await room.expect(quoting=said)
        assert "SQL" not in sent.text
        await room.say(room.member("小李"), "磁盘满时的闲聊")
        await api.poll(api.health, lambda seen: seen["database"] != "ok", "health tells it")
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
    for words in ("磁盘满时的问题", "磁盘满时的闲聊"):
        await until_on_disk(bot.database, words)
    await api.poll(api.health, lambda seen: seen["database"] == "ok", "health tells it")
    await summon(room, room.member("阿明"), "好了吗")
    assert said_about_the_database(bot)


async def test_pitfall_55_the_directory_is_gone(start_bot: StartBot):
    """The file vanishes under a running bot: it goes on answering."""
    bot = start_bot(MISHU__DATABASE_URL=None)
    await bot.start()
    await answers(bot)
    await asyncio.to_thread(shutil.rmtree, bot.home / "data")
    await answers(bot)


async def test_pitfall_54_an_evicted_turn_leaves_no_open_transaction(
    room: Chat, bot: BotProcess, api: Api, model: ModelServer
):
    """Recalls in the middle of the work, then a writer from outside: the file is not locked."""
    for number in range(5):
        model.always("chat_reply", held := Held())
        said = await room.call(room.member("阿明"), f"取消{number}")
        await held.entered()
        await room.recall(said)
        await api.until_free(room)
        held.release()
    with closing(sqlite3.connect(bot.database, isolation_level=None, timeout=3)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    model.reset()
    await summon(room, room.member("小红"), "在吗")


async def test_pitfall_67_no_terminal_no_question(start_bot: StartBot, used: BotProcess):
    """Tables are made at start-up with standard input closed; a second start asks nothing either."""
    assert version_table(used.database)
    bot = heir(start_bot, used)
    await bot.start()
    await answers(bot)
    assert holds(bot.database, "从前的话")
    assert await bot.stop() in ENDED
