"""Money in sentences: `data/amounts.yaml` is the specification, one test a line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.recognise.money import Amount, Role, find_amounts
from nonebot_plugin_mishu.language.recognise.money.amounts import LONGEST, MOST
from rows import each_row

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "amounts.yaml").read_text(encoding="utf-8")
)


def written(amount: Amount) -> str:
    """An amount as the data file writes it."""
    words = [format(amount.yuan.normalize(), "f")]
    if amount.currency != "CNY":
        words.append(amount.currency)
    elif amount.spoken:
        words.append("yuan")
    if amount.approximate:
        words.append("about")
    if amount.role is not Role.PLAIN:
        words.append(amount.role.value)
    return " ".join(words)


@each_row("case", CASES, ids=[case["say"] for case in CASES])
def test_sentences(case: dict[str, Any]) -> None:
    assert [written(amount) for amount in find_amounts(case["say"])] == case["is"]


def test_the_data_file_is_large_enough_and_has_no_sentence_twice() -> None:
    sentences = [case["say"] for case in CASES]
    assert len(sentences) == len(set(sentences)) >= 150
    assert sum(not case["is"] for case in CASES) >= 60


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("3瓶水15", [1500]),
        ("2月15号吃饭50", [5000]),
        ("1万2", [1_200_000]),
        ("¥1,299", [129_900]),
        ("十二块八", [1280]),
        ("一百零五块", [10_500]),
        ("100块5个", [10_000]),
        ("收到快递花了10块", [1000]),
        ("抢红包30", [3000]),
        ("花了20多万", [20_000_000]),
        ("三毛五分", [35]),
        ("发红包200分给大家", [20_000]),
        ("二百五十块", [25_000]),
        ("0.1元加0.2元", [10, 20]),
        ("八分", [8]),
    ],
)
def test_pitfall_52_amounts_are_exact_and_not_the_numbers_beside_them(text: str, fen: list[int]) -> None:
    found = find_amounts(text)
    assert [amount.fen for amount in found] == fen
    assert all(isinstance(amount.yuan, Decimal) and isinstance(amount.fen, int) for amount in found)


def test_another_currency_and_broken_fen_have_no_fen() -> None:
    assert [(a.currency, a.fen) for a in find_amounts("$20")] == [("USD", None)]
    assert [a.fen for a in find_amounts("1.005元")] == [None]


@pytest.mark.parametrize(
    "text", ["午饭３５．５元，打车２０", "吃 饭\u200b 35块", "花了兩萬三", "¥1，299的鞋"]
)
def test_spans_are_of_the_text_given(text: str) -> None:
    for amount in find_amounts(text):
        assert text[amount.start : amount.end] == amount.text
        assert amount.text.strip()


@given(st.integers(0, 10**14), st.integers(0, 99))
def test_every_written_price_is_read_to_the_fen(yuan: int, cents: int) -> None:
    for text in (f"花了{yuan}.{cents:02}元", f"¥{yuan:,}.{cents:02}", f"午饭{yuan}.{cents:02}"):
        assert [amount.fen for amount in find_amounts(text)] == [yuan * 100 + cents], text


@given(st.text())
def test_never_raises_on_any_text(text: str) -> None:
    for amount in find_amounts(text):
        assert text[amount.start : amount.end] == amount.text


@given(
    st.text(
        alphabet="0123456789一二三十百千万亿零半点块元毛角分钱美刀¥$,.，*+-=/ 多来几个瓶月号第每人共kw",
        max_size=24,
    )
)
def test_spans_never_overlap_and_never_raise(text: str) -> None:
    end = 0
    for amount in find_amounts(text):
        assert amount.yuan.is_finite()
        assert end <= amount.start < amount.end <= len(text)
        end = amount.end


@pytest.mark.parametrize(
    "text",
    [
        "9" * 1_000_000,
        "午饭35" * 300_000,
        "一百" * 500_000,
        "35块" * 300_000,
        "小米14" * 200_000,
        "*1" * 500_000,
    ],
)
def test_a_megabyte_is_capped(text: str) -> None:
    found = find_amounts(text)
    assert len(found) <= MOST
    assert all(amount.end <= LONGEST for amount in found)
