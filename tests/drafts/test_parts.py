"""A line that refuses an item and says more: what goes, and what is left to be heard."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.bookkeeping.cards.correcting import item_model
from nonebot_plugin_mishu.drafts import Item, ItemState
from nonebot_plugin_mishu.drafts.parts import Parts, take_apart
from nonebot_plugin_mishu.language.entries.categories import Categories
from nonebot_plugin_mishu.language.entries.reading import read_items

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 9, tzinfo=ZONE)
MODEL = item_model(Categories(), NOW, ZONE)
CARD = [
    Item(number, entry)
    for number, entry in enumerate(read_items("午饭35，转我妈200，奶茶15", NOW, ZONE).entries)
]


def apart(line: str, touched: tuple[int, ...] = (), gone: tuple[int, ...] = ()) -> Parts | None:
    items = [Item(i.number, i.value, ItemState.CANCELLED if i.number in gone else i.state) for i in CARD]
    return take_apart(line, items, MODEL, touched)


@pytest.mark.parametrize(
    ("line", "refused", "rest"),
    [
        ("转我妈那个别记了 奶茶是16", (1,), "奶茶是16"),
        ("转给我妈的那笔不要了，奶茶是16", (1,), "奶茶是16"),
        ("第二笔重复了，删", (1,), ""),
        ("删掉刚才那笔", (2,), ""),
        ("奶茶不要了，午饭改成30", (2,), "午饭改成30"),
        ("奶茶不要了午饭改成30", (2,), "午饭改成30"),
        ("200那笔删了，再加个水果12", (1,), "再加个水果12"),
        ("把200块的划掉 奶茶18", (1,), "奶茶18"),
        ("午饭莫记咯，奶茶是18", (0,), "奶茶是18"),
        ("唔要午饭，奶茶改18", (0,), "奶茶改18"),
        ("奶茶不是我喝的 去掉", (2,), ""),
        ("奶茶那个是公司请的，不要了", (2,), ""),
        ("午饭和奶茶都别存，转我妈是300", (0, 2), "转我妈是300"),
        ("算了奶茶不对，删了吧", (2,), ""),
        ("好的，奶茶不要了", (2,), ""),
        ("最后那笔去掉，第一笔改50", (2,), "第一笔改50"),
    ],
)
def test_the_item_goes_and_the_rest_is_heard(line: str, refused: tuple[int, ...], rest: str) -> None:
    assert apart(line) == Parts(refused, rest)


@pytest.mark.parametrize(
    "line",
    [
        "奶茶不要加糖",
        "不用取消午饭",
        "不要取消奶茶那笔",
        "别删午饭",
        "午饭不要了吗",
        "午饭要不要记？",
        "不要香菜",
        "我妈说不要了",
        "奶茶不是16是18",
        "取消不了奶茶",
        "今天不要太累",
    ],
)
def test_what_refuses_no_item_is_heard_as_a_whole(line: str) -> None:
    assert apart(line) is None


def test_that_is_the_one_left_or_the_one_touched_last_else_asked_for() -> None:
    assert apart("那个不要了") == Parts(which=True)
    assert apart("那个不要了", touched=(1,)) == Parts((1,))
    assert apart("那个不要了", gone=(0, 1)) == Parts((2,))
    assert apart("别记那个，奶茶是18", gone=(0,)) == Parts((1,), "奶茶是18")
    assert apart("刚才那笔别记", touched=(0,)) == Parts((0,))


def test_what_is_replaced_is_changed_and_stays() -> None:
    assert apart("奶茶不要了，换成咖啡18") is None


def test_the_words_of_what_is_gone_mean_no_other_item() -> None:
    assert apart("午饭删了吧", gone=(0,)) == Parts((0,))
