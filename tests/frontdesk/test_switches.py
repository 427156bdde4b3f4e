"""Pitfall 79: every switch that the help names switches what its name says, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Clause,
    Intent,
    Match,
    TaskContext,
    TaskDispatch,
    TaskResult,
)
from nonebot_plugin_mishu.frontdesk.commands import parsing
from nonebot_plugin_mishu.frontdesk.commands.parsing import FEATURES, help_text
from office import Office, office
from stand_ins import FakeModel
from virtual_time import settle, virtual

PLUGIN = Path(parsing.__file__).parents[1]
CROWD = {"secretary": {"dense_count": 6, "dense_people": 3}}


async def switch(made: Office, feature: str, action: str) -> None:
    await made.say("boss", f"/秘书 开关 {feature} {action}", role="admin")
    await made.pass_time(2)
    assert f"「{feature}」" in made.platform.texts[-1]


async def echoed(made: Office, words: str) -> bool:
    before = len(made.platform.sent)
    for user in "abc":
        await made.say(user, words)
    await made.pass_time(2)
    return words in made.platform.texts[before:]


async def joined_dense_talk(made: Office) -> bool:
    before = len(made.platform.sent)
    for number in range(8):
        await made.say("abcd"[number % 4], f"各说各的第{number}句")
    await made.pass_time(2)
    return len(made.platform.sent) > before


async def joined_a_topic(made: Office) -> bool:
    await made.call("a", "讲讲看")
    await made.pass_time(20)
    made.model.analysis = {"should_reply": True, "is_interesting": True}
    before = len(made.platform.sent)
    await made.say("b", "聊点好玩的")
    await made.pass_time(2)
    return len(made.platform.sent) > before


@pytest.mark.parametrize(
    ("feature", "unasked", "works"),
    [
        ("复读", lambda made: echoed(made, "好耶"), False),
        ("插话", lambda made: echoed(made, "好耶"), True),
        ("插话", joined_dense_talk, False),
        ("复读", joined_dense_talk, True),
        ("插话", joined_a_topic, False),
        ("复读", joined_a_topic, True),
    ],
)
@virtual
async def test_pitfall_79_chiming_in_is_all_that_nobody_asked_for_but_the_echo(
    feature: str, unasked: Callable[[Office], Awaitable[bool]], works: bool
) -> None:
    async with office(model=FakeModel(), **CROWD) as made:
        await switch(made, feature, "关")
        assert await unasked(made) is works
    async with office(model=FakeModel(), **CROWD) as made:
        await switch(made, feature, "关")
        await switch(made, feature, "开")
        assert await unasked(made)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_switch_of_ours_is_asked_for_where_it_acts(feature: str) -> None:
    """By name, outside the table of commands: an agent's spec, or somebody who asks whether it is allowed."""
    asked = re.compile(rf'(?:feature=|FEATURE = |FEATURE: Final = |allows\(.*|_ALLOWED = )"{feature}"')
    found = [
        file.name
        for file in PLUGIN.rglob("*.py")
        if file.name != "commands.py" and asked.search(file.read_text("utf-8"))
    ]
    assert found


async def _booked(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed", user_response="订好了。")


def _asks(clause: Clause) -> Match | None:
    return Match("book", weight=9) if "会议室" in clause.text else None


ROOMS = AgentSpec(
    code="rooms",
    name="会议室",
    intents=(Intent("book", "订会议室", ("订 A3 会议室", "帮我订明天的会议室")),),
    boundary="只订会议室。",
    handler=_booked,
    rules=_asks,
    feature="订会议室",
)


@virtual
async def test_agents_of_others_are_in_the_help_and_among_the_switches() -> None:
    async with office(others=[ROOMS, replace(ROOMS, code="plain", name="查快递", feature=None)]) as made:
        await made.say("a", "/秘书 帮助")
        await made.pass_time(2)
        told = made.platform.texts[-1]
        assert "会议室「订 A3 会议室」" in told
        assert "查快递" in told
        assert "订会议室" in told.rsplit("开关", 1)[1]
        assert "查快递" not in told.rsplit("开关", 1)[1]
        await switch(made, "订会议室", "关")
        assert not made.room.allows("订会议室")
        await made.say("a", "/秘书 开关", role="admin")
        await made.pass_time(2)
        assert "订会议室 关" in made.platform.texts[-1]
        await made.say("a", "/秘书 状态")
        await made.pass_time(2)
        assert "关着：订会议室" in made.platform.texts[-1]
        await settle()


def test_without_others_the_help_is_ours_alone() -> None:
    assert "会议室「" not in help_text()
