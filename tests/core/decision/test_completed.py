"""What a model leaves out is filled from what the rules read; what it picks unasked is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import SlotFrame
from nonebot_plugin_mishu.agents.api.builtin_codes import ACTS
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.core.decision.model.completed import completed
from nonebot_plugin_mishu.core.decision.model.frame_sums import apart
from nonebot_plugin_mishu.core.decision.model.sources import ValueSources
from nonebot_plugin_mishu.core.decision.model.world import reading_of
from nonebot_plugin_mishu.core.decision.reading import Frame
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.clause import KeptThing, Situation

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 23, 9, tzinfo=ZONE)
SPECS: Any = [SimpleNamespace(code=code, acts=acts) for code, acts in ACTS.items()]
CLIENTS = KeptThing("schedule", "客户评审", "1", datetime(2026, 11, 27, 14, tzinfo=ZONE))
OURS = KeptThing("schedule", "内部评审", "2", datetime(2026, 11, 27, 16, tzinfo=ZONE))
DINNER = KeptThing("schedule", "聚餐", "3", datetime(2026, 11, 27, 19, tzinfo=ZONE))
REPORT = KeptThing("tasks", "交报告", "1", datetime(2026, 11, 24, 9, tzinfo=ZONE))
ALL = (CLIENTS, OURS, DINNER, REPORT)


def filled(
    said: str,
    frames: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    things: Sequence[KeptThing] = ALL,
    shown: Sequence[KeptThing] = (),
    lately: Sequence[str] = (),
) -> list[Mapping[str, Any]]:
    """The slots of what a model read, held against the rules' own reading of the line."""
    where = Situation(NOW, things=tuple(things), shown=tuple(shown))
    rules = read(said, where, builtin_rules()).frames
    line = whole(said, where)
    made = [
        Frame(*act.split("."), clause=line, read=SlotFrame(dict(slots)), sure=False)  # type: ignore[misc]
        for act, slots in frames
    ]
    return [dict(each.slots) for each in completed(made, rules, line, SPECS, lately)]


EDIT = "schedule.edit"


@pytest.mark.parametrize(
    ("said", "act", "slots", "found"),
    [
        ("聚餐我也去 +1", EDIT, {}, {"ref": "3"}),
        ("聚餐我也去 +1", EDIT, {"old_description": "聚餐"}, {"ref": "3"}),
        ("聚餐那个往后挪挪", EDIT, {"old_description": "聚餐"}, {"ref": "3"}),
        ("报告那个弄完了", "tasks.complete_task", {"title": "报告"}, {"ref": "1"}),
        ("报告那事儿不弄了", "tasks.delete_task", {"title": "交报告"}, {"ref": "1"}),
        ("聚餐不搞了吧", "schedule.delete", {"old_description": "聚餐"}, {"ref": "3"}),
    ],
)
def test_what_is_meant(said: str, act: str, slots: dict[str, Any], found: dict[str, Any]) -> None:
    assert filled(said, [(act, slots)]) == [found]


def test_what_was_just_made_is_meant() -> None:
    assert filled("改三点", [(EDIT, {"new_time": "三点"})], shown=[CLIENTS]) == [
        {"new_time": "三点", "ref": "1"}
    ]


def test_a_name_of_several_is_no_id() -> None:
    (found,) = filled("那个评审整没了吧", [("schedule.delete", {"old_description": "评审"})])
    assert "ref" not in found


@pytest.mark.parametrize(
    ("said", "act", "slots", "name", "value"),
    [
        (
            "明天下午三点在302碰头会",
            "schedule.add",
            {"new_description": "碰头会"},
            "new_time",
            "明天下午三点",
        ),
        ("明天下午三点碰头会", "schedule.add", {"new_time": "下午三点"}, "new_time", "明天下午三点"),
        ("明天下午三点在302碰头会", "schedule.add", {"new_time": "明天下午三点"}, "place", "302"),
        ("明天下午三点碰头会", "schedule.add", {"new_time": "明天下午三点"}, "new_description", "碰头会"),
        ("提醒我后天晚上八点交房租", "tasks.create_task", {"remindAt": "八点"}, "remindAt", "后天晚上八点"),
        ("提醒我后天晚上八点交房租", "tasks.create_task", {"title": "交房租"}, "dueDate", "后天晚上八点"),
        ("聚餐挪到周六", EDIT, {"old_description": "聚餐"}, "new_time", "周六"),
    ],
)
def test_when_and_where(said: str, act: str, slots: dict[str, Any], name: str, value: str) -> None:
    (found,) = filled(said, [(act, slots)])
    assert found[name] == value


def test_a_time_that_a_model_gave_stays() -> None:
    (found,) = filled("聚餐挪到周六", [(EDIT, {"ref": "3", "new_time": "周日"})])
    assert found["new_time"] == "周日"


