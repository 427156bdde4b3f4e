"""Which lines ask for the record, of which span, and which are another agent's or nobody's."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents.record.rules import rules
from nonebot_plugin_mishu.language.clause import Clause, Mention, Situation
from nonebot_plugin_mishu.language.lines.record_questions import asked
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
    ("之前大家发的链接在哪里", "shared", ""),
    ("小红昨天说了什么", "find 7", "05-19 00:00 05-20 00:00"),
    ("服务器地址是哪个来着", "look_up 服务器地址", ""),
    ("报销链接是什么", "shared 报销", ""),
    ("周六几点集合来着", "look_up 集合", ""),
    ("密码多少来着", "look_up 密码", ""),
    ("谁负责买水", "look_up 负责买水", ""),
    ("帐篷谁带来着", "look_up 帐篷 带", ""),
    ("上次说的聚餐定在哪", "look_up 聚餐", ""),
    ("有什么文件", "shared", ""),
    ("群文件有哪些", "shared", ""),
    ("今天发了什么文件", "shared", "05-20 00:00 05-20 15:00"),
    ("谁发的那个表格", "shared 表格", ""),
    ("那个PPT在哪", "shared ppt", ""),
    ("链接在哪", "shared", ""),
    ("我刚开完会 错过啥了", "catch_up", ""),
    ("刚睡醒 有啥事吗", "catch_up", ""),
    ("刚刚说啥了 我没看", "catch_up", ""),
    ("帮我爬一下楼", "catch_up", ""),
    ("楼上说了啥", "catch_up", ""),
    ("有谁cue我了吗", "calls", ""),
    ("谁拍的板", "decisions", ""),
    ("谁定的", "decisions", ""),
    ("整理一份纪要", "sum_up", ""),
    ("出个会议纪要", "sum_up", ""),
    ("记一下房东电话13800001111", "remember 房东电话", ""),
    ("密码改了 现在是9981", "remember 密码", ""),
    ("我不吃香菜 记住了", "remember 我不吃香菜", ""),
    ("记到起 门禁密码是4471", "remember 门禁密码", ""),
    ("记倒 门禁密码4471", "remember 门禁密码", ""),
    ("帮我记着停车位在B2-17", "remember 停车位", ""),
    ("钥匙在门卫 记一下", "remember 钥匙", ""),
    ("我不在的时候群里有啥重要的", "catch_up", ""),
    ("今天有什么重要的事", "catch_up", "05-20 00:00 05-20 15:00"),
    ("有人找我吗", "calls", ""),
    ("今天有没有人@我", "calls", "05-20 00:00 05-20 15:00"),
    ("谁艾特我了", "calls", ""),
    ("刚才谁找我", "calls", ""),
    ("记一下群规：不许发广告", "remember 群规", ""),
    ("记住 门禁密码 4471#", "remember 门禁密码", ""),
    ("帮大家记住停车场在B2", "remember 停车场", ""),
    ("才下课 群里说啥了", "catch_up", ""),
    ("刚忙完 有我啥事没", "calls", ""),
    ("群里有没有我的事", "calls", ""),
    ("谁最后拍板的", "decisions", ""),
    ("把刚才的会整理成纪要", "sum_up", ""),
    ("我不在的时候发生了啥", "catch_up", ""),
    ("我睡了一觉 群里99+了 说啥了", "catch_up", ""),
    ("爬楼太累了 给我总结下", "sum_up", ""),
    ("消息太多了看不完 总结一下", "sum_up", ""),
    ("我没在 说了什么", "catch_up", ""),
    ("记下来：会议室在三楼", "remember 会议室", ""),
    ("快递点改到东门了 记一下", "remember 快递点", ""),
    ("食堂搬到二号楼了 记住", "remember 食堂", ""),
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
    "我记住了",
    "密码是8842 我记住了",
    "你记住了吗",
    "我不吃香菜你记住了吗",
    "他让我记住密码是8842",
    "要是密码改了记得告诉我",
    "密码改了 现在是多少",
    "会议改了 现在是三点",
    "记不住密码了",
    "好的 记住了",
    "明天三点开会 记一下",
    "记一下电话费120",
    "几点了",
    "你在哪",
    "我的文件在哪",
    "把文件发给我",
    "表格做好了吗",
    "谁发明了电灯",
    "谁欠我钱来着",
    "我上次打车花了多少来着",
    "谁付的钱来着",
    "会议改到三点了 记一下",
    "记下来：买牛奶",
    "明天的会不用记了",
    "有我的快递吗",
    "太累了 提醒我早点睡",
    "谁迟到谁请客来着",
    "谁有空来着，帮我问问",
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
