"""The platform's list of a group, for names of members who have never spoken: slow, or in trouble."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core_support import Bench, parking
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.storage.records import Conversation
from virtual_time import virtual

LINE = "小雅停车怎么收费"


@virtual
async def test_a_slow_list_is_asked_for_to_the_end_and_delays_one_line() -> None:
    kept: list[Mention] = []

    async def roster(where: Conversation) -> Sequence[Mention]:
        if not kept:
            await asyncio.sleep(2)
            kept.append(Mention("7", "小雅"))
        return kept

    bench = Bench(parking(), roster=roster)
    loop, contexts = asyncio.get_running_loop(), bench.agents["smartCS"].seen
    began = loop.time()
    await bench.say("1", LINE)
    assert 0.9 < loop.time() - began < 1.5
    assert contexts[-1][1].clause.situation.members == ()
    await asyncio.sleep(3)
    began = loop.time()
    await bench.say("1", LINE)
    assert loop.time() - began < 0.5
    assert [each.name for each in contexts[-1][1].clause.situation.members] == ["小雅"]
    await bench.core.close()


@virtual
async def test_a_list_that_cannot_be_read_costs_no_answer() -> None:
    async def roster(where: Conversation) -> Sequence[Mention]:
        raise AttributeError("members")

    bench = Bench(parking(), roster=roster)
    assert "停车" in ((await bench.say("1", LINE)).text or "")
    assert bench.reports == ["群成员读不出来"]


@virtual
async def test_the_end_does_not_wait_for_a_list() -> None:
    async def roster(where: Conversation) -> Sequence[Mention]:
        await asyncio.sleep(1000)
        return ()

    bench = Bench(parking(), roster=roster)
    await bench.say("1", LINE)
    await bench.core.close()
    assert not [each for each in asyncio.all_tasks() if each.get_name() == "mishu roster"]
