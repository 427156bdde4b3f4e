"""Sentences about money: recorded ones as data, and what holds for any text at all."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from books_support import without_names
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.bookkeeping import transactions
from nonebot_plugin_mishu.agents.bookkeeping.model.item import change
from nonebot_plugin_mishu.language.books.budgets import budget_order
from nonebot_plugin_mishu.language.books.orders import asked_of_books, takes_back, taught
from nonebot_plugin_mishu.language.clause import LastDone, Situation
from nonebot_plugin_mishu.language.entries.categories import BUILT_IN, Categories, type_of
from nonebot_plugin_mishu.language.entries.entry import OTHER, Entry, dump_entry, fen_of, load_entry, yuan
from nonebot_plugin_mishu.language.entries.reading import read_items
from rows import each_row
from task_contexts import NOW, ZONE

HERE = Path(__file__).parent / "data"
DATA = [HERE / f"{name}.yaml" for name in ("sentences", "graded", "everyday", "spoken")]
SENTENCES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "sentences.yaml").read_text(encoding="utf-8")
)


def shown(entry: Entry) -> str:
    day = f"{entry.day:%m-%d}" if entry.day.year == 2026 else entry.day.isoformat()
    return " ".join(part for part in (entry.yuan, entry.type, entry.category, day, entry.description) if part)


@each_row("known", SENTENCES, ids=lambda known: known["say"])
def test_pitfall_52_recorded_sentences(known: dict[str, Any]) -> None:
    items = read_items(known["say"], NOW, ZONE)
    assert without_names([shown(entry) for entry in items.entries]) == without_names(known["is"])
    assert items.sure is known.get("sure", True)


def test_items_are_called_what_they_are() -> None:
    """What is learned from the corpus is measured, and not pinned word by word."""
    files = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in DATA]
    rows = [known for rows in files for known in rows if known["is"]]
    wrong: list[str] = []
    items = 0
    for known in rows:
        found = read_items(known["say"], NOW, ZONE).entries
        for entry, said in zip(found, known["is"], strict=True):
            name = " ".join(said.split(" ")[4:])
            items += 1
            if not (entry.description in name or name in entry.description):
                wrong.append(f"{known['say']}: {entry.description}, not {name}")
            elif bool(name) != bool(entry.description):
                wrong.append(f"{known['say']}: {entry.description or 'nothing'}, not {name or 'nothing'}")
    assert len(wrong) * 20 < items, wrong


def test_there_are_many_of_them() -> None:
    assert len(SENTENCES) >= 150
    assert len({known["say"] for known in SENTENCES}) == len(SENTENCES)


def test_the_shape_that_explain_prints() -> None:
    assert transactions("昨天午饭35", NOW, ZONE) == [
        {
            "amount": "35.00",
            "type": "EXPENSE",
            "category": "餐饮",
            "description": "午饭",
            "date": "2026-11-20",
        }
    ]


def test_a_conversation_s_own_words_come_first() -> None:
    own = Categories({"奶茶": "饮品", "小黄": "宠物"})
    entries = read_items("奶茶15，小黄的药80，咖啡18", NOW, ZONE, own).entries
    assert [entry.category for entry in entries] == ["饮品", "宠物", "餐饮"]
    assert own.names == (*BUILT_IN, "饮品", "宠物")


def test_a_day_that_was_in_a_leap_year_is_found() -> None:
    assert read_items("2月29号吃饭50", datetime(2028, 5, 1, 9, tzinfo=ZONE), ZONE).entries[0].day == date(
        2028, 2, 29
    )


@pytest.mark.parametrize(
    ("now", "text", "day"),
    [
        (datetime(2026, 11, 18, 10), "买火车票12月24日花了260", date(2026, 11, 18)),
        (datetime(2026, 1, 5), "1月31号吃饭5", date(2026, 1, 5)),
        (datetime(2026, 1, 5), "12月31号吃饭5", date(2025, 12, 31)),
        (datetime(2026, 11, 18, 10), "6月3号吃饭50", date(2026, 6, 3)),
    ],
)
def test_money_for_a_day_to_come_is_not_of_last_year(now: datetime, text: str, day: date) -> None:
    assert read_items(text, now.replace(tzinfo=ZONE), ZONE).entries[0].day == day


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("以后奶茶算饮品", ("奶茶", "饮品")),
        ("以后把滴滴都归到交通吧", ("滴滴", "交通")),
        ("今后猫粮记到宠物分类", ("猫粮", "宠物")),
        ("奶茶算饮品吗", None),
        ("以后再说", None),
        ("以后我们一起吃饭", None),
    ],
)
def test_what_is_taught(said: str, found: tuple[str, str] | None) -> None:
    assert taught(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("这个月餐饮预算1000", ("餐饮", "2026-11", 100000)),
        ("餐饮预算设为800块", ("餐饮", "2026-11", 80000)),
        ("每个月预算5000", ("", "", 500000)),
        ("下个月交通预算300", ("交通", "2026-12", 30000)),
        ("1月份购物预算2000", ("购物", "2027-01", 200000)),
        ("预算还剩多少", None),
        ("餐饮1000", None),
    ],
)
def test_budgets(said: str, found: tuple[str, str, int] | None) -> None:
    order = budget_order(said, NOW.date(), Categories())
    assert (None if order is None else (order.category, order.month, order.fen)) == found


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("这个月餐饮预算1000", "record"),
        ("以后奶茶算饮品", "record"),
        ("以后猫条算宠物分类", "record"),
        ("导出上个月的账", "query"),
        ("以后迟到算旷工", None),
        ("项目预算100万", None),
        ("预算还剩多少", None),
        ("给我导出表格", "query"),
        ("导出成Excel", "query"),
        ("发我一份表格", "query"),
        ("帮我下载个csv文件", "query"),
        ("导出成表格吧", "query"),
        ("发我一份表格模板", None),
        ("我要表格里的第二行", None),
        ("导出聊天记录", None),
        ("账号导出csv", None),
    ],
)
def test_what_only_the_books_have(said: str, intent: str | None) -> None:
    assert asked_of_books(said) == intent


def test_aa_right_behind_the_amount() -> None:
    assert [entry.fen for entry in read_items("聚餐300AA五个人", NOW, ZONE).entries] == [30000]


@given(st.text(max_size=200))
def test_any_text_gives_sane_items(text: str) -> None:
    for entry in read_items(text, NOW, ZONE).entries:
        assert entry.fen > 0
        assert entry.category in BUILT_IN
        assert load_entry(dump_entry(entry)) == entry


WORDS = [
    "午饭",
    "35",
    "昨天",
    "，",
    "块",
    "打车",
    "一共",
    "AA",
    "五个人",
    "退款",
    "3瓶",
    "第二笔",
    "收入",
    "周一",
    " ",
]


@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_no_words_in_any_order_break_it(text: str) -> None:
    items = read_items(text, NOW, ZONE)
    assert len(items.entries) <= 50


@given(st.integers(1, 10**10))
def test_yuan_and_fen_are_exact(fen: int) -> None:
    from decimal import Decimal

    assert fen_of(Decimal(yuan(fen))) == fen
    changed = change(Entry(1), {"amount": yuan(fen)})
    assert changed is not None
    assert changed.fen == fen


def test_a_long_text_is_read_in_time_and_an_endless_one_in_part() -> None:
    items = read_items("午饭35，" * 5000, NOW, ZONE)
    assert 0 < len(items.entries) <= 50


def test_unknown_words_are_其他_and_spent() -> None:
    assert Categories().of("咕噜咕噜") == OTHER
    assert type_of("咕噜咕噜0", OTHER) == "EXPENSE"


@pytest.mark.parametrize(("done", "meant"), [("删除日程「站会」", True), ("记账 午饭35元", False)])
def test_restoring_is_of_what_was_taken_away(done: str, meant: bool) -> None:
    where = Situation(NOW, done=LastDone(done, NOW.timestamp() - 10))
    assert takes_back("恢复", where) is meant
