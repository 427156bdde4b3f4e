"""Free spans against a brute-force oracle on a grid of minutes, and the entries that make members busy."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.schedule.free.busy import Busy, busy_of_schedule, busy_of_task
from nonebot_plugin_mishu.agents.schedule.free.spans import (
    FreeSpan,
    best_spans,
    busy_minutes,
    busy_stretches,
    day_windows,
    free_days,
    free_spans,
    unknown_members,
)
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskRecord

ZONE = ZoneInfo("Asia/Shanghai")
MONDAY = date(2026, 11, 23)
GROUP = Conversation("1", "group", "777")
DEFAULT, EXHAUSTIVE = 40, 500
WEEK = 7 * 24 * 60


def at(minute: int) -> datetime:
    return datetime.combine(MONDAY, time(), ZONE) + timedelta(minutes=minute)


def minute_of(moment: datetime) -> int:
    return int((moment - at(0)).total_seconds() // 60)


def plans_of(random_: random.Random, user: str) -> list[ScheduleRecord | TaskRecord]:
    """Entries of one member for a week: single, without an end, of days, whole days, recurring, tasks."""
    found: list[ScheduleRecord | TaskRecord] = []
    for number in range(random_.randint(0, 6)):
        begins = at(random_.randrange(-2 * 24 * 60, WEEK))
        lasts = timedelta(minutes=random_.choice([15, 30, 45, 60, 61, 90, 240, 1500, 3 * 1440]))
        start, kind = begins.strftime("%Y-%m-%d %H:%M:%S"), random_.randrange(7)
        plan = SchedulePlan(start, ZONE.key, "事", end=(begins + lasts).strftime("%Y-%m-%d %H:%M:%S"))
        midnight = begins.strftime("%Y-%m-%d 00:00:00")
        if kind == 1:
            plan = SchedulePlan(start, ZONE.key, "没说到几点")
        elif kind == 2:
            plan = SchedulePlan(midnight, ZONE.key, "全天", segment="all_day")
        elif kind == 3:
            plan = SchedulePlan(begins.strftime("%Y-%m-%d 14:00:00"), ZONE.key, "下午", segment="afternoon")
        elif kind == 4:
            short = (begins + timedelta(minutes=50)).strftime("%Y-%m-%d %H:%M:%S")
            rule = {"freq": "daily", "interval": random_.choice([1, 2]), "without": ["2026-11-25"]}
            plan = SchedulePlan(start, ZONE.key, "每天", end=short, recurrence=rule)
        elif kind in (5, 6):
            clock = f"{begins:%H:%M}"
            end = f"{begins + timedelta(minutes=random_.choice([20, 60])):%H:%M}" if kind == 5 else None
            fields = TaskChanges("活", f"{begins:%Y-%m-%d}", ZONE.key, start_time=clock, end_time=end)
            found.append(TaskRecord(number, GROUP, user, user, user, fields, "pending", 0.0, 0.0))
            continue
        maker, joined = (user, ()) if random_.random() < 0.5 else ("外人", (Participant(user, user),))
        found.append(ScheduleRecord(number, GROUP, plan, maker, maker, joined))
    return found


def taken(each: ScheduleRecord | TaskRecord) -> set[int]:
    """The oracle: minutes of the week that an entry takes, counted one by one from what it says."""
    if isinstance(each, TaskRecord):
        fields = each.fields
        begins = datetime.fromisoformat(f"{fields.due_date} {fields.start_time}").replace(tzinfo=ZONE)
        if fields.end_time is None:
            length = 30
        else:
            ends = datetime.fromisoformat(f"{fields.due_date} {fields.end_time}").replace(tzinfo=ZONE)
            length = int((ends - begins).total_seconds() // 60) % 1440
        first = minute_of(begins)
        return set(range(first, first + length))
    plan = each.plan
    first = minute_of(plan.begins)
    if plan.segment == "all_day":
        return set(range(first, first + 1440))
    if plan.segment == "afternoon":
        return set(range(first, first + 240))
    length = 60 if plan.ends is None else minute_of(plan.ends) - first
    if plan.recurrence is None:
        return set(range(first, first + length))
    found: set[int] = set()
    for day in range(0, 20, plan.recurrence["interval"]):
        begins = plan.begins + timedelta(days=day)
        if begins.date().isoformat() not in plan.recurrence["without"]:
            found |= set(range(minute_of(begins), minute_of(begins) + length))
    return found


def check_week(seed: int) -> None:
    random_ = random.Random(seed)
    users = [f"u{number}" for number in range(random_.randint(1, 5))]
    entries = {user: plans_of(random_, user) for user in users}
    first, last = at(0) - timedelta(days=28), at(WEEK) + timedelta(days=28)
    recorded: list[Busy] = []
    for mine in entries.values():
        for each in mine:
            recorded += (
                busy_of_schedule(each, users, first, last)
                if isinstance(each, ScheduleRecord)
                else busy_of_task(each, first, last)
            )
    random_.shuffle(recorded)
    now = at(random_.randrange(-600, 3 * 1440))
    opens = random_.choice([0, 540, 1080])
    closes = random_.choice([each for each in (720, 1320, 1440) if each > opens])
    minutes = random_.choice([1, 30, 60, 120])
    days = [MONDAY + timedelta(days=each) for each in range(7) if random_.random() < 0.8]
    windows = day_windows(days, now, opens, closes)
    by_hand = {user: set[int]().union(*(taken(each) for each in mine)) for user, mine in entries.items()}
    unknown = tuple(user for user in users if not entries[user])
    assert unknown_members(users, recorded) == unknown, seed
    free: list[tuple[int, int]] = []
    busy: dict[str, int] = dict.fromkeys(users, 0)
    for day in days:
        run: list[int] = []
        base = (day - MONDAY).days * 1440
        for minute in range(base + opens, base + closes + 1):
            inside = base + opens <= minute < base + closes and minute >= minute_of(now)
            for user in users:
                busy[user] += inside and minute in by_hand[user]
            if inside and len(unknown) < len(users) and not any(minute in by_hand[user] for user in users):
                run.append(minute)
                continue
            if len(run) >= minutes:
                free.append((run[0], run[-1] + 1))
            run = []
    found = free_spans(users, recorded, windows, minutes)
    assert [(minute_of(each.begins), minute_of(each.ends)) for each in found] == free, seed
    assert all(each.unknown == unknown for each in found), seed
    assert {user: busy_minutes(user, recorded, windows) for user in users} == busy, seed
    for each in best_spans(found, minutes):
        assert each.minutes == minutes, seed
        assert any(one.begins <= each.begins and each.ends <= one.ends for one in found), seed


@pytest.mark.parametrize("seed", range(DEFAULT))
def test_free_spans_are_those_of_the_oracle(seed: int) -> None:
    check_week(seed)


@pytest.mark.exhaustive
def test_free_spans_are_those_of_the_oracle_in_500_weeks() -> None:
    for seed in range(EXHAUSTIVE):
        check_week(seed)


def busy(user: str, begins: int, ends: int) -> Busy:
    return Busy(user, at(begins), at(ends), "会", GROUP)


def test_without_anybody_known_nothing_is_free() -> None:
    windows = day_windows([MONDAY], at(0))
    assert free_spans(["a", "b"], [], windows) == []
    spans = free_spans(["a", "b"], [busy("a", 600, 660)], windows)
    assert [each.unknown for each in spans] == [("b",), ("b",)]


def test_past_hours_are_not_offered() -> None:
    assert day_windows([MONDAY], at(22 * 60)) == ()
    (window,) = day_windows([MONDAY], at(1000) + timedelta(seconds=1))
    assert window.begins == at(1001)


def test_best_spans_come_from_several_days_and_begin_on_the_half_hour() -> None:
    days = [MONDAY + timedelta(days=each) for each in range(4)]
    recorded = [busy("a", 540, 605), busy("a", 700, 800), busy("a", 1440 + 540, 1440 + 1320)]
    found = free_spans(["a"], recorded, day_windows(days, at(0)), 60)
    assert best_spans(found, 60) == [
        FreeSpan(at(630), at(690)),
        FreeSpan(at(2 * 1440 + 540), at(2 * 1440 + 600)),
        FreeSpan(at(3 * 1440 + 540), at(3 * 1440 + 600)),
    ]


def test_free_days_are_those_with_nothing_in_their_hours() -> None:
    days = [MONDAY, MONDAY + timedelta(days=1)]
    windows = day_windows(days, at(0))
    assert free_days(["a"], [busy("a", 700, 720), busy("a", 1440, 1440 + 300)], windows) == [days[1]]
    assert [
        each.begins for each in busy_stretches("a", [busy("a", 500, 600), busy("a", 590, 700)], windows)
    ] == [at(540)]


def test_reminding_the_group_makes_nobody_busy() -> None:
    plan = SchedulePlan("2026-11-23 18:00:00", ZONE.key, "写日报", to_group=True)
    assert not list(busy_of_schedule(ScheduleRecord(1, GROUP, plan, "a", "a"), ["a"], at(0), at(WEEK)))


def test_with_everybody_all_are_busy() -> None:
    plan = SchedulePlan("2026-11-23 18:00:00", ZONE.key, "大会", everybody=True)
    found = list(busy_of_schedule(ScheduleRecord(1, GROUP, plan, "a", "a"), ["a", "b"], at(0), at(WEEK)))
    assert [each.user_id for each in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("asker", "place", "told"),
    [
        ("a", GROUP, True),
        ("b", GROUP, False),
        ("a", Conversation("1", "private", "a"), True),
        ("a", Conversation("1", "group", "888"), False),
    ],
)
def test_a_task_is_told_to_its_owner_only_and_not_in_another_group(
    asker: str, place: Conversation, told: bool
) -> None:
    own = Busy("a", at(0), at(60), "看病", GROUP, private=True)
    assert own.visible_to(asker, place) is told
