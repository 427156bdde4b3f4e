"""The same scenarios on every platform: what a group may expect of the secretary, however it is reached."""

from __future__ import annotations

import asyncio

import pytest

from ..harness import Api
from .chat import Chat, Line, Seen, settled


async def answer(chat: Chat, who, text: str) -> Seen:
    """The answer to a call."""
    await chat.call(who, text)
    return await chat.expect()


async def test_a_call_is_answered_and_talk_is_not(chat: Chat) -> None:
    ming, hong = chat.member("阿明"), chat.member("小红")
    await chat.say(ming, "昨天那家店真不错")
    await chat.say(hong, "是啊，下次还去")
    await settled(chat, hong)
    assert chat.left() == []
    assert (await answer(chat, ming, "在吗")).text


async def test_hold_every_call_of_a_busy_moment_is_answered(chat: Chat) -> None:
    members = [chat.member(name) for name in ("阿明", "小红", "老王")]
    await asyncio.gather(
        *(chat.call(who, f"提醒我明天{hour}点{what}") for who, hour, what in zip(
            members, (8, 9, 10), ("吃药", "浇花", "寄信"), strict=True
        ))
    )  # fmt: skip
    for what in ("吃药", "浇花", "寄信"):
        await chat.expect(what)
    await settled(chat, members[0])
    assert chat.left() == []


async def test_silence_and_back(chat: Chat) -> None:
    ming = chat.member("阿明", role="admin")
    await chat.say(ming, "闭嘴")
    await chat.call(ming, "在吗")
    assert "安静到" in (await settled(chat, ming)).text
    assert chat.left() == []
    await chat.say(ming, "张嘴")
    await settled(chat, ming)
    chat.take_all()
    assert (await answer(chat, ming, "在吗")).text


@pytest.mark.parametrize("by", ["word", "button"])
async def test_a_schedule_is_made_and_called_off_after_a_yes(chat: Chat, by: str) -> None:
    ming = chat.member("阿明")
    assert "11月19日 周四 15:00 开会" in (await answer(chat, ming, "明天下午三点开会")).text
    asked = await answer(chat, ming, "不用")
    if chat.buttons:
        assert asked.buttons == ["确认", "不用"]
    await (chat.press(ming, asked, "确认") if by == "button" else chat.call(ming, "确认"))
    assert "开会" in (await chat.expect()).text
    assert "开会" not in (await answer(chat, ming, "明天有什么日程")).text


@pytest.mark.parametrize("by", ["word", "button"])
async def test_a_card_is_confirmed_by_whose_it_is_alone(chat: Chat, by: str) -> None:
    ming, hong = chat.member("阿明"), chat.member("小红")
    card = await answer(chat, ming, "午饭35")
    assert "要记这笔吗" in card.text
    if by == "button" and chat.buttons:
        assert card.buttons == ["确认", "不用"]
        await chat.press(hong, card, "确认")
        await settled(chat, hong)
        chat.take_all()
        await chat.call(hong, "这个月花了多少")
        assert "35" not in (await chat.expect("账")).text
        await settled(chat, hong)
        chat.take_all()
    await (chat.press(ming, card, "确认") if by == "button" else chat.call(ming, "确认"))
    await chat.expect("35")
    assert "35" in (await answer(chat, ming, "这个月花了多少")).text


async def test_a_choice_of_several_is_made_by_its_number(chat: Chat) -> None:
    ming = chat.member("阿明")
    for words in ("提醒我明天上午8点交周报给张总", "提醒我明天上午9点交周报给李总"):
        await answer(chat, ming, words)
    asked = await answer(chat, ming, "删掉交周报那个任务")
    if chat.buttons:
        assert asked.buttons == ["1", "2"]
    await chat.press(ming, asked, "1")
    gone = await chat.expect()
    if "？" in gone.text or "吗" in gone.text:
        await chat.press(ming, gone, "确认")
        await chat.expect()
    left = (await answer(chat, ming, "我有什么任务")).text
    assert "李总" in left
    assert "张总" not in left


