"""Killed between an answer that is ready and its delivery, on every platform: it is told, once, and nothing
that was asked is done twice."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN

from ..harness import Api, BotProcess, OneBotClient
from ..harness.answers import Gate
from .chat import Chat, settled
from .conftest import CLOCK, PLATFORMS
from .milky_fake import MilkyFake
from .onebot_chat import OneBotChat
from .qq_fake import QqChat, QqFake

STATUS_AGAIN = f"{AGAIN}我在，"
"""Nobody knows whether it arrived: the platform did not say so before the kill."""


@dataclass
class Place:
    """A bot that will be killed, a group of it, and how its platform is told to answer no send."""

    bot: BotProcess
    chat: Chat
    hold_next: Callable[[Gate], object]
    away: Callable[[], Awaitable[None]]
    back: Callable[[], Awaitable[None]]

    async def held(self) -> Gate:
        """The next message of the bot's arrives, and the platform does not say so."""
        gate = Gate()
        self.hold_next(gate)
        return gate

    async def kill(self, gate: Gate) -> None:
        """Kill it, and start it again on the same data."""
        await self.bot.kill()
        gate.open()
        await self.away()
        await self.bot.restart()
        await self.back()

    async def claimed(self, words: str) -> None:
        """Wait until an answer with these words is ready, and on disk."""
        end = time.monotonic() + 12
        while not await asyncio.to_thread(self._has_claim, words):
            assert time.monotonic() < end, f"no answer is ready: {words}"
            await asyncio.sleep(0.02)

    def _has_claim(self, words: str) -> bool:
        with closing(sqlite3.connect(f"file:{self.bot.database}?mode=ro", uri=True, timeout=2)) as database:
            found = database.execute("SELECT count(*) FROM mishu_claim WHERE reply LIKE ?", [f"%{words}%"])
            return bool(found.fetchone()[0])


@pytest_asyncio.fixture(params=PLATFORMS)
async def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Place]:
    """A bot of this test's own on each platform. Official bots may say nothing unasked."""
    async with AsyncExitStack() as stack:
        home, official = tmp_path_factory.mktemp("bot"), None
        if request.param == "onebot":
            bot = BotProcess(home, clock=CLOCK)
            client = OneBotClient(bot.onebot_url, 10_001)
            made = Place(
                bot,
                OneBotChat(client),
                lambda gate: client.plan("send", gate),
                client.disconnect,
                client.connect,
            )
            stack.push_async_callback(client.disconnect)
        elif request.param == "milky":
            milky = await stack.enter_async_context(MilkyFake(10_777))
            settings = {"MISHU__BOT__ADAPTERS": ["milky"], "MILKY_CLIENTS": [milky.settings]}
            bot = BotProcess(home, settings, clock=CLOCK)
            milky.url = bot.url
            made = Place(
                bot, OneBotChat(milky), lambda gate: milky.plan("send", gate), milky.disconnect, milky.connect
            )
        else:
            official = qq = await stack.enter_async_context(QqFake())
            qq.all_active_refused = True
            bot = BotProcess(home, qq.settings, clock=CLOCK)
            qq.now = bot.clock.now

            async def back() -> None:
                await qq.until(lambda: qq.connected, 20, "the bot at the gateway")

            made = Place(bot, QqChat(qq), qq.gates.append, qq.drop, back)
        await bot.start()
        await made.back()
        stack.push_async_callback(bot.close)
        yield made
        if official is not None:
            assert official.refusals.keys() <= {40034102}, "only what answers no line"


async def tasks(place: Place, user_id: str) -> list[str]:
    """Titles of a member's tasks in the group."""
    api = Api(place.bot.url)
    found = await api.get(f"/api/users/{user_id}/tasks", group_id=place.chat.id)
    await api.close()
    return [each["title"] for each in found]


async def test_an_answer_that_was_ready_is_told_once_after_a_kill(place: Place) -> None:
    chat = place.chat
    ming, hong = chat.member("阿明"), chat.member("小红")
    gate = await place.held()
    await chat.say(ming, "/秘书 状态")
    await asyncio.wait_for(gate.entered.wait(), 12)
    await chat.call(hong, "提醒我明天上午9点交表")
    await place.claimed("交表")
    chat.take_all()
    await place.kill(gate)
    told = await chat.expect("交表", within=20)
    assert told.text.startswith(AGAIN)
    await chat.expect(STATUS_AGAIN, within=20)
    await settled(chat, ming)
    assert chat.left() == []
    assert await tasks(place, hong.id) == ["交表"]


async def test_commands_that_were_cut_off_are_answered_once(place: Place) -> None:
    chat = place.chat
    ming, admin = chat.member("阿明"), chat.member("管理员", role="admin")
    gate = await place.held()
    await chat.say(ming, "/秘书 状态")
    await asyncio.wait_for(gate.entered.wait(), 12)
    await chat.say(admin, "/秘书 静音词 添加 肃静")
    await place.claimed("肃静")
    await chat.say(ming, "/秘书 帮助")
    await place.claimed("/秘书 帮助")
    chat.take_all()
    await place.kill(gate)
    assert (await chat.expect("静音词加上了", within=20)).text.startswith(AGAIN)
    assert (await chat.expect("直接说事就行", within=20)).text.startswith(AGAIN)
    await chat.expect(STATUS_AGAIN, within=20)
    await settled(chat, ming)
    assert chat.left() == []
    await chat.say(admin, "/秘书 静音词 列表")
    assert (await chat.expect("静音词：")).text.count("肃静") == 1


@pytest.mark.exhaustive
async def test_an_answer_that_may_be_out_is_told_once_more_and_marked(place: Place) -> None:
    chat = place.chat
    ming, hong = chat.member("阿明"), chat.member("小红")
    gate = await place.held()
    await chat.call(hong, "提醒我明天上午9点交表")
    await asyncio.wait_for(gate.entered.wait(), 12)
    assert AGAIN not in (await chat.expect("交表")).text
    await place.kill(gate)
    assert (await chat.expect("交表", within=20)).text.startswith(AGAIN)
    await settled(chat, ming)
    assert chat.left() == []
    assert await tasks(place, hong.id) == ["交表"]


@pytest.mark.exhaustive
async def test_a_press_whose_answer_was_ready_is_answered_after_a_kill(place: Place) -> None:
    chat = place.chat
    ming = chat.member("阿明")
    await chat.call(ming, "午饭35")
    card = await chat.expect("要记这笔吗")
    await settled(chat, ming)
    gate = await place.held()
    await chat.say(ming, "/秘书 状态")
    await asyncio.wait_for(gate.entered.wait(), 12)
    await chat.press(ming, card, "确认")
    await place.claimed("记下了")
    chat.take_all()
    await place.kill(gate)
    assert (await chat.expect("35", within=20)).text.startswith(AGAIN)
    await chat.expect(STATUS_AGAIN, within=20)
    await settled(chat, ming)
    assert chat.left() == []
    api = Api(place.bot.url)
    kept = await api.get(f"/api/groups/{chat.id}/transactions")
    await api.close()
    assert [row["amount"] for row in kept] == ["35.00"]
