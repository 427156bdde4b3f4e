"""Watching is cheap: fewer looks the less they lead to, none at 收到, and never in a summons's way."""

from __future__ import annotations

import json
import random

import pytest
from nonebot_plugin_mishu.llm import estimate_tokens
from nonebot_plugin_mishu.prompts import prompt
from nonebot_plugin_mishu.secretary.attention import PLANS, TALK, Attention, all_say_little, continues_with_us
from nonebot_plugin_mishu.secretary.turn import Trigger, Turn, TurnItem
from office import office
from stand_ins import line
from virtual_time import virtual

WORDS = "今天 那个 方案 改了 没 客户 说 晚上 吃啥 火锅 好累 文档 看一下 谁 周末 下雨 卡死了"


@pytest.mark.parametrize("text", ["收到", "1", "哈哈哈哈", "[表情]", "ok", "好的", "嗯嗯", "666", "收到！"])
def test_an_echo_of_assent_is_not_looked_at(text: str) -> None:
    assert all_say_little([text])


@pytest.mark.parametrize("text", ["周五吧 下午两点", "收到，那明天见", "谁有空", "好的方案发我"])
def test_words_are(text: str) -> None:
    assert not all_say_little(["哈哈", text])


def test_looks_grow_rarer_and_are_free_again_where_they_lead_to_something() -> None:
    seen, now = Attention(), 0.0
    for _ in range(TALK.free):
        assert seen.allows(now)
        seen = seen.after_check(now, led=False)
        now += 7
    assert not seen.allows(now)
    waits: list[float] = []
    for _ in range(9):
        began = now
        while not seen.allows(now):
            now += 1
        waits.append(now - began)
        seen = seen.after_check(now, led=False)
    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(TALK.longest, abs=2)
    assert seen.after_check(now, led=True).allows(now)
    assert seen.allows(now + 3600)


def test_a_possible_plan_is_looked_at_although_much_was_looked_at_in_vain() -> None:
    talk, plans = Attention(), Attention(PLANS)
    for number in range(TALK.free + 3):
        talk = talk.after_check(float(number), led=False)
    assert not talk.allows(10.0)
    assert plans.allows(10.0)
    for number in range(PLANS.free):
        plans = plans.after_check(float(number), led=False)
    assert not plans.allows(10.0)
    assert plans.after_check(10.0, led=True).allows(11.0)


def _goes_on(
    *, asked: str = "好的。", addressed: bool = True, between: int = 0, then: str = "那再说说"
) -> bool:
    """True if a member's line goes on with a talk of ours, who answered them."""
    said = [line(1, "讲讲相对论", user_id="1", addressed=addressed)]
    said.append(line(2, asked, user_id="10000", is_bot=True, reply_to=said[0].message_id))
    said += [line(3 + number, "哦哦这样", user_id="1") for number in range(between)]
    last = line(9, then, user_id="1")
    return continues_with_us(
        Turn(last.conversation, (TurnItem(Trigger.CHAT, last, last.text),), (*said, last))
    )


def test_who_goes_on_with_a_talk_of_ours_is_heard() -> None:
    assert _goes_on()
    assert _goes_on(between=3)
    assert _goes_on(addressed=False), "the line behind a word of ours that nobody had called for"
    assert not _goes_on(addressed=False, between=1), "they talk with the others again"


@pytest.mark.parametrize("text", ["嗯", "对", "确认", "好的", "收到", "哦哦"])
def test_assent_is_looked_at_only_where_we_had_asked(text: str) -> None:
    assert not _goes_on(then=text)
    assert _goes_on(then=text, asked="要我接着讲吗？")


@virtual
async def test_a_summons_does_not_wait_for_a_look() -> None:
    async with office() as made:
        await made.call("a", "讲讲相对论")
        await made.pass_time(8)
        made.model.analysis = 9.0
        await made.say("b", "这个方案谁看过了")
        sent = len(made.platform.sent)
        assert made.model.of("analyze_conversation")
        await made.call("c", "讲讲量子力学")
        await made.pass_time(0.5)
        assert len(made.platform.sent) == sent + 1
        assert any("有人叫我" in record.reason for record in made.storage.records)


@virtual
async def test_a_thousand_lines_of_a_watched_group_cost_at_most_forty_calls() -> None:
    """A line every three seconds from eight people for fifty minutes, called once in fifty lines, and a model
    that never finds anything worth saying."""
    chance = random.Random(7)
    async with office(secretary={"observing_timeout": 3600}) as made:
        made.model.analysis = {"should_reply": False}
        for number in range(1000):
            if number % 50 == 0:
                await made.call("z", "讲讲相对论")
            else:
                user = str(chance.randrange(9))
                await made.say(user, "".join(chance.choices(WORDS.split(), k=chance.randint(2, 6))))
            await made.pass_time(3)
        looks = made.model.of("analyze_conversation")
        calls = len(looks) + len(made.model.of("chat_reply")) + len(made.model.of("parse_intents"))
        tokens = sum(
            estimate_tokens(json.dumps(one.data, ensure_ascii=False)) + estimate_tokens(prompt(one.name))
            for one in looks
        )
        assert len(looks) > 0
        assert calls <= 60  # twenty of them for the twenty calls
        assert tokens <= 40_000
