"""A debt paid back lowers 谁欠谁; other money given back stays a record like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from books_support import Shop, shop
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import balances
from nonebot_plugin_mishu.language.books.orders import asked_of_books
from nonebot_plugin_mishu.language.entries.entry import Entry
from nonebot_plugin_mishu.language.ledger.repayments.repaying import Debts, givings_in, repayment

MING, WANG = ("1", "小明"), ("2", "小王")
NAMES = dict((MING, WANG))
OWED = {"1": 6000, "2": -6000}


@pytest.mark.parametrize(
    ("text", "speaker", "mentioned", "fits"),
    [
        ("小王还我60", MING, [], True),
        ("小王已经还了我60块", MING, [], True),
        ("小王把钱还我了60元", MING, [], True),
        ("还我60", MING, [WANG], True),
        ("我还小明60", WANG, [], True),
        ("还给小明60块了", WANG, [], True),
        ("我还 60", WANG, [MING], True),
        ("小王还我60", WANG, [], False),
        ("小明还我60", WANG, [], False),
        ("我还小王60", MING, [], False),
        ("小李还我60", MING, [], False),
        ("还花呗60", WANG, [], False),
        ("我还有60", WANG, [], False),
        ("小王还我60，打车20", MING, [], False),
        ("小王还我书，买书60", MING, [], False),
    ],
)
def test_only_a_known_debt_is_paid_back(text: str, speaker: Any, mentioned: Any, fits: bool) -> None:
    debts = Debts(OWED, {("2", "1"): 6000, ("1", "2"): -6000}, NAMES)
    around = [Mention(*one) for one in (*mentioned, *NAMES.items())]
    found = repayment(givings_in(text, (), around), Entry(6000, "INCOME"), speaker, mentioned, debts)
    assert (found is not None) is fits
    if found is not None:
        assert found.type == "TRANSFER"
        assert sum(share.fen for share in found.shares) == 6000
        after = balances([(found.shares[0].user_id, found.shares)])
        assert {user: OWED[user] + fen for user, fen in after.items()} == {"1": 0, "2": 0}


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("我还小王60", "record"),
        ("还给王姐30块", "record"),
        ("我还有60", None),
        ("我还要买3个", None),
        ("还差20", None),
        ("我还小", None),
    ],
)
def test_which_lines_are_surely_the_books(text: str, intent: str | None) -> None:
    assert asked_of_books(text) == intent


async def test_who_owes_whom_goes_down_to_even(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await shared(books, "聚餐120 AA")
        assert "给" in await books.say("谁欠谁", "query")
        card = await books.say("小王还我40")
        assert "小王还小明 转账40元" in card
        assert "抵着欠的账" in card
        await books.say("改成50")
        await books.say("确认")
        assert "10元" in await books.say("谁欠谁", "query")
        await books.say("小王还我10")
        await books.say("确认")
        assert "谁也不欠谁" in await books.say("谁欠谁", "query")
        assert "50" not in (await books.say("群里这个月花了多少", "query")).split("支出")[1].split("元")[0]
        again = await books.say("小王还我10")
        assert "已经有一笔一样的了" in again
        assert "收入" not in again


async def shared(books: Shop, text: str) -> None:
    await books.say(text, mentions=[Mention("30002", "小王")])
    await books.say("确认")
