"""Which words of a line may be said back as a name."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language import is_name

NAMES = [
    *("评审", "需求评审会", "会", "买菜", "交水电费", "打羽毛球", "给客户打电话", "Q4复盘", "我妈生日"),
    *("产品发布会", "接孩子", "换机油", "牙", "周报", "PPT", "开班会"),
]
NONE = (
    "就",
    "ok",
    "啥",
    "那是",
    "清空",
    "人太少",
    "饭取消",
    "晨会别开",
    "改投看电影",
    "会议室被占",
    "不一定,先别",
    "退票了,火车别",
    "有人报名,继续",
    "和小李都报名",
    "聚会啥时候",
    "已记下日程：11月19日",
)


@pytest.mark.parametrize("words", NAMES)
def test_it_is_a_name(words: str) -> None:
    assert is_name(words)


@pytest.mark.parametrize("words", NONE)
def test_it_is_none(words: str) -> None:
    assert not is_name(words)


def test_words_from_two_places_are_none() -> None:
    assert not is_name("房天", "看房定在哪天了")
    assert is_name("看房", "看房定在哪天了")
