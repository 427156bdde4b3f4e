"""Recurrences to their next times: spoken weekdays and days, short months, leap days, 调休, lunar years."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.recognise.times import WEEKDAYS, Recurrence, dates, occurrences, parse
from nonebot_plugin_mishu.language.recognise.times.days.almanac import (
    holidays_known,
    is_workday,
    lunar_to_solar,
    month_length,
)
from nonebot_plugin_mishu.language.recognise.times.recurrences.occurrences import NO_TABLE

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
starts = st.dates(date(2000, 1, 1), date(2080, 12, 31))
intervals = st.integers(1, 12)


def _ten(recurrence: Recurrence, start: date) -> list[date]:
    found = list(islice(dates(recurrence, start), 10))
    assert len(found) == 10
    assert found == sorted(set(found))
    assert found[0] >= start
    return found


@given(starts, intervals, st.sets(st.sampled_from(WEEKDAYS), min_size=1))
@settings(max_examples=200)
def test_weekly_has_the_spoken_weekdays(start: date, interval: int, days: set[str]) -> None:
    byday = tuple(code for code in WEEKDAYS if code in days)
    monday = start - timedelta(days=start.weekday())
    for day in _ten(Recurrence("weekly", interval, byday=byday), start):
        assert WEEKDAYS[day.weekday()] in days
        assert (day - monday).days // 7 % interval == 0


@given(starts, st.integers(1, 31))
@settings(max_examples=200)
def test_monthly_has_the_spoken_day_or_the_last_of_a_shorter_month(start: date, wanted: int) -> None:
    found = _ten(Recurrence("monthly", bymonthday=wanted), start)
    for day in found:
        assert day.day == min(wanted, month_length(day.year, day.month))
    for one, next_one in pairwise(found):
        assert (next_one.year * 12 + next_one.month) - (one.year * 12 + one.month) == 1


@given(starts, intervals)
@settings(max_examples=100)
def test_the_last_day_of_the_month_is_always_the_last(start: date, interval: int) -> None:
    for day in _ten(Recurrence("monthly", interval, bymonthday=-1), start):
        assert (day + timedelta(days=1)).day == 1


@given(starts, st.sampled_from(["-1", "1", "2", "3", "4"]), st.sampled_from(WEEKDAYS))
@settings(max_examples=200)
def test_a_weekday_of_the_month_keeps_its_place(start: date, place: str, weekday: str) -> None:
    for day in _ten(Recurrence("monthly", byday=(place + weekday,)), start):
        assert WEEKDAYS[day.weekday()] == weekday
        if place == "-1":
            assert day.day > month_length(day.year, day.month) - 7
        else:
            assert (day.day - 1) // 7 + 1 == int(place)


@given(starts, st.integers(1, 12), st.integers(1, 31))
@settings(max_examples=200)
def test_yearly_has_the_spoken_date(start: date, month: int, wanted: int) -> None:
    found = _ten(Recurrence("yearly", bymonth=month, bymonthday=wanted), start)
    assert [day.year for day in found] == list(range(found[0].year, found[0].year + 10))
    for day in found:
        assert (day.month, day.day) == (month, min(wanted, month_length(day.year, month)))


@given(starts, intervals)
@settings(max_examples=100)
def test_daily_keeps_its_distance_and_anchor(start: date, interval: int) -> None:
    found = _ten(Recurrence("daily", interval), start)
    assert found == [start + timedelta(days=interval * index) for index in range(10)]
    later = start + timedelta(days=1000)
    skipped = next(dates(Recurrence("daily", interval), start, skip_to=later))
    assert (skipped - start).days % interval == 0
    assert later <= skipped < later + timedelta(days=interval)


@given(st.dates(date(2000, 1, 1), date(2080, 1, 1)), st.integers(1, 12), st.integers(-1, 30).filter(bool))
@settings(max_examples=100)
def test_lunar_yearly_is_once_a_lunar_year_and_never_in_a_leap_month(
    start: date, month: int, day: int
) -> None:
    found = _ten(Recurrence("lunar_yearly", bymonth=month, bymonthday=day), start)
    for one in found:
        years = (one.year - 1, one.year)
        wanted = {lunar_to_solar(year, month, day) or lunar_to_solar(year, month, -1) for year in years}
        assert one in wanted
    for one, next_one in pairwise(found):
        assert 353 <= (next_one - one).days <= 386


@given(st.sampled_from("一二三四五六日"), st.datetimes(datetime(2020, 1, 1), datetime(2060, 1, 1)))
@settings(max_examples=100)
def test_what_is_said_of_a_weekday_happens_on_it(name: str, moment: datetime) -> None:
    (found,) = parse(f"每周{name}晚上8点", moment, SHANGHAI)
    assert found.recurrence is not None
    start = found.begins_at(SHANGHAI)
    assert start is not None
    for each in islice(occurrences(found.recurrence, start), 10):
        assert each.at.weekday() == "一二三四五六日".index(name)
        assert each.at.time() == time(20, 0)


def test_adjusted_workdays_around_a_holiday() -> None:
    """国庆 2026: off from the 1st to the 7th, Saturday the 10th and Sunday 20 September are worked."""
    found = list(islice(dates(Recurrence("workday"), date(2026, 9, 30)), 4))
    assert found == [date(2026, 9, 30), date(2026, 10, 8), date(2026, 10, 9), date(2026, 10, 10)]
    assert is_workday(date(2026, 9, 20))


def test_the_end_of_the_holiday_table_is_said() -> None:
    start = datetime(2026, 12, 30, 9, 0, tzinfo=SHANGHAI)
    found = list(islice(occurrences(Recurrence("workday"), start), 6))
    for each in found:
        known = holidays_known(each.at.date())
        assert each.note == (None if known else NO_TABLE)
        if not known:
            assert each.at.weekday() < 5
    far = datetime(2070, 1, 3, 9, 0, tzinfo=SHANGHAI)
    assert next(occurrences(Recurrence("workday"), far)).note == NO_TABLE


@pytest.mark.parametrize("freq", ["minutely", "hourly"])
def test_ticks_count_time_that_passes(freq: str) -> None:
    """In the night of 25 October 2026 Berlin has 02:30 twice."""
    start = datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN)
    recurrence = Recurrence("minutely", 30) if freq == "minutely" else Recurrence("hourly", 1)
    step = timedelta(minutes=30 if freq == "minutely" else 60)
    found = [each.at.astimezone(UTC) for each in islice(occurrences(recurrence, start), 10)]
    assert found == [start.astimezone(UTC) + step * index for index in range(10)]


def test_wall_time_is_kept_where_the_clock_changes() -> None:
    start = datetime(2026, 3, 27, 8, 0, tzinfo=BERLIN)
    found = [each.at for each in islice(occurrences(Recurrence("daily"), start), 5)]
    assert {each.time() for each in found} == {time(8, 0)}
    assert {each.utcoffset() for each in found} == {timedelta(hours=1), timedelta(hours=2)}


def test_a_time_that_does_not_exist_comes_later_not_never() -> None:
    start = datetime(2026, 3, 28, 2, 30, tzinfo=BERLIN)
    found = [each.at for each in islice(occurrences(Recurrence("daily"), start), 3)]
    assert [f"{each:%d %H:%M}" for each in found] == ["28 02:30", "29 03:30", "30 02:30"]


def test_after_skips_and_until_ends() -> None:
    start = datetime(2026, 11, 18, 8, 0, tzinfo=SHANGHAI)
    after = datetime(2026, 11, 20, 8, 0, tzinfo=SHANGHAI)
    found = [
        each.at.day for each in occurrences(Recurrence("daily"), start, after=after, until=date(2026, 11, 23))
    ]
    assert found == [21, 22, 23]
    ticks = occurrences(
        Recurrence("minutely", 30), start, after=datetime(2026, 12, 1, 8, 10, tzinfo=SHANGHAI)
    )
    assert next(ticks).at == datetime(2026, 12, 1, 8, 30, tzinfo=SHANGHAI)


def test_a_start_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        next(occurrences(Recurrence("daily"), datetime(2026, 11, 18)))


@pytest.mark.parametrize(
    "freq", ["minutely", "hourly", "daily", "weekly", "monthly", "yearly", "workday", "lunar_yearly"]
)
def test_every_recurrence_ends_with_the_calendar(freq: str) -> None:
    recurrence = Recurrence(freq)  # type: ignore[arg-type]
    start = datetime(9999, 12, 30, 12, 0, tzinfo=UTC)
    assert len(list(islice(occurrences(recurrence, start), 6000))) <= 6000


def test_days_it_is_without_are_passed_over() -> None:
    weekly = Recurrence.kept({"freq": "weekly", "byday": ["TH"], "without": ["2026-11-26"]})
    start = datetime(2026, 11, 19, 15, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    found = [each.at.date().isoformat() for each in islice(occurrences(weekly, start), 3)]
    assert found == ["2026-11-19", "2026-12-03", "2026-12-10"]
    assert next(dates(weekly, start.date(), skip_to=date(2026, 11, 20))) == date(2026, 12, 3)
    assert "without" not in weekly.as_json()
