"""Killed and started again (product section 2, Once; section 1, Ledger; pitfalls 14, 15, 58)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from model_server import ModelServer

from .conftest import StartBot
from .harness import Api, BotProcess, Chat, Held, Never, OneBotClient, summon
from .harness.bot_process import ENDED
from .harness.disk import until_on_disk


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


def account_of(bot: BotProcess) -> OneBotClient:
    return OneBotClient(bot.onebot_url, 10_031)


async def test_after_a_kill_everything_is_back(start_bot: StartBot, model: ModelServer):
    """Ledger, silence, words, switches and personas; and presence is 不在场."""
    bot = start_bot()
    account = account_of(bot)
    room, quiet = account.room(), account.room()
    admin, ming = room.member("管理员", role="admin"), room.member("阿明")
    async with running(bot, account) as api:
        await room.command(admin, "唤醒词 添加 大管家")
        await room.command(admin, "静音词 添加 安静点")
        await room.command(admin, "人设 你是海盗船长")
        await room.command(admin, "开关 复读 关")
        await quiet.say(ming, "闭嘴")
        await api.until(quiet, lambda seen: seen["silenced_until"] is not None, "silenced")
        until = (await api.presence(quiet))["silenced_until"]
        await summon(room, ming, "记住：蓝色的雨伞")
        await until_on_disk(bot.database, "蓝色的雨伞")
        before = await api.poll(
            lambda: api.messages(room), lambda rows: all(row["processed"] for row in rows), "all processed"
        )
        assert await api.state(room) == "observing"
        await bot.kill()
    async with running(bot, account) as api:
        assert await api.state(room) == "absent"
        after = await api.messages(room)
        assert [(row["id"], row["text"], row["processed"]) for row in after][: len(before)] == [
            (row["id"], row["text"], row["processed"]) for row in before
        ]
        assert (await api.presence(quiet))["silenced_until"] == until
        await quiet.call(ming, "在吗")
        await api.settle(quiet)
        quiet.nothing_else()
        said = await room.say(ming, "大管家，雨伞什么颜色")
        await room.expect(quoting=said)
        prompt = model.last("chat_reply").prompt
        assert "海盗船长" in prompt
        assert "蓝色的雨伞" in prompt
        await api.poll(lambda: api.decisions(room), lambda rows: len(rows) == 2, "the trace is back too")
        for who in room.members("甲", "乙", "丙"):
            await room.say(who, "好耶")
        await room.say(ming, "安静点")
        await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
        await api.settle(room)
        room.nothing_else()
        assert await bot.stop() in ENDED


async def test_pitfall_58_no_message_is_answered_twice_over_a_kill(start_bot: StartBot, model: ModelServer):
    bot = start_bot()
    account = account_of(bot)
    room = account.room()
    async with running(bot, account):
        said, _ = await summon(room, room.member("阿明"), "只答一次")
        await bot.kill()
    async with running(bot, account) as api:
        await room.deliver(said)
        await api.settle(room)
        room.nothing_else()
        assert len(model.of("chat_reply")) == 1


async def test_a_young_summons_cut_off_by_a_kill_is_answered_after_it(
    start_bot: StartBot, model: ModelServer
):
    """Younger than 60 s and without a claim: answered once, also where it is reported again."""
    bot = start_bot()
    account = account_of(bot)
    room = account.room()
    async with running(bot, account) as api:
        model.always("chat_reply", held := Held("来不及"))
        said = await room.call(room.member("阿明"), "别忘了我")
        await held.entered()
        waiting = await room.call(room.member("小红"), "也别忘了我")
        await api.until_held(room, 1)
        await room.sentinel()  # written behind it: what stands in memory alone for half a second may be lost
        await until_on_disk(bot.database, "也别忘了我")
        await bot.kill()
    held.release()
    model.reset()
    model.always("chat_reply", "没忘")
    async with running(bot, account) as api:
        await room.expect("没忘", quoting=said)
        await room.deliver(said)
        await api.settle(room)
        replies = room.left()
        assert len(replies) <= 1
        assert "也别忘了我" in "".join(request.prompt for request in model.of("chat_reply"))
        assert all(sent.quotes in (waiting.id, None) for sent in replies)


async def test_an_old_summons_is_not_answered_after_a_restart(start_bot: StartBot, model: ModelServer):
    """Older than 60 s: marked processed, without an answer."""
    bot = start_bot()
    account = account_of(bot)
    room = account.room()
    async with running(bot, account):
        model.always("chat_reply", held := Held("来不及"))
        said = await room.call(room.member("阿明"), "一小时前的话", time=int(time.time()) - 3600)
        await until_on_disk(bot.database, "一小时前的话")
        await bot.kill()
    held.release()
    model.reset()
    async with running(bot, account) as api:
        await api.settle(room)
        room.nothing_else()
        rows = await api.messages(room)
        assert next(row for row in rows if str(row["id"]) == said.id)["processed"] is True


async def test_a_claimed_reply_is_never_resent(start_bot: StartBot, model: ModelServer):
    """Killed between the send and the platform's answer: it may be out already."""
    bot = start_bot()
    account = account_of(bot)
    room = account.room()
    async with running(bot, account):
        account.plan("send", Never(), matching=lambda action: str(action.params.get("group_id")) == room.id)
        said = await room.call(room.member("阿明"), "在吗")
        await room.expect(quoting=said)
        await bot.kill()
    async with running(bot, account) as api:
        await room.deliver(said)
        await api.settle(room)
        room.nothing_else()
        assert len(model.of("chat_reply")) == 1


async def test_pitfall_14_shutdown_resolves_every_hold(start_bot: StartBot, model: ModelServer):
    """And pitfall 15: the second start is clean."""
    bot = start_bot()
    account = account_of(bot)
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


async def test_pitfall_15_a_second_start_is_clean(start_bot: StartBot, model: ModelServer):
    bot = start_bot()
    account = account_of(bot)
    room = account.room()
    async with running(bot, account) as api:
        model.always("chat_reply", Held())
        await room.call(room.member("阿明"), "在吗")
        await api.until(room, lambda seen: seen["busy"], "busy")
        await room.call(room.member("小红"), "等着")
        await api.until_held(room, 1)
        assert await bot.stop() in ENDED
    model.reset()
    async with running(bot, account) as api:
        await api.settle(room)
        for sent in room.left():
            sent.taken = True
        await summon(room, room.member("小李"), "新的一天")
        await api.until_free(room)
        assert await bot.stop() in ENDED
    assert "Traceback" not in bot.log
