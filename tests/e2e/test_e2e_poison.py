"""A line that ends the process is taken up once after the restart, and not a third time."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from nonebot_plugin_mishu.frontdesk.resuming import GAVE_UP

from .conftest import StartBot
from .harness import OneBotClient

pytestmark = pytest.mark.exhaustive

OFFLINE = True


async def test_a_line_that_kills_twice_gets_an_honest_word(start_bot: StartBot) -> None:
    bot = start_bot(offline=True, MISHU__BOT__PLUGINS=["foreign_poison"])
    account = OneBotClient(bot.onebot_url, 10_001)
    room, other = account.room(), account.room()
    await bot.start()
    await account.connect()
    poison = await room.call(room.member("阿明"), "帮我配毒药")
    await bot.ended(within=15)  # it dies of the line itself
    await account.disconnect()

    await bot.start()
    await account.connect()
    await bot.ended(within=15)  # taken up once more
    await account.disconnect()
    assert account.sends == []

    await bot.start()
    await account.connect()
    told = await room.expect(quoting=poison)
    assert told.text == GAVE_UP
    said = await other.call(other.member("小红"), "在吗")
    await other.expect(quoting=said)
    await account.disconnect()
    await bot.stop()

    await bot.start()
    await account.connect()
    again = await other.call(other.member("小红"), "在吗")
    await other.expect(quoting=again)
    await account.disconnect()
    await bot.stop()
    assert sum(sent.quotes == poison.id for sent in account.sends) == 1
    with closing(sqlite3.connect(bot.database)) as database:
        marks = "SELECT processed, tries FROM mishu_ledger WHERE message_id = ?"
        assert database.execute(marks, (poison.id,)).fetchone() == (1, 1)
        reasons = "SELECT reason FROM mishu_decision WHERE message_id = ?"
        found = [reason for (reason,) in database.execute(reasons, (poison.id,))]
        assert found == ["处理它的时候重启了，接着处理时又重启了，不再试"]
