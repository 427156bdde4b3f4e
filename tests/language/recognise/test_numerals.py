"""Numerals: whole strings to exact values, and nothing else."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.recognise.numerals import INTEGER, NUMERAL, parse_decimal, parse_integer

INTEGERS = {
    "35": 35, "０": 0, "３５": 35, "1,299": 1299, "1，299": 1299, "12,345,678": 12345678, "007": 7,
    "十": 10, "十五": 15, "二十": 20, "廿三": 23, "卅": 30, "两": 2, "俩": 2, "仨": 3, "两百": 200,
    "一百零五": 105, "一百五": 150, "一百一": 110, "一百一十": 110, "一百十五": 115, "二百五": 250,
    "三千二": 3200, "一千零五": 1005, "一千零五十": 1050, "一千二百三": 1230, "一万五千二": 15200,
    "1万2": 12000, "两万三": 23000, "1万500": 10500, "1万2345": 12345, "3百5": 350, "1万2千3百": 12300,
    "十万零五百": 100500, "一亿两千万": 120000000, "一万亿": 10**12, "1.2万": 12000, "2k": 2000, "2K5": 2500,
    "3w": 30000, "〇": 0, "零": 0, "零五": 5, "二〇二六": 2026, "幺零幺": 101, "壹佰贰拾叁": 123,
    "兩萬": 20000, "-5": -5, "负三": -3, "負三": -3, "+7": 7, " 12 ": 12,
}  # fmt: skip
DECIMALS = {
    "35.5": "35.5", "35.50": "35.50", ".5": "0.5", "三点五": "3.5", "三點五": "3.5", "零点零五": "0.05",
    "三点一四": "3.14", "一点二万": "12000", "1.25万": "12500", "半": "0.5",
    "1,299.50": "1299.50", "-0.1": "-0.1",
}  # fmt: skip
NO_NUMERALS = [
    "", " ", "百", "万", "千", "三四", "两三", "三五", "七八", "一百两", "一百零", "1.5万2", "1,29", "12,34",
    "1.2.3",    "1e5", "NaN", "Infinity", "²", "٣", "①", "十十", "百百", "幺", "k", "--5", "-", ".",
    "35.", "1_000", "0x10",
    "一千万万千", "三点", "点五", "三块", "第三", "5个", "半个", "九" * 41, "1" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), INTEGERS.items())
def test_integers(text: str, value: int) -> None:
    assert parse_integer(text) == value
    assert parse_decimal(text) == value


@pytest.mark.parametrize(("text", "value"), DECIMALS.items())
def test_decimals_are_exact(text: str, value: str) -> None:
    assert parse_decimal(text) == Decimal(value)
    if "." in value:
        assert parse_integer(text) is None


@pytest.mark.parametrize("text", NO_NUMERALS)
def test_what_is_no_numeral_is_none(text: str) -> None:
    assert parse_integer(text) is None
    assert parse_decimal(text) is None


def _spell(number: int) -> str:
    """`number` (1 to 99,999,999) in Chinese, as schools teach it."""

    def section(value: int) -> str:
        out, gap = "", False
        for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit = value // unit % 10
            if digit:
                out += ("零" if gap and out else "") + "零一二三四五六七八九"[digit] + name
                gap = False
            else:
                gap = True
        return out

    high, low = divmod(number, 10**4)
    if not high:
        return section(low)
    middle = "零" if low and (low < 1000 or high % 10 == 0) else ""
    return section(high) + "万" + middle + section(low)


@given(st.integers(1, 99_999_999))
def test_every_spelled_number_is_read_back(number: int) -> None:
    spelled = _spell(number)
    assert parse_integer(spelled) == number
    assert parse_integer(f"{number:,}") == number
    found = re.fullmatch(NUMERAL, spelled)
    assert found is not None


@given(st.text())
def test_never_raises_on_any_text(text: str) -> None:
    parse_integer(text)
    parse_decimal(text)


@given(st.text(alphabet="0123456789０.,，-负十百千万亿两三五零〇点半kw", max_size=12))
def test_never_raises_on_numeral_like_text(text: str) -> None:
    value = parse_decimal(text)
    whole = parse_integer(text)
    assert value is None or value.is_finite()
    assert whole is None or whole == value


def test_patterns_embed_without_groups_and_bounded() -> None:
    assert re.compile(INTEGER).groups == re.compile(NUMERAL).groups == 0
    assert not re.search(r"[*+](?!\])", re.sub(r"\[[^\]]*\]", "", NUMERAL))
    assert re.findall(NUMERAL, "买了三千二的3.5和1,299") == ["三千二", "3.5", "1,299"]
