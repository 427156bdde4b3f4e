"""The wiring within NoneBot: one preprocessor that awaits nothing, one last matcher that blocks nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import nonebot
import pytest
from nonebot import on_message
from nonebot.adapters.onebot.v11 import Adapter, Bot, Event
from nonebot.exception import IgnoredException
from nonebot.matcher import Matcher, matchers
from nonebot.message import _event_preprocessors, event_preprocessor, handle_event
from nonebot_plugin_mishu.app import plugin as entry
from nonebot_plugin_mishu.frontdesk import IncomingMessage, Interest
from nonebug import App
from wiring_support import BOT, FakeDesk, handled, message, notice

BOTH_WAYS = pytest.mark.parametrize("straight", [False, True], ids=["dispatched", "straight"])


def ours() -> list[type[Matcher]]:
    plugin = nonebot.get_plugin("nonebot_plugin_mishu")
    assert plugin is not None
    return list(plugin.matcher)


async def test_pitfall_62_one_matcher_and_one_preprocessor() -> None:
    assert [(one.priority, one.block) for one in ours()] == [(1_000_000, False)]
    mine = [dependent for dependent in _event_preprocessors if "mishu" in str(dependent.call.__module__)]
    assert len(mine) == 1
    assert (
        sum(len(group) for group in matchers.values() if any("mishu" in str(one.plugin_id) for one in group))
        >= 1
    )


@BOTH_WAYS
async def test_a_message_is_heard_and_acted_on(app: App, desk: FakeDesk, straight: bool) -> None:
    await handled(app, message(), straight=straight)
    assert [said.message_id for said in desk.heard] == ["1"]
    assert desk.acted == ["1"]
    assert desk.heard[0].at_bot
    assert desk.heard[0].words == "在吗"


@BOTH_WAYS
async def test_what_does_not_matter_reaches_no_handler(app: App, desk: FakeDesk, straight: bool) -> None:
    desk.interest = Interest.NONE
    await handled(app, message(), straight=straight)
    assert (len(desk.heard), desk.acted) == (1, [])


@BOTH_WAYS
@pytest.mark.parametrize("skips", [True, False])
async def test_chatter_that_is_skipped_runs_no_matcher(
    app: App, desk: FakeDesk, skips: bool, straight: bool
) -> None:
    desk.interest, desk.skips = Interest.CHATTER, skips
    await handled(app, message(), straight=straight)
    assert (desk.over, desk.acted) == ((["1"], []) if skips else ([], ["1"]))


@pytest.mark.parametrize("where", ["hear", "act", "passes_over"])
async def test_a_fault_on_the_short_way_is_reported_and_ends_there(
    app: App, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def fault(_heard: IncomingMessage) -> Any:
        raise KeyError("a fault of ours")

    desk.interest = Interest.CHATTER if where == "passes_over" else Interest.MATTERS
    monkeypatch.setattr(desk, where, fault)
    told: list[str] = []
    monkeypatch.setattr("nonebot_plugin_mishu.adapter.wiring.log_error", lambda *said: told.append(said[0]))
    await handled(app, message(), straight=True)
    assert len(told) == 1
    assert desk.acted == []


async def test_chatter_that_another_plugin_takes_is_not_skipped_but_left(app: App, desk: FakeDesk) -> None:
    """At the end of the cooldown the newest skipped line is analysed: what others took is not for us."""
    desk.interest, desk.skips = Interest.CHATTER, True
    taking = on_message(priority=5, block=True)

    async def take() -> None: ...

    taking.append_handler(take)
    try:
        await handled(app, message())
    finally:
        taking.destroy()
    assert (desk.over, desk.acted) == ([], [])


@pytest.mark.parametrize(
    "lacking", [("font",), ("sub_type",), ("raw_message",), ("font", "sub_type", "raw_message", "sender")]
)
@pytest.mark.parametrize("as_text", [False, True])
async def test_pitfall_60_messages_with_missing_fields_are_heard(
    app: App, desk: FakeDesk, lacking: tuple[str, ...], as_text: bool
) -> None:
    changed: dict[str, Any] = dict.fromkeys(lacking, ...)
    if as_text:
        changed["message"] = f"[CQ:at,qq={BOT}] 在吗"
    await handled(app, message(**changed))
    assert [(said.at_bot, said.words) for said in desk.heard] == [(True, "在吗")]


@pytest.mark.parametrize("odd", [None, 5, {"type": "text", "data": {"text": "在吗"}}, [5, None], "", ...])
async def test_pitfall_60_messages_of_no_shape_harm_nobody(app: App, desk: FakeDesk, odd: Any) -> None:
    others: list[int] = []
    foreign = on_message(priority=99, block=False)
    foreign.append_handler(lambda: others.append(1))
    try:
        await handled(app, message(message=odd, raw_message=..., font=...))
    finally:
        foreign.destroy()
    assert len(desk.heard) <= 1


async def test_pitfall_63_what_another_plugin_takes_is_heard_and_not_acted_on(
    app: App, desk: FakeDesk
) -> None:
    taking = on_message(priority=5, block=True)

    async def take() -> None: ...

    taking.append_handler(take)
    try:
        await handled(app, message())
    finally:
        taking.destroy()
    assert (len(desk.heard), desk.acted) == (1, [])


async def test_pitfall_63_an_event_another_plugin_ignores_is_heard_all_the_same(
    app: App, desk: FakeDesk
) -> None:
    for _ in range(20):  # in whatever order they run

        @event_preprocessor
        async def ignore() -> None:
            raise IgnoredException("not now")

        @event_preprocessor
        async def ignore_later(event: Event) -> None:
            raise IgnoredException("not now")

    await handled(app, message())
    assert (len(desk.heard), desk.acted) == (1, [])


async def test_pitfall_14_held_messages_delay_and_block_nobody(app: App, desk: FakeDesk) -> None:
    reached: list[str] = []

    async def before() -> None:
        reached.append("before")

    async def after() -> None:
        reached.append("after")

    first, last = on_message(priority=1, block=False), on_message(priority=99, block=False)
    first.append_handler(before)
    last.append_handler(after)
    try:
        await handled(app, message())
    finally:
        first.destroy()
        last.destroy()
    assert reached == ["before", "after"]
    assert desk.acted == ["1"]


async def test_pitfall_63_a_fault_of_ours_takes_the_event_from_nobody(app: App, desk: FakeDesk) -> None:
    desk.fails = True
    reached: list[int] = []

    async def after() -> None:
        reached.append(1)

    foreign = on_message(priority=5, block=False)
    foreign.append_handler(after)
    try:
        await handled(app, message())
    finally:
        foreign.destroy()
    assert reached == [1]
    assert desk.acted == []


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (notice("group_recall", user_id=30001, operator_id=30001, message_id=5), ("recalled", "777", "5")),
        (notice("friend_recall", user_id=30001, message_id=5, group_id=None), ("recalled", "30001", "5")),
        (
            notice("group_ban", sub_type="ban", user_id=10000, operator_id=1, duration=600),
            ("muted", "777", 600.0),
        ),
        (
            notice("group_ban", sub_type="ban", user_id=10000, operator_id=1, duration="60"),
            ("muted", "777", 60.0),
        ),
        (notice("group_ban", sub_type="ban", user_id=10000, operator_id=1, duration=0), ("unmuted", "777")),
        (
            notice("group_ban", sub_type="ban", user_id=10000, operator_id=1, duration="x"),
            ("muted", "777", 3600.0),
        ),
        (
            notice("group_ban", sub_type="lift_ban", user_id=10000, operator_id=1, duration=0),
            ("unmuted", "777"),
        ),
        (notice("group_ban", sub_type="lift_ban", user_id=0, operator_id=1, duration=0), ("unmuted", "777")),
        (notice("group_increase", sub_type="invite", user_id=10000, operator_id=1), ("joined", "777")),
        (
            notice("group_increase", sub_type="invite", user_id=30001, operator_id=1),
            ("came", "777", "30001", 1_700_000_000.0),
        ),
        (notice("group_decrease", sub_type="kick_me", user_id=10000, operator_id=1), ("left", "777")),
        (notice("group_decrease", sub_type="kick_me", operator_id=1), ("left", "777")),
        (notice("group_decrease", sub_type="leave", user_id=30001, operator_id=1), ("went", "777", "30001")),
        (notice("group_decrease", sub_type="kick", user_id=30001, operator_id=1), ("went", "777", "30001")),
        (notice("group_admin", sub_type="unset", user_id=30001), ("standing_changed", "777", "30001")),
        (notice("group_admin", sub_type="set", user_id=30001), ("standing_changed", "777", "30001")),
    ],
)
async def test_notices(app: App, desk: FakeDesk, payload: dict[str, Any], expected: tuple[Any, ...]) -> None:
    await handled(app, payload)
    await asyncio.sleep(0)
    assert desk.notices.log == [expected]


@pytest.mark.parametrize(
    "payload",
    [
        notice("group_ban", sub_type="ban", user_id=30001, operator_id=1, duration=600),
        notice("group_recall", user_id=30001, operator_id=30001),
        notice("notify", sub_type="poke", user_id=30001, target_id=30002),
        notice("made_up", anything=[1, {"a": 2}]),
    ],
)
async def test_notices_about_others(app: App, desk: FakeDesk, payload: dict[str, Any]) -> None:
    await handled(app, payload)
    await asyncio.sleep(0)
    assert (desk.notices.log, desk.pokes) == ([], [])


async def test_a_poke(app: App, desk: FakeDesk) -> None:
    await handled(app, notice("notify", sub_type="poke", user_id=30001, target_id=10000))
    assert [said.user_id for said in desk.pokes] == ["30001"]


@pytest.mark.parametrize(
    ("role", "muted"),
    [
        ({"role": "member"}, True),
        ({"role": "admin"}, False),
        ({"role": "owner"}, False),
        ({}, True),
        (None, True),
    ],
)
async def test_everybody_muted(app: App, desk: FakeDesk, role: Any, muted: bool) -> None:
    payload = notice("group_ban", sub_type="ban", user_id=0, operator_id=1, duration=-1)
    async with app.test_api() as ctx:
        bot = ctx.create_bot(
            base=Bot, adapter=ctx.create_adapter(base=Adapter), self_id=BOT, auto_connect=False
        )
        ctx.should_call_api("get_group_member_info", {"group_id": 777, "user_id": 10000}, role)
        await handle_event(bot, Adapter.json_to_event(payload))  # type: ignore[arg-type]
        await asyncio.gather(*desk.tasks)
    assert desk.notices.log == ([("muted", "777", None)] if muted else [])


async def test_nothing_is_heard_before_the_start_and_after_the_stop(
    app: App, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry._installed, "desk", None)
    await handled(app, message())
    assert desk.heard == []
