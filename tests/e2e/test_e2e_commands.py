"""`/秘书` commands and who may give them (contracts, Commands in a group)."""

from __future__ import annotations

import pytest
from default_run import first
from model_server import ModelServer

from .harness import QUIET, Api, Chat, OneBotClient, analysis, observing, summon
from .harness.room import STATES
from .harness.segments import at

EVERYBODYS = ["帮助", "状态", "为什么", "用量", "导出", "忘记我"]
ADMINS = [
    "闭嘴",
    "闭嘴 5",
    "说话",
    "静音词 添加 安静",
    "静音词 删除 闭嘴",
    "静音词 列表",
    "唤醒词 添加 管家",
    "唤醒词 删除 管家",
    "唤醒词 列表",
    "开关 插话 关",
    "开关 复读 关",
    "开关 图片 关",
    "人设 一个海盗",
    "人设 重置",
]


@pytest.mark.parametrize("words", EVERYBODYS)
async def test_commands_for_every_member(room: Chat, client: OneBotClient, words: str, model: ModelServer):
    before = len(client.actions)
    await room.say(room.member("阿明"), f"/秘书 {words}")
    await client.until(
        lambda: [each for each in client.actions[before:] if "send" in each.name or "upload" in each.name],
        10,
        "an answer or a file",
    )
    assert model.requests == []
    assert all("管理员" not in sent.text for sent in room.sends if words != "帮助")


@first(5)
@pytest.mark.parametrize("words", ADMINS)
async def test_commands_for_admins_only(room: Chat, api: Api, words: str):
    sent = await room.command(room.member("阿明"), words)
    assert "管理员" in sent.text or "群主" in sent.text
    assert "\n" not in sent.text.strip(), "one line saying so"
    await room.sentinel()
    room.nothing_else()
    assert (await api.presence(room))["silenced_until"] is None


@pytest.mark.parametrize("role", ["owner", "admin", "superuser"])
async def test_commands_of_admins(room: Chat, role: str):
    who = room.member("超级用户", user_id=99999) if role == "superuser" else room.member("管理员", role=role)
    for words in ADMINS:
        sent = await room.command(who, words)
        assert "群主" not in sent.text, words


async def test_the_role_is_the_events_not_the_cards(room: Chat, api: Api):
    sent = await room.command(room.member("群主", card="管理员"), "闭嘴")
    assert (await api.presence(room))["silenced_until"] is None
    assert sent.text


async def test_commands_change_no_presence_and_are_no_summons(room: Chat, api: Api, model: ModelServer):
    await room.command(room.member("阿明"), "状态")
    await room.command(room.member("阿明"), "小秘在吗")
    assert await api.state(room) == "absent"
    assert model.requests == []
    assert await api.decisions(room) == []


async def test_a_command_with_an_at_of_the_bot(room: Chat, client: OneBotClient, model: ModelServer):
    await room.say(room.member("阿明"), at(client.self_id), " /秘书 状态")
    await room.expect(STATES)
    assert model.requests == []


async def test_status_tells_the_presence(room: Chat, api: Api):
    ming = room.member("阿明")
    assert "没人叫我" in (await room.command(ming, "状态")).text
    await observing(room, api)
    assert "刚聊过" in (await room.command(ming, "状态")).text


async def test_help_lists_the_commands(room: Chat):
    words = (await room.command(room.member("阿明"), "帮助")).text
    for command in ("状态", "为什么", "用量", "导出", "忘记我", "闭嘴", "静音词", "唤醒词", "开关", "人设"):
        assert command in words


async def test_why_answers_with_the_last_decisions_of_this_group(room: Chat, client: OneBotClient, api: Api):
    ming = room.member("阿明")
    nothing = await room.command(ming, "为什么")
    assert nothing.text
    said, _ = await summon(room, ming, "在吗")
    await api.decision_of(room, said.id)
    told = await room.command(ming, "为什么")
    assert told.text != nothing.text
    other = client.room()
    assert (await other.command(ming, "为什么")).text == nothing.text


