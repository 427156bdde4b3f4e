"""What forms of the pages say, and where what lasts several days stands: values in, values out."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.services.refusals import Refused, invalid
from nonebot_plugin_mishu.services.schedules.schedules import Time
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.schedules.records import SchedulePlan, ScheduleRecord
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskRecord

pytest.importorskip("nicegui")

from nonebot_plugin_mishu.web.console import tasks
from nonebot_plugin_mishu.web.console.calendar.days import bars, by_day, lasts_days
from nonebot_plugin_mishu.web.console.calendar.form import FormValues, changed_fields, initial_values
from nonebot_plugin_mishu.web.console.calendar.page import when_on
from nonebot_plugin_mishu.web.console.calendar.repetition import KEPT, chosen, offers, rule_of
from nonebot_plugin_mishu.web.console.elements.parts import plain

ZONE = ZoneInfo("Asia/Shanghai")
PLACE = Conversation("1", "group", "2")
WEDNESDAY = date(2026, 11, 18)
FORM = {
    "description": "评审会",
    "place": "",
    "date": "2026-11-20",
    "time": "",
    "last": "",
    "end": "",
    "repeats": "",
    "until": "",
    "lead": "usual",
}


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=ZONE)


def time(start: datetime, end: datetime | None = None, number: int = 1, **more: Any) -> Time:
    plan = SchedulePlan(f"{start:%Y-%m-%d %H:%M:%S}", ZONE.key, "出差", **more)
    if end is not None:
        plan = SchedulePlan(plan.start, ZONE.key, "出差", f"{end:%Y-%m-%d %H:%M:%S}", **more)
    return Time(ScheduleRecord(number, PLACE, plan, "9", "陈默"), start, end)


WHOLE = time(at(20), at(22, 23, 59), segment="all_day")


def test_what_lasts_several_days_stands_on_each_of_them() -> None:
    late = time(at(20, 22), at(21, 1), number=2)
    meeting = time(at(21, 9), at(21, 10), number=3)
    found = by_day([WHOLE, late, meeting], date(2026, 11, 21), date(2026, 11, 30))
    assert {day.day: [each.schedule.id for each in times] for day, times in found.items()} == {
        21: [1, 3],
        22: [1],
    }, "a night out is of its evening"
    assert [lasts_days(each) for each in (WHOLE, late, meeting)] == [True, False, False]
    assert [when_on(WHOLE, date(2026, 11, day)) for day in (20, 22)] == ["第 1/3 天", "第 3/3 天"]


def test_bars_keep_their_lane_through_a_week() -> None:
    trip = time(at(17), at(20, 23, 59), number=1, segment="all_day")
    visit = time(at(19), at(24, 23, 59), number=2, segment="all_day")
    first = date(2026, 11, 16)
    days = by_day([trip, visit], first, first + timedelta(days=14))
    found = bars(days, first, first + timedelta(days=14))
    drawn = {
        day.day: [None if each is None else (each.time.schedule.id, each.part, each.named) for each in rows]
        for day, rows in found.items()
    }
    assert drawn[17] == [(1, "first", 4)]
    assert drawn[19] == [(1, "middle", 0), (2, "first", 4)], "a name goes on to the end of its week"
    assert drawn[20] == [(1, "last", 0), (2, "middle", 0)]
    assert drawn[21] == [None, (2, "middle", 0)]
    assert drawn[23] == [(2, "middle", 2)], "a week begins with its name and with its first lane"
    assert drawn[24] == [(2, "last", 0)]


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ({}, {"starts_at": at(20), "ends_at": None, "segment": "all_day"}),
        ({"time": "15:00"}, {"starts_at": at(20, 15), "ends_at": None, "segment": None}),
        ({"time": "15:00", "end": "16:30"}, {"starts_at": at(20, 15), "ends_at": at(20, 16, 30)}),
        (
            {"time": "22:00", "last": "2026-11-21", "end": "01:00"},
            {"starts_at": at(20, 22), "ends_at": at(21, 1)},
        ),
        ({"last": "2026-11-22"}, {"starts_at": at(20), "ends_at": at(23), "segment": "all_day"}),
        (
            {"time": "09:00", "repeats": "weekly", "until": "2026-12-31", "lead": "60", "everybody": True},
            {
                "starts_at": at(20, 9),
                "recurrence": {"freq": "weekly", "interval": 1, "byday": ["FR"]},
                "until": date(2026, 12, 31),
                "lead_minutes": 60,
                "everybody": True,
            },
        ),
    ],
)
def test_a_new_schedule_is_what_the_form_says(said: dict[str, Any], fields: dict[str, Any]) -> None:
    found = changed_fields(FormValues(day=date(2026, 11, 20)), {**FORM, **said}, ZONE)
    assert {name: found[name] for name in fields} == fields
    assert found["description"] == "评审会"


def test_only_what_was_changed_is_changed() -> None:
    plan = time(at(20, 15), at(20, 16), recurrence={"freq": "daily", "interval": 3}, lead_minutes=10)
    kept = initial_values(plan)
    same = {
        **FORM,
        "description": "出差",
        "time": "15:00",
        "end": "16:00",
        "repeats": KEPT,
        "lead": "10",
    }
    assert changed_fields(kept, same, ZONE) == {}
    assert changed_fields(kept, {**same, "repeats": ""}, ZONE) == {"recurrence": None}
    assert changed_fields(kept, {**same, "lead": "usual"}, ZONE) == {"lead_minutes": None}
    later = changed_fields(kept, {**same, "time": "17:00"}, ZONE)
    assert later == {"starts_at": at(20, 17), "segment": None}, "its end goes with it"
    whole = initial_values(WHOLE)
    assert (whole.start, whole.end, whole.last) == ("", "", "2026-11-22")


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"time": "22:00", "end": "01:00"}, "end", "结束比开始早"),
        ({"last": "2026-11-19"}, "last", "结束比开始早"),
        ({"end": "10:00"}, "time", "就要填几点开始"),
        ({"date": ""}, "date", "不能缺少"),
        ({"date": "bald"}, "date", "不对"),
        ({"description": ""}, "description", "不能缺少"),
    ],
)
def test_a_form_is_refused_at_the_field(said: dict[str, str], field: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        changed_fields(FormValues(day=date(2026, 11, 20)), {**FORM, **said}, ZONE)
    assert refused.value.field == field


def test_a_refusal_names_the_field_as_the_page_does() -> None:
    assert plain(invalid("description", "不能缺少")) == "什么事不能缺少"
    assert plain(invalid("budget-limit", "不能缺少")) == "这个分类多少不能缺少"
    assert plain(invalid("wake_words", "太多了")) == "太多了"


def test_how_something_repeats_is_offered_by_its_day() -> None:
    assert offers(WEDNESDAY, None, "")["weekly"] == "每周三"
    assert chosen(WEDNESDAY, {"freq": "weekly", "interval": 1, "byday": ["WE"]}) == "weekly"
    assert chosen(WEDNESDAY, {"freq": "daily", "without": ["2026-11-19"]}) == "daily"
    odd = {"freq": "weekly", "interval": 2, "byday": ["MO"]}
    assert chosen(WEDNESDAY, odd) == KEPT
    assert offers(WEDNESDAY, odd, "每两周周一")[KEPT] == "每两周周一"
    assert rule_of("monthly", WEDNESDAY) == {"freq": "monthly", "interval": 1, "bymonthday": 18}
    assert rule_of("", WEDNESDAY) is None


TASK = {"title": "交表", "date": "2026-11-20", "time": "10:00", "end": "", "repeats": "", "owner": "9"}


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ({}, {}),
        ({"title": "交新表"}, {"title": "交新表"}),
        ({"date": "2026-11-23"}, {"dueDate": date(2026, 11, 23)}),
        (
            {"time": "11:00", "end": "12:00"},
            {
                "startTime": at(1, 11).time(),
                "endTime": at(1, 12).time(),
                "timeSegment": None,
                "dueDate": date(2026, 11, 20),
            },
        ),
        ({"time": ""}, {"startTime": None, "endTime": None, "timeSegment": None, "remindAt": None}),
        ({"repeats": "daily"}, {"recurrence": {"freq": "daily", "interval": 1}}),
    ],
)
def test_a_task_is_changed_as_the_form_says(said: dict[str, Any], fields: dict[str, Any]) -> None:
    kept = TaskChanges("交表", "2026-11-20", ZONE.key, remind_at="2026-11-20T10:00:00+08:00")
    task = TaskRecord(1, PLACE, "9", "陈默", "9", kept, "pending", 0.0, 0.0)
    visit: Any = SimpleNamespace(office=SimpleNamespace(zone=ZONE))
    assert tasks.changes(task, {**TASK, **said}, visit) == fields


def test_repetition_and_who_gave_it_stand_below_a_task() -> None:
    kept = TaskChanges("吃药", "2026-11-20", ZONE.key, recurrence={"freq": "daily", "interval": 1})
    task = TaskRecord(1, PLACE, "9", "陈默", "8", kept, "pending", 0.0, 0.0)
    assert tasks.describe_details(task, "林晓", "9") == ["每天", "林晓交代的"]
    assert tasks.describe_details(task, "林晓", "8") == ["每天", "给陈默"]


def test_done_tasks_stand_under_a_heading_of_their_own() -> None:
    kept = TaskChanges("交表", "2026-11-20", ZONE.key)
    made = [
        TaskRecord(number, PLACE, "8", "林晓", "9", kept, status, 0.0, 0.0)
        for number, status in ((1, "pending"), (2, "completed"))
    ]
    found = tasks._by_time(made, WEDNESDAY, "given")
    assert [(name, [each.id for each in rows]) for name, rows in found] == [
        ("往后七天", [1]),
        ("做完的", [2]),
    ]
