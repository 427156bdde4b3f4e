"""Commands carried out: permissions, every verb, honest answers where the database is in trouble."""

from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.frontdesk.commands.desk import NOT_ALLOWED, NOT_READ, NOT_STORED, OWN_INSTEAD
from nonebot_plugin_mishu.frontdesk.commands.parsing import FEATURES, help_text
from nonebot_plugin_mishu.frontdesk.commands.personal import LEFT_ALONE
from nonebot_plugin_mishu.frontdesk.private_delivery import KEPT, NOT_SENT
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.records import Unsent
from office import Office, office
from stand_ins import BOT, FRIEND, GROUP, OTHER, FakeModel
from virtual_time import settle, virtual

ADMINS_ONLY = [
    "闭嘴",
    "闭嘴 5",
    "说话",
    "静音词 列表",
    "静音词 添加 安静",
    "唤醒词 添加 小蜜",
    "开关 插话 关",
    "人设 你是猫",
    "人设",
]


ALONE = Conversation(BOT, "private", "x")


async def privately(
    made: Office, verb: str, *, words: str | None = None, role: str = "member", **more: object
) -> tuple[str, str]:
    """What the group sees and what the member is given."""
    before = len(made.platform.sent)
    await made.say("x", words or f"/秘书 {verb}", role=role, **more)
    await made.pass_time(3)
    sent = made.platform.sent[before:]
    assert [where for where, _ in sent] == [ALONE, GROUP], "to the member first, then it is told"
    return sent[1][1].text, sent[0][1].text


async def command(made: Office, words: str, role: str = "admin", **more: object) -> str:
    before = len(made.platform.sent)
    said = await made.say("x", f"/秘书 {words}", role=role, **more)
    await made.pass_time(3)
    assert len(made.platform.sent) == before + 1, "one line for each command"
    assert (
        made.storage.broken
        or made.storage.rows.get(("10000", said)) is None
        or made.storage.row(said).processed
    )
    speech = made.platform.sent[-1][1]
    assert speech.quote in (said, None)
    return speech.text


@pytest.mark.parametrize("words", ADMINS_ONLY)
@virtual
async def test_members_are_told_that_they_may_not(words: str) -> None:
    async with office() as made:
        settings = made.room.settings
        assert await command(made, words, role="member") == NOT_ALLOWED
        assert made.room.settings == settings
        assert made.storage.kept == {}
        assert await command(made, words, role="owner") != NOT_ALLOWED
        assert await command(made, words, role="member", superuser=True) != NOT_ALLOWED


@virtual
async def test_a_friend_commands_in_the_own_conversation() -> None:
    async with office() as made:
        assert await command(made, "人设 你是猫", role="member", conversation=FRIEND) != NOT_ALLOWED
        assert made.storage.kept[FRIEND].persona == "你是猫"


@virtual
async def test_anonymous_senders_command_nothing() -> None:
    async with office() as made:
        await made.say("x", "/秘书 状态", obeyed=False)
        await made.say("x", "闭嘴", obeyed=False)
        assert made.platform.sent == []
        assert made.room.settings.silence is None


@virtual
async def test_help_names_every_command() -> None:
    async with office() as made:
        assert await command(made, "帮助", role="member") == help_text()
        for verb in (
            "帮助",
            "状态",
            "为什么",
            "用量",
            "导出",
            "忘记我",
            "闭嘴",
            "说话",
            "静音词",
            "唤醒词",
            "开关",
            "人设",
        ):
            assert verb in help_text()
        assert all(feature in help_text() for feature in FEATURES)
        assert "没有「跳舞」" in await command(made, "跳舞", role="member")


@virtual
async def test_status() -> None:
    async with office(model=FakeModel(online=False)) as made:
        told = await command(made, "状态", role="member")
        assert told == "我在，没人叫我，空闲；没静音；没接模型。"
        await command(made, "闭嘴 30")
        await command(made, "开关 复读 关")
        told = await command(made, "状态", role="member")
        assert told == "我在，没人叫我，空闲；安静到 01-15 16:30；没接模型；关着：复读。"


