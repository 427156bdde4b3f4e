"""Who shares an expense: by name, by count, asked once; and debts settled in a line without an amount."""

from __future__ import annotations

from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from books_support import Shop, shop
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.language.ledger.repayments.repaying import Debts, settled, settlements_in, settles
from nonebot_plugin_mishu.language.ledger.shares.participants import Participants, answered, participants
from rows import each_row

MEMBERS = [Mention(str(number), name) for number, name in enumerate(("小雅", "阿凯", "苏苏", "王山"), 30002)]
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "participants.yaml").read_text(encoding="utf-8")
)


@each_row("row", ROWS, ids=lambda row: row["say"])
def test_who_shares(row: dict[str, Any]) -> None:
    found = participants(row["say"], "30001", [], MEMBERS)
    assert sorted(name for _, name in found.named) == sorted(row.get("named", []))
    assert list(found.unknown) == row.get("unknown", [])
    assert found.people == row.get("people")
    assert (found.question is None) is ("asks" not in row)
    assert row.get("asks", "") in (found.question or "")


@pytest.mark.parametrize("order", list(permutations(("小雅", "阿凯", "苏苏", "王山"))), ids="".join)
def test_they_stand_in_the_order_they_were_named(order: tuple[str, ...]) -> None:
    found = participants(f"聚餐花了300，我和{'、'.join(order)}AA", "30001", [], MEMBERS)
    assert [name for _, name in found.named] == list(order)


@pytest.mark.parametrize(
    ("said", "named", "unknown"),
    [
        ("小雅 阿凯", ["小雅", "阿凯"], []),
        ("小雅、阿凯、苏苏和我", ["小雅", "苏苏", "阿凯"], []),
        ("小雅阿凯苏苏", ["小雅", "苏苏", "阿凯"], []),
        ("就小雅吧", ["小雅"], []),
        ("小雅和阿凯，还有老赵", ["小雅", "阿凯"], ["老赵"]),
        ("山哥", [], ["山哥"]),
        ("不记名", [], []),
        ("算了", [], []),
        ("都不在群里", [], []),
    ],
)
def test_answers_to_who_it_is(said: str, named: list[str], unknown: list[str]) -> None:
    found = answered(said, "30001", [], MEMBERS)
    assert found is not None
    assert sorted(name for _, name in found.named) == sorted(named)
    assert list(found.unknown) == unknown


@pytest.mark.parametrize("said", ["哈哈哈", "小雅真好看", "明天下雨吗", "午饭35", "小雅说她不来", ""])
def test_talk_answers_nothing(said: str) -> None:
    assert answered(said, "30001", [], MEMBERS) is None


def test_an_answer_takes_the_place_of_a_name_nobody_has() -> None:
    before = Participants((("2", "小雅"),), ("山哥",), None)
    after = before.completed(Participants((("5", "王山"),)))
    assert (after.named, after.unknown, after.count) == ((("2", "小雅"), ("5", "王山")), (), 3)
    assert before.completed(Participants()).strangers == 0


@pytest.mark.parametrize(
    ("said", "gives"),
    [
        ("把钱还给小王了", True),
        ("小王的钱我还了", True),
        ("AA的钱我转小王了", True),
        ("和小王两清了", True),
        ("我把上次聚餐的钱给小王了", True),
        ("收到小王的AA钱了", False),
        ("小王把钱转我了", False),
        ("小王的钱收到了", False),
        ("小王把欠的钱还我了", False),
        ("小王还钱了", False),
    ],
)
def test_a_debt_settled_without_saying_how_much(said: str, gives: bool) -> None:
    names = {"1": "小明", "2": "小王"}
    owed = {"1": -6000, "2": 6000} if gives else {"1": 6000, "2": -6000}
    assert settles(said)
    found = settled(settlements_in(said), ("1", "小明"), [], Debts(owed, names=names), date(2026, 11, 21))
    assert found is not None
    assert found.fen == 6000
    assert found.shares[0].user_id == ("1" if gives else "2")
    other = {user: -fen for user, fen in owed.items()}
    if "两清" not in said:
        assert (
            settled(settlements_in(said), ("1", "小明"), [], Debts(other, names=names), date(2026, 11, 21))
            is None
        )


@pytest.mark.parametrize(
    "said",
    ["小王还钱了吗", "把钱还给小王", "记得把钱还给小王", "小王没还我钱", "我还了", "钱是什么", "还钱了"],
)
def test_what_settles_nothing(said: str) -> None:
    assert not settles(said)


async def test_who_it_is_is_asked_once_and_the_card_shows_them(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "另外4人是谁" in await books.say("聚餐300 AA 五个人")
        wang = Mention("30002", "小王")
        card = await books.say("小王 老赵", mentions=[wang])
        assert "5人AA，每人60元：小明、小王、老赵和另外2人" in card
        await books.say("确认")
        said = await books.say("谁欠谁", "query")
        assert "小王 给 小明 60元" in said
        assert "小明 还有 3 份共180元没收" in said


async def test_an_unrelated_line_leaves_the_question_open(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await books.say("聚餐300 AA 五个人")
        kept: Shop = books
        opened = kept.tasks["30001"]
        await books.say("这个月花了多少", "query")
        kept.tasks["30001"] = opened
        assert "5人AA" in await books.say("不记名")


async def test_a_question_nobody_answers_is_told(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await books.say("聚餐300 AA 五个人")
        assert "没记" in (await books.expire() or "")
        assert await books.kept() == []
