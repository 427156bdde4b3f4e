"""Questions about what is kept that no form has."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.core.decision.rules.state import answer_state, find_asked_who
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.clause import KeptThing, Mention, Situation

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
THINGS = (
    KeptThing("schedule", "路演", "s1", datetime(2026, 11, 20, 16, tzinfo=ZONE)),
    KeptThing("schedule", "跟客户吃饭", "s2", datetime(2027, 1, 9, 19, tzinfo=ZONE)),
    KeptThing("tasks", "扔可回收垃圾", "t1", datetime(2026, 11, 18, 20, tzinfo=ZONE)),
)
WHERE = Situation(NOW, members=(Mention("2", "小雅"),), things=THINGS, shown=(THINGS[0],))
ASKED = {
    "听阿凯说路演取消了，真的假的": "没取消，还在：路演（11月20日 周五 16:00）",
    "路演要不要取消呢": "没取消，还在：路演（11月20日 周五 16:00）",
    "路演是不是被取消了？有人跟我说没了": "没取消，还在：路演（11月20日 周五 16:00）",
    "听说路演改到周一了？": "现在是：路演（11月20日 周五 16:00）",
    "小雅说路演改了没": "现在是：路演（11月20日 周五 16:00）",
    "路演是哪天几点在哪": "现在是：路演（11月20日 周五 16:00）",
    "今晚扔垃圾的提醒会响吧": "现在是：扔可回收垃圾（11月18日 周三 20:00）",
    "那顿饭取消了吗": "没取消，还在：跟客户吃饭（2027年1月9日 周六 19:00）",
}
NOT_ASKED = (
    "麻烦你把路演取消掉行不行",
    "能帮我取消路演吗",
    "路演改到周六行吗",
    "路演好玩吗",
    "路演的ppt谁写得好看",
    "取消路演",
    "路演改到周一",
    "明天的路演开了没",
    "今天天气怎么样",
)


@pytest.mark.parametrize(("said", "told"), ASKED.items())
def test_it_is_answered_from_what_is_kept(said: str, told: str) -> None:
    assert answer_state(whole(said, WHERE)) == told


@pytest.mark.parametrize("said", NOT_ASKED)
def test_everything_else_asks_nothing(said: str) -> None:
    assert answer_state(whole(said, WHERE)) is None


@pytest.mark.parametrize("said", ["参加的都有谁", "几个人了现在", "谁去", "有几个人参加"])
def test_who_takes_part_is_asked_of_what_was_spoken_of(said: str) -> None:
    assert find_asked_who(whole(said, WHERE)) == THINGS[0]


@pytest.mark.parametrize("said", ["谁知道", "今天几个人加班", "谁去倒水"])
def test_talk_of_people_asks_nothing(said: str) -> None:
    assert find_asked_who(whole(said, WHERE)) is None