@virtual
async def test_status_tells_what_could_not_be_sent_and_why() -> None:
    async with office() as made:
        made.storage.unsent = [Unsent("这里不允许主动消息", 3, False), Unsent("QQ 说内容违规", 1, True)]
        told = await command(made, "状态", role="member")
        assert "；3 条提醒还没发出去：这里不允许主动消息；1 条提醒发不出去，不再试了：QQ 说内容违规" in told


@virtual
async def test_status_tells_the_presence_in_plain_words() -> None:
    async with office() as made:
        await made.call("a", "在吗")
        assert "刚聊过" in await command(made, "状态", role="member")


@virtual
async def test_why_and_usage() -> None:
    async with office() as made:
        assert "没人叫我" in await command(made, "为什么", role="member")
        await made.call("a", "在吗")
        told = await command(made, "为什么", role="member")
        assert "有人叫我「在吗」，回了" in told
        assert "没在听→留意着" in told
        told = await command(made, "用量", role="member")
        assert "3 次，用量 30（上限 1000000）；" in told
        assert "元" not in told


@virtual
async def test_why_of_a_quoted_line_tells_of_that_line() -> None:
    async with office() as made:
        first = await made.call("a", "在吗")
        for words in ("还在吗", "人呢", "哈喽", "喂"):
            await made.call("a", words)
        assert "在吗」" not in await command(made, "为什么", role="member")
        assert "有人叫我「在吗」，回了" in await command(made, "为什么", role="member", quote=first)
        talk = await made.say("b", "今天吃什么")
        assert "没让我去想" in await command(made, "为什么", role="member", quote=talk)


@virtual
async def test_usage_shows_yuan_where_prices_are_known() -> None:
    prices = {"m": [100_000, 1, 100_000]}
    async with office(llm={"prices": prices}) as made:
        told = await command(made, "用量", role="member")
        assert "3 次，用量 30（上限 1000000），约 2.00 元；" in told
        assert "5 次，用量 50，约 4.00 元。" in told


@virtual
async def test_export_tells_only_the_own_lines_and_no_number() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        await made.say("y", "别人的话")
        told, given = await privately(made, "导出", role="member")
        assert "私聊" in told
        name, content = made.platform.files[0]
        assert made.platform.given == [ALONE]
        texts = [row["text"] for row in json.loads(content)["messages"]]
        assert "我的话" in texts
        assert "别人的话" not in texts
        assert "x" not in name.removeprefix("mishu-")
        assert name in given
        made.platform.takes_files = False
        told, given = await privately(made, "导出", role="member")
        assert "我的话" in given
        assert "我的话" not in told


@virtual
async def test_pitfall_77_who_is_no_friend_is_reached_through_the_group_or_told_so() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        made.platform.refused = [ALONE]
        told = await command(made, "导出", role="member")
        assert told == NOT_SENT
        assert made.platform.files == []
        assert "我的话" not in "".join(made.platform.texts)
        made.platform.through_groups = True
        told, given = await privately(made, "导出", role="member")
        assert "私聊" in told
        assert "我的话" in given
        assert made.platform.sent[-2][1].via == GROUP.peer


@virtual
async def test_what_is_given_in_private_is_not_kept_there() -> None:
    async with office() as made:
        made.platform.takes_files = False
        await made.say("x", "我的秘密")
        await privately(made, "导出", role="member")
        kept = [row for row in made.storage.rows.values() if row.conversation == ALONE]
        assert [row.text for row in kept] == [KEPT]
        assert "我的秘密" not in str(kept)


@virtual
async def test_in_private_the_own_conversation_gets_it() -> None:
    async with office() as made:
        await made.say("x", "私下的话", conversation=FRIEND)
        assert "导出好了" in await command(made, "导出", conversation=FRIEND)
        assert made.platform.given == [FRIEND]


@virtual
async def test_forget_me() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        other = await made.say("y", "别人的话")
        told = await command(made, "忘记我", role="member")
        assert "消息 2 条" in told
        assert "确认忘记" in told
        assert len(made.storage.rows) > 2, "nothing is gone yet"
        assert made.platform.texts[-1] == told
        await made.say("y", "确认忘记")
        assert made.platform.texts[-1] == told, "only who asked confirms"
        told = await said(made, "x", "确认忘记")
        assert "消息 3 条" in told
        assert [row.user_id for row in made.storage.rows.values() if not row.is_bot] == ["y", "y"]
        assert other in made.room.ledger
        assert made.room.ledger.name_of("x") is None


