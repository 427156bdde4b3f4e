"""Seed 1, section 4, as tables: several times of day, several zones, the changes of the clock."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.tasks.planning.new_task import slots_of, wish_of
from nonebot_plugin_mishu.agents.tasks.planning.policy import Taken, TaskQuestion, overlapping, settle
from nonebot_plugin_mishu.agents.tasks.planning.task_time import TaskTime, say_day

from .tasks_support import SHANGHAI, at, clause_of

BERLIN, NEW_YORK, KOLKATA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")
TODAY = "2026-02-05"
TOMORROW = "2026-02-06"
DAILY = {"recurrence": {"freq": "daily", "interval": 1}}


def settled(text: str, now: datetime) -> dict[str, object] | str:
    """The slots, or the kind of question."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    found = settle(wish_of(clause_of(text, now)), now, zone)
    return found.kind if isinstance(found, TaskQuestion) else slots_of(found)


def seg(day: str, segment: str) -> dict[str, object]:
    return {"dueDate": day, "timeSegment": segment}


def reminder(day: str, segment: str, moment: str) -> dict[str, object]:
    return {**seg(day, segment), "remindAt": f"{moment}+08:00"}


def rng(day: str, start: str, end: str) -> dict[str, object]:
    return {"dueDate": day, "startTime": start, "endTime": end}


TABLE: list[tuple[str, str, object]] = [
    # seed 1, section 9
    ("10:00", "今天下午去买东西", seg(TODAY, "afternoon")),
    ("10:00", "明天下午4点到5点去买东西", rng("2026-02-06", "16:00", "17:00")),
    ("10:00", "明天下午4点去买东西", "end"),
    # a missing date is today; no part of the day: all of it, in the evening the evening
    ("10:00", "去买东西", seg(TODAY, "all_day")),
    ("17:59", "去买东西", seg(TODAY, "all_day")),
    ("18:00", "去买东西", seg(TODAY, "evening")),
    ("23:30", "去买东西", seg(TODAY, "evening")),
    ("20:00", "今天去买东西", seg(TODAY, "evening")),
    ("20:00", "明天去买东西", seg("2026-02-06", "all_day")),
    # each segment, said when it is over, running, or to come
    ("00:30", "凌晨看球", seg(TODAY, "early_morning")),
    ("05:58", "凌晨看球", seg(TODAY, "early_morning")),
    ("05:59", "凌晨看球", "past"),
    ("06:30", "早上去跑步", seg(TODAY, "morning")),
    ("08:59", "早上去跑步", "past"),
    ("09:30", "早上去跑步", "past"),
    ("11:00", "上午去银行", seg(TODAY, "forenoon")),
    ("11:59", "上午去银行", "past"),
    ("13:30", "中午取快递", seg(TODAY, "noon")),
    ("14:00", "中午取快递", "past"),
    ("17:00", "下午去银行", seg(TODAY, "afternoon")),
    ("17:59", "下午去银行", "past"),
    ("19:00", "晚上去跑步", seg(TODAY, "evening")),
    ("23:59", "晚上去跑步", "past"),
    # evening: neither all day nor an earlier segment
    ("18:00", "今天下午去银行", "evening"),
    ("18:00", "今天全天写论文", "evening"),
    ("17:59", "今天全天写论文", seg(TODAY, "all_day")),
    ("20:00", "今天早上去银行", "evening"),
    ("20:00", "明天早上去银行", seg("2026-02-06", "morning")),
    # ranges of today: asked when their end is not after now
    ("16:30", "今天下午4点到5点去买东西", rng(TODAY, "16:00", "17:00")),
    ("17:00", "今天下午4点到5点去买东西", "past"),
    ("16:59", "今天下午4点到5点去买东西", rng(TODAY, "16:00", "17:00")),
    ("20:00", "今天下午4点到5点去买东西", "past"),
    ("20:00", "今晚11点到明天凌晨1点看球", rng(TODAY, "23:00", "01:00")),
    ("10:00", "昨天下午4点到5点去买东西", "past"),
    ("10:00", "2月3号去买东西", "past"),
    # incomplete, ambiguous, invalid
    ("10:00", "下午4点去买东西", "end"),
    ("10:00", "3点到4点去买东西", "am_pm"),
    ("10:00", "3点去买东西", "am_pm"),
    ("10:00", "15:00到16:00去买东西", rng(TODAY, "15:00", "16:00")),
    ("10:00", "2月30号去买东西", "invalid"),
    ("10:00", "25点去买东西", "invalid"),
    ("10:00", "上午15点去买东西", "invalid"),
    ("10:00", "下午五点到三点去买东西", "invalid"),
    # a clock of which nobody said the day is today's, never tomorrow's
    ("22:00", "早上8点到9点去跑步", "past"),
    ("10:00", "凌晨1点到2点看球", "past"),
    ("00:30", "明早7点到8点去跑步", "which_day"),
    # 提醒我 with a time: exactly then, no end asked
    ("10:00", "下午4点提醒我买菜", reminder(TODAY, "afternoon", "2026-02-05T16:00:00")),
    ("17:00", "下午4点提醒我买菜", "past"),
    ("10:00", "提醒我买菜", "remind"),
    ("10:00", "今天提醒我买菜", "remind"),
    ("08:00", "今天提醒我买菜", reminder(TODAY, "forenoon", "2026-02-05T09:00:00")),
    ("10:00", "7点到9点去买东西", "am_pm"),
    ("21:00", "12点提醒我睡觉", reminder("2026-02-06", "early_morning", "2026-02-06T00:00:00")),
    ("23:55", "10分钟后叫我", reminder("2026-02-06", "early_morning", "2026-02-06T00:05:00")),
    # several months: days that are none, recurrences from their first day on
    ("10:00", "每天晚上8点到9点跑步", {**rng(TODAY, "20:00", "21:00"), **DAILY}),
    ("21:30", "每天晚上8点到9点跑步", {**rng(TOMORROW, "20:00", "21:00"), **DAILY}),
]  # fmt: skip


