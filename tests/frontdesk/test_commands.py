"""`/秘书 …` as a table."""

from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.commands.parsing import EVERYBODY, FEATURES, Command, CommandStarts, parse


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("/秘书", Command("帮助")),
        ("／秘书 ", Command("帮助")),
        ("/ 秘書 状态", Command("状态")),
        ("/秘书状态", Command("状态")),
        ("/秘书 帮助", Command("帮助")),
        ("/秘书\n为什么", Command("为什么")),
        ("/秘书 用量", Command("用量")),
        ("/秘书 导出", Command("导出")),
        ("/秘书 忘记我", Command("忘记我")),
        ("/秘书 确认忘记", Command("确认忘记")),
        ("/秘书 唤醒词 添加小蜜", Command("唤醒词", "添加", "小蜜")),
        ("/秘书 唤醒词 删除 的", Command("唤醒词", "删除", "的")),
        ("/秘书 开关 日程监听 关闭", Command("开关", "关", "日程监听")),
        ("/秘书 开关 日程关", Command("开关", "关", "日程")),
        ("/秘书 闭嘴", Command("闭嘴")),
        ("/秘书 闭嘴 30", Command("闭嘴", minutes=30)),
        ("/秘书 闭嘴30分钟", Command("闭嘴", minutes=30)),
        ("/秘书 闭嘴 ３０ 分", Command("闭嘴", minutes=30)),
        ("/秘书 闭嘴 0.5", Command("闭嘴", minutes=0.5)),
        ("/秘书 说话", Command("说话")),
        ("/秘书 静音词", Command("静音词", "列表")),
        ("/秘书 静音词 列表", Command("静音词", "列表")),
        ("/秘书 静音词 添加 安静", Command("静音词", "添加", "安静")),
        ("/秘书 静音词 删除 安 静", Command("静音词", "删除", "安 静")),
        ("/秘书 唤醒词 添加 小蜜", Command("唤醒词", "添加", "小蜜")),
        ("/秘书 开关", Command("开关", "列表")),
        ("/秘书 开关 列表", Command("开关", "列表")),
        ("/秘书 开关 插话 关", Command("开关", "关", "插话")),
        ("/秘书 开关 图片 开", Command("开关", "开", "图片")),
        ("/秘书 人设 重置", Command("人设", "重置")),
        ("/秘书 人设 你是一只猫，话很少", Command("人设", "设置", "你是一只猫，话很少")),
    ],
)
def test_commands(words: str, command: Command) -> None:
    assert parse(words) == command


@pytest.mark.parametrize(
    "words",
    ["", "秘书 状态", "/状态", "/秘书处在哪", "/秘书长来了", "说 /秘书 状态", "/秘", "//秘书", "/秘书说的对"],
)
def test_no_command(words: str) -> None:
    command = parse(words)
    assert command is None or command.problem is not None


@pytest.mark.parametrize(
    "words",
    [
        "/秘书 跳舞",
        "/秘书 状态怎么样",
        "/秘书 闭嘴 0",
        "/秘书 闭嘴 -3",
        "/秘书 闭嘴 99999",
        "/秘书 闭嘴 一会儿",
        "/秘书 说话算话",
        "/秘书 静音词 添加",
        "/秘书 静音词 添加 ！！",
        "/秘书 静音词 添加 " + "长" * 31,
        "/秘书 静音词 改 好",
        "/秘书 静音词 添加 好的",
        "/秘书 唤醒词 添加",
        "/秘书 唤醒词 删除",
        "/秘书 唤醒词 添加 的",
        "/秘书 唤醒词 添加 今天",
        "/秘书 开关 飞行 开",
        "/秘书 开关 插话",
        "/秘书 开关 插话 也许",
        "/秘书 人设",
        "/秘书 人设 " + "长" * 1001,
    ],
)
def test_what_is_wrong_is_told(words: str) -> None:
    command = parse(words)
    assert command is not None
    assert command.problem
    assert len(command.problem) < 120


def test_pitfall_30_every_switch_that_is_offered_can_be_switched() -> None:
    for feature in FEATURES:
        for action in "开关":
            assert parse(f"/秘书 开关 {feature} {action}") == Command("开关", action, feature)


def test_agents_of_others_bring_switches() -> None:
    assert parse("/秘书 开关 订会议室 关", (*FEATURES, "订会议室")) == Command("开关", "关", "订会议室")
    refused = parse("/秘书 开关 订会议室 关")
    assert refused is not None
    assert refused.problem is not None


