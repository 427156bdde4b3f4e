"""What holds for every text: no exception, spans that stand there, no clock and no zone of the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.recognise.times import MAX_LENGTH, SEGMENT_BOUNDS, TimeExpression, parse

DATA = Path(__file__).parent / "data"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=SHANGHAI)
ZONES = ("Asia/Shanghai", "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia")

# Words that sentences are made of at random; blanks and line ends part them.
_PIECES = (DATA / "pieces.txt").read_text("utf-8").split()
sentences = st.lists(st.sampled_from(_PIECES), max_size=9).map("".join)
texts = st.one_of(sentences, st.text(max_size=80), st.text(alphabet="".join(_PIECES), max_size=40))
moments = st.datetimes(datetime(1990, 1, 1), datetime(2090, 12, 31))


def _check(text: str, found: list[TimeExpression]) -> None:
    last = 0
    for each in found:
        json.dumps(each.as_json(), ensure_ascii=False)
        assert each.spans
        for start, end in each.spans:
            assert 0 <= start < end <= len(text)
        assert list(each.spans) == sorted(each.spans)
        begin, finish = each.span
        assert each.text == text[begin:finish]
        assert begin >= last or each.spans == found[found.index(each) - 1].spans
        last = begin
        if each.segment == "all_day":
            assert each.kind in {"day", "recurring"}
        if each.kind == "recurring":
            assert each.recurrence is not None or each.invalid
        elif each.invalid is None:
            assert each.date is not None
            assert each.recurrence is None
        if each.kind in {"point", "range"} and each.invalid is None:
            assert each.start is not None
        if each.kind == "segment" and each.invalid is None:
            assert each.segment in SEGMENT_BOUNDS
        if each.end_date is not None and each.date is not None:
            assert each.end_date >= each.date


@given(texts, moments, st.sampled_from(ZONES))
@settings(max_examples=1500)
def test_any_text_at_any_moment_in_any_zone_is_read(text: str, moment: datetime, zone: str) -> None:
    local = moment.replace(tzinfo=ZoneInfo(zone))
    found = parse(text, local, ZoneInfo(zone))
    _check(text, found)


@given(sentences, moments)
@settings(max_examples=200)
def test_the_zone_now_is_given_in_does_not_matter(text: str, moment: datetime) -> None:
    here = moment.replace(tzinfo=SHANGHAI)
    assert parse(text, here, SHANGHAI) == parse(text, here.astimezone(UTC), SHANGHAI)
    assert parse(text, here, SHANGHAI) == parse(text, moment, SHANGHAI)  # without a zone: wall time


@given(sentences)
@settings(max_examples=200)
def test_what_is_read_alone_is_found_again_at_its_place(text: str) -> None:
    found = parse(text, NOW, SHANGHAI)
    padded = parse(f"好。{text}", NOW, SHANGHAI)
    if text[:1] not in "一二三四五六七八九十":
        assert [each.spans for each in found] == [
            tuple((start - 2, end - 2) for start, end in each.spans) for each in padded
        ]


def test_long_texts_are_read_up_to_the_limit() -> None:
    text = "好" * (MAX_LENGTH - 2) + "明天" + "后天" * 500_000
    assert [each.text for each in parse(text, NOW, SHANGHAI)] == ["明天"]


@pytest.mark.parametrize(
    "piece",
    [
        "一",
        "三点到",
        "每周一、",
        "1",
        "3、",
        "12:30-",
        "下",
        "今天",
        "从",
        "、",
        "周一",
        "0",
        "\u0301",
        "(",
        "早",
    ],
)
def test_a_megabyte_of_anything_is_read(piece: str) -> None:
    _check(text := piece * (1_000_000 // len(piece)), parse(text, NOW, SHANGHAI))


_ELSEWHERE = """
import json, sys, types
from datetime import datetime
from zoneinfo import ZoneInfo
package = types.ModuleType("nonebot_plugin_mishu")
package.__path__ = [sys.argv[1]]
sys.modules["nonebot_plugin_mishu"] = package
from nonebot_plugin_mishu.language.recognise.times import parse
zone = ZoneInfo("Asia/Shanghai")
now = datetime(2026, 11, 18, 10, 0, tzinfo=zone)
for line in sys.stdin.read().splitlines():
    print(json.dumps([each.as_json() for each in parse(line, now, zone)]))
