"""The group's record by a real bot: what was said in the group, and in no other, told to whoever asks."""

from __future__ import annotations

from .harness import Api, Chat, OneBotClient

OFFLINE = True


async def test_what_was_missed_is_told_in_the_words_it_was_said_in(
    room: Chat, client: OneBotClient, api: Api
):
    me, red, old = room.members("小明", "小红", "老周")
    other = client.room()
    await other.say(other.member("阿强"), "地点定在别的群里了")
    await room.say(red, "那就周五晚上七点聚餐吧")
    await room.say(old, "好的")
    asked = await room.call(me, "我错过了什么")
    sent = await room.expect(quoting=asked)
    assert "小红「那就周五晚上七点聚餐吧」（1 人附和）" in sent.text
    assert "别的群" not in sent.text


async def test_a_line_is_found_and_no_more_once_it_was_recalled(room: Chat, api: Api):
    me, red = room.members("小明", "小红")
    secret = await room.say(red, "报销单的密码是8842")
    asked = await room.call(me, "谁说过报销单")
    assert "小红「报销单的密码是8842」" in (await room.expect(quoting=asked)).text
    await room.recall(secret)
    again = await room.call(me, "找一下关于报销单的密码")
    assert "8842" not in (await room.expect(quoting=again)).text


async def test_switched_off_it_tells_nothing(room: Chat, api: Api):
    admin = room.member("管理员", role="admin")
    await room.say(room.member("小红"), "地点定在人民广场")
    await room.command(admin, "开关 群记录 关")
    asked = await room.call(admin, "总结一下今天")
    sent = await room.expect(quoting=asked)
    assert "人民广场" not in sent.text
    assert "群记录" in sent.text
