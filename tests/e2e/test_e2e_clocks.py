"""Every bot under test has a clock of its own, and everything in it goes by that."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import datetime

import pytest

from .conftest import StartBot
from .harness import Api, Chat, OneBotClient
from .reminder_steps import reminders
from .test_e2e_restart import running

FIRST, SECOND = "2026-11-18T10:00", "2028-02-28T23:58"
"""A morning, and two minutes before a leap day begins."""


@pytest.mark.exhaustive
async def test_pitfall_76_two_bots_at_once_keep_their_own_time(start_bot: StartBot) -> None:
    """What is said, answered, stored and shown carries it, and reminders come by it."""
    bots = [start_bot(offline=True, clock=clock) for clock in (FIRST, SECOND)]
    accounts = [OneBotClient(bot.onebot_url, 10_095) for bot in bots]
    async with AsyncExitStack() as stack:
        apis = [
            await stack.enter_async_context(running(bot, account))
            for bot, account in zip(bots, accounts, strict=True)
        ]
        rooms = [account.room() for account in accounts]
        calls = ("好，10:30提醒你喝水", "好，2月29日（周二） 00:28提醒你喝水")
        days = ("11月18日（周三）", "2月28日（周一）晚上")
        for bot, room, api, start, call, day in zip(
            bots, rooms, apis, (FIRST, SECOND), calls, days, strict=True
        ):
            ming = room.member("小明")
            said = await room.call(ming, "半小时后提醒我喝水")
            assert (await room.expect(quoting=said)).text.strip() == call
            began = datetime.fromisoformat(f"{start}+08:00").timestamp()
            assert began <= said.event["time"] < began + 60
            row = await api.until_stored(room, "提醒你喝水")
            assert began <= datetime.fromisoformat(row["time"]).timestamp() < began + 60
            assert began + 1800 <= reminders(bot, room)[0]["due_at"] < began + 1860
            today = await room.call(ming, "创建任务 买牛奶")
            assert f"记下了：买牛奶，{day}" in (await room.expect(quoting=today)).text
        due = await asyncio.gather(*map(_remind_soon, rooms))
        assert due[1] - due[0] > 400 * 24 * 3600


async def _remind_soon(room: Chat) -> float:
    """Ask for a reminder and wait until it comes; the bot's time then."""
    ming = room.member("小明")
    await room.call(ming, "2秒后提醒我打卡")
    came = await room.expect("提醒：打卡")
    assert "迟到" not in came.text
    return room.now()


@pytest.mark.exhaustive
async def test_it_goes_on_after_a_restart(start_bot: StartBot) -> None:
    bot = start_bot(offline=True, clock=FIRST)
    account = OneBotClient(bot.onebot_url, 10_096)
    room = account.room()
    ming = room.member("小明")
    async with running(bot, account):
        await room.call(ming, "5小时后提醒我喝水")
        await room.expect("15:00")
        await bot.kill()
    bot.clock.advance(6 * 3600)
    async with running(bot, account) as api:
        assert "迟到 1 小时" in (await room.expect("提醒：喝水")).text
        await room.call(ming, "5小时后提醒我睡觉")
        await room.expect("21:00")
        await _settled(api, room)


async def _settled(api: Api, room: Chat) -> None:
    await api.settle(room)
    room.nothing_else()
