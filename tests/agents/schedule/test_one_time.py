"""One time of what repeats: cancelled or moved alone, while all others stay as they are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from nonebot_plugin_mishu.agents.schedule.timetable import begins
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.schedules.records import ScheduleRecord

from .schedule_support import BOSS, GROUP, HONG, MING, NOW, Office, ScriptedModel

WEEKLY = "每周四下午三点开例会"
DAILY = "每天早上九点半晨会"


def coming(schedule: ScheduleRecord, count: int = 3) -> list[str]:
    """When it takes place next, as month-day and clock."""
    found = begins(schedule.plan, NOW)
    return [f"{next(found):%m-%d %H:%M}" for _ in range(count)]


async def test_a_day_that_is_cancelled_is_left_out_and_the_rest_stays(office: Office):
    await office.say(WEEKLY)
    said = await office.say("取消明天的例会", intent="delete")
    assert said.status == "completed"
    assert said.text == "取消了11月19日 周四的「开例会」，其余照常，下次是11月26日 周四"
    (kept,) = await office.live()
    assert coming(kept) == ["11-26 15:00", "12-03 15:00", "12-10 15:00"]
    assert "例会" not in (await office.say("明天有什么安排", intent="query")).text
    assert "例会" in (await office.say("下周四有什么安排", intent="query")).text
    assert "下次 11月26日 周四" in (await office.say("例会是什么时候", intent="query")).text


@pytest.mark.parametrize(
    "text",
    [
        "这周的例会取消",
        "删掉11月19号的例会",
        "取消这次例会",
        "下次的例会取消",
        "本周四的例会不开了",
        "例会这周停一次",
        "明天的例会取消一次",
        "例会这次不开了",
        "例会暂停一次",
    ],
)
async def test_a_week_a_date_or_the_next_time_name_one_time(office: Office, text: str):
    await office.say(WEEKLY)
    await office.say(text, intent="delete")
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-26 15:00"]


async def test_a_week_of_what_is_daily_is_several_times(office: Office):
    await office.say(DAILY)
    said = await office.say("这周的晨会都取消", intent="delete")
    assert "11月19日 周四、11月20日 周五、11月21日 周六、11月22日 周日的「" in said.text, "what is past stays"
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-23 09:30"]


@pytest.mark.parametrize("text", ["下周四的例会取消", "下周四的例会推迟半小时"])
async def test_an_open_day_is_asked_about_and_nothing_is_left_out(office: Office, text: str):
    """On a Sunday 下周四 may be in four days or in eleven."""
    await office.say(WEEKLY)
    office.now = NOW + timedelta(days=4)
    said = await office.say(text, intent="delete" if "取消" in text else "edit")
    assert "几月几号的" in said.text
    (kept,) = await office.live()
    assert "without" not in (kept.plan.recurrence or {})


async def test_a_bare_weekday_is_the_next_one(office: Office):
    await office.say(WEEKLY)
    said = await office.say("取消周四的例会", intent="delete")
    assert said.status == "completed"
    assert said.text == "取消了11月19日 周四的「开例会」，其余照常，下次是11月26日 周四"
    assert len(await office.live()) == 1


@pytest.mark.parametrize(
    "text", ["删掉例会", "取消每周四的例会", "以后例会都不开了", "例会整个取消", "例会不开了"]
)
async def test_all_of_it_goes_only_by_an_explicit_yes(office: Office, text: str):
    await office.say(WEEKLY)
    said = await office.say(text, intent="delete")
    assert said.status == "awaiting_user"
    assert "以后都不再有" in said.text
    assert len(await office.live()) == 1
    await office.say("是的")
    assert await office.live() == []


@pytest.mark.parametrize(
    ("text", "moved", "end"),
    [
        ("明天的例会推迟半小时", "2026-11-19 15:30:00", "2026-11-19 16:30:00"),
        ("明天的例会改到后天", "2026-11-20 15:00:00", "2026-11-20 16:00:00"),
        ("把明天的例会改到周五上午十点", "2026-11-20 10:00:00", "2026-11-20 11:00:00"),
        ("把11月26号的例会提前到两点", "2026-11-26 14:00:00", "2026-11-26 15:00:00"),
        ("下次的例会改到周五", "2026-11-20 15:00:00", "2026-11-20 16:00:00"),
    ],
)
async def test_one_time_that_moves_is_a_schedule_of_its_own(office: Office, text: str, moved: str, end: str):
    await office.say("每周四下午三点到四点开例会")
    said = await office.say(text, intent="edit")
    assert said.status == "completed"
    assert "这次改到" in said.text
    assert "其余照常" in said.text
    series, single = await office.live()
    assert (single.plan.start, single.plan.end, single.plan.recurrence) == (moved, end, None)
    assert single.description == series.description
    left_out = "11-26" if "26" in text else "11-19"
    assert left_out not in " ".join(coming(series))
    assert len(coming(series)) == 3


async def test_a_place_may_be_another_for_once(office: Office):
    await office.say("每周四下午三点在201开例会")
    await office.say("明天的例会换到305", intent="edit")
    series, single = await office.live()
    assert (series.plan.place, single.plan.place) == ("201", "305")
    assert single.plan.start == "2026-11-19 15:00:00"


async def test_into_the_past_nothing_moves(office: Office):
    await office.say(WEEKLY)
    office.now = NOW + timedelta(days=1, hours=4)  # Thursday 14:00
    said = await office.say("今天的例会提前到一点半", intent="edit")
    assert "已经过了" in said.text
    (kept,) = await office.live()
    assert "without" not in (kept.plan.recurrence or {})


async def test_one_order_is_undone_at_once(office: Office):
    await office.say(WEEKLY)
    await office.say("明天的例会改到后天下午五点", intent="edit")
    assert len(await office.live()) == 2
    await office.storage.changes.undo(GROUP, MING.user_id, NOW.timestamp())
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-19 15:00"]


async def test_said_again_after_a_crash_it_is_done_once(office: Office):
    await office.say(WEEKLY)
    for _ in range(2):
        await office.say("明天的例会推迟一小时", intent="edit", origin="again")
    assert [each.plan.start for each in await office.live()] == ["2026-11-19 15:00:00", "2026-11-19 16:00:00"]


async def test_only_the_creator_or_an_admin_takes_one_time_out(office: Office):
    await office.say(WEEKLY)
    said = await office.say("取消明天的例会", HONG, intent="delete")
    assert "只有TA和管理员" in said.text
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-19 15:00"]


async def test_where_nobody_is_sure_it_is_asked_about_that_time(office: Office):
    await office.say(WEEKLY)
    said = await office.say("取消明天的例会", intent="delete", sure=False)
    assert said.text == "要取消11月19日 周四的「开例会」吗？其余照常"
    await office.say("是的")
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-26 15:00"]


async def test_picked_from_a_list_it_is_still_one_time(office: Office):
    await office.say(WEEKLY)
    await office.say("每周四上午十点开例会")
    said = await office.say("明天的例会取消", intent="delete")
    assert said.status == "awaiting_user"
    await office.say("第二个")
    assert sorted(coming(each, 1)[0] for each in await office.live()) == ["11-19 10:00", "11-26 15:00"]


async def test_reminders_follow(office: Office):
    await office.say(WEEKLY)
    await office.say("取消明天的例会", intent="delete")
    await office.say("把下周四的例会改到下周五上午十点", intent="edit")
    rows = [await office.storage.reminders.of_item("schedule", each.id) for each in await office.live()]
    assert sorted(each.wall for of_one in rows for each in of_one if each.state == "waiting") == [
        "2026-11-27 10:00",
        "2026-12-03 15:00",
    ]


async def test_moved_by_an_admin_it_stays_whose_it_is_with_all_who_take_part(office: Office):
    await office.say(WEEKLY)
    await office.say("参加例会", HONG)
    await office.say("明天的例会推迟半小时", BOSS, intent="edit")
    _, single = await office.live()
    assert (single.created_by, [each.user_id for each in single.joined]) == (MING.user_id, [HONG.user_id])
    (row,) = await office.storage.reminders.of_item("schedule", single.id)
    assert row.user_ids == (MING.user_id, HONG.user_id)


async def test_a_model_that_deletes_it_by_its_id_means_that_time(storage: Storage):
    model: Any = ScriptedModel(
        extract_info={"candidates": [{"intent": "delete", "old_description": "例会"}]},
        generate_operation={"operations": [{"operation": "delete", "id": 1}]},
    )
    office = Office(storage, model)
    model.online = False
    await office.say(WEEKLY)
    model.online = True
    await office.say("取消明天的例会", intent="delete")
    (kept,) = await office.live()
    assert coming(kept, 1) == ["11-26 15:00"]


async def test_the_api_gives_the_rule_alone(office: Office):
    await office.say(WEEKLY)
    await office.say("取消明天的例会", intent="delete")
    (kept,) = await office.live()
    assert kept.as_json()["recurrence"] == {"freq": "weekly", "interval": 1, "byday": ["TH"]}
