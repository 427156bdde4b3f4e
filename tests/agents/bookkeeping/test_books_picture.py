"""The picture of a month: when it is asked for, what it shows, and where there is none."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from books_support import shop
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.bookkeeping.picture import fonts, picture
from nonebot_plugin_mishu.agents.bookkeeping.picture.chart import (
    MOST_PARTS,
    REST,
    Chart,
    ChartBar,
    Slice,
    chart_of,
)
from nonebot_plugin_mishu.language.books.orders import asked_of_books, wants_picture
from nonebot_plugin_mishu.language.books.questions import LedgerQuery
from nonebot_plugin_mishu.storage.transactions.queries import CategorySum
from PIL import Image

TODAY = date(2026, 11, 21)
MONTH = LedgerQuery("picture", date(2026, 11, 1), date(2026, 11, 30), "11月")
FONT = fonts.chinese_font()

ASKED = [
    "月度图",
    "饼图",
    "账单图",
    "上个月的账单图",
    "这个月的账画成饼图",
    "这个月的账画成图",
    "把上个月的支出画个图",
    "群里这个月的饼图",
    "发一张月度图",
    "看看10月的支出图",
    "我的收支图",
    "画个饼图",
    "餐饮的饼图",
    "这个月的支出图表",
    "给我看看这个月的月度图吧",
]
NOT_ASKED = [
    "什么是饼图",
    "这个饼图不错",
    "画个图",
    "画只猫的图",
    "流程图",
    "架构图画好了",
    "发个表情图",
    "截图",
    "支出图书馆的钱",
    "excel怎么画饼图",
    "这张图",
    "图",
    "拍照图片",
    "这个月的图",
]


@pytest.mark.parametrize("words", ASKED)
def test_a_picture_is_asked_for(words: str) -> None:
    assert wants_picture(words)
    assert asked_of_books(words) == "query"


@pytest.mark.parametrize("words", NOT_ASKED)
def test_what_only_mentions_a_picture_asks_for_none(words: str) -> None:
    assert not wants_picture(words)


def test_income_and_expense_are_never_one_pie() -> None:
    sums = [
        CategorySum("INCOME", "工资", 800_000, 1),
        CategorySum("EXPENSE", "餐饮", 3_500, 1),
        CategorySum("EXPENSE", "交通", 2_000, 2),
    ]
    days = [
        ("2026-11-03", "EXPENSE", 3_500),
        ("2026-11-03", "INCOME", 800_000),
        ("2026-11-20", "EXPENSE", 2_000),
    ]
    found = chart_of(MONTH, sums, days, TODAY)
    assert found is not None
    assert found.parts == (Slice("餐饮", 3_500, 1), Slice("交通", 2_000, 2))
    assert found.fen == 5_500
    assert found.totals == ("收入8000元", "支出55元")
    assert [bar.name for bar in found.bars] == [f"11/{day}" for day in range(1, 22)]
    assert sum(bar.fen for bar in found.bars) == 5_500
    assert found.bars[2] == ChartBar("11/3", 3_500)


def test_small_parts_are_one_and_nothing_is_lost() -> None:
    sums = [CategorySum("EXPENSE", f"第{n}类", 100 * n, n) for n in range(1, 15)]
    found = chart_of(MONTH, sums, [("2026-11-03", "EXPENSE", 10_500)], TODAY)
    assert found is not None
    assert len(found.parts) == MOST_PARTS + 1
    assert found.parts[-1].name == REST
    assert found.fen == sum(each.fen for each in sums)
    assert sum(part.count for part in found.parts) == sum(each.count for each in sums)


def test_without_money_there_is_no_chart() -> None:
    assert chart_of(MONTH, [], [], TODAY) is None
    assert (
        chart_of(MONTH, [CategorySum("TRANSFER", "转账", 100, 1)], [("2026-11-03", "TRANSFER", 100)], TODAY)
        is None
    )


@given(st.lists(st.tuples(st.dates(date(2024, 1, 1), TODAY), st.integers(1, 10**9)), min_size=1, max_size=40))
def test_the_bars_come_to_what_the_days_do(rows: list[tuple[date, int]]) -> None:
    days = sorted((day.isoformat(), "EXPENSE", fen) for day, fen in rows)
    whole = LedgerQuery("picture", date(1990, 1, 1), date(2027, 11, 22), "全部")
    total = sum(fen for _, fen in rows)
    found = chart_of(whole, [CategorySum("EXPENSE", "餐饮", total, len(rows))], days, TODAY)
    assert found is not None
    assert not found.bars or sum(bar.fen for bar in found.bars) == total
    assert len(found.bars) <= 62


def example(parts: int = 3) -> Chart:
    made = tuple(Slice(f"分类{n}", 1000 * n + 1, n) for n in range(1, parts + 1))
    return Chart(
        "11月你的账", "EXPENSE", made, tuple(ChartBar(f"11/{n}", 99 * n) for n in range(31)), ("支出60元",)
    )


@pytest.mark.skipif(FONT is None, reason="this machine has no Chinese font")
@pytest.mark.parametrize("parts", [1, 3, 9])
async def test_it_is_a_picture_that_can_be_opened(parts: int) -> None:
    found = await picture.drawn(example(parts))
    assert isinstance(found, bytes)
    image = Image.open(io.BytesIO(found))
    image.load()
    assert image.format == "PNG"
    assert image.width == 900
    colours = image.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert len([count for count, _ in colours if count > 200]) > parts  # paper, ink and a colour for each


async def test_without_pillow_or_a_font_the_text_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "chinese_font", lambda: None)
    assert await picture.drawn(example()) == picture.NO_FONT
    monkeypatch.setattr(picture, "chinese_font", lambda: __file__)
    assert await picture.drawn(example()) == picture.NOT_DRAWN
    monkeypatch.setattr(picture, "find_spec", lambda name: None)
    assert await picture.drawn(example()) == picture.NO_PILLOW


async def test_drawing_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "chinese_font", lambda: time.sleep(0.2))
    assert await picture.drawn(example(), timeout=0.01) == picture.NOT_DRAWN


@pytest.fixture
def unknown_places(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(fonts, "_KNOWN", ())
    monkeypatch.setattr(fonts, "_WINDOWS", ())
    fonts.chinese_font.cache_clear()
    yield
    fonts.chinese_font.cache_clear()


@pytest.mark.usefixtures("unknown_places")
def test_fontconfig_is_asked_and_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts.shutil, "which", lambda name: None)
    assert fonts.chinese_font() is None
    fonts.chinese_font.cache_clear()

    def slow(*_: Any, **__: Any) -> None:
        raise fonts.subprocess.TimeoutExpired("fc-list", 5)

    monkeypatch.setattr(fonts.shutil, "which", lambda name: "/usr/bin/fc-list")
    monkeypatch.setattr(fonts.subprocess, "run", slow)
    assert fonts.chinese_font() is None


async def test_the_text_is_the_same_and_the_picture_behind_it(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await books.say("午饭35，打车20")
        await books.say("确认")
        text = await books.say("这个月花了多少", "query")
        asked = await books.say("月度图", "query")
        assert asked.splitlines()[: len(text.splitlines())] == text.splitlines()
        assert len(books.pictures) == (FONT is not None)
        assert "没有" in await books.say("2月的饼图", "query")
        assert len(books.pictures) == (FONT is not None)
