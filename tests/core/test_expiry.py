"""Questions whose time is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from core_support import Agent, Bench, Store, parking, triage
from nonebot_plugin_mishu.agents import NotAnnounced, TaskContext, TaskDispatch, TaskResult
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord
from stand_ins import GROUP
from virtual_time import virtual

WAIT = 600


class Announcer:
    def __init__(self) -> None:
        self.said: list[tuple[str, tuple[str, ...]]] = []
        self.silent: float | None = None
        self.fails = False

    async def announce(
        self,
        conversation: Conversation,
        text: str,
        *,
        mentions: Sequence[str] = (),
        everybody: bool = False,
        timeout: float = 30.0,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> str:
        if self.fails:
            raise NotAnnounced("not connected")
        self.said.append((text, tuple(mentions)))
        return "s"

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        return False

    def silent_until(self, conversation: Conversation) -> float | None:
        return self.silent

    def connected(self, conversation: Conversation) -> bool:
        return True

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        return True


async def over(frame: FrameRecord) -> str | None:
    return f"「{frame.text}」等太久了，先不办了。"


@virtual
async def test_a_question_ends_in_its_time_and_what_waited_behind_it_too() -> None:
    bench, announcer = Bench(triage(expire=over), parking()), Announcer()
    await bench.core.start(announcer)
    await bench.say("1", "头痛想挂号，顺便问停车怎么收费")
    await asyncio.sleep(WAIT - 1)
    assert bench.open("1") == ["triage awaiting_user", "smartCS queued"]
    await asyncio.sleep(2)
    assert bench.open("1") == []
    assert {frame.status for frame in bench.store.frames.values()} == {"canceled"}
    assert [mentions for _, mentions in announcer.said] == [("1",)]
    assert "等太久了" in announcer.said[0][0]
    assert not bench.core.awaits(GROUP, "1", "三天")
    await bench.core.close()
    await bench.core.close()


@virtual
async def test_an_agent_may_keep_a_question_for_longer_or_shorter() -> None:
    def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.keep_until = bench.clock.wall() + 30
        return TaskResult(dispatch.task_id, "awaiting_user", user_response="要吗？")

    bench = Bench(Agent("book", "记", does))
    await bench.core.start(None)
    await bench.say("1", "记一下")
    await asyncio.sleep(29)
    assert bench.open("1")
    await asyncio.sleep(2)
    assert not bench.open("1")
    await bench.core.close()


@virtual
async def test_a_question_that_ended_while_we_were_away_ends_at_the_start() -> None:
    store = Store()
    await Bench(triage(), store=store).say("1", "挂号")
    announcer = Announcer()
    bench = Bench(triage(expire=over), store=store)
    bench.clock.ahead = 3600
    await bench.core.start(announcer)
    await asyncio.sleep(1)
    assert not bench.open("1")
    assert len(announcer.said) == 1
    await bench.core.close()


@virtual
async def test_what_was_cut_off_by_a_restart_and_waits_for_nobody_is_done_next_or_ends() -> None:
    store = Store()
    bench = Bench(triage(), parking(), store=store)
    await bench.say("1", "头痛想挂号，顺便问停车怎么收费")
    for frame in list(store.frames.values()):
        if frame.agent_code == "triage":
            del store.frames[frame.task_id]
    again = Bench(triage(), parking(), store=store)
    await again.core.start()
    assert again.open("1") == ["smartCS queued"]
    assert "好：" in ((await again.say("1", "你好呀", message_id="n")).text or "")
    assert again.open("1") == []
    await again.core.close()


@virtual
async def test_a_line_that_cannot_be_said_is_dropped() -> None:
    for silent, fails in ((5.0, False), (None, True)):
        bench, announcer = Bench(triage(expire=over)), Announcer()
        announcer.silent, announcer.fails = silent, fails
        await bench.core.start(announcer)
        await bench.say("1", "挂号")
        await asyncio.sleep(WAIT + 5)
        assert announcer.said == []
        assert not bench.open("1")
        await bench.core.close()


@virtual
async def test_an_agent_that_fails_to_end_and_a_full_disk_keep_no_question_alive() -> None:
    async def breaks(frame: FrameRecord) -> str | None:
        raise RuntimeError

    bench = Bench(triage(expire=breaks))
    await bench.core.start(Announcer())
    await bench.say("1", "挂号")
    bench.store.broken = True
    await asyncio.sleep(WAIT + 5)
    assert not bench.open("1")
    assert len(bench.reports) == 2
    await bench.core.close()


@virtual
async def test_a_question_does_not_end_while_it_is_being_answered() -> None:
    async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is None:
            return TaskResult(dispatch.task_id, "awaiting_user", {}, ("duration",), None, "多久？")
        await asyncio.sleep(20)
        return TaskResult(dispatch.task_id, "completed", user_response="好了")

    slow: Any = triage()
    slow.does = does
    bench = Bench(slow)
    await bench.core.start(None)
    await bench.say("1", "挂号")
    await asyncio.sleep(WAIT - 10)
    assert (await bench.say("1", "三天")).text == "好了"
    assert [frame.status for frame in bench.store.frames.values()] == ["completed"]
    await bench.core.close()
