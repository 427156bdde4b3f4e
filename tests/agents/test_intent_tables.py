"""Every agent's table of intents: a row that is declared is whole, ours and those of other plugins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import AgentSpec, Intent, Match, Slot, TaskContext, TaskDispatch, TaskResult
from nonebot_plugin_mishu.core.tasks.dispatching import reason_of
from nonebot_plugin_mishu.testing import Desk, HalfMade, check_agent

OURS = ("schedule", "tasks", "bookkeeping", "record", "reminders", "calendar")


@pytest.mark.parametrize("code", OURS)
async def test_ours_are_whole(code: str) -> None:
    async with Desk.open() as desk:
        spec = next(one for one in desk.agents if one.code == code)
    await check_agent(spec)


@pytest.mark.parametrize("code", OURS)
async def test_titles_are_a_few_chinese_words_for_people(code: str) -> None:
    """「记账：记一笔账，办好了」, and no instructions for a model (payer, sharers)."""
    async with Desk.open() as desk:
        spec = next(one for one in desk.agents if one.code == code)
    for intent in spec.intents:
        plain = intent.title.replace("@", "")
        assert not any(letter.isascii() for letter in plain), intent.title
        assert len(plain) <= 20, intent.title


async def test_the_reason_of_a_reply_has_the_intents_title() -> None:
    spec = soy(intents=(replace(BUY, description="打酱油：item 写什么", label="打酱油"),))
    assert reason_of(spec, "buy", "completed") == "酱油：打酱油，办好了"


async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed", user_response={"buy": "买了。"}[context.intent])


BUY = Intent("buy", "打酱油", ("打酱油",), act="make")


def soy(**changed: Any) -> AgentSpec:
    values: dict[str, Any] = {
        "code": "soy",
        "name": "酱油",
        "intents": (BUY,),
        "boundary": "打酱油",
        "handler": does,
        "rules": lambda clause: Match("buy", 3) if "酱油" in clause.text else None,
    }
    return AgentSpec(**{**values, **changed})


async def test_a_whole_one_passes() -> None:
    await check_agent(soy())


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"intents": (replace(BUY, examples=()),)}, "intent 'buy': no example sentence"),
        ({"intents": (replace(BUY, description=""),)}, "intent 'buy': no description"),
        ({"intents": (replace(BUY, act=None),)}, "intent 'buy': no mood"),
        ({"boundary": ""}, "no boundary"),
        ({"slots": (Slot("much", required=True),)}, "slot 'much': it is required and has no question"),
        (
            {"intents": (BUY, Intent("sell", "卖酱油", ("卖掉一瓶酱油",), act="delete"))},
            "intent 'sell': no words: the agent's rules do not read 「卖掉一瓶酱油」 as it",
        ),
        (
            {
                "intents": (BUY, Intent("sell", "卖酱油", ("卖掉一瓶酱油",), act="delete")),
                "rules": lambda clause: (
                    Match("sell" if "卖" in clause.text else "buy", 3) if "酱油" in clause.text else None
                ),
            },
            "intent 'sell': 「卖掉一瓶酱油」: 智能体 soy 出错：KeyError",
        ),
    ],
)
async def test_a_half_made_one_is_named_with_what_it_lacks(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(HalfMade, match="agent 'soy': ") as found:
        await check_agent(soy(**changed))
    assert words in str(found.value)


async def test_an_intent_of_ours_that_is_only_declared_is_found() -> None:
    async with Desk.open() as desk:
        spec = next(one for one in desk.agents if one.code == "tasks")
    half = replace(spec, intents=(*spec.intents, Intent("share_task", "把任务给别人", ("把买菜给小红",))))
    with pytest.raises(HalfMade, match=r"intent 'share_task': no mood[\s\S]*intent 'share_task': no words"):
        await check_agent(half)
