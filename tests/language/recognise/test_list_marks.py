"""The marks of numbered lists: found as marks, and never money (pitfall 69)."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language.recognise.list_marks import list_marks, parted
from nonebot_plugin_mishu.language.recognise.money import find_amounts


@pytest.mark.parametrize(
    ("said", "marks"),
    [
        ("1. 面试 2. 评审", ["1. ", "2. "]),
        ("1、买菜35 2、打车20", ["1、", "2、"]),
        ("1) 早会\n2) 周会", ["1) ", "2) "]),
        ("（1）早会（2）周会", ["（1）", "（2）"]),
        ("①牙膏②毛巾③香皂", ["①", "②", "③"]),
        ("1️⃣午饭 2️⃣奶茶", ["1️⃣", "2️⃣"]),
        ("一、水费45 二、电费132", ["一、", "二、"]),
        ("第一，面试 第二，评审", ["第一，", "第二，"]),
        ("1.打车23元2.午饭31元", ["1.", "2."]),
        ("1: 早会；2: 周会", ["1: ", "2: "]),
        ("1 早会\n2 周会", ["1 ", "2 "]),
        ("1. 面试", ["1"]),
        ("1.5元", []),
        ("3、5号桌", []),
        ("奶茶1 咖啡2", []),
        ("2. ", []),
        ("9:30开会 10:30评审", []),
        ("午饭35", []),
        ("", []),
    ],
)
def test_marks(said: str, marks: list[str]) -> None:
    assert [said[start:end] for start, end in list_marks(said)] == marks
    assert len(parted(said)) == len(said)


@pytest.mark.parametrize(
    ("said", "amounts"),
    [
        ("1. 周四上午十点面试张三 2. 周五下午两点评审", []),
        ("① 牙膏15 ② 毛巾20 ③ 香皂8", ["15", "20", "8"]),
        ("1、打车23 2、午饭31", ["23", "31"]),
        ("2. 打车20", ["20"]),
    ],
)
def test_pitfall_69_the_numbers_of_a_list_are_no_money(said: str, amounts: list[str]) -> None:
    assert [str(found.yuan) for found in find_amounts(said)] == amounts


def test_a_long_list_is_read_in_time() -> None:
    assert len(list_marks("1、" * 20_000)) <= 50
