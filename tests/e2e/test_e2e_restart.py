"""Killed and started again; stopped and started again (product section 2, Once; section 1, Ledger)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from model_server import ModelServer, Request
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN

from .conftest import StartBot, bot_settings
from .harness import Api, BotProcess, Chat, Held, Never, OneBotClient, Said, summon
from .harness.api import WITHIN
from .harness.bot_process import ENDED
from .harness.disk import holds, until_on_disk
from .harness.segments import at, image, reply

pytestmark = pytest.mark.exhaustive


@asynccontextmanager
async def running(bot: BotProcess, account: OneBotClient) -> AsyncIterator[Api]:
    """The bot up and the account connected to it."""
    await bot.start()
    api = Api(bot.url)
    try:
        async with account:
            await api.poll(api.health, lambda seen: account.self_id in map(str, seen["bots"]), "connected")
            yield api
    finally:
        await api.close()


@dataclass
class Killed:
    """A bot that was killed in the middle of much, and runs again."""

    bot: BotProcess
    account: OneBotClient
    back: Chat
    quiet: Chat
    once: Chat
    young: Chat
    old: Chat
    claimed: Chat
    said: dict[str, Said] = field(default_factory=dict[str, Said])
    before: dict[str, Any] = field(default_factory=dict[str, Any])
    resumed: list[Request] = field(default_factory=list[Request])
    """What the model was asked after the start, before any test said something."""
    api: Api = field(init=False)


async def before_the_kill(case: Killed, api: Api, model: ModelServer) -> None:
    """Many things at once: settings, an answer given, one on its way, two that are waited for."""
    admin, ming = case.back.member("管理员", role="admin"), case.back.member("阿明")
    for words in ("唤醒词 添加 大管家", "静音词 添加 安静点", "人设 你是海盗船长", "开关 复读 关"):
        await case.back.command(admin, words)
    await case.quiet.say(ming, "闭嘴")
    silenced = await api.until(case.quiet, lambda seen: seen["silenced_until"] is not None, "silenced")
    case.before["silenced"] = silenced["silenced_until"]
    await summon(case.back, ming, "记住：蓝色的雨伞")
    case.before["rows"] = await api.poll(
        lambda: api.messages(case.back), lambda rows: all(row["processed"] for row in rows), "all processed"
    )
    await api.until_state(case.back, "observing")
    case.said["once"], _ = await summon(case.once, ming, "只答一次")
    here = case.claimed.id
    case.account.plan("send", Never(), matching=lambda action: str(action.params.get("group_id")) == here)
    case.said["claimed"] = await case.claimed.call(ming, "发到一半的")
    await case.claimed.expect(quoting=case.said["claimed"])
    model.always("chat_reply", held := Held("来不及"))
    case.said["young"] = await case.young.call(ming, "别忘了我")
    await held.entered()
    case.said["waiting"] = await case.young.call(case.young.member("小红"), "也别忘了我")
    await api.until_held(case.young, 1)
    case.said["old"] = await case.old.call(ming, "一小时前的话", time=int(case.old.now()) - 3600)
    # Written behind them: what only memory holds for half a second may be lost.
    case.before["status"] = (await case.young.sentinel()).quotes
    for words in ("蓝色的雨伞", "也别忘了我", "一小时前的话"):
        await until_on_disk(case.bot.database, words)
    await case.bot.kill()
    held.release()


@pytest_asyncio.fixture(scope="module")
async def killed(
    tmp_path_factory: pytest.TempPathFactory, model_of_session: ModelServer
) -> AsyncIterator[Killed]:
    """Killed with SIGKILL and started again on the same data."""
    model = model_of_session.reset()
    bot = BotProcess(tmp_path_factory.mktemp("bot"), bot_settings(object(), model))
    account = OneBotClient(bot.onebot_url, 10_031)
    room = account.room
    case = Killed(bot, account, room(), room(), room(), room(), room(), room())
    try:
        async with running(bot, account) as api:
            await before_the_kill(case, api, model)
        model.reset().always("chat_reply", "没忘")
        async with running(bot, account) as case.api:
            for room in (case.young, case.old, case.once, case.claimed):
                await case.api.settle(room)
            async with asyncio.timeout(WITHIN):  # what waited behind the other has a turn of its own
                while not any("也别忘了我" in request.prompt for request in model.of("chat_reply")):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            for room in (case.young, case.old, case.once, case.claimed):
                await case.api.settle(room)
            case.resumed = list(model.requests)
            yield case
            assert await bot.stop() in ENDED
            assert "Traceback" not in bot.log
    finally:
        await bot.close()


async def test_the_ledger_is_back(killed: Killed):
    rows = await killed.api.messages(killed.back)
    marks = [(row["id"], row["text"], row["processed"], row["is_bot"]) for row in rows]
    before = [(row["id"], row["text"], row["processed"], row["is_bot"]) for row in killed.before["rows"]]
    assert marks[: len(before)] == before


async def test_restart_is_absent(killed: Killed):
    assert await killed.api.state(killed.back) == "absent"


async def test_a_silence_is_back(killed: Killed, model: ModelServer):
    until = (await killed.api.presence(killed.quiet))["silenced_until"]
    assert until == killed.before["silenced"]
    await killed.quiet.call(killed.quiet.member("阿明"), "在吗")
    await killed.api.settle(killed.quiet)
    killed.quiet.nothing_else()


async def test_words_personas_switches_and_the_talk_are_back(killed: Killed, model: ModelServer):
    room, api = killed.back, killed.api
    assert len(await api.decisions(room)) == 1, "the trace"
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "好耶")
    await api.settle(room)
    room.nothing_else()
    ming = room.member("阿明")
    said = await room.say(ming, "大管家，雨伞什么颜色")
    await room.expect(quoting=said)
    prompt = model.last("chat_reply").prompt
    assert "海盗船长" in prompt
    assert "蓝色的雨伞" in prompt
    await room.say(ming, "安静点")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_58_no_message_is_answered_twice_over_a_kill(killed: Killed, model: ModelServer):
    await killed.once.deliver(killed.said["once"])
    await killed.api.settle(killed.once)
    killed.once.nothing_else()
    assert model.requests == []


async def test_a_young_summons_cut_off_by_a_kill_is_answered_after_it(killed: Killed, model: ModelServer):
    """Younger than 60 s and without a claim: answered once, also where it is reported again."""
    room = killed.young
    await room.expect("没忘", quoting=killed.said["young"])
    asked = "".join(request.prompt for request in killed.resumed if request.name == "chat_reply")
    assert "也别忘了我" in asked
    # A command whose answer was not yet known to be sent is told once more, marked (docs/architecture.md).
    again = [sent for sent in room.left() if sent.quotes == killed.before["status"]]
    assert len(again) <= 1
    assert all(sent.text.startswith("【补发】") for sent in again)
    replies = [sent for sent in room.left() if sent not in again]
    assert [sent.quotes for sent in replies] in ([], [killed.said["waiting"].id])
    for sent in (*again, *replies):
        sent.taken = True
    await room.deliver(killed.said["young"])
    await room.deliver(killed.said["waiting"])
    await killed.api.settle(room)
    room.nothing_else()


async def test_an_old_summons_is_not_answered_after_a_restart(killed: Killed):
    """Older than 60 s: marked processed, without an answer."""
    killed.old.nothing_else()
    rows = await killed.api.messages(killed.old)
    assert next(row for row in rows if str(row["id"]) == killed.said["old"].id)["processed"] is True


async def test_a_claimed_reply_is_said_once_more_and_marked(killed: Killed, model: ModelServer):
    """Killed between the send and the platform's answer: it may be out already, or not."""
    again = await killed.claimed.expect(quoting=killed.said["claimed"])
    assert again.text.startswith(AGAIN)
    await killed.claimed.deliver(killed.said["claimed"])
    await killed.api.settle(killed.claimed)
    killed.claimed.nothing_else()
    assert model.requests == []


