"""Lines that answer a reminder, and lines that only look so."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.answers.reminder_replies import Later, Unclear, is_heard, read

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 22, 9, 0, 30, tzinfo=ZONE)
"""A Sunday."""

PLAIN = [
    ("完成", "done"),
    ("完成了", "done"),
    ("已完成", "done"),
    ("我做完了！", "done"),
    ("做了", "done"),
    ("搞定了~", "done"),
    ("done", "done"),
    ("Done.", "done"),
    ("推迟20分钟", "11-22 09:20:30"),
    ("推迟90秒", "11-22 09:02:00"),
    ("5秒后再提醒我", "11-22 09:00:35"),
    ("推迟二十分钟吧", "11-22 09:20:30"),
    ("10分钟后再提醒", "11-22 09:10:30"),
    ("１０分钟后再提醒我一次", "11-22 09:10:30"),
    ("半小时后再提醒我", "11-22 09:30:30"),
    ("推迟一个小时", "11-22 10:00:30"),
    ("晚半小时提醒", "11-22 09:30:30"),
    ("延后1小时", "11-22 10:00:30"),
    ("推迟到明天早上8点", "11-23 08:00:00"),
    ("明天早上8点再提醒我", "11-23 08:00:00"),
    ("推迟到下午3点", "11-22 15:00:00"),
    ("请明天再提醒我", "11-23 09:00:00"),
    ("推迟一天", "11-23 09:00:00"),
    ("晚点再提醒我", "11-22 09:10:30"),
    ("稍后提醒", "11-22 09:10:30"),
    ("待会儿再叫我", "11-22 09:10:30"),
    ("推迟", "11-22 09:10:30"),
    ("过一刻钟再叫我", "11-22 09:15:30"),
    ("十分钟之后再叫我一声", "11-22 09:10:30"),
    ("今晚再提醒我", "11-22 18:00:00"),
    ("推迟到明早", "11-23 06:00:00"),
    ("推迟到今天早上7点", "已经过了"),
    ("推迟到2月30号", "没有这个时间"),
]
QUOTED = [
    ("好了", "done"),
    ("OK", "done"),
    ("✅", "done"),
    ("喝了", "done"),
    ("已经吃过了", "done"),
    ("刚交完了", "done"),
    ("我买好啦", "done"),
    ("晚点", "11-22 09:10:30"),
    ("等会儿", "11-22 09:10:30"),
    ("20分钟后", "11-22 09:20:30"),
    ("明天下午3点", "11-23 15:00:00"),
]
THANKS = [
    "推迟20分钟吧谢谢",
    "推迟20分钟，好吗？",
    "推迟20分钟可以吗",
    "麻烦推迟20分钟，辛苦了",
    "20分钟后再提醒我好不？谢谢",
]
NEITHER = [
    "完成了好吗",
    "完成了可以吗？",
    "",
    "没完成",
    "还没做完",
    "完成了吗",
    "完成度很高",
    "谁做了",
    "推迟会议",
    "会议推迟20分钟",
    "推迟20分钟的话大家能来吗",
    "明天再说那件事吧",
    "提醒我交房租",
    "每天9点再提醒我",
    "10分钟后到",
    "做了三个菜",
    "还没吃",
    "吃了吗",
    "忘了",
    "他买了",
    "一直在做",
]


def shown(reply: object) -> object:
    if isinstance(reply, Later):
        return f"{reply.at:%m-%d %H:%M:%S}"
    return reply.why if isinstance(reply, Unclear) else reply


@pytest.mark.parametrize(("line", "expected"), PLAIN)
@pytest.mark.parametrize("quoted", [True, False])
def test_answers(line: str, expected: str, quoted: bool):
    assert expected in str(shown(read(line, NOW, ZONE, quoted=quoted)))


@pytest.mark.parametrize(("line", "expected"), QUOTED)
def test_short_answers_count_under_a_quote_only(line: str, expected: str):
    assert shown(read(line, NOW, ZONE, quoted=True)) == expected
    assert read(line, NOW, ZONE, quoted=False) is None


@pytest.mark.parametrize("line", THANKS)
@pytest.mark.parametrize("quoted", [True, False])
def test_courtesies_take_nothing_from_an_answer(line: str, quoted: bool):
    assert shown(read(line, NOW, ZONE, quoted=quoted)) == "11-22 09:20:30"


@pytest.mark.parametrize("line", NEITHER)
@pytest.mark.parametrize("quoted", [True, False])
def test_other_talk(line: str, quoted: bool):
    assert read(line, NOW, ZONE, quoted=quoted) is None


@given(st.text(max_size=60), st.booleans())
def test_nothing_breaks_it(line: str, quoted: bool):
    read(line, NOW, ZONE, quoted=quoted)


@pytest.mark.parametrize(
    ("line", "about", "done"),
    [
        ("交了交了", "交日报", True),
        ("关火了", "关火", True),
        ("药吃过啦", "吃药", True),
        ("浇完了浇完了", "浇花", True),
        ("吃过了", "关火", False),
        ("交了", "", True),
        ("开会了", "开会", False),
        ("关火", "关火", False),
    ],
)
def test_what_was_reminded_of_is_done_in_its_own_words(line: str, about: str, done: bool):
    assert (read(line, NOW, ZONE, quoted=False, about=about) == "done") == done


@pytest.mark.parametrize(
    "line", ["知道了", "收到", "好的", "马上", "在写了", "在写了在写了", "快好了", "还没呢"]
)
def test_what_is_heard_is_not_done(line: str):
    assert is_heard(line)


@pytest.mark.parametrize("line", ["做完了", "发了", "交了", "我不交", "推迟20分钟", "马上开会了你们在哪"])
def test_what_is_done_or_something_else_is_not_only_heard(line: str):
    assert not is_heard(line)
