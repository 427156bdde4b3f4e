"""Observing, end to end over stand-ins: cooldown, one trailing analysis, fading away, isolation."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.core.core import LONGEST
from nonebot_plugin_mishu.secretary import PresenceState
from office import office
from stand_ins import GROUP, OTHER, FakeModel
from virtual_time import settle, virtual


@virtual
async def test_pitfall_12_ten_lines_in_a_cooldown_make_one_analysis_of_the_newest() -> None:
    async with office() as made:
        await made.call("z", "在吗")
        before = len(made.model.of("analyze_conversation"))
        for number in range(10):
            await made.say(f"u{number}", f"话{number}")
            await made.pass_time(0.3)
        assert len(made.model.of("analyze_conversation")) == before
        await made.pass_time(20)
        after = made.model.of("analyze_conversation")[before:]
        assert len(after) == 1
        assert after[0].data["trigger"] == "chat"
        assert after[0].data["lines"].splitlines()[-1].endswith("话9")
        assert all(made.storage.row(f"m{number}").processed for number in range(2, 12))


@virtual
async def test_a_recalled_line_is_not_analysed_when_the_cooldown_ends() -> None:
    async with office() as made:
        await made.call("z", "在吗")
        said = await made.say("a", "话")
        await made.desk.notices.recalled(GROUP, said)
        await made.pass_time(20)
        assert made.model.of("analyze_conversation") == []


@virtual
async def test_a_call_in_the_cooldown_takes_what_was_skipped() -> None:
    async with office() as made:
        await made.call("z", "在吗")
        await made.say("a", "话")
        await made.call("z", "说说")
        await made.pass_time(30)
        assert made.model.of("analyze_conversation") == []
        assert made.storage.row("m2").processed


@virtual
async def test_observing_fades() -> None:
    async with office() as made:
        await made.call("z", "在吗")
        await made.pass_time(590)
        assert made.room.seat.presence.state is PresenceState.OBSERVING
        await made.pass_time(20)
        assert made.room.seat.presence.state is PresenceState.ABSENT
        await made.say("a", "闲聊")
        assert made.model.of("analyze_conversation") == []


@virtual
async def test_pitfall_4_a_call_and_chatter_while_busy_make_one_reply() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("z", "先来")
        called = await made.call("a", "我要问")
        for user in "bbb":
            await made.say(user, "闲聊")
        made.model.gate.set()
        await made.pass_time(1)
        assert [speech.quote for _, speech in made.platform.sent] == ["m1", called]


@virtual
async def test_pitfall_11_other_plugins_lines_change_nothing() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("z", "在吗")
        presence = made.room.seat.presence
        made.platform.ours.append("10009")
        await made.say("10009", "菜单：…", obeyed=False)
        await made.pass_time(20)
        assert made.room.seat.presence == presence
        assert made.room.seat.lock.busy
        assert made.platform.texts == ["让我想想…"]
        made.model.gate.set()
        await settle()
        assert made.platform.texts == ["让我想想…", "好的"]


@virtual
async def test_pitfall_31_patience_goes_to_its_own_group() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("z", "在吗", conversation=OTHER)
        await made.pass_time(60)
        assert [where for where, _ in made.platform.sent] == [OTHER]
        made.model.gate.set()
        await settle()


@virtual
async def test_echo_is_joined_once_in_half_an_hour() -> None:
    async with office() as made:
        for number in range(10):
            await made.say(f"u{number}", "哈哈")
        assert made.platform.texts == ["哈哈"]
        assert made.room.seat.presence.state is PresenceState.OBSERVING
        assert made.model.of("chat_reply") == []
        await made.pass_time(1801)
        for number in range(3):
            await made.say(f"u{number}", "嘿嘿")
        assert made.platform.texts == ["哈哈", "嘿嘿"]


@virtual
async def test_an_echo_while_busy_waits_and_is_joined() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("z", "在吗")
        for number in range(3):
            await made.say(f"u{number}", "哈哈")
        assert len(made.room.hold) == 1
        made.model.gate.set()
        await settle()
        await settle()
        assert made.platform.texts == ["好的", "哈哈"]


@virtual
async def test_pitfall_22_the_bots_line_is_no_voice_in_an_echo() -> None:
    async with office() as made:
        made.model.reply = "哈哈"
        await made.call("z", "笑一个")
        for number in range(2):
            await made.say(f"u{number}", "哈哈")
        assert made.platform.texts == ["哈哈"]
        await made.say("u3", "哈哈")
        assert made.platform.texts == ["哈哈", "哈哈"]


@virtual
async def test_dense_talk_without_a_model() -> None:
    async with office(model=FakeModel(online=False)) as made:
        for number in range(60):
            await made.say(f"u{number % 6}", f"话{number}")
        assert made.platform.sent == []  # nothing to say


@pytest.mark.parametrize("flag", ["is_questioned", "is_interesting"])
@virtual
async def test_chatter_that_is_answered_quotes_its_message(flag: str) -> None:
    async with office() as made:
        await made.call("z", "在吗")
        made.model.analysis = {"should_reply": True, flag: True}
        await made.pass_time(8)
        said = await made.say("a", "那你怎么看")
        assert made.platform.sent[-1][1].quote == said


@virtual
async def test_pitfall_57_a_summons_of_a_megabyte() -> None:
    async with office() as made:
        said = await made.call("a", "巨" * 350_000)
        assert made.platform.sent[0][1].quote == said
        assert str(LONGEST) in made.platform.texts[0]
        assert made.model.asked == []
        await made.call("b", "在吗")
        assert made.platform.texts[-1] == "好的"
        assert len(made.model.of("chat_reply")[0].prompt) < 10_000


@virtual
async def test_twenty_calls_in_one_busy_period_all_reach_a_reply() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("z", "先来")
        asked = [await made.call(f"u{number}", f"问题{number}号") for number in range(20)]
        made.model.gate.set()
        await made.pass_time(5)
        answered = {one for _, speech in made.platform.sent for one in speech.answers}
        assert set(asked) <= answered
        assert len(made.platform.sent) <= 3
        prompt = made.model.of("chat_reply")[-1].prompt
        assert all(f"问题{number}号" in prompt for number in range(20))
        assert all(f"名u{number}" in made.platform.texts[-1] for number in range(20))
        assert len(made.room.hold) == 0
