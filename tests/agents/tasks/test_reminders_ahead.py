"""Reminders that come days before what repeats, and weekdays that are left out of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.tasks.planning.consequences import rule_ahead, without_weekdays
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges

ZONE = ZoneInfo("Asia/Shanghai")
DAILY = {"freq": "daily", "interval": 1}
WEEKLY = {"freq": "weekly", "interval": 1, "byday": ["MO", "FR"]}
MONTHLY = {"freq": "monthly", "interval": 1, "bymonthday": 15}
FIRST = {"freq": "monthly", "interval": 1, "bymonthday": 1}
YEARLY = {"freq": "yearly", "interval": 1, "bymonth": 3, "bymonthday": 1}
WORKDAY = {"freq": "workday", "interval": 1}


def fields(rule: dict[str, Any], day: str, at: str) -> TaskChanges:
    return TaskChanges(title="还款", due_date=day, zone=ZONE.key, recurrence=rule, remind_at=f"{at}+08:00")


@pytest.mark.parametrize(
    ("rule", "day", "at", "repeats"),
    [
        (MONTHLY, "2026-12-15", "2026-12-15T09:00:00", MONTHLY),
        (MONTHLY, "2026-12-15", "2026-12-14T09:00:00", {**MONTHLY, "bymonthday": 14}),
        (FIRST, "2026-12-01", "2026-11-30T09:00:00", {**FIRST, "bymonthday": -1}),
        (WEEKLY, "2026-11-20", "2026-11-19T09:00:00", {**WEEKLY, "byday": ["TH", "SU"]}),
        (YEARLY, "2027-03-01", "2027-02-26T09:00:00", {**YEARLY, "bymonth": 2, "bymonthday": 26}),
        (DAILY, "2026-11-20", "2026-11-19T21:00:00", DAILY),
        (WORKDAY, "2026-11-20", "2026-11-19T21:00:00", WORKDAY),
    ],
)
def test_a_reminder_repeats_as_many_days_ahead(
    rule: dict[str, Any], day: str, at: str, repeats: dict[str, Any]
) -> None:
    assert rule_ahead(fields(rule, day, at), datetime.fromisoformat(at).replace(tzinfo=ZONE)) == repeats


def test_days_that_are_left_out_are_left_out_ahead_too() -> None:
    rule = {**WEEKLY, "without": ["2026-11-27"]}
    found = rule_ahead(
        fields(rule, "2026-11-20", "2026-11-19T09:00:00"), datetime(2026, 11, 19, 9, tzinfo=ZONE)
    )
    assert found is not None
    assert found["without"] == ["2026-11-26"]


def test_weekdays_are_left_out() -> None:
    found = without_weekdays(fields(DAILY, "2026-11-21", "2026-11-21T07:30:00"), ("SA", "SU"), ZONE)
    assert found is not None
    assert found.recurrence == {"freq": "weekly", "interval": 1, "byday": ["MO", "TU", "WE", "TH", "FR"]}
    assert str(found.date) == "2026-11-23"
    assert without_weekdays(fields(WEEKLY, "2026-11-20", "2026-11-20T09:00:00"), ("SA",), ZONE) is None
    assert without_weekdays(fields(WORKDAY, "2026-11-20", "2026-11-20T09:00:00"), ("SA",), ZONE) is None
