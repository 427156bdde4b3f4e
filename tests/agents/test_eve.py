"""Times that are said as so long before something."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.language.clause import KeptThing, Situation
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.timing.eve import is_eve, on_eves
from nonebot_plugin_mishu.language.timing.reminder_leads import ahead_in

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)


def at(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, tzinfo=ZONE)


THINGS = (
    KeptThing("schedule", "周会", "s1", at(23, 10)),
    KeptThing("tasks", "去产检", "t1", at(26, 9)),
    KeptThing("schedule", "设计评审", "s2", at(20, 14)),
    KeptThing("schedule", "技术评审", "s3", at(21, 16)),
)
WHERE = Situation(NOW, things=THINGS, shown=(THINGS[1],))
COUNTED = {
    "产检前一天晚上提醒我收拾东西": "2026-11-25 evening",
    "提前一天晚上九点提醒我准备": "2026-11-25 21:00",
    "产检提前两天上午十点提醒我买牛奶": "2026-11-24 10:00",
    "产检头一天晚上八点叫我": "2026-11-25 20:00",
    "产检前一晚九点提醒我早睡": "2026-11-25 21:00",
    "周会前十分钟提醒我带电脑": "2026-11-23 09:50",
    "周会前两天提醒我写材料": "2026-11-21 day",
    "11月30日交房租，前一天晚上八点提醒我取钱": "2026-11-29 20:00",
}
ASKED = ("体检前一天晚上提醒我收拾东西", "评审前一天晚上八点提醒我改稿")
OTHERWISE = ("前天晚上打球", "大前天晚上九点睡的", "今天晚上八点提醒我", "三天前晚上八点", "提前半小时提醒我")


@pytest.mark.parametrize(("said", "when"), COUNTED.items())
def test_it_is_counted_back_from_its_thing(said: str, when: str) -> None:
    found = [one for one in on_eves(said, parse(said, NOW, ZONE), WHERE) if is_eve(one) or "前" in one.text]
    clock = f"{found[-1].start:%H:%M}" if found[-1].start else found[-1].segment or "day"
    assert f"{found[-1].date} {clock}" == when


@pytest.mark.parametrize("said", ASKED)
def test_it_is_asked_for_where_no_one_thing_tells(said: str) -> None:
    found = on_eves(said, parse(said, NOW, ZONE), WHERE)
    assert found[-1].date is None
    assert "不知道" in (found[-1].invalid or "")


@pytest.mark.parametrize("said", OTHERWISE)
def test_other_times_are_left_alone(said: str) -> None:
    times = tuple(parse(said, NOW, ZONE))
    assert on_eves(said, times, WHERE) == times


def test_a_lead_that_is_part_of_a_time_is_no_lead_of_its_own() -> None:
    said = "提前一天晚上九点提醒我准备"
    assert ahead_in(said) is not None
    assert ahead_in(said, on_eves(said, parse(said, NOW, ZONE), WHERE)) is None
