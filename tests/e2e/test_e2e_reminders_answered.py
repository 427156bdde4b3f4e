"""What members answer to a reminder: done, later; by quoting it or as their next line; and nobody else's."""

from __future__ import annotations

import re

import pytest
from default_run import first

from .harness import Api, BotProcess, Chat, Member, OneBotClient, Sent, summon
from .reminder_steps import SLEEPER, remind, reminders, states, tasks, until_states

pytestmark = pytest.mark.exhaustive

OFFLINE = True
BOT = SLEEPER


async def reminded(room: Chat, bot: BotProcess, who: Member, count: int = 1) -> Sent:
    """A reminder that just came."""
    await remind(room, who, "2秒后提醒我喝水")
    came = await room.expect("提醒：喝水")
    await until_states(bot, room, *["sent"] * count)
    return came


@first(1)
@pytest.mark.parametrize("quoting", [True, False])
async def test_put_off_by_twenty_minutes(room: Chat, bot: BotProcess, quoting: bool) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    said = await (room.quote(ming, came, "推迟20分钟") if quoting else room.say(ming, "推迟20分钟"))
    answer = await room.expect(quoting=said)
    assert re.search(r"\d+月\d+日（周.）\d\d:\d\d再提醒", answer.text), answer.text
    first, again = reminders(bot, room)
    assert (first["state"], again["state"]) == ("sent", "waiting")
    assert abs(again["due_at"] - room.now() - 20 * 60) < 30
    assert again["text"] == first["text"]
    assert [row["status"] for row in tasks(bot, room)] == ["pending"]
    room.nothing_else()


@pytest.mark.exhaustive
async def test_a_reminder_that_was_put_off_comes_again(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    await room.expect(quoting=await room.quote(ming, came, "3秒后再提醒我"))
    again = await room.expect("提醒：喝水")
    assert again.ats == [str(ming.user_id)]
    assert "补发" not in again.text
    assert "迟到" not in again.text
    await until_states(bot, room, "sent", "sent")


@first(1)
@pytest.mark.parametrize("quoting", [True, False])
async def test_done_completes_the_task(room: Chat, api: Api, bot: BotProcess, quoting: bool) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    said = await (room.quote(ming, came, "完成") if quoting else room.say(ming, "完成"))
    answer = await room.expect(quoting=said)
    assert "喝水" in answer.text
    assert [row["status"] for row in tasks(bot, room)] == ["completed"]
    await api.settle(room)
    room.nothing_else()


async def test_another_member_answers_nothing(room: Chat, api: Api, bot: BotProcess) -> None:
    ming, hong = room.members("小明", "小红")
    came = await reminded(room, bot, ming)
    await room.say(hong, "完成")
    await room.say(hong, "推迟20分钟")
    for words in ("完成", "推迟20分钟"):
        refused = await room.expect(quoting=await room.quote(hong, came, words))
        assert "只有TA和管理员" in refused.text
    await api.settle(room)
    room.nothing_else()
    assert states(bot, room) == ["sent"]
    assert [row["status"] for row in tasks(bot, room)] == ["pending"]


@pytest.mark.exhaustive
async def test_an_admin_answers_for_a_member(room: Chat, bot: BotProcess) -> None:
    ming, admin = room.member("小明"), room.member("管理员", role="admin")
    came = await reminded(room, bot, ming)
    await room.expect(quoting=await room.quote(admin, came, "完成"))
    assert [row["status"] for row in tasks(bot, room)] == ["completed"]


@first(1)
@pytest.mark.parametrize("words", ["水真好喝", "他们说推迟20分钟", "我完成不了", "完成了多少"])
async def test_pitfall_43_other_talk_after_a_reminder_is_no_answer(
    room: Chat, api: Api, bot: BotProcess, words: str
) -> None:
    ming = room.member("小明")
    await reminded(room, bot, ming)
    await room.say(ming, words)
    await api.settle(room)
    room.nothing_else()
    assert states(bot, room) == ["sent"]
    assert [row["status"] for row in tasks(bot, room)] == ["pending"]


@pytest.mark.exhaustive
async def test_what_cannot_be_is_asked_and_changes_nothing(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    asked = await room.expect(quoting=await room.quote(ming, came, "推迟到25点"))
    assert "什么时候" in asked.text
    assert states(bot, room) == ["sent"]


@pytest.mark.exhaustive
async def test_putting_off_is_taken_back(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    await room.expect(quoting=await room.quote(ming, came, "推迟20分钟"))
    _, undone = await summon(room, ming, "撤销")
    assert "推迟" in undone.text
    assert states(bot, room) == ["sent"]


async def test_done_is_taken_back(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    came = await reminded(room, bot, ming)
    await room.expect(quoting=await room.quote(ming, came, "完成"))
    _, undone = await summon(room, ming, "撤销")
    assert "撤销" in undone.text
    assert [row["status"] for row in tasks(bot, room)] == ["pending"]


@pytest.mark.exhaustive
async def test_in_private(client: OneBotClient, room: Chat, bot: BotProcess) -> None:
    friend = client.friend()
    await friend.say(None, "2秒后提醒我喝水")
    await friend.expect("提醒你")
    came = await friend.expect("提醒：喝水")
    await until_states(bot, friend, "sent")  # nobody can quote what the platform has not taken yet
    await friend.quote(friend.friend, came, "推迟20分钟") if friend.friend else None
    assert "再提醒" in (await friend.expect()).text
    assert states(bot, friend) == ["sent", "waiting"]
    room.nothing_else()