async def test_a_reminder_comes_and_is_put_off_and_done(chat: Chat) -> None:
    ming = chat.member("阿明")
    await answer(chat, ming, "3秒后提醒我喝水")
    told = await chat.expect("喝水")
    assert told.ats == [ming.id]
    if chat.buttons:
        assert told.buttons == ["完成", "推迟"]
    await chat.press(ming, told, "完成")
    await chat.expect()
    assert "喝水" not in (await answer(chat, ming, "我有什么任务")).text


async def test_a_quote_of_ours_answers_it(chat: Chat) -> None:
    ming = chat.member("阿明")
    await answer(chat, ming, "3秒后提醒我喝水")
    told = await chat.expect("喝水")
    await settled(chat, chat.member("小红"))  # until the bot knows that it was sent
    await chat.quote(ming, told, "推迟20分钟")
    put_off = (await chat.expect()).text
    assert put_off.startswith("好，")
    assert "再提醒" in put_off


async def test_the_record_is_asked_for(chat: Chat) -> None:
    ming, hong = chat.member("阿明"), chat.member("小红")
    await chat.say(ming, "WiFi密码是8842mishu")
    await chat.say(hong, "知道了")
    assert "8842mishu" in (await answer(chat, hong, "谁说过WiFi密码")).text


async def test_an_export_goes_to_its_member_alone(chat: Chat) -> None:
    ming, hong = chat.member("阿明"), chat.member("小红")
    alone = chat.alone(ming)
    await alone.say(ming, "你好")
    await alone.expect()
    await chat.say(ming, "阿明自己的话")
    await chat.say(hong, "小红自己的话")
    await chat.say(ming, "/秘书 导出")
    told = await chat.expect()
    assert "自己的话" not in told.text
    await settled(chat, hong)
    assert all("小红自己的话" not in seen.text for seen in alone.left())


async def test_what_was_taken_back_is_gone(chat: Chat, api: Api) -> None:
    if not chat.recalls:
        ming = chat.member("阿明")
        await chat.say(ming, "/秘书 帮助")
        assert "撤回的消息 QQ 不告诉我" in (await chat.expect()).text
        return
    ming, hong = chat.member("阿明"), chat.member("小红")
    said: Line = await chat.say(ming, "保险箱在床底下")
    await chat.recall(said)
    await settled(chat, hong)
    assert "床底下" not in (await answer(chat, hong, "谁说过保险箱")).text


async def test_a_task_is_handed_to_another_member(chat: Chat) -> None:
    ming, hong = chat.member("阿明"), chat.member("小红")
    await chat.say(hong, "我在")
    await settled(chat, hong)
    assert "小红" in (await answer(chat, ming, "让小红明天下午3点交周报")).text
    assert "周报" in (await answer(chat, hong, "我有什么任务")).text


async def test_an_announcement_is_published_after_an_admins_yes(chat: Chat) -> None:
    ming, hong = chat.member("阿明", role="admin"), chat.member("小红")
    if not chat.publishes:
        assert "发不了群公告" in (await answer(chat, ming, "发个群公告：明天停水")).text
        return
    assert "不是管理员" in (await answer(chat, ming, "发个群公告：明天停水")).text
    chat.make_admin()
    assert "只有群主和管理员" in (await answer(chat, hong, "发个群公告：明天停课")).text
    asked = await answer(chat, ming, "发个群公告：明天停水，大家提前接水")
    assert asked.text.endswith("明天停水，大家提前接水")
    await chat.quote(hong, asked, "确认")
    await settled(chat, hong)
    assert chat.announcements() == []
    chat.take_all()
    await chat.call(ming, "确认")
    await chat.expect("发好了")
    card = await answer(chat, ming, "投个票 周六还是周日去爬山")
    await chat.quote(ming, card, "设为群公告")
    await chat.expect("全群都会收到")
    await chat.call(ming, "不用")
    await chat.expect("不发")
    assert chat.announcements() == ["明天停水，大家提前接水"]
