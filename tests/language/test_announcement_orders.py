"""Orders of announcements, and lines that are none."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language.announcements import (
    AnnouncementOrder,
    forbids_announcement,
    read_announcement,
)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("发个群公告：明天停水", "明天停水"),
        ("群公告:周三体检 空腹来", "周三体检 空腹来"),
        ("麻烦帮我发一条群公告，今晚 8 点开会", "今晚 8 点开会"),
        ("发布公告 下周一放假\n周二补课", "下周一放假\n周二补课"),
        ("在群里写个公告：\n1. 交表", "1. 交表"),
        ("写个公告：\n1. 交表\n2. 交钱", "1. 交表\n2. 交钱"),
        ("把“下周一放假”设成群公告吧", "下周一放假"),
        ("将 明天停水 发到群公告里", "明天停水"),
    ],
)
def test_what_is_said_in_the_line_itself(line: str, text: str) -> None:
    assert read_announcement(line) == AnnouncementOrder(text)


@pytest.mark.parametrize(
    "line",
    ["设为群公告", "把这个发群公告", "这条设成群公告吧", "把结果发到群公告里", "帮我把刚才的投票挂到公告栏",
     "能把这个设为群公告吗？",
     "设置成公告", "转成群公告", "把这个投票结果发群公告，谢谢", "这个发个公告吧"],
)  # fmt: skip
def test_what_stands_there_already(line: str) -> None:
    assert read_announcement(line) == AnnouncementOrder()


@pytest.mark.parametrize("line", ["发个群公告", "写个公告吧", "帮我发一下群公告"])
def test_without_any_text(line: str) -> None:
    assert read_announcement(line) == AnnouncementOrder(points=False)


@pytest.mark.parametrize(
    "line",
    ["怎么发群公告", "群公告里写的啥", "看下群公告", "谁发的公告", "别发群公告", "他发了个群公告说明天停水",
     "公告栏在哪", "昨天的群公告看了吗",
     "这个不用设为群公告", "记得发群公告", "明天提醒我发群公告", "群公告", "发公告的人是谁",
     "发群", "公告" * 1500],
)  # fmt: skip
def test_what_orders_none(line: str) -> None:
    assert read_announcement(line) is None


FORBIDS = """别发群公告|不要发群公告|别发群公告了|先别发公告|别把这个设为群公告|不要把这个发群公告里
群公告先别发|公告别发了|这条公告不要发了|不用发群公告了|先不发群公告|别发个群公告：明天停水
千万别发公告啊|能不能别发群公告|别发公告好吗|请不要再发群公告了|这个别设为群公告|群公告不发了
不要把明天停水发群公告|暂时不要置顶公告|你别发群公告|群公告不用发|别急着发群公告|不许发公告"""
OTHERS = """发个群公告：别迟到|别忘了发群公告|不发群公告吗|你不发个公告吗|怎么不发群公告|群公告发不发
群公告不发了吗|设为群公告|别删群公告|谁别发群公告|为什么别发公告|发群公告：明天停水，别忘了接水
公告里说不发了|他说别发群公告|不发公告大家怎么知道|不能发群公告吗|没发群公告
别发公告，提醒我明天九点开会|别发公告 删掉交周报|别把周报删了，把停水发群公告|别发群公告，发群里就行"""


@pytest.mark.parametrize("line", FORBIDS.replace("\n", "|").split("|"))
def test_what_forbids(line: str) -> None:
    assert forbids_announcement(line)
    assert read_announcement(line) is None


@pytest.mark.parametrize("line", OTHERS.replace("\n", "|").split("|"))
def test_what_does_not(line: str) -> None:
    assert not forbids_announcement(line)
