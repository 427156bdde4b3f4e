"""What a model is shown of the talk: no line twice, and what others were told."""

from __future__ import annotations

from typing import cast
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import Request
from nonebot_plugin_mishu.core.decision.model.reading import ParseRequest, data
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.llm import ChatMessage


def test_a_line_stands_once_and_what_others_were_told_stands_there() -> None:
    where = situation(1_790_000_000.0, ZoneInfo("Asia/Shanghai"))
    asking = ParseRequest(
        cast("Request", None),
        whole("我把42转老K了", where),
        "大刘",
        (),
        (),
        (),
        (ChatMessage("user", "你说我要不要跟老板摊牌啊"), ChatMessage("assistant", "看你")),
        around=("大刘：你说我要不要跟老板摊牌啊", "阿杰：摊！", "秘书：看你", "秘书：电影票 168元"),
    )
    told = [one["text"] for one in data(asking)["history"]]
    assert told == ["你说我要不要跟老板摊牌啊", "看你", "阿杰：摊！", "秘书：电影票 168元"]
