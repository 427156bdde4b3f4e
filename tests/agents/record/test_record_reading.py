"""Which lines ask for the record, of which span, and which are another agent's or nobody's."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents.record.reading import asked
from nonebot_plugin_mishu.agents.record.rules import rules
from nonebot_plugin_mishu.language.clause import Clause, Mention, Situation
from nonebot_plugin_mishu.language.recognise.times import parse
from rows import each_row

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 5, 20, 15, 0, tzinfo=ZONE)
"""A Wednesday."""


def clause(text: str) -> Clause:
    where = Situation(NOW, members=(Mention("7", "小红"),))
    return Clause(text, where, tuple(parse(text, NOW, ZONE)))


ASKED = [
    ("我错过了什么", "catch_up", ""),
    ("我漏了什么消息?", "catch_up", ""),
    ("刚才聊了啥", "catch_up", ""),
    ("群里都聊了些什么", "catch_up", ""),
    ("大家刚才在聊什么", "catch_up", ""),
    ("总结一下今天", "sum_up", "05-20 00:00 05-20 15:00"),
    ("帮我总结一下昨天的群聊", "sum_up", "05-19 00:00 05-20 00:00"),
    ("总结下聊天记录", "sum_up", ""),
    ("昨晚聊了什么", "catch_up", "05-19 18:00 05-20 04:00"),
    ("上午的会说了啥", "sum_up", "05-20 09:00 05-20 12:00"),
    ("周一聊了啥", "catch_up", "05-18 00:00 05-19 00:00"),
    ("最近两个小时聊了什么", "catch_up", "05-20 13:00 05-20 15:00"),
    ("上周聊了什么", "catch_up", "05-11 00:00 05-18 00:00"),
    ("谁说过报销", "find 报销", ""),
    ("谁提到过WiFi密码", "find WiFi密码", ""),
    ("找一下关于报销的", "find 报销", ""),
    ("搜索报销的聊天记录", "find 报销", ""),
    ("上次说的那个地址", "find 地址", ""),
    ("之前大家发的链接在哪里", "find 链接", ""),
    ("小红昨天说了什么", "find 7", "05-19 00:00 05-20 00:00"),
    ("服务器地址是哪个来着", "find 服务器地址", ""),
    ("报销链接是什么", "find 报销链接", ""),
    ("我不在的时候群里有啥重要的", "catch_up", ""),
    ("今天有什么重要的事", "catch_up", "05-20 00:00 05-20 15:00"),
    ("有人找我吗", "calls", ""),
    ("今天有没有人@我", "calls", "05-20 00:00 05-20 15:00"),
    ("谁艾特我了", "calls", ""),
    ("刚才谁找我", "calls", ""),
    ("记一下群规：不许发广告", "remember 群规", ""),
    ("记住 门禁密码 4471#", "remember 门禁密码", ""),
    ("帮大家记住停车场在B2", "remember 停车场", ""),
]
OTHERS = [
    "总结一下今天的账",
    "总结一下这篇文章",
    "刚才说的会议改到三点",
    "查一下今天的任务",
    "有什么待办",
    "找一下关于报销的账",
    "今天吃什么",
    "你说什么",
    "明天讨论什么时候开会",
    "谁去拿快递",
    "提醒我总结一下今天",
    "总结会定在周五",
    "小绿昨天说了什么时候来",
    "记住周五在302开会",
    "记一下买牛奶",
    "谁找我的快递",
    "评审改成周五",
]


@each_row("text, expected, span", ASKED)
def test_the_record_is_asked_for(text: str, expected: str, span: str) -> None:
    found = asked(clause(text))
    assert found is not None
    assert " ".join(part for part in (found.kind, found.what, found.who) if part) == expected
    told = ""
    if found.span is not None and found.span.since is not None:
        told = f"{found.span.since:%m-%d %H:%M} {found.span.until:%m-%d %H:%M}"
    assert told == span
    match = rules(clause(text))
    assert match is not None
    assert match.sure


@each_row("text", OTHERS)
def test_other_lines_are_left_alone(text: str) -> None:
    assert rules(clause(text)) is None
