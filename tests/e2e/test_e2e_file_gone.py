"""The database's file deleted under the running bot: noticed, told, and nothing is said to be kept."""

from __future__ import annotations

import pytest

from .conftest import StartBot
from .harness import Api, OneBotClient

pytestmark = pytest.mark.exhaustive

OFFLINE = True


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
