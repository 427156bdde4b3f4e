"""Sums of other currencies: kept as said with the rate that is set, told apart in totals; else refused."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from books_support import shop
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.agents.bookkeeping.reports import as_csv
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.language.entries.abroad import in_yuan, rate_told
from nonebot_plugin_mishu.language.entries.entry import Entry, Foreign, dump_entry, foreign_of, load_entry
from pydantic import ValidationError

RATES = {"USD": Decimal("7.12"), "JPY": Decimal("0.0478")}
MEMBERS = (Mention("2", "小雅"), Mention("3", "阿凯"))


@pytest.mark.parametrize(
    ("line", "told", "said"),
    [
        ("晚饭20美元", "晚饭142.4元", ["20 USD 7.12"]),
        ("日料5000日元 打车30刀", "日料239元 打车213.6元", ["5000 JPY 0.0478", "30 USD 7.12"]),
        ("日料5000日元，奶茶15", "日料239元,奶茶15", ["5000 JPY 0.0478"]),
    ],
)
def test_sums_in_yuan(line: str, told: str, said: list[str]) -> None:
    found = in_yuan(line, RATES)
    assert found is not None
    assert (found[0], [str(each) for each in found[1]]) == (told, said)


@pytest.mark.parametrize("line", ["咖啡3欧", "晚饭20美元 咖啡3欧", "午饭35", "在吗"])
def test_lines_without_a_rate_or_a_currency(line: str) -> None:
    assert in_yuan(line, RATES) is None


@given(st.decimals("0.01", "99999999", places=2), st.decimals("0.0001", "1000", places=4))
def test_what_was_said_is_kept_while_it_is_the_sum(amount: Decimal, rate: Decimal) -> None:
    said = Foreign(str(amount), "USD", str(rate))
    assert abs(said.fen - amount * rate * 100) <= Decimal("0.5")
    assert foreign_of(str(said)) == said
    entry = Entry(said.fen, day=date(2026, 11, 18), foreign=said)
    assert load_entry(dump_entry(entry)).converted == said
    assert Entry(said.fen + 1, foreign=said).converted is None, "corrected since"


async def test_a_sum_of_another_currency_is_kept_with_its_rate(tmp_path: Path) -> None:
    async with shop(tmp_path, rates=RATES) as books:
        card = await books.say("日料5000日元 我和小雅AA", members=MEMBERS)
        assert "日料 239元（5000日元，按0.0478折算）" in card
        assert "每人119.50元" in card
        await books.say("确认", members=MEMBERS)
        (record,) = await books.saved()
        assert (record.fields.fen, record.fields.foreign) == (23900, "5000 JPY 0.0478")
        assert sum(int(each[2]) for each in record.fields.shares) == 23900
        await books.say("午饭35", members=MEMBERS)
        await books.say("确认", members=MEMBERS)
        told = await books.say("这个月花了多少", "query", members=MEMBERS)
        assert "其中1笔是外币折算的，共239元" in told
        rows = as_csv(await books.saved()).decode("utf-8-sig").splitlines()
        assert [each.split(",")[-3:] for each in rows] == [
            ["外币金额", "币种", "汇率"],
            ["5000", "JPY", "0.0478"],
            ["", "", ""],
        ]


async def test_a_corrected_sum_is_in_yuan(tmp_path: Path) -> None:
    async with shop(tmp_path, rates=RATES) as books:
        await books.say("晚饭20美元", members=MEMBERS)
        assert "折算" not in await books.say("改成150", members=MEMBERS)
        await books.say("确认", members=MEMBERS)
        (record,) = await books.saved()
        assert (record.fields.fen, record.fields.foreign) == (15000, "")
        assert "折算" not in await books.say("这个月花了多少", "query", members=MEMBERS)


async def test_who_shares_it_is_asked_and_what_was_said_is_kept(tmp_path: Path) -> None:
    async with shop(tmp_path, rates=RATES) as books:
        assert "谁" in await books.say("日料5000日元 我们几个分", members=MEMBERS)
        assert "5000日元" in await books.say("小雅", members=MEMBERS)


async def test_without_a_rate_nothing_is_recorded(tmp_path: Path) -> None:
    for config in ({}, {"rates": {"USD": Decimal("7.12")}}):
        async with shop(tmp_path / str(len(config)), **config) as books:
            assert "人民币" in await books.say("咖啡3欧", members=MEMBERS)
            assert await books.saved() == []


def test_rates_are_of_currencies() -> None:
    config = Config.model_validate({"bookkeeping": {"rates": {"usd": "7.12", "JPY": 0.0478}}})
    assert config.bookkeeping.rates == RATES
    for wrong in ({"dollars": 7}, {"USD": 0}, {"USD": -1}, {"USD": "much"}):
        with pytest.raises(ValidationError):
            Config.model_validate({"bookkeeping": {"rates": wrong}})


@pytest.mark.parametrize(
    ("line", "rate"),
    [
        ("145", "0.0483"),
        ("合人民币145块", "0.0483"),
        ("是145块", "0.0483"),
        ("汇率0.048", "0.048"),
        ("按0.048算", "0.048"),
        ("145块，打车20", None),
        ("好", None),
        ("20美元", None),
        ("大概145", None),
    ],
)
def test_a_rate_by_an_answer(line: str, rate: str | None) -> None:
    told = rate_told(line, Decimal(3000))
    assert told is None or Foreign("3000", "JPY", str(told)).fen in (14500, 14400)
    assert (told is None) == (rate is None)
