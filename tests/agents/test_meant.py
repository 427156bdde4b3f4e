"""What of the things that are kept a line means."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.schedule.candidates.reading import clause_of
from nonebot_plugin_mishu.language import read
from nonebot_plugin_mishu.language.clause import KeptThing, Situation
from nonebot_plugin_mishu.language.names.referents import Meant, meant, said_names

ZONE = ZoneInfo("Asia/Shanghai")


def at(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, tzinfo=ZONE)


THINGS = (
    KeptThing("schedule", "羽毛球", "s1", at(20, 19)),
    KeptThing("schedule", "设计评审", "s2", at(20, 14)),
    KeptThing("schedule", "技术评审", "s3", at(20, 16)),
    KeptThing("schedule", "部门聚餐", "s4", at(21, 18)),
    KeptThing("schedule", "周会", "s5", at(23, 10)),
    KeptThing("tasks", "给客户打电话", "t1", at(19, 15)),
    KeptThing("tasks", "买猫粮", "t3"),
    KeptThing("tasks", "吃药", "t6", at(19, 8)),
)


def meaning(said: str, **known: Any) -> Meant | None:
    """What a line means, said on 18 November at ten."""
    clause = clause_of(said, Situation(at(18, 10), **known))
    return meant(read(clause.text, clause.times, clause.amounts).tokens, clause)


SHOWN = (THINGS[6], THINGS[5])
MEANT = {
    "羽毛球改到八点": "s1",
    "客户那个改到后天": "t1",
    "评审挪到五点半": "s2 s3",
    "技术那个评审不开了": "s3",
    "设计的评审推到周六": "s2",
    "周五四点那个会不开了": "s3",
    "那顿饭取消": "s4",
    "打球那个改到八点": "s1",
    "今天的药吃了": "t6",
    "第二个删掉": "t1",
    "最后一个完成了": "t1",
    "今天天气怎么样": "",
    "刚才那笔删掉": "",
}


@pytest.mark.parametrize(("said", "ids"), MEANT.items())
def test_what_is_meant(said: str, ids: str) -> None:
    found = meaning(said, things=THINGS, shown=SHOWN)
    assert " ".join(found.refs if found is not None else ()) == ids


def test_of_what_was_spoken_of_last() -> None:
    found = meaning("改到三点半吧", things=THINGS, shown=THINGS[:1])
    assert found is not None
    assert found.refs == ("s1",)


@pytest.mark.parametrize(
    ("said", "quoted", "ids"),
    [
        ("改到四点", "日程记下了：11月20日 周五 14:00 设计评审", "s2"),
        ("推迟半小时", "周五下午四点技术评审", "s3"),
        ("取消", "好，11月19日（周四） 08:00提醒你吃药", "t6"),
        ("羽毛球改到四点", "日程记下了：11月20日 周五 14:00 设计评审", "s1"),
    ],
)
def test_a_quoted_line_names_what_is_meant(said: str, quoted: str, ids: str) -> None:
    found = meaning(said, things=THINGS, shown=SHOWN[:1], quoted=quoted)
    assert found is not None
    assert " ".join(found.refs) == ids


JUST = (THINGS[0], THINGS[5], THINGS[3])
COUNTED = {
    "这三个都推迟一周": "s1 s4 | t1",
    "全部取消": "s1 s4 | t1",
    "都取消": "s1 s4 | t1",
    "第二个和第三个删掉": "t1 | s4",
    "只留羽毛球，其他的都取消": "t1 | s4",
    "把羽毛球取消，其他留着": "s1",
}


@pytest.mark.parametrize(("said", "ids"), COUNTED.items())
def test_all_of_what_was_just_made(said: str, ids: str) -> None:
    found = meaning(said, things=THINGS, shown=JUST)
    assert found is not None
    beside = " ".join(thing.id for thing in found.beside)
    assert " ".join(found.refs) + (f" | {beside}" if beside else "") == ids


@pytest.mark.parametrize("said", ["两个都取消", "其他的都取消", "第一个和第五个删掉"])
def test_it_is_asked_which_where_so_many_were_not_made(said: str) -> None:
    found = meaning(said, things=THINGS, shown=JUST)
    assert found is not None
    assert not found.clear


def test_a_number_beyond_what_was_shown_means_nothing() -> None:
    assert meaning("第三个不要", things=THINGS, shown=THINGS[:1]) is None


LISTED = {
    "羽毛球和部门聚餐都取消": "s1 s4",
    "羽毛球、部门聚餐都推迟一小时": "s1 s4",
    "买猫粮跟给客户打电话都弄完了": "t3 t1",
}


def test_several_that_are_named_one_after_the_other_are_all_meant() -> None:
    for said, ids in LISTED.items():
        found = meaning(said, things=THINGS)
        assert found is not None, said
        assert (" ".join(found.refs), found.every) == (ids, True), said
    for said in ("部门聚餐取消", "设计评审改到技术评审后面"):
        found = meaning(said, things=THINGS)
        assert found is None or not found.every, said


def test_where_very_many_have_the_name_it_tells_nothing() -> None:
    groups = tuple(KeptThing("schedule", f"复盘会第{number}组", f"g{number}", at(20)) for number in range(60))
    line = "复盘会第3组和复盘会第4组取消"
    assert said_names(line, groups) == {}
    assert {thing.id for thing in said_names(line, groups[3:5])} == {"g3", "g4"}
