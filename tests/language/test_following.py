"""Lines of following up: conditions, reminders until done, nudges, quiet hours; and talk, which is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.language.clause import KeptThing, Mention
from nonebot_plugin_mishu.language.following.conditions import has_conditional_title, unwatchable
from nonebot_plugin_mishu.language.following.nudges import nudge_in, order_of
from nonebot_plugin_mishu.language.following.quiet_hours import QuietOrder, quiet_amended, quiet_order
from nonebot_plugin_mishu.language.following.until_done import MOST, until_done
from nonebot_plugin_mishu.language.recognise.times import Recurrence, occurrences
from nonebot_plugin_mishu.language.recognise.times.recurrences.occurrences import LAST_ONE

ZONE = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 11, 18, 10, tzinfo=ZONE).timestamp()
MEMBERS = (Mention("2", "小雅"), Mention("3", "阿凯"))
WHERE = replace(situation(AT, ZONE), members=MEMBERS)
ROWS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "following.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("row", ROWS["conditions"], ids=lambda row: row["say"])
def test_conditions(row: dict[str, Any]) -> None:
    found = unwatchable(whole(row["say"], WHERE))
    if row.get("none"):
        assert found is None
        return
    assert found is not None
    assert (found.kind, found.event, found.titled) == (row["kind"], row["event"], not row.get("untitled"))


def test_a_condition_beside_a_clock_is_part_of_the_title() -> None:
    assert has_conditional_title(whole("明天八点提醒我，下雨的话带伞", WHERE))
    assert not has_conditional_title(whole("明天八点提醒我带伞", WHERE))


def test_what_is_kept_has_a_time_and_can_be_watched() -> None:
    where = replace(WHERE, things=(KeptThing("schedule", "发布会", "s1"),))
    assert unwatchable(whole("发布会开了叫我", where)) is None
    assert unwatchable(whole("水开了叫我", where)) is not None


@pytest.mark.parametrize("row", ROWS["until_done"], ids=lambda row: row["say"])
def test_until_done(row: dict[str, Any]) -> None:
    found = until_done(whole(row["say"], WHERE))
    if row.get("none"):
        assert found is None
        return
    assert found is not None
    assert found.order.text.strip(" ,") == row["rest"]
    assert (found.rhythm["freq"], found.rhythm["interval"]) == (row["freq"], row["interval"])
    assert found.rhythm["count"] == MOST


@pytest.mark.parametrize("rule", [{"freq": "minutely", "interval": 30}, {"freq": "daily", "interval": 1}])
def test_a_counted_recurrence_ends_wherever_it_is_asked_from(rule: dict[str, Any]) -> None:
    start = datetime(2026, 11, 18, 10, 30, tzinfo=ZONE)
    counted = Recurrence.kept({**rule, "count": MOST})
    every = list(occurrences(counted, start))
    assert len(every) == MOST
    assert [each.note for each in every] == [None] * (MOST - 1) + [LAST_ONE]
    for one, after in pairwise(every):
        assert next(iter(occurrences(counted, start, after=one.at))) == after
    assert next(iter(occurrences(counted, start, after=every[-1].at)), None) is None


@pytest.mark.parametrize("row", ROWS["nudges"], ids=lambda row: row["say"])
def test_nudges(row: dict[str, Any]) -> None:
    found = nudge_in(whole(row["say"], WHERE))
    if row.get("none"):
        assert found is None
        return
    assert found is not None
    assert [each.name for each in found.people] == row["who"]
    assert (found.named, found.title) == (row.get("named", ""), row["title"])
    assert (found.money, found.stops) == (row.get("money", False), row.get("stops", False))
    assert (found.rhythm or {}).get("freq") == row.get("every")
    if "count" in row:
        assert (found.rhythm or {}).get("count") == row["count"]
    assert (found.when.text if found.when is not None else None) == row.get("when")


def test_an_at_names_who_is_nudged() -> None:
    where = replace(WHERE, members=(), mentions=MEMBERS[1:])
    found = nudge_in(whole("催一下 交方案", where))
    assert found is not None
    assert (found.people, found.title) == (MEMBERS[1:], "交方案")


@pytest.mark.parametrize("row", ROWS["quiet_hours"], ids=lambda row: row["say"])
def test_quiet_hours(row: dict[str, Any]) -> None:
    found = quiet_order(row["say"], ["小秘"])
    if row.get("none"):
        assert found is None
        return
    assert found is not None
    assert (found.does, found.mine) == (row["does"], row.get("mine", False))
    hours = "" if found.start is None else f"{found.start:%H:%M}-{found.end:%H:%M}"
    assert hours == row.get("hours", "")


@pytest.mark.parametrize(
    ("said", "words", "title"),
    [
        ("每天下班前催一下阿凯交表", "下班前", "交表"),
        ("下班前催一下阿凯交表", "下班前", "交表"),
        ("每天18:00催阿凯交表", "", "交表"),
        ("现在催一下阿凯交表", "", "交表"),
    ],
)
def test_a_moment_of_which_nobody_knows_the_clock(said: str, words: str, title: str) -> None:
    found = nudge_in(whole(said, WHERE))
    assert found is not None
    assert (found.no_clock, found.title) == (words, title)


def test_a_model_names_a_moment_of_which_nobody_knows_the_clock() -> None:
    found = order_of("阿凯", "交表", "每天下班前", WHERE)
    assert found is not None
    assert (found.no_clock, found.rhythm is not None) == ("下班前", True)
    assert order_of("阿凯", "交表", "等他回来", WHERE) is None
    at_once = order_of("阿凯", "交表", "现在", WHERE)
    assert at_once is not None
    assert not at_once.no_clock


@pytest.mark.parametrize("row", ROWS["quiet_amended"], ids=lambda row: row["say"])
def test_quiet_hours_are_amended(row: dict[str, Any]) -> None:
    start, end = map(time.fromisoformat, row["before"].split("-"))
    found = quiet_amended(row["say"], QuietOrder("set", False, start, end), ["小秘"])
    if row.get("none"):
        assert found is None
        return
    assert found is not None
    assert found.start is not None
    assert found.end is not None
    assert f"{found.start:%H:%M}-{found.end:%H:%M}" == row["hours"]


def test_what_was_just_nudged_about_is_told_done() -> None:
    where = replace(WHERE, reminded="recent", reminded_about="小周想问问：「交路线图」怎么样了？")
    done = nudge_in(whole("路线图我交了", where))
    assert done is not None
    assert done.done
    assert nudge_in(whole("路线图我交了", WHERE)) is None
    for other in ("路线图我还没交", "路线图交了吗", "周报我交了"):
        assert nudge_in(whole(other, where)) is None
    left = nudge_in(whole("别烦我，今晚弄完行了吧", where))
    assert left is not None
    assert (left.stops, left.mine) == (True, True)
    assert nudge_in(whole("别烦我，今晚弄完行了吧", WHERE)) is None
    kept = replace(where, things=(KeptThing("tasks", "路线图", "1"),))
    assert nudge_in(whole("路线图我交了", kept)) is None
