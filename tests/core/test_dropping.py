"""Drafts that end without a word: silence, recall, emergency."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from core_support import Agent, Bench, ours, parking, triage
from nonebot_plugin_mishu.agents import TaskDispatch, TaskResult
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord
from stand_ins import GROUP
from virtual_time import virtual

ELSEWHERE = Conversation(GROUP.self_id, "group", "elsewhere")
DIE = "我不想活了"


class Booking(Agent):
    """An agent with drafts: every 记 opens one. `dropped` are the words of those that were dropped."""

    def __init__(self, **spec: Any) -> None:
        self.dropped: list[str] = []

        async def drop(frame: FrameRecord) -> None:
            self.dropped.append(frame.text)

        super().__init__("book", "记", _asks, **{"drop": drop, **spec})


def _asks(dispatch: TaskDispatch, context: Any) -> TaskResult:
    return TaskResult(dispatch.task_id, "awaiting_user", user_response="要记吗？")


@virtual
async def test_a_silence_ends_everybodys_drafts_here_and_no_other_question() -> None:
    booking = Booking()
    bench = Bench(booking, triage())
    await bench.say("1", "记午饭")
    await bench.say("2", "记打车")
    await bench.say("3", "头痛想挂号")
    await bench.say("1", "记晚饭", conversation=ELSEWHERE)
    await bench.core.drop(GROUP)
    assert sorted(booking.dropped) == ["记午饭", "记打车"]
    assert bench.open("1") == bench.open("2") == []
    assert bench.open("3") == ["triage awaiting_user"]
    assert bench.open("1", ELSEWHERE) == ["book awaiting_user"]
    await bench.core.drop(GROUP)
    assert len(booking.dropped) == 2
    assert not bench.reports


@virtual
async def test_a_recall_ends_only_the_draft_of_that_message() -> None:
    booking = Booking()
    bench = Bench(booking)
    await bench.say("1", "记午饭", message_id="one")
    await bench.say("2", "记打车", message_id="two")
    await bench.core.drop(GROUP, "one")
    assert booking.dropped == ["记午饭"]
    assert bench.open("2") == ["book awaiting_user"]
    assert [frame.status for frame in bench.store.frames.values()] == ["canceled", "awaiting_user"]


@virtual
async def test_an_emergency_drops_its_speakers_drafts_and_ends_all_else_of_theirs() -> None:
    booking = Booking()
    bench = Bench(booking, parking())
    await bench.say("1", "记午饭")
    await bench.say("2", "记打车")
    assert (await bench.say("1", DIE)).status == "blocked"
    assert booking.dropped == ["记午饭"]
    assert bench.open("1") == []
    assert bench.open("2") == ["book awaiting_user"]


@virtual
async def test_an_emergency_in_a_joint_summons_ends_nothing_of_who_only_called_beside() -> None:
    bench = Bench(triage())
    await bench.say("1", "头痛想挂号")
    await bench.say("2", "头痛想挂号")
    beside, quoting = bench.request("1", "真好玩"), bench.request("2", "你看看这个", quoted=ours(DIE))
    joint = replace(beside, utterances=(*beside.utterances, *quoting.utterances))
    assert (await bench.core.handle(joint)).status == "blocked"
    assert bench.open("1") == ["triage awaiting_user"]
    assert bench.open("2") == []


@virtual
async def test_what_fails_or_never_ends_keeps_no_draft_alive() -> None:
    async def breaks(frame: FrameRecord) -> None:
        raise ValueError("an agent's fault")

    async def hangs(frame: FrameRecord) -> None:
        await asyncio.Event().wait()

    for drop in (breaks, hangs):
        bench = Bench(Booking(drop=drop))
        await bench.say("1", "记午饭")
        bench.store.broken = True
        await bench.core.drop(GROUP)
        assert bench.open("1") == []
        assert len(bench.reports) == 2  # the agent's fault, and the database's


@virtual
async def test_a_drop_waits_for_what_is_being_done() -> None:
    going = asyncio.Event()

    async def slowly(dispatch: TaskDispatch, context: Any) -> TaskResult:
        going.set()
        await asyncio.sleep(5)
        return _asks(dispatch, context)

    booking = Booking()
    booking.does = slowly
    bench = Bench(booking)
    saying = asyncio.create_task(bench.say("1", "记午饭"))
    await going.wait()
    await bench.core.drop(GROUP)
    await saying
    assert booking.dropped == ["记午饭"]
    assert bench.open("1") == []


@virtual
async def test_a_recall_ends_whatever_its_message_has_open() -> None:
    bench = Bench(triage(), parking())
    await bench.say("1", "头痛想挂号，顺便问停车怎么收费", message_id="one")
    await bench.say("2", "头痛想挂号", message_id="two")
    assert bench.open("1") == ["triage awaiting_user", "smartCS queued"]
    await bench.core.drop(GROUP, "one")
    assert bench.open("1") == []
    assert bench.open("2") == ["triage awaiting_user"]


@virtual
@pytest.mark.parametrize("drop_first", [True, False])
async def test_a_question_dropped_while_its_message_number_is_written_stays_dropped(drop_first: bool) -> None:
    bench = Bench(triage())
    outcome = await bench.say("1", "头痛想挂号", message_id="one")
    put = bench.store.put

    async def slowly(*frames: FrameRecord) -> None:
        await asyncio.sleep(1)
        await put(*frames)

    bench.store.put = slowly  # type: ignore[method-assign]
    both = [bench.core.drop(GROUP, "one"), bench.core.delivered(GROUP, outcome, "sent-1")]
    await asyncio.gather(*(both if drop_first else reversed(both)))
    assert bench.open("1") == []
    assert [frame.status for frame in bench.store.frames.values()] == ["canceled"]