async def test_usage_counts(room: Chat, model: ModelServer):
    ming = room.member("阿明")
    before = (await room.command(ming, "用量")).text
    await summon(room, ming, "在吗")
    after = (await room.command(ming, "用量")).text
    assert before != after
    assert any(character.isdigit() for character in after)


async def test_a_persona_is_used_and_reset(room: Chat, client: OneBotClient, model: ModelServer):
    admin, ming = room.member("管理员", role="admin"), room.member("阿明")
    await room.command(admin, "人设 你是一个爱说反话的海盗船长")
    await summon(room, ming, "在吗")
    assert "海盗船长" in model.last("chat_reply").prompt
    other = client.room()
    await summon(other, ming, "在吗")
    assert "海盗船长" not in model.last("chat_reply").prompt
    await room.command(admin, "人设 重置")
    await summon(room, ming, "还在吗")
    # The command itself may stand in the talk; the instructions no longer hold it.
    system = [message for message in model.last("chat_reply").messages if message["role"] == "system"]
    assert "海盗船长" not in str(system)


async def test_pitfall_30_no_more_joining_in_where_it_is_switched_off(
    room: Chat, api: Api, model: ModelServer
):
    admin = room.member("管理员", role="admin")
    await room.command(admin, "开关 插话 关")
    await observing(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_interesting=True))
    seen = len(model.of("chat_reply"))
    await room.say(room.member("小红"), "聊点好玩的")
    await api.settle(room)
    assert len(model.of("chat_reply")) == seen
    room.nothing_else()
    await room.command(admin, "开关 插话 开")
    await room.say(room.member("小红"), "再聊点好玩的")
    await room.expect()


async def test_pitfall_30_no_echo_where_it_is_switched_off(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    admin = room.member("管理员", role="admin")
    await room.command(admin, "开关 复读 关")
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "好耶")
    await api.settle(room)
    room.nothing_else()
    await room.command(admin, "开关 复读 开")
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "冲呀")
    await room.expect("冲呀")


async def test_a_switch_of_one_group_is_not_another_groups(room: Chat, client: OneBotClient):
    await room.command(room.member("管理员", role="admin"), "开关 复读 关")
    other = client.room()
    for who in other.members("甲", "乙", "丙"):
        await other.say(who, "好耶")
    await other.expect("好耶")


async def test_an_unknown_command_or_feature_gets_one_clear_line(room: Chat):
    admin = room.member("管理员", role="admin")
    assert "飞行" in (await room.command(admin, "飞行")).text
    assert "唱歌" in (await room.command(admin, "开关 唱歌 关")).text


async def test_export_gives_the_members_own_data_only(room: Chat, client: OneBotClient, api: Api):
    ming, hong = room.members("阿明", "小红")
    await room.say(ming, "阿明自己的话")
    await room.say(hong, "小红自己的话")
    await api.until_stored(room, "小红自己的话")
    before = len(client.actions)
    await room.say(ming, "/秘书 导出")
    await client.until(
        lambda: [each for each in client.actions[before:] if "send" in each.name or "upload" in each.name],
        10,
        "an answer",
    )
    await api.settle(room)
    given = str([action.params for action in client.actions[before:]])
    assert "小红自己的话" not in given


async def test_forget_me_deletes_the_members_own_data(room: Chat, api: Api):
    ming, hong = room.members("阿明", "小红")
    await room.say(ming, "请忘记这句话")
    await room.say(hong, "这句要留着")
    await api.until_stored(room, "这句要留着")
    asked = await room.command(ming, "忘记我")
    assert "确认忘记" in asked.text
    assert "请忘记这句话" in str(await api.messages(room))
    await room.say(hong, "确认忘记")
    await room.say(ming, "确认忘记")
    told = await room.expect("都忘了")
    assert "请忘记" not in asked.text + told.text
    await api.poll(lambda: api.messages(room), lambda rows: "请忘记这句话" not in str(rows), "forgotten")
    assert "这句要留着" in str(await api.messages(room))
