"""The morning's digest (日报): switched by admins, one message of the day's schedules and tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest_asyncio
from nonebot_plugin_mishu.storage.reminders.records import DIGEST

from .harness import Api, BotProcess, Chat, OneBotClient, summon
from .reminder_steps import SLEEPER, alter, digests, reminders, states, until_digests
from .test_e2e_restart import running

OFFLINE = True
BOT = SLEEPER


async def test_only_admins_switch_it_and_twice_is_once(room: Chat, api: Api, bot: BotProcess) -> None:
    ming, admin = room.member("小明"), room.member("管理员", role="admin")
    refused = await room.command(ming, "开关 日报 开")
    assert "管理员" in refused.text
    assert reminders(bot, room) == []
    for _ in range(2):
        await room.command(admin, "开关 日报 开")
    kept = [row for row in reminders(bot, room) if row["state"] == "waiting"]
    assert len(kept) == 1
    next_morning = datetime.fromtimestamp(kept[0]["due_at"], ZoneInfo("Asia/Shanghai"))
    assert (next_morning.hour, next_morning.minute) == (8, 0)
    assert bot.clock.now() < kept[0]["due_at"] <= bot.clock.now() + 24 * 3600
    await room.command(admin, "开关 日报 关")
    assert "waiting" not in states(bot, room)
    room.nothing_else()


@pytest_asyncio.fixture(scope="module")
async def morning(tmp_path_factory: Any) -> AsyncIterator[dict[str, Any]]:
    """A bot that was off while three digests became due."""
    bot = BotProcess(tmp_path_factory.mktemp("bot"))
    account = OneBotClient(bot.onebot_url, 10_063)
    full, empty, off = account.room(), account.room(), account.room()
    admin, ming = Chat.member("管理员", role="admin"), Chat.member("小明")
    try:
        async with running(bot, account):
            for room in (full, empty, off):
                await room.command(admin, "开关 日报 开")
            await room.command(admin, "开关 日报 关")
            await summon(full, ming, "记录日程：今天全员大扫除")
            await summon(full, ming, "创建任务：今天交周报")
            await summon(full, ming, "创建任务：明天买菜")
            await bot.kill()
        for room in (full, empty):
            alter(bot, room, f"due_at = {bot.clock.now() - 60}", DIGEST)
        async with running(bot, account) as api:
            yield {"bot": bot, "api": api, "full": full, "empty": empty, "off": off}
    finally:
        await bot.close()


async def test_it_is_one_message_with_what_is_planned_today(morning: Any) -> None:
    room: Chat = morning["full"]
    digest = await room.expect("今天是")
    assert "大扫除" in digest.text
    assert "小明" in digest.text
    assert "交周报" in digest.text
    assert "买菜" not in digest.text, "that is tomorrow's"
    today = morning["bot"].clock.local()
    assert f"今天是{today.month}月{today.day}日（周{'一二三四五六日'[today.weekday()]}）" in digest.text
    assert digest.ats == []
    await until_digests(morning["bot"], room, "sent", "waiting")
    assert digests(morning["bot"], room)[1]["due_at"] > morning["bot"].clock.now()
    await morning["api"].settle(room)
    assert len([text for text in room.texts() if "今天是" in text]) == 1


async def test_a_day_with_nothing_planned_is_silent_and_the_next_is_waited_for(morning: Any) -> None:
    await until_digests(morning["bot"], morning["empty"], "sent", "waiting")
    await morning["api"].settle(morning["empty"])
    assert not any("今天" in text for text in morning["empty"].texts())


async def test_switched_off_it_does_not_come(morning: Any) -> None:
    await morning["api"].settle(morning["off"])
    assert states(morning["bot"], morning["off"]) == ["dropped"]
    assert not any("今天是" in text for text in morning["off"].texts())