async def test_pitfall_14_15_shutdown_resolves_every_hold_and_the_second_start_is_clean(
    start_bot: StartBot, model: ModelServer
):
    bot = start_bot()
    account = OneBotClient(bot.onebot_url, 10_032)
    rooms: list[Chat] = [account.room() for _ in range(3)]
    async with running(bot, account) as api:
        model.always("chat_reply", Held())
        for room in rooms:
            await room.call(room.member("阿明"), "在吗")
            await api.until(room, lambda seen: seen["busy"], "busy")
            for who in room.members("甲", "乙"):
                await room.call(who, "等着")
            await api.until_held(room, 2)
        before = time.monotonic()
        assert await bot.stop() in ENDED
        assert time.monotonic() - before < 6
    assert "Traceback" not in bot.log
    model.reset()
    async with running(bot, account) as api:
        await asyncio.gather(*(api.settle(room) for room in rooms))
        for room in rooms:
            for sent in room.left():
                sent.taken = True
            await summon(room, room.member("小李"), "新的一天")
            await api.until_free(room)
        assert await bot.stop() in ENDED
    assert "Traceback" not in bot.log


PROMISED = 0.5
"""Seconds after which a line is on disk, from the first line after a start on."""
BUSY = 1.5
"""Seconds more that a machine with other things to do takes to hear it."""


async def test_the_first_lines_after_a_start_are_on_disk_when_it_is_killed(start_bot: StartBot) -> None:
    """Whatever they are: talk, a call, a command, a quote, one with a picture."""
    bot = start_bot(offline=True)
    account = OneBotClient(bot.onebot_url, 10_033)
    lines = ["谁看见我的蓝雨伞", "在吗 门口有个黄箱子", "橙子几点到货", "回你 绿色的那个", "白猫照片在这"]
    for number, words in enumerate(lines):
        async with running(bot, account):
            room = account.room()
            ming = room.member("阿明")
            segments: list[Any] = [
                [words],
                [at(account.self_id), f" {words}"],
                [f"/秘书 人设 {words}"],
                [reply(123_456), words],
                [words, image("http://127.0.0.1:9/none.png")],
            ][number]
            await room.say(ming, *segments)
            await asyncio.sleep(PROMISED + BUSY)
            await bot.kill()
        assert await asyncio.to_thread(holds, bot.database, words), words
