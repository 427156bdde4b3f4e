"""Schedules on disk: ids that only grow, changes whole or not at all, done once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.queries import NewReminder
from nonebot_plugin_mishu.storage.schedules.queries import Add, Attend, Change, Delete, Edit, Outdated
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan, ScheduleRecord

HERE = Conversation("10000", "group", "777001")
ELSEWHERE = Conversation("10000", "group", "777002")
MING, HONG = Participant("30001", "小明"), Participant("30002", "小红")
PLAN = SchedulePlan(
    "2026-11-19 15:00:00",
    "Asia/Shanghai",
    "开会",
    end="2026-11-19 17:00:00",
    place="会议室",
    recurrence={"freq": "weekly", "interval": 1, "byday": ["TH"]},
    until="2026-12-31",
    lead_minutes=30,
    everybody=True,
)
LATER = replace(PLAN, start="2026-11-20 15:00:00", segment="afternoon", end=None, recurrence=None, until=None)


def nothing(_: ScheduleRecord) -> NewReminder | None:
    return None


async def do(
    storage: Storage, *changes: Change, by: Participant = MING, where: Conversation = HERE
) -> list[ScheduleRecord]:
    return await storage.schedules.apply(where, by, changes, at=1.0, summary="改了", remind=nothing)


async def test_everything_comes_back_as_it_was(storage: Storage):
    (made,) = await do(storage, Add(PLAN, "m1#0"))
    assert await storage.schedules.live(HERE) == [made]
    assert (made.plan, made.created_by, made.creator) == (PLAN, "30001", "小明")
    (changed,) = await do(storage, Edit(made.id, LATER, "m2#0"))
    assert await storage.schedules.get(made.id) == changed
    (joined,) = await do(storage, Attend(made.id, HONG, True, "m3#0"), by=HONG)
    assert joined.joined == (HONG,)
    (left,) = await do(storage, Attend(made.id, HONG, False, "m4#0"), by=HONG)
    assert left.joined == ()
    await do(storage, Delete(made.id, "m5#0"))
    assert await storage.schedules.live(HERE) == []
    gone = await storage.schedules.get(made.id)
    assert gone is not None
    assert gone.deleted


async def test_an_origin_makes_one_row(storage: Storage):
    (first,) = await do(storage, Add(PLAN, "m1#0"))
    (again,) = await do(storage, Add(LATER, "m1#0"))
    assert again == first
    (moved,) = await do(storage, Edit(first.id, LATER, "m2#0"))
    (twice,) = await do(storage, Edit(first.id, PLAN, "m2#0"))
    assert twice == moved


async def test_all_or_nothing(storage: Storage):
    (made,) = await do(storage, Add(PLAN, "m1#0"))
    with pytest.raises(Outdated):
        await do(storage, Add(LATER, "m2#0"), Edit(made.id, LATER, "m2#1"), Delete(made.id + 99, "m2#2"))
    assert await storage.schedules.live(HERE) == [made]


async def test_another_groups_schedule_cannot_be_changed(storage: Storage):
    (made,) = await do(storage, Add(PLAN, "m1#0"))
    for change in (Edit(made.id, LATER, "a"), Delete(made.id, "b"), Attend(made.id, HONG, True, "c")):
        with pytest.raises(Outdated):
            await do(storage, change, where=ELSEWHERE)
    assert await storage.schedules.live(HERE) == [made]


async def test_what_an_origin_left_is_found(storage: Storage):
    made, _ = await do(storage, Add(PLAN, "b1:1:0"), Add(LATER, "b1:2:1"))
    await do(storage, Delete(made.id, "b2:1:0"))
    assert await storage.schedules.made_by("b1:") == ["b1:1:0", "b1:2:1"]
    assert await storage.schedules.made_by("b2:") == ["b2:1:0"]
    assert await storage.schedules.made_by("b%") == []


@asynccontextmanager
async def fresh(directory: str) -> AsyncIterator[Storage]:
    from pathlib import Path

    opened = await Storage.open(default_url(Path(directory)), on_trouble=print)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.mark.exhaustive
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.sampled_from(["add", "add", "delete", "undo", "reopen"]), min_size=3, max_size=14))
async def test_ids_are_never_used_again(steps: list[str]):
    """Property: whatever is added, deleted, undone and restarted, a new id is greater than all before."""
    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        seen: list[int] = []
        numbers = count()
        left = list(steps)
        while left:
            async with fresh(directory) as storage:
                while left:
                    step = left.pop(0)
                    if step == "reopen":
                        break
                    name = f"o{next(numbers)}"
                    live = await storage.schedules.live(HERE)
                    if step == "add":
                        (made,) = await do(storage, Add(PLAN, name))
                        assert all(made.id > each for each in seen)
                        seen.append(made.id)
                    elif step == "delete" and live:
                        await do(storage, Delete(live[-1].id, name))
                    elif step == "undo":
                        await storage.changes.undo(HERE, MING.user_id, 2.0)