async def said(made: Office, user: str, words: str, **more: object) -> str:
    """What the bot says to a line that it answers."""
    before = len(made.platform.sent)
    await made.say(user, words, **more)
    await made.pass_time(3)
    assert len(made.platform.sent) == before + 1
    return made.platform.texts[-1]


async def kept(made: Office, user: str = "x") -> bool:
    """True if what the member said first is still there."""
    return any(row.text == "我的话" and row.user_id == user for row in made.storage.rows.values())


@virtual
async def test_nobody_is_forgotten_without_a_word_of_their_own_in_time() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        assert "没有等着确认" in await command(made, "确认忘记", role="member")
        await command(made, "忘记我", role="member")
        await made.say("x", "等我想想哈")
        await made.pass_time(61)
        assert "没有等着确认" in await said(made, "x", "确认忘记")
        assert await kept(made)
        await command(made, "忘记我", role="member")
        assert await said(made, "x", "算了") == LEFT_ALONE
        await made.say("x", "确认忘记")
        assert await kept(made)
        await command(made, "忘记我", role="member")
        assert "都忘了" in await said(made, "x", "确认忘记！")
        assert not await kept(made)


@virtual
async def test_a_forgetting_is_confirmed_where_it_was_asked() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        await command(made, "忘记我", role="member")
        await made.say("x", "确认忘记", conversation=OTHER)
        assert await kept(made)
        await command(made, "确认忘记", role="member")
        assert not await kept(made)


@virtual
async def test_plain_words_are_commands_where_they_are_said_to_us() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        await made.say("x", "忘记我")
        assert made.platform.sent == []
        assert "确认忘记" in await said(made, "x", "把我忘了吧", at=True)
        assert "确认忘记" in await said(made, "x", "小秘，忘记我")
        assert "都忘了" in await said(made, "x", "确认忘记")
        told, _ = await privately(made, "", words="导出我的数据", at=True)
        assert "私聊" in told


@virtual
async def test_silence_and_speak() -> None:
    async with office() as made:
        assert "没在静音" in await command(made, "说话")
        told = await command(made, "闭嘴 5")
        assert "5分钟" in told
        assert "16:05" in told
        assert made.room.silenced_until(made.clock.wall()) is not None
        assert "又能说话了" in await command(made, "说话")
        assert made.room.silenced_until(made.clock.wall()) is None
        await command(made, "闭嘴 1")
        await made.pass_time(61)
        assert "没在静音" in await command(made, "说话")


@virtual
async def test_wake_words() -> None:
    async with office() as made:
        assert "没有「小蜜」" in await command(made, "唤醒词 删除 小蜜")
        assert "加上了「小蜜」" in await command(made, "唤醒词 添加 小蜜")
        assert "小蜜" in await command(made, "唤醒词")
        await made.say("a", "小蜜在吗")
        assert made.platform.texts[-1] == "好的"
        await command(made, "唤醒词 删除 小蜜")
        sent = len(made.platform.sent)
        await made.pass_time(2000)
        await made.say("a", "小蜜在吗")
        assert len(made.platform.sent) == sent


@pytest.mark.parametrize("feature", FEATURES)
@virtual
async def test_pitfall_30_switches_hold_and_are_listed(feature: str) -> None:
    async with office() as made:
        assert f"「{feature}」关掉了" in await command(made, f"开关 {feature} 关")
        assert f"{feature} 关" in await command(made, "开关")
        assert not made.room.allows(feature)
        await command(made, f"开关 {feature} 开")
        assert made.room.allows(feature)


@virtual
async def test_pitfall_30_switched_off_is_off() -> None:
    async with office(model=FakeModel(online=False)) as made:
        await command(made, "开关 复读 关")
        await command(made, "开关 插话 关")
        sent = len(made.platform.sent)
        for user in "abcd":
            await made.say(user, "哈哈")
        assert len(made.platform.sent) == sent
        await made.call("a", "在吗")
        records = len(made.storage.records)
        await made.pass_time(10)
        await made.say("b", "闲聊")
        await settle()
        assert len(made.storage.records) == records


