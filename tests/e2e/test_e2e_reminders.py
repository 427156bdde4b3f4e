"""Reminders of a bot that runs, without a model: when they come, for whom, and what holds them up."""

from __future__ import annotations

import pytest
from default_run import first

from .harness import Api, BotProcess, Chat, Fail, Gate, OneBotClient, summon
from .reminder_steps import SLEEPER, remind, reminders, until_states

OFFLINE = True
BOT = SLEEPER


async def test_it_comes_when_due_to_who_asked_and_once(room: Chat, api: Api, bot: BotProcess) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "3秒后提醒我喝水")
    due = reminders(bot, room)[0]["due_at"]
    await remind(room, hong, "4秒后提醒我站起来")
    drink = await room.expect("喝水")
    assert due <= room.now() < due + 3, "on time"
    assert (drink.text.strip(), drink.ats, drink.quotes) == ("提醒：喝水", [str(ming.user_id)], None)
    stand = await room.expect("站起来")
    assert (stand.text.strip(), stand.ats) == ("提醒：站起来", [str(hong.user_id)])
    await until_states(bot, room, "sent", "sent")
    await api.settle(room)
    room.nothing_else()


@pytest.mark.exhaustive
async def test_in_private_it_comes_to_the_friend(client: OneBotClient, room: Chat, bot: BotProcess) -> None:
    friend = client.friend()
    await friend.say(None, "3秒后提醒我喝水")
    await friend.expect("提醒你")
    reminder = await friend.expect("提醒：喝水")
    assert reminder.ats == []
    await until_states(bot, friend, "sent")
    room.nothing_else()


@pytest.mark.exhaustive
async def test_pitfall_44_a_blocked_loop_loses_no_reminder(room: Chat, api: Api, bot: BotProcess) -> None:
    ming = room.member("小明")
    await remind(room, ming, "3秒后提醒我喝水")
    due = reminders(bot, room)[0]["due_at"]
    await room.say(ming, "卡住五秒")
    await room.expect("不卡了")
    assert room.now() > due + 1, "the loop was blocked when it was due"
    reminder = await room.expect("喝水")
    assert "迟到" not in reminder.text, "a few seconds are not worth a mark"
    await until_states(bot, room, "sent")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_28_a_due_reminder_waits_for_the_end_of_a_silence(
    room: Chat, api: Api, bot: BotProcess
) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "3秒后提醒我喝水")
    await room.say(hong, "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    await due_over(room, bot)
    room.nothing_else()
    await until_states(bot, room, "waiting")
    await room.say(hong, "张嘴")
    reminder = await room.expect("喝水")
    assert "迟到" in reminder.text
    assert "秒" in reminder.text
    assert reminder.ats == [str(ming.user_id)]
    await until_states(bot, room, "sent")


@pytest.mark.exhaustive
async def test_a_silence_that_begins_while_it_is_being_sent_is_no_failure(
    room: Chat, api: Api, bot: BotProcess, client: OneBotClient
) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "4秒后提醒我喝水")
    gate = Gate()
    client.plan("send", gate, matching=lambda action: str(action.params.get("group_id")) == room.id)
    await summon(room, hong, "帮助")
    await gate.entered.wait()
    await until_states(bot, room, "claimed")
    await room.say(hong, "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    gate.open()
    await until_states(bot, room, "waiting")
    assert reminders(bot, room)[0]["failures"] == 0
    room.nothing_else()
    await room.say(hong, "张嘴")
    assert "迟到" in (await room.expect("喝水")).text


@pytest.mark.exhaustive
async def test_a_muted_bot_reminds_when_it_may_speak_again(room: Chat, api: Api, bot: BotProcess) -> None:
    ming = room.member("小明")
    await remind(room, ming, "3秒后提醒我喝水")
    await room.mute(600)
    await due_over(room, bot, watched=False)
    await until_states(bot, room, "waiting")
    assert not room.left()
    await room.mute(0)
    assert "迟到" in (await room.expect("喝水")).text
    await until_states(bot, room, "sent")


@pytest.mark.exhaustive
async def test_it_waits_where_the_feature_is_off(room: Chat, api: Api, bot: BotProcess) -> None:
    ming, admin = room.member("小明"), room.member("管理员", role="admin")
    await remind(room, ming, "4秒后提醒我喝水")
    await room.command(admin, "开关 提醒 关")
    await due_over(room, bot)
    await until_states(bot, room, "waiting")
    room.nothing_else()
    await room.command(admin, "开关 提醒 开")
    assert "迟到" in (await room.expect("喝水")).text
    await until_states(bot, room, "sent")


@pytest.mark.exhaustive
async def test_pitfall_45_a_refused_send_is_not_repeated_at_once(
    room: Chat, api: Api, bot: BotProcess, client: OneBotClient
) -> None:
    ming = room.member("小明")
    await remind(room, ming, "3秒后提醒我喝水")
    refused = Fail()
    client.plan("send", refused, times=99, matching=lambda action: "喝水" in str(action.params))
    await room.expect("喝水")
    await until_states(bot, room, "waiting")
    [row] = reminders(bot, room)
    assert row["failures"] == 1
    assert row["not_before"] > row["due_at"] + 20
    # Whatever makes the service look again: another reminder, of this group and of another.
    other = client.room()
    await remind(other, other.member("小红"), "2秒后提醒我站起来")
    await other.expect("提醒：站起来")
    await remind(room, ming, "1小时后提醒我睡觉")
    await room.sentinel()
    room.nothing_else()
    assert [each["failures"] for each in reminders(bot, room)] == [1, 0]
    assert "EventChecker" not in "".join(room.texts())


@pytest.mark.exhaustive
async def test_an_account_that_is_not_connected_reminds_when_it_is_back(
    room: Chat, api: Api, bot: BotProcess, client: OneBotClient
) -> None:
    away = OneBotClient(bot.onebot_url, 10_061)
    group = Chat.group(away)
    async with away:
        await api.poll(api.health, lambda seen: away.self_id in map(str, seen["bots"]), "connected")
        ming = group.member("小明")
        await remind(group, ming, "3秒后提醒我喝水")
    await due_over(room, bot, group)
    await until_states(bot, group, "waiting")
    async with away:
        reminder = await group.expect("提醒：喝水")
        assert "迟到" in reminder.text
        assert reminder.ats == [str(ming.user_id)]
        await until_states(bot, group, "sent")
        assert len([sent for sent in group.sends if "提醒：喝水" in sent.text]) == 1


async def due_over(room: Chat, bot: BotProcess, group: Chat | None = None, *, watched: bool = True) -> None:
    """Wait until the group's reminder was due and another group's, due later, came."""
    [row] = reminders(bot, group or room)
    other = room.client.room()
    seconds = max(1, round(row["due_at"] - room.now()) + 1)
    await remind(other, other.member("小红"), f"{seconds}秒后提醒我打卡")
    await other.expect("提醒：打卡")
    if watched:
        await room.sentinel()


@first(2)
@pytest.mark.parametrize(
    "words", ["我有三点建议", "他家在3号楼", "一点也不好笑", "明天下午三点", "提醒我一点都不累"]
)
async def test_pitfall_49_words_that_only_look_like_times_remind_nobody(
    room: Chat, api: Api, bot: BotProcess, words: str
) -> None:
    ming = room.member("小明")
    await room.say(ming, words)
    await api.settle(room)
    room.nothing_else()
    await summon(room, ming, words)
    assert reminders(bot, room) == []
