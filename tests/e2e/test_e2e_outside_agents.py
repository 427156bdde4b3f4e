"""Agents written from docs/agents.md alone, and the template, in the standalone bot over the wire: an
approval by another member, a booking with a confirmation and an undo; beside them one that hangs."""

from __future__ import annotations

from .harness import BotProcess, Chat, summon
from .test_e2e_clinic import Api, open_frames

OFFLINE = True
HEAD = 7_700_001
BOT = {
    "MISHU__BOT__PLUGINS": [
        "nonebot_plugin_leave",
        "nonebot_plugin_courts",
        "nonebot_plugin_lunch",
        "foreign_hanging",
    ],
    "LEAVE_HEAD": HEAD,
}


async def test_the_head_of_department_answers_for_another(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    head = room.member("主管", user_id=HEAD)
    await room.call(ming, "我明天想请假")
    notice = await room.expect("同意还是驳回")
    assert notice.ats == [str(HEAD)]
    await room.expect("等主管回复")
    assert await open_frames(api, room) == []
    [row] = await api.get(f"/api/groups/{room.id}/frames", self_id=room.client.self_id)
    assert (row["agent_code"], row["status"], row["user"]) == ("leave", "awaiting_other", str(ming.user_id))
    await room.quote(hong, notice, "同意")
    await room.say(ming, "同意")
    await api.settle(room)
    assert not any("批了" in text for text in room.texts())
    answer = await room.quote(head, notice, "同意")
    told = await room.expect("的假批了")
    assert told.ats == [str(ming.user_id)]
    await room.expect("批了，转告了", quoting=answer)
    _, listed = await summon(room, hong, "谁请假了")
    assert listed.text == "小明 2026-11-19"


async def test_a_booking_is_confirmed_and_undone(room: Chat) -> None:
    ming = room.member("小明")
    _, asked = await summon(room, ming, "订明天下午三点的场地")
    assert "1. 一号场" in asked.text
    asked = await room.expect(quoting=await room.say(ming, "2"))
    assert asked.text == "订2026-11-19 15:00 二号场，对吗？"
    done = await room.expect(quoting=await room.say(ming, "对"))
    assert done.text == "订好了2026-11-19 15:00 二号场。"
    _, undone = await summon(room, ming, "撤销")
    assert undone.text == "撤销了：订了2026-11-19 15:00 二号场。"
    _, free = await summon(room, ming, "明天场地还有哪些")
    assert free.text == "都空着。"


async def test_the_template_counts_lunches(room: Chat) -> None:
    ming = room.member("小明")
    _, asked = await summon(room, ming, "报餐两份")
    assert asked.text == "午饭报 2 份，对吗？"
    done = await room.expect(quoting=await room.say(ming, "对"))
    assert "午饭 2 份" in done.text
    _, undone = await summon(room, ming, "撤销")
    assert undone.text == "撤销了：报餐 2 份。"


async def test_one_that_hangs_costs_nobody_else_anything(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    _, done = await summon(room, ming, "提醒我明天20:00给树懒买菜")
    assert "买菜" in done.text
    assert "智能体 sloth 的 rules 出错" in bot.log
    _, done = await summon(room, ming, "提醒我明天21:00给树懒铺床")
    assert "铺床" in done.text
    _, listed = await summon(room, ming, "我有什么任务")
    assert "买菜" in listed.text
    assert "铺床" in listed.text
    assert "到下次启动前不再问它" in bot.log
    assert "Traceback" not in bot.log