def test_a_word_that_is_missing_is_asked_for_with_an_example() -> None:
    command = parse("/秘书 唤醒词 添加")
    assert command is not None
    assert command.problem == "要加哪个词？比如：/秘书 唤醒词 添加 小助手"


def test_who_may() -> None:
    open_to_all = {"帮助", "状态", "为什么", "用量", "导出", "忘记我", "确认忘记", "网页", "我的安静时段"}
    assert open_to_all == EVERYBODY
    for verb in ("闭嘴", "说话", "静音词", "唤醒词", "开关", "人设"):
        command = parse(f"/秘书 {verb}")
        assert command is not None
        assert command.for_admins


@given(st.text(max_size=60))
def test_never_raises(rest: str) -> None:
    command = parse(f"/秘书 {rest}")
    assert command is None or command.verb


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("/秘书 周报 周三 17:30", (2, time(17, 30))),
        ("/秘书 周报 18点半", (4, time(18, 30))),
        ("/秘书 周报 每周天9点", (6, time(9, 0))),
        ("/秘书 周报", None),
        ("/秘书 周报 周八 17:30", None),
        ("/秘书 周报 周五 25:00", None),
        ("/秘书 日报 8:00", (0, time(8, 0))),
        ("/秘书 日报 每天7点半", (0, time(7, 30))),
        ("/秘书 日报", None),
        ("/秘书 日报 周五 8:00", None),
        ("/秘书 日报 26点", None),
    ],
)
def test_when_digests_and_minutes_come(words: str, at: tuple[int, time] | None) -> None:
    command = parse(words)
    assert command is not None
    assert command.for_admins
    assert command.at == at
    assert (command.problem is None) == (at is not None)


@pytest.mark.parametrize(
    ("starts", "words", "verb"),
    [
        ({"!"}, "!秘书 状态", "状态"),
        ({"!"}, "/秘书 状态", None),
        ({"!", "/"}, "／秘书 状态", "状态"),
        ({"小助手 "}, "小助手 秘书 闭嘴 5", "闭嘴"),
        ({"#", "##"}, "##秘书", "帮助"),
        ({""}, "秘书 状态", "状态"),
        ({""}, "秘书 开关 插话 关", "开关"),
        ({"", "/"}, "/秘书 不认识", "帮助"),
        # Where nothing stands before a command, what is no whole one is said to somebody.
        ({""}, "秘书", None),
        ({""}, "秘书状态", None),
        ({""}, "秘书 状态怎么样", None),
        ({""}, "秘书 明天三点开会", None),
        ({""}, "秘书 闭嘴 别说了", None),
        ({""}, "/秘书 状态", None),
    ],
)
def test_commands_begin_as_the_instance_says(starts: set[str], words: str, verb: str | None) -> None:
    found = parse(words, starts=CommandStarts(frozenset(starts)))
    assert (found and found.verb) == verb


@pytest.mark.parametrize(
    ("starts", "shown"),
    [
        ({"/"}, "/秘书"),
        ({"", "/", "!"}, "/秘书"),
        ({"!", "小 "}, "!秘书"),
        ({""}, "秘书"),
        ({"", "."}, ".秘书"),
    ],
)
def test_what_we_tell_of_commands_begins_as_they_do(starts: set[str], shown: str) -> None:
    told = CommandStarts(frozenset(starts)).with_prefix("发「/秘书 帮助」看怎么用")
    assert told == f"发「{shown} 帮助」看怎么用"


@pytest.mark.parametrize(
    ("words", "verb", "action", "value"),
    [
        ("/秘书 安静时段 23:00-8:00", "安静时段", "设置", "23:00-08:00"),
        ("/秘书 安静时段 晚上11点到早上7点半", "安静时段", "设置", "23:00-07:30"),
        ("/秘书 安静时段 取消", "安静时段", "取消", ""),
        ("/秘书 安静时段", "安静时段", "看", ""),
        ("/秘书 我的安静时段 22点到6点", "我的安静时段", "设置", "22:00-06:00"),
        ("/秘书 我的安静时段 取消", "我的安静时段", "取消", ""),
        ("/秘书 安静时段 8:00-8:00", "安静时段", None, ""),
        ("/秘书 安静时段 一会儿", "安静时段", None, ""),
    ],
)
def test_quiet_hours(words: str, verb: str, action: str | None, value: str) -> None:
    command = parse(words)
    assert command is not None
    assert command.verb == verb
    if action is None:
        assert command.problem is not None
        return
    assert (command.action, command.value, command.problem) == (action, value, None)
    assert command.for_admins is (verb == "安静时段" and action != "看")
