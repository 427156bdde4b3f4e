"""Two agents written from docs/agents.md alone: an approval by another member, and a booking with slots, a
confirmation and an undo. The plugins register theirs when they are loaded; here each test has its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nonebot
import pytest
from nonebot_plugin_mishu.agents import REGISTRY
from nonebot_plugin_mishu.testing import Desk, check_agent

HERE = Path(__file__).parent / "outside"


@pytest.fixture(scope="module", autouse=True)
def _plugins() -> Any:
    """Their folder is where plugins are found, and what they registered is gone behind this module."""
    sys.path.insert(0, str(HERE))
    for name in ("nonebot_plugin_leave", "nonebot_plugin_courts"):
        assert nonebot.load_plugin(name) is not None
    yield
    sys.path.remove(str(HERE))
    for code in ("leave", "courts"):
        REGISTRY.remove(code)


def leave(folder: Path) -> Any:
    import nonebot_plugin_leave as plugin

    return plugin.leave_spec(plugin.Book(folder / "leaves.json"), "30001")


def courts() -> Any:
    import nonebot_plugin_courts as plugin

    return plugin.courts_spec(plugin.Courts())


async def test_both_are_whole(tmp_path: Path) -> None:
    await check_agent(leave(tmp_path))
    await check_agent(courts())


# Leave: the head of department answers.


async def test_the_head_grants_it_and_nobody_else(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        assert desk.id("主管") == "30001"
        asked = await desk.call("小明", "我明天想请假")
        assert asked.text == "2026-11-19 的假，等主管回复。"
        [notice] = asked.sent
        assert (notice.text, notice.to) == ("小明 想请 2026-11-19 的假，同意还是驳回？", ("主管",))
        [question] = await desk.questions()
        assert (question.who, question.asked) == ("小明", ("主管",))
        for who in ("小明", "小红"):
            assert (await desk.say(who, "同意")).silent
            assert "leave" not in (await desk.call(who, "同意")).called
            assert "leave" not in (await desk.say(who, "同意", quote=notice)).called
        assert (await desk.say("主管", "嗯")).silent
        assert (await desk.say("主管", "好的")).silent
        done = await desk.say("主管", "同意")
        assert done.text == "批了，转告了。"
        assert [(one.text, one.to) for one in done.sent] == [("你 2026-11-19 的假批了。", ("小明",))]
        assert (await desk.call("小红", "谁请假了")).text == "小明 2026-11-19"
        assert await desk.questions() == ()


@pytest.mark.parametrize("how", ["quoted notice", "quoted question", "called", "plain"])
async def test_ways_to_refuse_with_a_reason(how: str, tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        asked = await desk.call("小明", "我明天想请假")
        words = "不批，周五要上线"
        if how == "called":
            done = await desk.call("主管", words)
        else:
            quote = asked.sent[0] if how == "quoted notice" else asked if how == "quoted question" else None
            done = await desk.say("主管", words, quote=quote)
        assert done.text == "好，转告了。"
        assert [(one.text, one.to) for one in done.sent] == [
            ("你 2026-11-19 的假没批：不批,周五要上线", ("小明",))
        ]
        assert (await desk.call("小红", "谁请假了")).text == "没有人请假。"


async def test_it_waits_over_a_restart_and_long_after_only_with_a_call_or_a_quote(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        asked = await desk.call("小明", "我明天想请假")
        await desk.restart()
        await desk.later(hours=2)
        assert (await desk.say("主管", "同意")).silent
        assert (await desk.say("主管", "同意", quote=asked.sent[0])).text == "批了，转告了。"


async def test_what_is_missing_is_asked_of_who_ordered_it(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        assert (await desk.call("小明", "我想请假")).text == "请哪天的假？"
        assert (await desk.say("主管", "明天")).silent
        asked = await desk.say("小明", "后天")
        assert asked.text == "2026-11-20 的假，等主管回复。"
        assert (await desk.call("主管", "同意")).text == "批了，转告了。"


async def test_who_ordered_it_calls_it_off(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        await desk.call("小明", "我明天想请假")
        assert (await desk.say("小明", "算了")).silent  # said among members
        assert len(await desk.questions()) == 1
        off = await desk.call("小明", "算了")
        assert off.text is not None
        assert "不办了" in off.text
        assert await desk.questions() == ()
        assert "leave" not in (await desk.call("主管", "同意")).called


async def test_two_wait_and_a_quote_says_which(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        first = await desk.call("小明", "我明天想请假")
        await desk.call("小红", "我后天想请假")
        done = await desk.say("主管", "同意", quote=first.sent[0])
        assert [one.to for one in done.sent] == [("小明",)]
        done = await desk.call("主管", "驳回")
        assert [one.to for one in done.sent] == [("小红",)]


async def test_it_is_no_ones_after_a_day(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        await desk.call("小明", "我明天想请假")
        over = await desk.later(hours=25)
        assert [(one.text, one.to) for one in over] == [("请假的事一天没有人回，先不等了。", ("小明",))]
        assert "leave" not in (await desk.call("主管", "同意")).called


async def test_the_heads_own_work_is_not_held_up(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        await desk.call("小明", "我明天想请假")
        made = await desk.call("主管", "提醒我明天20:00寄信")
        assert made.text is not None
        assert "寄信" in made.text
        made = await desk.call("小明", "提醒我明天20:00取快递")
        assert made.text is not None
        assert "取快递" in made.text
        assert (await desk.call("主管", "同意")).text == "批了，转告了。"


async def test_the_head_takes_it_back(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        await desk.call("小明", "我明天想请假")
        await desk.call("主管", "同意")
        undone = await desk.call("主管", "撤销")
        assert undone.text == "撤销了：批了小明 2026-11-19 的假。"
        assert (await desk.call("小红", "谁请假了")).text == "没有人请假。"


async def test_a_silence_sends_no_notice_and_ends_no_request(tmp_path: Path) -> None:
    async with Desk.open(leave(tmp_path)) as desk:
        desk.id("主管")
        desk.voice.silenced = desk.clock.wall() + 600
        asked = await desk.call("小明", "我明天想请假")
        assert asked.sent == ()
        assert len(await desk.questions("主管")) == 1


# Courts: slots, a list, a confirmation, an undo.


async def test_a_court_is_booked_step_by_step() -> None:
    async with Desk.open(courts()) as desk:
        assert (await desk.call("小明", "帮我订场地")).text == "哪天？"
        assert (await desk.say("小明", "明天")).text == "几点？"
        listed = await desk.say("小明", "下午三点")
        assert listed.text == "要哪个场？\n1. 一号场\n2. 二号场\n3. 三号场"
        assert (await desk.say("小明", "第二个")).text == "订2026-11-19 15:00 二号场，对吗？"
        assert (await desk.say("小明", "对")).text == "订好了2026-11-19 15:00 二号场。"
        listed = await desk.call("小红", "订明天下午三点的场地")
        assert listed.text == "要哪个场？\n1. 一号场\n2. 三号场"
        assert (await desk.say("小红", "2")).text == "订2026-11-19 15:00 三号场，对吗？"


async def test_what_was_asked_is_corrected() -> None:
    async with Desk.open(courts()) as desk:
        asked = await desk.call("小明", "订明天下午三点的二号场")
        assert asked.text == "订2026-11-19 15:00 二号场，对吗？"
        assert (await desk.say("小明", "改成下午五点")).text == "订2026-11-19 17:00 二号场，对吗？"
        assert (await desk.say("小明", "不对，三号场")).text == "订2026-11-19 17:00 三号场，对吗？"
        assert (await desk.say("小明", "算了")).text == "好，没有订。"


async def test_a_new_order_is_no_answer() -> None:
    async with Desk.open(courts()) as desk:
        await desk.call("小明", "帮我订场地")
        made = await desk.call("小明", "提醒我明天20:00寄信")
        assert "courts" not in made.called
        assert made.text is not None
        assert "寄信" in made.text
        again = await desk.call("小明", "再订后天下午三点的一号场")
        assert again.text == "订2026-11-20 15:00 一号场，对吗？"
        assert sorted(one.text for one in await desk.questions("小明")) == [
            "哪天？",
            "订2026-11-20 15:00 一号场，对吗？",
        ]


async def test_it_is_undone_once_and_then_what_was_before() -> None:
    async with Desk.open(courts()) as desk:
        await desk.call("小明", "提醒我明天20:00寄信")
        await desk.call("小明", "订明天下午三点的二号场")
        await desk.say("小明", "对")
        assert (await desk.call("小明", "撤销")).text == "撤销了：订了2026-11-19 15:00 二号场。"
        assert (await desk.call("小明", "明天场地还有哪些")).text == "都空着。"
        before = await desk.call("小明", "撤销")
        assert before.text is not None
        assert "寄信" in before.text


async def test_undo_after_ten_minutes_or_by_another_is_none() -> None:
    async with Desk.open(courts()) as desk:
        await desk.call("小明", "订明天下午三点的二号场")
        await desk.say("小明", "对")
        assert "没有可以撤销的" in ((await desk.call("小红", "撤销")).text or "")
        await desk.later(minutes=11)
        assert "没有可以撤销的" in ((await desk.call("小明", "撤销")).text or "")
        assert (await desk.call("小明", "明天场地还有哪些")).text == "订掉的有：15:00 二号场"


async def test_a_deletion_wants_an_explicit_yes() -> None:
    async with Desk.open(courts()) as desk:
        await desk.call("小明", "订明天下午三点的二号场")
        await desk.say("小明", "对")
        assert (await desk.call("小明", "退掉场地")).text == "要退掉你订的 1 个场地吗？"
        assert (await desk.call("小明", "嗯嗯")).text != "退了。"
        assert (await desk.call("小明", "是的")).text == "中间说了别的，再问一次：要退掉你订的 1 个场地吗？"
        assert (await desk.say("小明", "是的")).text == "退了。"
