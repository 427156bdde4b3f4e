"""Fair shares: a member's day, a member's part of the group's day, and a member's pace."""

from __future__ import annotations

import asyncio
from typing import Any

from helpers_llm import CHECK, GROUP, Bench, MakeBench, kind_of
from model_server import ModelServer, Request
from nonebot_plugin_mishu.llm import CallLog
from nonebot_plugin_mishu.llm.limits.budget import BURST, EVERY
from nonebot_plugin_mishu.storage.records import Conversation

OTHER = Conversation("10000", "group", "20001")
FRIEND = Conversation("10000", "private", "1")


async def asked(bench: Bench, member: str | None, where: Conversation | None = GROUP) -> str:
    """One call of a piece of work of its own that is owed to a member."""
    log = CallLog(owed=True, member=member)
    return await kind_of(bench.check(conversation=where, log=log))


async def test_the_defaults_are_on(make_bench: MakeBench) -> None:
    bench = make_bench()
    bench.spent_by = {(GROUP, "1"): 100_000}
    assert await asked(bench, "1") == "share"
    assert await asked(bench, "2") == "ok"
    assert await asked(bench, "1", OTHER) == "ok"
    bench.spent = {GROUP: 1_000_000}
    assert await asked(bench, "2") == "budget"
    assert await asked(bench, "2", OTHER) == "ok"


async def test_a_member_spends_half_of_the_groups_day(make_bench: MakeBench) -> None:
    bench = make_bench(group_daily_tokens=3000)
    bench.spent = {GROUP: 2900, FRIEND: 2900}
    bench.spent_by = {(GROUP, "1"): 1500, (FRIEND, "1"): 2900}
    assert await asked(bench, "1") == "share"
    assert await asked(bench, "2") == "ok", "the next member is answered"
    assert await asked(bench, "1", FRIEND) == "ok", "in private the day is theirs alone"
    assert await asked(bench, None) == "ok", "what is for nobody alone costs no member"


async def test_no_limits_where_they_are_0(make_bench: MakeBench) -> None:
    bench = make_bench(group_daily_tokens=0, member_daily_tokens=0)
    bench.spent, bench.spent_by = {GROUP: 10**9}, {(GROUP, "1"): 10**9}
    assert await asked(bench, "1") == "ok"


async def test_tokens_are_counted_before_they_are_spent(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    """What waits for its turn counts too: of five calls at once, only the first is made."""
    bench = make_bench(member_daily_tokens=50, concurrency=1)
    go = asyncio.Event()

    async def later(_request: Request) -> Any:
        await go.wait()
        return CHECK

    model_server.always("check_safety", later)
    first = asyncio.create_task(asked(bench, "1"))
    await model_server.wait_for("check_safety")
    assert [await asked(bench, "1") for _ in range(4)] == ["share"] * 4
    other = asyncio.create_task(asked(bench, "2"))
    go.set()
    assert (await first, await other) == ("ok", "ok")
    assert [(call.member, call.outcome) for call in bench.calls if call.outcome == "ok"] == [
        ("1", "ok"),
        ("2", "ok"),
    ]


async def test_a_member_who_is_too_fast_waits_and_others_do_not(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench()
    kinds = [await asked(bench, "1") for _ in range(BURST + 5)]
    assert kinds == ["ok"] * BURST + ["pace"] * 5
    assert await asked(bench, "2") == "ok"
    assert await asked(bench, "1", OTHER) == "ok"
    assert await asked(bench, None) == "ok"
    bench.time.now += 3 * EVERY
    assert [await asked(bench, "1") for _ in range(4)] == ["ok", "ok", "ok", "pace"]
    assert not bench.warnings, "a member's pace is no fault to be logged"
    assert bench.client.status() == "ok"


async def test_25_lines_in_20_seconds_cost_no_90_calls(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    """Four calls a line, as it was seen."""
    bench = make_bench()
    for _ in range(25):
        log = CallLog(owed=True, member="1")
        for _ in range(4):
            if await kind_of(bench.check(conversation=GROUP, log=log)) == "pace":
                break
        bench.time.now += 0.8
    assert len(model_server.requests) <= 30
    assert len([call for call in bench.calls if call.outcome == "pace"]) >= 15


async def test_work_that_was_begun_is_not_broken_off(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench()
    for _ in range(BURST - 1):
        await asked(bench, "1")
    log = CallLog(owed=True, member="1")
    kinds = [await kind_of(bench.check(conversation=GROUP, log=log)) for _ in range(4)]
    assert kinds == ["ok"] * 4
    assert await asked(bench, "1") == "pace"


async def test_what_nobody_waits_for_has_no_pace(make_bench: MakeBench) -> None:
    bench = make_bench()
    log = [CallLog(member="1") for _ in range(BURST + 5)]
    assert {await kind_of(bench.check(conversation=GROUP, log=each)) for each in log} == {"ok"}


async def test_members_who_rested_are_forgotten(make_bench: MakeBench) -> None:
    bench = make_bench()
    pace = bench.client._takeover._engine._pace
    for number in range(1500):
        bench.time.now += 1
        payer_log = CallLog(owed=True, member=str(number))
        await kind_of(bench.check(0.0, conversation=GROUP, log=payer_log))
        pace.refusal(_payer(str(number)), payer_log)
    assert len(pace._left) <= 1000


def _payer(member: str) -> Any:
    from nonebot_plugin_mishu.llm.limits.budget import Payer

    return Payer(GROUP, member)
