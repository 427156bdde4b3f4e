"""Commands carried out: permissions, every verb, honest answers where the database is in trouble."""

from __future__ import annotations

import json

import pytest
from nonebot_plugin_mishu.frontdesk.command_desk import NOT_ALLOWED, NOT_READ, NOT_STORED
from nonebot_plugin_mishu.frontdesk.commands import FEATURES, HELP
from office import Office, office
from stand_ins import FRIEND, FakeModel
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
        assert await command(made, "帮助", role="member") == HELP
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
            assert verb in HELP
        assert all(feature in HELP for feature in FEATURES)
        assert "没有「跳舞」" in await command(made, "跳舞", role="member")


@virtual
async def test_status() -> None:
    async with office(model=FakeModel(online=False)) as made:
        told = await command(made, "状态", role="member")
        assert "不在场" in told
        assert "没有静音" in told
        assert "没有接模型" in told
        await command(made, "闭嘴 30")
        await command(made, "开关 复读 关")
        told = await command(made, "状态", role="member")
        assert "静音到 01-15 16:30" in told
        assert "关着的功能：复读" in told


@virtual
async def test_why_and_usage() -> None:
    async with office() as made:
        assert "没有做过决定" in await command(made, "为什么", role="member")
        await made.call("a", "在吗")
        told = await command(made, "为什么", role="member")
        assert "有人叫我，回了" in told
        assert "不在场→观测中" in told
        assert "30 token" in await command(made, "用量", role="member")


@virtual
async def test_export_tells_only_the_own_lines_and_no_number() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        await made.say("y", "别人的话")
        told = await command(made, "导出", role="member")
        name, content = made.platform.files[0]
        texts = [row["text"] for row in json.loads(content)["messages"]]
        assert "我的话" in texts
        assert "别人的话" not in texts
        assert "x" not in name.removeprefix("mishu-")
        assert name in told
        made.platform.takes_files = False
        assert "我的话" in await command(made, "导出", role="member")


@virtual
async def test_forget_me() -> None:
    async with office() as made:
        await made.say("x", "我的话")
        other = await made.say("y", "别人的话")
        assert "2 条" in await command(made, "忘记我", role="member")
        assert [row.user_id for row in made.storage.rows.values() if not row.is_bot] == ["y"]
        assert other in made.room.ledger
        assert made.room.ledger.name_of("x") is None


@virtual
async def test_silence_and_speak() -> None:
    async with office() as made:
        assert "没有在静音" in await command(made, "说话")
        assert "16:05" in await command(made, "闭嘴 5")
        assert made.room.silenced_until(made.clock.wall()) is not None
        assert "又可以说话了" in await command(made, "说话")
        assert made.room.silenced_until(made.clock.wall()) is None
        await command(made, "闭嘴 1")
        await made.pass_time(61)
        assert "没有在静音" in await command(made, "说话")


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
        assert f"「{feature}」已关掉" in await command(made, f"开关 {feature} 关")
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
async def test_personas_reach_the_prompt_and_leave_it() -> None:
    async with office() as made:
        await command(made, "人设 你是一只猫")
        await made.call("a", "在吗")
        assert made.model.of("chat_reply")[-1].prompt.startswith("你是一只猫")
        await command(made, "人设 重置")
        await made.call("a", "在吗")
        assert not made.model.of("chat_reply")[-1].prompt.startswith("你是一只猫")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("人设 你是猫", NOT_STORED),
        ("开关 插话 关", NOT_STORED),
        ("静音词 添加 安静", NOT_STORED),
        ("唤醒词 添加 小蜜", NOT_STORED),
        ("忘记我", NOT_STORED),
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
        assert await command(made, "状态") != answer


@virtual
async def test_a_silence_survives_other_changes_of_settings() -> None:
    async with office() as made:
        made.storage.broken = True
        await command(made, "闭嘴 30")
        made.storage.broken = False
        await command(made, "人设 你是猫")
        assert made.room.silenced_until(made.clock.wall()) is not None
