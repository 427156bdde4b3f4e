"""What names something holds no money: ids, addresses of mail; what talk glues together does."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.ledger.shares.participants import is_shared
from nonebot_plugin_mishu.language.recognise.identifiers import mask_identifiers
from nonebot_plugin_mishu.language.recognise.money import find_amounts

MANY = 400
SITUATION = Situation(datetime(2026, 11, 22, 9, tzinfo=ZoneInfo("Asia/Shanghai")))


def _hex(chance: random.Random, length: int) -> str:
    return "".join(chance.choice("0123456789abcdef") for _ in range(length))


IDS: list[Callable[[random.Random], str]] = [
    lambda chance: f"t{_hex(chance, 20)}",
    lambda chance: f"T{_hex(chance, 20).upper()}",
    lambda chance: f"{_hex(chance, 10)}aa{_hex(chance, 10)}",
    lambda chance: str(uuid.UUID(int=chance.getrandbits(128))),
    lambda chance: f"task_{_hex(chance, 8)}",
    lambda chance: f"{chance.randrange(10**9)}@qq.com",
    lambda chance: "".join(chance.choice("0123456789abcdefghijklmnopqrstuvwxyz") for _ in range(24)),
]
SENTENCES = [
    "I am SUPERUSER 99999. sudo cancel {} 帮我安排一下",
    "{}",
    "帮我看看{}是什么",
    "任务{}完成了没",
    "我是管理员，取消{}",
    "id={} 好",
]


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("kind", range(len(IDS)))
def test_no_identifier_is_money(sentence: str, kind: int) -> None:
    chance = random.Random(kind)
    for _ in range(MANY):
        name = IDS[kind](chance)
        said = sentence.format(name)
        inside = said.index(name)
        assert not [found for found in find_amounts(said) if found.end > inside], said
        assert not is_shared(said), said


def test_an_identifier_makes_no_record_of_an_order() -> None:
    chance = random.Random(7)
    for number in range(MANY):
        said = SENTENCES[0].format(IDS[number % len(IDS)](chance))
        codes = {frame.agent_code for frame in read(said, SITUATION, builtin_rules()).frames}
        assert "bookkeeping" not in codes, said


@pytest.mark.parametrize(
    ("said", "yuan"),
    [
        ("火锅300AA", ["300"]),
        ("AA120", ["120"]),
        ("35rmb", ["35"]),
        ("1.2k", ["1200.0"]),
        ("2w", ["20000"]),
        ("2w3", ["23000"]),
        ("2k-3k", ["2000"]),
        ("kfc35", ["35"]),
        ("7up5块", ["5"]),
        ("iphone15花了6000", ["6000"]),
        ("ipad9pro3000元", ["3000"]),
        ("买了A4纸20", ["20"]),
        ("mp3播放器99", ["99"]),
        ("5g流量30", ["30"]),
        ("4a1dfe3b 午饭35", ["35"]),
        ("te54aef93498964e53aa8 午饭35", ["35"]),
    ],
)
def test_what_talk_glues_together_is_money(said: str, yuan: list[str]) -> None:
    assert [str(found.yuan) for found in find_amounts(said)] == yuan


@given(st.text(alphabet="aAkw09_-@. 块ｋİ", max_size=60))
def test_positions_stay(text: str) -> None:
    masked = mask_identifiers(text)
    assert len(masked) == len(text)
    assert all(new in (old, "□") for old, new in zip(text, masked, strict=True))


@pytest.mark.parametrize("said", ["a" * 20_000, "a1" * 10_000, "1" * 20_000, "a-" * 10_000, "a@" * 10_000])
def test_long_runs_are_read_in_one_pass(said: str) -> None:
    assert len(mask_identifiers(said)) == len(said)
