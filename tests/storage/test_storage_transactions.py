"""The account books on both databases: whole commits, unique items, owners, sums, budgets, words."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.transactions.budgets import BudgetRecord
from nonebot_plugin_mishu.storage.transactions.queries import BookSpan, NewTransactions, TransactionChanges
from storage_support import GROUP

LUNCH = TransactionChanges("EXPENSE", 3501, "餐饮", "午饭", "2026-11-21")
PAY = TransactionChanges("INCOME", 800000, "工资", "工资", "2026-11-20")
DINNER = TransactionChanges(
    "EXPENSE", 10000, "餐饮", "聚餐", "2026-11-19", shared=True, shares=(("7", "我", 5000), ("8", "你", 5000))
)


def new(batch: str, *items: TransactionChanges, ticket: int = 1, user: str = "7") -> NewTransactions:
    return NewTransactions(GROUP, user, "小明", batch, ticket, list(enumerate(items)), "记账")


async def test_a_commit_comes_back_as_it_was(storage: Storage) -> None:
    saved = await storage.transactions.commit(new("b", LUNCH, DINNER), 100.0)
    assert [record.fields for record in saved.records] == [LUNCH, DINNER]
    assert await storage.transactions.saved("b") == {0: 1, 1: 1}
    assert [one.fields for one in await storage.transactions.list_records(BookSpan(GROUP, "7"))] == [
        DINNER,
        LUNCH,
    ]


async def test_an_item_is_saved_once_whatever_is_repeated(storage: Storage) -> None:
    books = storage.transactions
    await asyncio.gather(*(books.commit(new("b", LUNCH, PAY), 100.0) for _ in range(5)))
    await books.commit(new("b", LUNCH, PAY, DINNER, ticket=2), 101.0)
    assert await books.saved("b") == {0: 1, 1: 1, 2: 2}
    assert len(await books.list_records(BookSpan(GROUP, "7"))) == 3
    undone = [await storage.changes.undo(GROUP, "7", 102.0) for _ in range(3)]
    assert [None if one is None else len(one.rows) for one in undone] == [1, 2, None]
    assert await books.list_records(BookSpan(GROUP, "7")) == []


async def test_a_commit_is_whole_or_not_at_all(storage: Storage) -> None:
    broken: Any = TransactionChanges("EXPENSE", None, "餐饮", "午饭", "2026-11-21")  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r".+"):
        await storage.transactions.commit(new("b", LUNCH, broken), 100.0)
    assert await storage.transactions.saved("b") == {}
    assert await storage.changes.undo(GROUP, "7", 101.0) is None


async def test_only_the_owner_changes_a_record(storage: Storage) -> None:
    saved = await storage.transactions.commit(new("b", LUNCH), 100.0)
    number = saved.records[0].id
    assert await storage.transactions.change(number, "8", PAY, "改", 101.0) is None
    changed = await storage.transactions.change(number, "7", PAY, "改", 101.0)
    assert changed is not None
    assert changed.fields == PAY
    assert await storage.transactions.change(number, "7", None, "删", 102.0) is not None
    assert await storage.transactions.list_records(BookSpan(GROUP, "7")) == []


async def test_sums_are_one_s_own_or_the_shared_ones(storage: Storage) -> None:
    await storage.transactions.commit(new("b", LUNCH, PAY, DINNER), 100.0)
    await storage.transactions.commit(new("c", LUNCH, user="8"), 100.0)
    mine = await storage.transactions.sums(BookSpan(GROUP, "7", "2026-11-01", "2026-11-30"))
    assert [(one.type, one.category, one.fen, one.count) for one in mine] == [
        ("INCOME", "工资", 800000, 1),
        ("EXPENSE", "餐饮", 13501, 2),
    ]
    shared = await storage.transactions.sums(BookSpan(GROUP, None))
    assert [(one.fen, one.count) for one in shared] == [(10000, 1)]
    days = await storage.transactions.days(BookSpan(GROUP, "7", "2026-11-20"))
    assert days == [("2026-11-20", "INCOME", 800000), ("2026-11-21", "EXPENSE", 3501)]


async def test_a_budget_is_noticed_once_at_each_level_of_a_month(storage: Storage) -> None:
    books = storage.transactions
    await books.budgets.set_budget(GROUP, "7", BudgetRecord("餐饮", "", 4000), "预算", 99.0)
    levels = [
        [notice.level for notice in (await books.commit(new(f"b{number}", LUNCH), 100.0)).notices]
        for number in range(3)
    ]
    assert levels == [[80], [100], []]
    [held] = await books.budgets.list_budgets(GROUP, "7", "2026-12")
    assert held.fen == 4000


async def test_words_are_kept_and_undone(storage: Storage) -> None:
    await storage.transactions.words.set_word(GROUP, "7", "奶茶", "饮品", "奶茶", 100.0)
    await storage.transactions.words.set_word(GROUP, "7", "奶茶", "餐饮", "奶茶", 101.0)
    await storage.changes.undo(GROUP, "7", 102.0)
    assert await storage.transactions.words.load_words(GROUP) == {"奶茶": "饮品"}


async def test_a_member_is_forgotten(storage: Storage) -> None:
    await storage.transactions.commit(new("b", LUNCH, DINNER), 100.0)
    await storage.transactions.commit(new("c", LUNCH, user="8"), 100.0)
    await storage.members.delete_member(GROUP, "7")
    assert len(await storage.transactions.list_records(BookSpan(GROUP, None, everything=True))) == 1


async def test_a_budget_counts_the_members_own_share_whoever_paid(storage: Storage) -> None:
    books = storage.transactions
    await books.commit(new("b1", DINNER, LUNCH, PAY), 100.0)
    theirs = TransactionChanges(
        "EXPENSE", 9000, "交通", "打车", "2026-11-20", True, (("8", "你", 3000), ("7", "我", 6000))
    )
    whole = TransactionChanges("EXPENSE", 700, "餐饮", "群里的水", "2026-11-20", shared=True)
    await books.commit(new("b2", theirs, whole, user="8"), 100.0)
    assert await books.budgets.spent(GROUP, "7", "2026-11") == {"餐饮": 8501, "交通": 6000, "": 14501}
    assert await books.budgets.spent(GROUP, "8", "2026-11") == {"餐饮": 5700, "交通": 3000, "": 8700}
    assert await books.budgets.spent(GROUP, "7", "2026-12") == {"": 0}
    await books.budgets.set_budget(GROUP, "7", BudgetRecord("餐饮", "", 15000), "预算", 99.0)
    [told] = (await books.commit(new("b3", DINNER), 100.0)).notices
    assert (told.spent, told.level) == (13501, 80)
