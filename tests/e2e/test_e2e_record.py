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


async def test_a_fact_of_the_group_is_kept_shown_and_forgotten_for_good(room: Chat, api: Api):
    me, red = room.members("小明", "小红")
    kept = await room.call(red, "记住：WiFi密码是Abc-8842")
    assert "Abc-8842" in (await room.expect(quoting=kept)).text
    asked = await room.call(me, "WiFi密码是多少")
    sent = (await room.expect(quoting=asked)).text
    assert "WiFi密码是Abc-8842" in sent
    assert "小红" in sent
    other = await room.call(me, "记住：WiFi密码是0000")
    assert "只有TA和管理员" in (await room.expect(quoting=other)).text
    refused = await room.call(me, "忘掉WiFi密码")
    assert "只有TA和管理员" in (await room.expect(quoting=refused)).text
    gone = await room.call(red, "忘掉WiFi密码")
    assert "忘掉了" in (await room.expect(quoting=gone)).text
    for words in ("WiFi密码是多少", "谁说过8842", "谁说过WiFi密码", "总结一下今天", "群里记住了什么"):
        again = await room.call(me, words)
        assert "8842" not in (await room.expect(quoting=again)).text


async def test_what_was_decided_becomes_a_schedule_and_a_task_with_one_yes(room: Chat, api: Api):
    me, red, old = room.members("小明", "小红", "老周")
    await room.say(red, "那就后天晚上七点在海底捞聚餐吧")
    await room.say(old, "好的")
    await room.say(old, "我来订包间")
    asked = await room.call(me, "今天定了什么")
    card = (await room.expect(quoting=asked)).text
    assert "小红「那就后天晚上七点在海底捞聚餐吧」（1 人附和）" in card
    assert "日程" in card
    assert "任务 老周：订包间" in card
    yes = await room.call(me, "确认")
    assert "1 个日程、1 个任务" in (await room.expect(quoting=yes)).text
    (schedule,) = await api.get(f"/api/groups/{room.id}/schedules")
    assert "聚餐" in schedule["description"]
    (task,) = await api.get(f"/api/users/{old.user_id}/tasks", group_id=room.id)
    assert task["title"] == "订包间"
    again = await room.call(me, "今天定了什么")
    told = (await room.expect(quoting=again)).text
    assert "新记的日程：\n· 11月20日 周五 19:00 聚餐" in told
    assert "1. 日程" not in told, "what is stored is not offered again"


async def test_who_came_while_the_bot_was_away_is_told_nothing_of_before(room: Chat, api: Api):
    red, new = room.members("小红", "新来的")
    now = int(room.now())
    await room.say(red, "柜子的钥匙放在8842号格", time=now - 600)
    await room.say(red, "钥匙改成自己保管了", time=now - 100)
    card = {"user_id": new.user_id, "nickname": new.nickname, "role": "member", "join_time": now - 300}
    for words in ("谁说过钥匙", "总结一下今天"):
        asked = await room.call(new, words, sender=card)
        told = (await room.expect(quoting=asked)).text
        assert "自己保管" in told, words
        assert "8842" not in told, words
    asked = await room.call(red, "谁说过钥匙")
    assert "8842" in (await room.expect(quoting=asked)).text
