"""The harness itself, against a bot that only echoes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .harness import BotProcess, Delay, Disconnect, Fail, Gate, Never, OneBotClient
from .harness.bot_process import ENDED
from .harness.segments import at, cq, image, parts, reply


@pytest_asyncio.fixture(scope="module")
async def echo_bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotProcess]:
    process = BotProcess(tmp_path_factory.mktemp("echo"), module="echo_bot", ready="/ready")
    await process.start()
    yield process
    assert await process.stop() in ENDED


@pytest_asyncio.fixture
async def account(echo_bot: BotProcess) -> AsyncIterator[OneBotClient]:
    async with OneBotClient(echo_bot.onebot_url, 20_001) as client:
        yield client


async def test_says_and_hears_in_a_group_and_with_a_friend(account: OneBotClient):
    room, friend = account.room(), account.friend()
    said = await room.say(room.member("阿明"), "hi")
    assert (await room.expect("echo:hi")).group_id == room.id
    await friend.say(None, "you")
    assert (await friend.expect()).user_id == friend.id
    await room.say(room.member("阿明"), "quote me")
    quoting = await room.expect("echo:quote me")
    assert quoting.quotes == room.said[-1].id != said.id
    room.nothing_else()


async def test_expectations_take_each_message_once(account: OneBotClient):
    room = account.room()
    await room.say(room.member("阿明"), "a")
    await room.say(room.member("阿明"), "a")
    first = await room.expect("echo:a")
    assert first is not await room.expect("echo:a")
    with pytest.raises(AssertionError, match="not within"):
        await room.expect("echo:a", within=0.05)
    await room.say(room.member("阿明"), "b")
    await account.until(room.left, 5, "an answer")
    with pytest.raises(AssertionError, match="unexpected"):
        room.nothing_else()


async def test_the_platform_answers_and_refuses(account: OneBotClient):
    room = account.room()
    await room.say(room.member("阿明"), "who")
    await room.expect("who:阿明")
    account.plan("get_group_member_info", Fail())
    await room.say(room.member("阿明"), "who")
    await room.expect("ActionFailed")
    account.plan("send", Never())
    await room.say(room.member("阿明"), "into the void")
    await room.expect("NetworkError")


async def test_answers_wait_for_a_gate(account: OneBotClient):
    room, gate = account.room(), Gate()
    account.plan("get_group_member_info", gate)
    await room.say(room.member("阿明"), "who")
    await asyncio.wait_for(gate.entered.wait(), 5)
    assert not room.sends
    gate.open()
    await room.expect("who:阿明")
    account.plan("get_group_member_info", Delay(0.05))
    await room.say(room.member("阿明"), "who")
    await room.expect("who:阿明")


async def test_folded_messages_are_read(account: OneBotClient):
    room = account.room()
    await room.say(room.member("阿明"), "fold")
    sent = await room.expect("folded")
    assert sent.action.name == "send_group_forward_msg"
    assert len(sent.nodes) == 1


async def test_reply_segments_are_looked_up(account: OneBotClient):
    room = account.room()
    first = await room.say(room.member("阿明"), "quiet")
    await room.quote(room.member("小红"), first, "after")
    await room.expect("echo:after")
    assert "get_msg" in [action.name for action in account.actions]


async def test_a_dropped_line_is_dialled_again(account: OneBotClient, echo_bot: BotProcess):
    room = account.room()
    account.plan("*", Disconnect())
    await room.say(room.member("阿明"), "gone")
    await room.expect("echo:gone")
    await account.reconnect()
    await room.say(room.member("阿明"), "back")
    await room.expect("echo:back")


async def test_a_killed_process_starts_again_on_its_port(tmp_path: Path):
    process = BotProcess(tmp_path, module="echo_bot", ready="/ready")
    await process.start()
    await process.kill()
    assert process.process is not None
    assert process.process.returncode == -9
    await process.restart()
    async with OneBotClient(process.onebot_url, 20_002) as account:
        room = account.room()
        await room.say(room.member("阿明"), "hi")
        await room.expect("echo:hi")
    assert await process.stop() in ENDED


def test_cq_codes_are_escaped():
    segments = parts("a&b[c]", at(1), image("http://x/?a=1,2&b"), reply(3))
    assert cq(segments) == (
        "a&amp;b&#91;c&#93;[CQ:at,qq=1]"
        "[CQ:image,file=a.png,url=http://x/?a=1&#44;2&amp;b,sub_type=0,file_size=70][CQ:reply,id=3]"
    )