@pytest.mark.parametrize(("clock", "text", "expected"), TABLE, ids=[f"{row[0]} {row[1]}" for row in TABLE])
def test_seed_1_section_4(clock: str, text: str, expected: object) -> None:
    assert settled(text, at(f"{TODAY}T{clock}")) == expected


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK, KOLKATA], ids=lambda zone: zone.key)
@pytest.mark.parametrize(("clock", "text", "expected"), TABLE, ids=[f"{row[0]} {row[1]}" for row in TABLE])
def test_pitfall_46_the_same_in_every_zone(clock: str, text: str, expected: object, zone: ZoneInfo) -> None:
    found = settled(text, at(f"{TODAY}T{clock}", zone))
    if isinstance(found, dict) and "remindAt" in found:
        offset = at(f"{TODAY}T{clock}", zone).isoformat()[-6:]
        assert isinstance(expected, dict)
        expected = {**expected, "remindAt": str(expected["remindAt"])[:-6] + offset}
    assert found == expected


@pytest.mark.parametrize(
    ("now", "text", "remind_at"),
    [
        # The night the clocks go on: one hour is one hour as it passes, 03:30 is the first after 02:00.
        ("2026-03-29T01:30", "1小时后提醒我关火", "2026-03-29T03:30:00+02:00"),
        ("2026-03-28T12:00", "明天凌晨2点半提醒我", "2026-03-29T03:30:00+02:00"),
        # The night they go back.
        ("2026-10-24T12:00", "明天下午3点提醒我买菜", "2026-10-25T15:00:00+01:00"),
    ],
)
def test_changes_of_the_clock(now: str, text: str, remind_at: str) -> None:
    found = settled(text, at(now, BERLIN))
    assert isinstance(found, dict)
    assert found["remindAt"] == remind_at


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        (("16:00", "17:00"), ("16:30", "17:30"), True),
        (("16:00", "17:00"), ("17:00", "18:00"), False),
        (("16:00", "17:00"), ("15:00", "16:00"), False),
        (("16:00", "17:00"), ("15:00", "18:00"), True),
        (("16:00", "17:00"), ("16:00", "17:00"), True),
        (("23:00", "01:00"), ("23:30", "23:45"), True),
    ],
)
def test_seed_1_section_7_half_open(one: tuple[str, str], other: tuple[str, str], overlap: bool) -> None:
    first, second = (
        TaskTime(at(TODAY).date(), *(datetime.strptime(clock, "%H:%M").time() for clock in pair))
        for pair in (one, other)
    )
    assert (overlapping(first, [Taken(1, second)], SHANGHAI) is not None) is overlap
    assert (overlapping(second, [Taken(1, first)], SHANGHAI) is not None) is overlap


def test_a_segment_is_in_nobodys_way() -> None:
    day = at(TODAY).date()
    ranged = TaskTime(day, at(f"{TODAY}T15:00").time(), at(f"{TODAY}T16:00").time())
    assert overlapping(TaskTime(day, segment="afternoon"), [Taken(1, ranged)], SHANGHAI) is None
    assert overlapping(ranged, [Taken(1, TaskTime(day, segment="afternoon"))], SHANGHAI) is None


def test_a_range_across_midnight_meets_the_next_day() -> None:
    night = TaskTime(at(TODAY).date(), at(f"{TODAY}T23:00").time(), at(f"{TODAY}T01:00").time())
    early = TaskTime(at("2026-02-06").date(), at(f"{TODAY}T00:30").time(), at(f"{TODAY}T02:00").time())
    assert overlapping(early, [Taken(1, night)], SHANGHAI) is not None


def test_pitfall_40_the_weekday_is_computed() -> None:
    assert say_day(at("2026-11-23").date(), at("2026-11-22").date()) == "11月23日（周一）"
    assert say_day(at("2027-01-01").date(), at("2026-11-22").date()) == "2027年1月1日（周五）"
