"""What the rules read single lines as."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from nonebot_plugin_mishu.language.lines import marks
from record_support import START, line
from rows import each_row

LINES = [
    ("定在周五晚上吧", "decides"),
    ("就这么定", "decides assents"),
    ("地点定在人民广场", "decides"),
    ("最后决定去爬山", "decides"),
    ("会议改到下午四点了", "decides plans"),
    ("定在哪里?", "asks"),
    ("还没定下来", ""),
    ("再定吧", ""),
    ("如果定在周五我就不去", ""),
    ("那就周五晚上七点聚餐吧", "proposes plans"),
    ("要不去吃火锅", "proposes"),
    ("好的", "assents"),
    ("OK", "assents"),
    ("+1", "assents"),
    ("嗯,可以", "assents"),
    ("好的东西都贵", ""),
    ("可以的话早点来", ""),
    ("明天下午三点开会", "plans"),
    ("昨天下午三点开会", ""),
    ("明天天气不错", ""),
    ("记得交报表", "assigns"),
    ("麻烦把合同发我", "assigns"),
    ("这个由老周负责", "assigns"),
    ("谁有充电器", "asks"),
    ("几点出发", "asks"),
    ("三号楼停水了", ""),
    ("哈哈哈", ""),
]
ALL = ("decides", "proposes", "assents", "assigns", "plans", "asks")


@each_row("text, expected", LINES)
def test_a_line_is_read_so(text: str, expected: str) -> None:
    one = line(1, "小红", text)
    assert " ".join(name for name in ALL if getattr(marks, name)(one)) == expected


def test_an_assent_belongs_to_the_proposal_before_it_or_to_what_it_quotes() -> None:
    first, second = line(1, "小红", "那就周五聚餐吧"), line(2, "李雷", "要不去爬山")
    nearest, quoting = line(3, "阿强", "好的"), line(4, "老周", "同意", reply_to="m1")
    own = line(5, "李雷", "可以")
    late = line(6, "陈静", "行", at=START + timedelta(hours=2))
    talk = [first, second, nearest, quoting, own, late]
    assert marks.settling(talk).assents == {"m2": ("m3",), "m1": ("m4",)}
    assert marks.decided(talk) == {"m1": ("m4",), "m2": ("m3",)}
    assert marks.decided([first, late]) == {}


LINKS = [
    ("看 https://a.example.com/x?y=1,就是这个", ("https://a.example.com/x?y=1",)),
    ("文档在wiki.example.com/page。", ("wiki.example.com/page",)),
    ("发到 me@example.com", ()),
    ("3.5分", ()),
]


@each_row("text, expected", LINKS)
def test_links_are_read_whole(text: str, expected: tuple[str, ...]) -> None:
    assert marks.links(line(1, "小红", text)) == expected


ANSWERS = [
    ("周五评审放哪天啊", "周五下午两点吧 302", True),
    ("年会彩排几点开始", "周五下午三点 大会议室", True),
    ("周末聚餐去哪吃", "周六晚上七点海底捞", True),
    ("团建哪天合适", "28号我不行", False),
    ("团建哪天合适", "28号可以吗", False),
    ("团建哪天合适", "都行", False),
    ("谁去拿快递", "我下午三点去", False),
    ("评审几点", "记得周五前把材料发我", False),
]


@each_row("question, answer, expected", ANSWERS)
def test_an_answer_with_a_time_is_a_proposal_to_who_asked_for_one(
    question: str, answer: str, expected: bool
) -> None:
    talk = [line(1, "小红", question), line(2, "老周", answer), line(3, "小红", "行")]
    assert ("m2" in marks.decided(talk)) is expected
    own = [line(1, "老周", question), line(2, "老周", answer), line(3, "小红", "哈哈")]
    assert "m2" not in marks.decided(own)


def test_what_is_said_to_us_decides_nothing() -> None:
    talk = [replace(line(1, "小红", "那就周五晚上七点吧"), to_us=True), line(2, "老周", "好的")]
    assert marks.decided(talk) == {}
