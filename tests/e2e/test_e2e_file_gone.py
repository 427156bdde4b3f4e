"""The database's file gone under the running bot: noticed, told, and nothing is said to be kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from default_run import first

from .conftest import StartBot
from .harness import Api, Member, OneBotClient

pytestmark = pytest.mark.exhaustive

OFFLINE = True
NOTICED = 10.0
"""Seconds in which it is noticed, though nobody writes."""


def deleted(file: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()


def moved(file: Path) -> None:
    file.rename(file.with_name("away.db"))


def replaced(file: Path) -> None:
    new = file.with_name("new.db")
    new.touch()
    new.replace(file)


def written_over(file: Path) -> None:
    file.write_bytes(b"")


@first(1)
@pytest.mark.parametrize("how", [replaced, moved, written_over, deleted])
async def test_it_is_noticed_without_a_word_and_told_to_whoever_asks(
    start_bot: StartBot, how: Callable[[Path], None]
) -> None:
    bot = start_bot(offline=True, SUPERUSERS=["10007"])
    await bot.start()
    api = Api(bot.url)
    async with OneBotClient(bot.onebot_url, 10_001) as account:
        room = account.room()
        ming, owner = room.member("阿明"), Member(10_007, "主人")
        before = await room.call(ming, "提醒我明天早上八点交报告")
        assert "提醒你" in (await room.expect(quoting=before)).text
        await api.settle(room)
        how(bot.database)
        went = time.monotonic()
        seen = await api.poll(api.health, lambda seen: seen["database"] == "down", "noticed", within=NOTICED)
        assert time.monotonic() - went < NOTICED
        assert seen["status"] == "degraded"
        assert "数据库文件被删掉或换掉了" in bot.log
        after = await room.call(ming, "提醒我后天早上九点开会")
        told = (await room.expect(quoting=after)).text
        assert "存不进去" in told
        assert "提醒你" not in told
        asked = await room.say(ming, "/秘书 状态")
        assert "现在什么都存不进去" in (await room.expect(quoting=asked)).text
        asked = await room.say(owner, "/秘书 状态")
        assert "数据库文件被删掉或换掉了" in (await room.expect(quoting=asked)).text
    await api.close()


@pytest.mark.exhaustive
async def test_nothing_is_noted_into_a_file_that_is_gone(start_bot: StartBot) -> None:
    bot = start_bot(offline=True)
    await bot.start()
    api = Api(bot.url)
    async with OneBotClient(bot.onebot_url, 10_001) as account:
        room = account.room()
        ming = room.member("阿明")
        before = await room.call(ming, "提醒我明天早上八点交报告")
        assert "提醒你" in (await room.expect(quoting=before)).text
        for file in bot.home.glob("mishu.db*"):
            file.unlink()
        for words in (
            "提醒我后天早上九点开会",
            "周六下午三点打羽毛球，加到日程",
            "每天晚上十点叫我睡觉",
            "记住：门禁密码是2580",
            "加个待办：周五前交房租",
        ):
            after = await room.call(ming, words)
            told = (await room.expect(quoting=after)).text
            for claimed in ("记下", "提醒你", "记住了", "叫你"):
                assert claimed not in told, words
            assert "存不进去" in told, words
        seen = await api.poll(api.health, lambda seen: seen["database"] != "ok", "degraded", within=10)
        assert seen["status"] == "degraded"
    await api.close()
    assert bot.log.count("数据库文件被删掉或换掉了") >= 1