@pytest.mark.parametrize(
    ("said", "frames", "shown", "lately", "asks"),
    [
        ("评审挪到下周一", [{"ref": "2"}], (), (), True),
        ("评审挪到下周一", [{"ref": "1"}, {"ref": "2"}], (), (), True),
        ("评审挪到下周一", [{"ref": "2"}], (), ("客户评审改吗", "内部评审呢"), True),
        ("评审挪到下周一", [{"ref": "2"}], (), ("内部评审那天我请假",), False),
        ("评审挪到下周一", [{"ref": "2"}], (OURS,), (), False),
        ("两个评审都挪到下周一", [{"ref": "1"}, {"ref": "2"}], (), (), False),
    ],
)
def test_which_of_several(
    said: str, frames: list[dict[str, Any]], shown: Sequence[KeptThing], lately: Sequence[str], asks: bool
) -> None:
    made = [(EDIT, {**slots, "new_time": "下周一"}) for slots in frames]
    found = filled(said, made, shown=shown, lately=lately)
    assert (len(found) == 1 and found[0].get("refs") == ["1", "2"]) is asks


def sums(said: str, *slots: dict[str, Any]) -> list[Any]:
    """The amounts and items of what is left; of a frame as the rules read it its items."""
    found = filled(said, [("bookkeeping.record", each) for each in slots])
    rows: list[Any] = []
    for each in found:
        rows += each.get("items") or [each]
    return [
        (str(row["amount"]).removesuffix(".00"), row.get("description") or row.get("item")) for row in rows
    ]


def test_each_sum_is_booked_once() -> None:
    lunch, ride = {"item": "午饭", "amount": "35"}, {"item": "打车", "amount": "20"}
    both = [("35", "午饭"), ("20", "打车")]
    said = "午饭35 打车20 都记上"
    assert sums(said, lunch, ride) == both
    assert sums(said, lunch, ride, {"amount": "35"}) == both
    assert sums(said, lunch, ride, {"item": "午饭", "amount": "35"}) == both
    assert sums(said, {}) == both


def test_the_day_of_a_sum_is_the_one_the_rules_read() -> None:
    (found,) = filled(
        "昨天跟室友整了顿火锅 我出了218", [("bookkeeping.record", {"item": "牛油锅底", "amount": "218"})]
    )
    assert (found["item"], found["date"]) == ("牛油锅底", "昨天")


@pytest.mark.parametrize(
    ("slots", "items"),
    [
        ({"item": "午饭,打车", "amount": "35,20"}, [("午饭", "35"), ("打车", "20")]),
        ({"item": "午饭、打车", "amount": "35块；20块"}, [("午饭", "35块"), ("打车", "20块")]),
        ({"item": "电脑", "amount": "1,299"}, [("电脑", "1,299")]),
        ({"item": "面,汤", "amount": "35"}, [("面,汤", "35")]),
    ],
)
def test_several_items_in_one_frame(slots: dict[str, str], items: list[tuple[str, str]]) -> None:
    assert [(each["item"], each["amount"]) for each in apart(slots)] == items


@pytest.mark.parametrize(
    ("said", "amount", "taken"),
    [
        ("午饭35 打车20 都记上", "35", True),
        ("午饭35 打车20 都记上", "55", False),
        ("午饭35 打车20 都记上", "5", False),
        ("串儿一百四", "140", True),
        ("串儿一百四", "一百四", True),
        ("工资到账8千", "8000", True),
        ("把那笔记上", "60", True),
    ],
)
def test_a_sum_that_nobody_said_is_refused(said: str, amount: str, taken: bool) -> None:
    line = whole(said, Situation(NOW))
    heard = ValueSources.of(line, [], ["我出了60"])
    assert (heard.check_slots({"amount": amount}, "bookkeeping", line, frozenset()) is not None) is taken


def test_the_speakers_name_means_them() -> None:
    line = whole("帮我记一下", Situation(NOW))
    assert (
        ValueSources.of(line, [], [], "阿琳").check_slots({"member": "阿琳"}, "tasks", line, frozenset())
        == {}
    )
    assert ValueSources.of(line, [], []).check_slots({"member": "阿琳"}, "tasks", line, frozenset()) is None


def test_the_reading_is_told_in_the_words_that_were_said() -> None:
    where = Situation(NOW, things=(DINNER,))
    told = reading_of(read("聚餐我也去 +1", where, builtin_rules()).frames, "聚餐我也去 +1")
    assert "算我一个" not in str(told)
    told = reading_of(read("午饭35 打车20 都记上", where, builtin_rules()).frames, "午饭35 打车20 都记上")
    assert [row["amount"] for row in told["frames"][0]["slots"]["items"]] == ["35.00", "20.00"]
