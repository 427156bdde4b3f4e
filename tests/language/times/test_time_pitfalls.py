"""Faults seen in systems like this one, each of which must not come back here."""

from __future__ import annotations

from datetime import date, datetime, time
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.language.recognise.times import (
    Recurrence,
    TimeExpression,
    dates,
    occurrences,
    parse,
)
from nonebot_plugin_mishu.language.recognise.times.recurrences.occurrences import NO_TABLE

SHANGHAI = ZoneInfo("Asia/Shanghai")


def _say(text: str, now: str = "2026-11-18T10:00") -> TimeExpression:
    (found,) = parse(text, datetime.fromisoformat(now).replace(tzinfo=SHANGHAI), SHANGHAI)
    return found


def test_pitfall_46_a_container_in_utc_counts_from_the_zone_of_the_group() -> None:
    """18:30 UTC is already tomorrow in Shanghai."""
    now = datetime(2026, 11, 18, 18, 30, tzinfo=ZoneInfo("UTC"))
    (found,) = parse("今天下午三点", now, SHANGHAI)
    assert (found.date, found.start) == (date(2026, 11, 19), time(15, 0))
    (offset,) = parse("10分钟后", now, SHANGHAI)
    assert (offset.date, offset.start) == (date(2026, 11, 19), time(2, 40))


def test_pitfall_46_wall_time_is_kept_with_its_zone() -> None:
    found = _say("每天早上8点")
    start = found.begins_at(SHANGHAI)
    assert start is not None
    assert start.utcoffset() == SHANGHAI.utcoffset(start)
    assert start.hour == 8


def test_pitfall_47_the_31st_is_not_skipped_in_short_months() -> None:
    found = list(islice(dates(Recurrence("monthly", bymonthday=31), date(2027, 1, 31)), 4))
    assert found == [date(2027, 1, 31), date(2027, 2, 28), date(2027, 3, 31), date(2027, 4, 30)]


def test_pitfall_47_a_leap_day_comes_every_year() -> None:
    found = list(islice(dates(Recurrence("yearly", bymonth=2, bymonthday=29), date(2027, 1, 1)), 3))
    assert found == [date(2027, 2, 28), date(2028, 2, 29), date(2029, 2, 28)]


def test_pitfall_47_adjusted_workdays() -> None:
    """Sunday 15 February 2026 is off, Saturday the 14th is worked, Monday the 16th is 除夕."""
    found = _say("工作日早上9点", "2026-02-13T12:00")
    assert found.date == date(2026, 2, 14)
    following = dates(Recurrence("workday"), date(2026, 2, 15))
    assert next(following) == date(2026, 2, 24)


def test_pitfall_47_a_lunar_date_is_not_in_the_leap_month() -> None:
    """2025 has 六月 twice: the 15th of the regular one is 9 July, of the leap one 8 August."""
    assert _say("每年农历六月十五", "2025-05-01T10:00").date == date(2025, 7, 9)
    assert _say("农历闰六月十五", "2025-05-01T10:00").date == date(2025, 8, 8)
    assert _say("农历闰六月十五").invalid is not None


def test_pitfall_47_past_the_holiday_table_it_says_so_and_falls_back() -> None:
    start = datetime(2075, 6, 1, 9, 0, tzinfo=SHANGHAI)
    found = list(islice(occurrences(Recurrence("workday"), start), 6))
    assert {each.note for each in found} == {NO_TABLE}
    assert all(each.at.weekday() < 5 for each in found)
    assert _say("工作日早上9点", "2075-06-01T10:00").date == date(2075, 6, 3)
    assert _say("国庆期间", "2075-06-01T10:00").end_date == date(2075, 10, 7)


def test_pitfall_48_next_wednesday_said_on_sunday_is_of_the_week_after_and_asked() -> None:
    found = _say("下周三", "2026-11-22T10:00")
    assert (found.date, found.ambiguous) == (date(2026, 11, 25), "which_week")
    assert _say("下周三", "2026-11-21T10:00").ambiguous is None


@pytest.mark.parametrize(("text", "now"), [("今晚12点", "2026-11-18T10:00"), ("12点", "2026-11-18T21:00")])
def test_pitfall_48_twelve_at_night_is_the_coming_midnight(text: str, now: str) -> None:
    found = _say(text, now)
    assert (found.date, found.start) == (date(2026, 11, 19), time(0, 0))


def test_pitfall_48_tomorrow_morning_said_after_midnight_is_asked() -> None:
    assert _say("明早", "2026-11-19T00:30").ambiguous == "which_day"
    assert _say("明早", "2026-11-19T07:30").ambiguous is None


def test_pitfall_48_a_past_weekday_is_the_next_one() -> None:
    assert _say("周一").date == date(2026, 11, 23)
    assert _say("周三早上").date == date(2026, 11, 25)
    assert _say("这周一").date == date(2026, 11, 16)  # said, so kept though past


@pytest.mark.parametrize("text", ["2月30号", "25点", "上午15点", "11月20日周四"])
def test_pitfall_48_what_does_not_exist_is_refused_not_shifted(text: str) -> None:
    found = _say(text)
    assert found.invalid
    assert found.date is None
    assert found.start is None


@pytest.mark.parametrize(
    "text", ["我有三点建议", "3号楼", "一点也不", "三点水", "一点点", "5号线", "比分3:20"]
)
def test_pitfall_49_no_time_at_all(text: str) -> None:
    assert parse(text, datetime(2026, 11, 18, 10, 0, tzinfo=SHANGHAI), SHANGHAI) == []


@pytest.mark.parametrize(
    ("text", "said"), [("周五2点在3号楼", "周五2点"), ("明天提三点建议", "明天"), ("3号去3号楼", "3号")]
)
def test_pitfall_49_a_time_beside_a_thing_is_still_found(text: str, said: str) -> None:
    assert _say(text).text == said
