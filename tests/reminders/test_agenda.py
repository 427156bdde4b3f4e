"""What is on a day: things of several days, and what repeats."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.reminders.calendars.agenda import happens_on
from nonebot_plugin_mishu.reminders.calendars.entries import DayEntry, of_schedule
from nonebot_plugin_mishu.reminders.digest import digest
from nonebot_plugin_mishu.storage.schedules.records import SchedulePlan

ZONE = "Asia/Shanghai"
MONTHLY = {"freq": "monthly", "interval": 1, "bymonthday": 10}
THURSDAYS = {"freq": "weekly", "interval": 1, "byday": ["TH"]}


def plan(start: str, end: str | None = None, **more: object) -> DayEntry:
    return of_schedule(1, SchedulePlan(start, ZONE, "x", end=end, **more), 10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "days", "others"),
    [
        (
            plan("2026-12-03 00:00:00", "2026-12-05 23:59:00", segment="all_day"),
            ["2026-12-03", "2026-12-04", "2026-12-05"],
            ["2026-12-02", "2026-12-06"],
        ),
        (
            plan("2026-12-10 00:00:00", "2026-12-15 23:59:00", segment="all_day", recurrence=MONTHLY),
            ["2026-12-10", "2026-12-12", "2026-12-15", "2027-01-10", "2027-01-15"],
            ["2026-12-09", "2026-12-16", "2027-01-09", "2027-01-16"],
        ),
        (
            plan("2026-11-26 15:00:00", recurrence=THURSDAYS, until="2026-12-10"),
            ["2026-11-26", "2026-12-03", "2026-12-10"],
            ["2026-11-19", "2026-11-27", "2026-12-17"],
        ),
        (plan("2026-11-26 23:00:00", "2026-11-27 01:00:00"), ["2026-11-26", "2026-11-27"], ["2026-11-28"]),
        (plan("2026-11-26 22:00:00", "2026-11-27 00:00:00"), ["2026-11-26"], ["2026-11-27"]),
    ],
)
def test_what_is_on_a_day(entry: DayEntry, days: list[str], others: list[str]):
    assert [day for day in (*days, *others) if happens_on(entry, date.fromisoformat(day))] == days


def test_the_digest_tells_of_each_day_what_is_of_that_day():
    """From Wednesday evening to Saturday noon is not 18:00–12:00 each day."""
    trip = plan("2026-11-18 18:00:00", "2026-11-21 12:00:00")
    told = [digest([trip], datetime(2026, 11, day, 8, tzinfo=ZoneInfo(ZONE))) for day in range(18, 22)]
    lines = [(each or "").splitlines()[-1] for each in told]
    assert lines == ["1. 18:00起（到11月21日） x", "1. 全天 x", "1. 全天 x", "1. 到12:00 x"]