"""


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati"])
def test_the_zone_of_the_machine_does_not_matter(zone: str) -> None:
    lines = [case["say"] for name in ("points", "recurring", "deadlines") for case in _first_cases(name)]
    package = Path(sys.modules[parse.__module__].__file__ or "").parents[3]
    run = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, str(package)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TZ": zone, "PYTHONIOENCODING": "utf-8"},
    )
    there = [json.loads(line) for line in run.stdout.splitlines()]
    assert there == [[each.as_json() for each in parse(line, NOW, SHANGHAI)] for line in lines]


def _first_cases(name: str) -> list[dict[str, str]]:
    return yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))[0]["cases"]


@given(st.integers(1, 600), moments, st.sampled_from(ZONES))
@example(180, datetime(2026, 3, 29, 0, 30), "Europe/Berlin")
@example(180, datetime(2026, 10, 25, 0, 30), "Europe/Berlin")
@settings(max_examples=200)
def test_minutes_from_now_are_minutes_that_pass(minutes: int, moment: datetime, zone: str) -> None:
    """Also in a night that is an hour longer or shorter."""
    where = ZoneInfo(zone)
    now = moment.replace(tzinfo=where, second=0, microsecond=0)
    (found,) = parse(f"{minutes}分钟后", now, where)
    expected = (now.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(where)
    assert (found.date, found.start) == (expected.date(), expected.time())


@given(st.integers(0, 23).filter(lambda hour: hour not in {10, 11}), st.integers(0, 59), moments)
@settings(max_examples=300)
def test_a_clock_without_a_date_is_its_next_occurrence(hour: int, minute: int, moment: datetime) -> None:
    now = moment.replace(tzinfo=SHANGHAI, second=0, microsecond=0)
    (found,) = parse(f"{hour:02d}:{minute:02d}", now, SHANGHAI)
    if hour == 12 and now.hour >= 18:
        assert found.start == time(0, minute)
    else:
        assert found.start == time(hour, minute)
    at = found.begins_at(SHANGHAI)
    assert at is not None
    assert timedelta(0) <= at - now < timedelta(days=1)
    assert found.ambiguous == ("which_day" if found.date != now.date() else None)


@given(st.integers(0, 6), moments)
@settings(max_examples=200)
def test_a_bare_weekday_is_the_next_and_with_next_it_is_of_the_calendar_week_after(
    weekday: int, moment: datetime
) -> None:
    now = moment.replace(tzinfo=SHANGHAI)
    name = "一二三四五六日"[weekday]
    (bare,) = parse(f"周{name}", now, SHANGHAI)
    (after,) = parse(f"下周{name}", now, SHANGHAI)
    assert bare.date is not None
    assert after.date is not None
    assert bare.date.weekday() == after.date.weekday() == weekday
    assert timedelta(0) <= bare.date - now.date() < timedelta(days=7)
    monday = now.date() - timedelta(days=now.weekday())
    assert after.date - monday == timedelta(days=7 + weekday)


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)))
@settings(max_examples=200)
def test_a_written_date_is_that_date(day: date) -> None:
    for written in (f"{day:%Y-%m-%d}", f"{day.year}年{day.month}月{day.day}日", f"{day:%Y/%m/%d}"):
        (found,) = parse(written, NOW, SHANGHAI)
        assert (found.date, found.kind, found.invalid) == (day, "day", None)


@pytest.mark.parametrize("year", [1, 1899, 9900, 9999])
def test_years_that_no_calendar_reaches_find_nothing(year: int) -> None:
    now = datetime(year, 12, 31, 23, 59, tzinfo=UTC)
    assert parse("明年除夕晚上八点", now, ZoneInfo("Pacific/Kiritimati")) == []


_HELD = (DATA / "held.txt").read_text("utf-8").split()
_DAYS = ("明晚", "明天下午", "周五", "12月3号", "后天晚上")


@pytest.mark.parametrize("held", _HELD)
@given(day=st.sampled_from(_DAYS), hour=st.sampled_from("二三四五六七八九"))
@settings(max_examples=25)
def test_a_clock_is_one_whatever_is_held_at_it(held: str, day: str, hour: str) -> None:
    (found,) = parse(f"{day}{hour}点{held}", NOW, SHANGHAI)
    assert found.text == f"{day}{hour}点"
    assert found.start is not None


@pytest.mark.parametrize("counted", ["小技巧", "小建议", "建议", "意见", "问题", "小常识", "要求", "心得"])
@given(hour=st.sampled_from("二三四五六七八九"))
@settings(max_examples=8)
def test_points_are_counted_where_they_end_there(counted: str, hour: str) -> None:
    assert parse(f"我有{hour}点{counted}", NOW, SHANGHAI) == []
    assert all(each.start is None for each in parse(f"今天{hour}点{counted}：先这样", NOW, SHANGHAI))
