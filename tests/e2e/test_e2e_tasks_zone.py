"""Tasks of a group in New York while the process runs in UTC (pitfall 46), and around midnight."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from .harness import Api, BotProcess, Chat
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import TODAY, TOMORROW, Talk, when

pytestmark = pytest.mark.exhaustive

OFFLINE = True
BOT = {"MISHU__TIMEZONE": "America/New_York"}


@pytest.fixture
def talk(room: Chat, bot: BotProcess, api: Api) -> Iterator[Talk]:
    """20:30 in New York, which is half past one of the next day in UTC and 09:30 of it in Shanghai."""
    one = Talk(room, bot, api, ZoneInfo("America/New_York"))
    one.at(f"{TODAY}T20:30")
    yield one
    bot.clock.reset()


async def test_today_and_tomorrow_are_those_of_the_group(talk: Talk) -> None:
    ming = talk.room.member("小明")
    assert "2月5日（周五）晚上" in await talk.order(ming, "创建任务 买牛奶")
    assert when(await talk.only(ming)) == (TODAY, None, None, "evening")
    assert "2月6日（周六）16:00–17:00" in await talk.order(ming, "创建任务：明天下午4点到5点去买东西")
    assert "放今天晚上可以吗" in await talk.order(ming, "创建任务：今天下午打扫")


async def test_a_reminder_carries_the_offset_of_its_day(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "明天上午9点提醒我交作业")
    await talk.order(ming, "4月5号上午9点提醒我交房租")
    found = {task["title"]: task["remindAt"] for task in await talk.tasks(ming)}
    assert found == {"交作业": f"{TOMORROW}T09:00:00-05:00", "交房租": "2027-04-05T09:00:00-04:00"}


async def test_after_midnight_tomorrow_is_asked(talk: Talk) -> None:
    ming = talk.room.member("小明")
    talk.at(f"{TODAY}T00:30")
    asked = await talk.order(ming, "创建任务：明天早上背单词")
    assert "记下了" not in asked
    assert "周" in asked
    assert await talk.tasks(ming) == []


async def test_a_bare_weekday_on_sunday_is_asked(talk: Talk) -> None:
    ming = talk.room.member("小明")
    talk.at("2027-02-07T10:00")
    asked = await talk.order(ming, "帮我建个任务，这周三下午交材料")
    assert "记下了" not in asked, asked
    assert "周三" in asked
    assert await talk.tasks(ming) == []