@virtual
async def test_in_quiet_hours_nobody_is_joined_or_overheard() -> None:
    async with office(model=FakeModel(online=False)) as made:
        assert await command(made, "安静时段 23:00-8:00", role="member") == NOT_ALLOWED + OWN_INSTEAD
        now = made.clock.local(made.clock.wall())
        begins, ends = f"{now:%H}:00", f"{(now.hour + 1) % 24:02}:00"
        assert "是群里的安静时段" in await command(made, f"安静时段 {begins}-{ends}")
        assert "群里的安静时段是" in await command(made, "安静时段", role="member")
        sent = len(made.platform.sent)
        for user in "abcd":
            await made.say(user, "哈哈")
        assert len(made.platform.sent) == sent, "no echo"
        await command(made, "安静时段 取消")
        assert not made.room.quiet(now)
        sent = len(made.platform.sent)
        for user in "abcd":
            await made.say(user, "呵呵")
        assert len(made.platform.sent) == sent + 1


@virtual
async def test_ones_own_quiet_hours_in_plain_words() -> None:
    async with office(model=FakeModel(online=False)) as made:
        await made.call("x", "我的安静时段 23点到7点")
        await made.pass_time(3)
        assert "你的安静时段" in made.platform.sent[-1][1].text
        assert made.storage.quiet["x"].as_kept() == "23:00-07:00"
        await made.call("x", "不对 是到八点")
        await made.pass_time(3)
        assert made.storage.quiet["x"].as_kept() == "23:00-08:00"
        await made.call("x", "是到七点")
        await made.pass_time(3)
        assert "23:00–7:00" in await command(made, "我的安静时段", role="member")
        await made.call("x", "我的安静时段取消")
        await made.pass_time(3)
        assert made.storage.quiet == {}


@virtual
async def test_personas_reach_the_prompt_and_leave_it() -> None:
    async with office() as made:
        await command(made, "人设 你是一只猫")
        await made.call("a", "在吗")
        assert made.model.of("chat_reply")[-1].messages[0].text.count("：「你是一只猫」\n")
        await command(made, "人设 重置")
        await made.call("a", "在吗")
        assert not made.model.of("chat_reply")[-1].messages[0].text.count("：「你是一只猫」\n")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("人设 你是猫", NOT_STORED),
        ("开关 插话 关", NOT_STORED),
        ("静音词 添加 安静", NOT_STORED),
        ("唤醒词 添加 小蜜", NOT_STORED),
        ("忘记我", NOT_READ),
        ("为什么", NOT_READ),
        ("用量", NOT_READ),
        ("导出", NOT_READ),
    ],
)
@virtual
async def test_pitfall_55_a_database_in_trouble_is_told(words: str, answer: str) -> None:
    async with office() as made:
        settings = made.room.settings
        made.storage.broken = True
        assert await command(made, words) == answer
        assert made.room.settings == settings
        assert await command(made, "状态", role="member") == (
            "我在，没人叫我，空闲；没静音；模型正常；现在什么都存不进去。"
        )
        assert "；磁盘满了。" in await command(made, "状态", superuser=True)


@virtual
async def test_a_silence_survives_other_changes_of_settings() -> None:
    async with office() as made:
        made.storage.broken = True
        await command(made, "闭嘴 30")
        made.storage.broken = False
        await command(made, "人设 你是猫")
        assert made.room.silenced_until(made.clock.wall()) is not None


@virtual
async def test_in_december_the_next_years_days_off_are_missed() -> None:
    async with office() as made:
        december = datetime(2030, 12, 3, tzinfo=ZoneInfo("Asia/Shanghai")).timestamp()
        made.clock.ahead = december - made.clock.wall()
        told = await command(made, "状态", role="member")
        assert told.endswith("；2031年的调休还不知道，法定假日照算。")
        owner = await command(made, "状态", superuser=True)
        assert "holidays/2031.json" in owner
