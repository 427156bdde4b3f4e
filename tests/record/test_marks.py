"""What the rules read single lines as."""

from __future__ import annotations

from datetime import timedelta

from nonebot_plugin_mishu.record import marks
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
    assert marks.assenting(talk) == {"m2": ("m3",), "m1": ("m4",)}
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
