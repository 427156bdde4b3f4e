"""Bills on disk: previewed, written on a yes, each order number once, taken back whole."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from nonebot_plugin_mishu.imports.bills.importing import MOST_NEW, BillImports, BillPreview, told
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.transactions.queries import BookSpan

sys.path.insert(0, str(Path(__file__).parents[1] / "imports"))

import bill_files as files

ME = "30001"
HOME = Conversation("10000", "private", ME)
TODAY = date(2026, 11, 18)
AT = 1_795_000_000.0

Shape = Callable[[Sequence[Sequence[str]]], bytes]


@pytest.fixture
def bills(storage: Storage) -> BillImports:
    return BillImports(storage, lambda: AT)


async def imported(bills: BillImports, data: bytes, origin: str) -> tuple[BillPreview, int]:
    preview = await bills.preview(HOME, ME, data, origin)
    kept = await bills.find(preview.id) if preview.records else None
    return preview, 0 if kept is None else await bills.commit(kept, "阿一", f"bill:{origin}")


async def rows(storage: Storage) -> list[tuple[str, int, str]]:
    found = await storage.transactions.list_records(BookSpan(HOME, ME))
    return [(each.fields.day, each.fields.fen, each.fields.description) for each in found]


@pytest.mark.parametrize(
    ("shape", "one", "two", "new"),
    [
        (files.wechat_csv, files.W_OCTOBER, files.W_NOVEMBER, (5, 1)),
        (files.wechat_xlsx, files.W_OCTOBER, files.W_NOVEMBER, (5, 1)),
        (files.alipay_csv, files.A_OCTOBER, files.A_NOVEMBER, (4, 2)),
    ],
)
async def test_imported_twice_is_there_once(
    storage: Storage,
    bills: BillImports,
    shape: Shape,
    one: Sequence[Sequence[str]],
    two: Sequence[Sequence[str]],
    new: tuple[int, int],
) -> None:
    counts = [
        (await imported(bills, shape(data), f"m{number}"))[1]
        for number, data in enumerate((one, two, one, two, [*two, *one]))
    ]
    assert counts == [*new, 0, 0, 0]
    found = await rows(storage)
    assert len(found) == sum(new) == len(set(found))


async def test_other_shapes_of_one_bill_are_the_same(storage: Storage, bills: BillImports) -> None:
    await imported(bills, files.wechat_csv(files.W_OCTOBER), "a")
    preview, count = await imported(bills, files.wechat_xlsx(files.W_OCTOBER), "b")
    assert (preview.new, count) == (0, 0)
    assert told(preview, TODAY) == "微信账单 6 笔，新 0，跳过 6（不计收支 1，之前导过 5）。"


async def test_nothing_is_written_before_the_yes(storage: Storage, bills: BillImports) -> None:
    preview = await bills.preview(HOME, ME, files.wechat_csv(files.W_OCTOBER), "a")
    assert await rows(storage) == []
    assert told(preview, TODAY).splitlines()[:2] == [
        "微信账单 6 笔，新 5，跳过 1（不计收支 1）。",
        "10月27日到10月31日，支出 3844.50元，收入 1106.88元。",
    ]
    await bills.drop(preview.id)
    assert await bills.find(preview.id) is None


async def test_a_later_preview_takes_the_place_of_an_earlier(storage: Storage, bills: BillImports) -> None:
    first = await bills.preview(HOME, ME, files.wechat_csv(files.W_OCTOBER), "a")
    second = await bills.preview(HOME, ME, files.wechat_csv(files.W_NOVEMBER), "b")
    assert await bills.find(first.id) is None
    assert await bills.find(second.id) is not None


async def test_two_yeses_at_once_write_once(storage: Storage, bills: BillImports) -> None:
    preview = await bills.preview(HOME, ME, files.wechat_csv(files.W_OCTOBER), "a")
    kept = await bills.find(preview.id)
    assert kept is not None
    counts = await asyncio.gather(*(bills.commit(kept, "阿一", f"bill:{each}") for each in range(4)))
    assert sorted(counts) == [0, 0, 0, 5]
    assert len(await rows(storage)) == 5


async def test_taken_back_whole_and_imported_again(storage: Storage, bills: BillImports) -> None:
    await imported(bills, files.alipay_csv(files.A_OCTOBER), "a")
    undone = await storage.changes.undo(HOME, ME, AT + 5)
    assert undone is not None
    assert undone.summary == "导入支付宝账单 4 笔"
    assert await rows(storage) == []
    _, count = await imported(bills, files.alipay_csv(files.A_OCTOBER), "b")
    assert count == 4


async def test_deleted_ones_do_not_come_back(storage: Storage, bills: BillImports) -> None:
    await imported(bills, files.wechat_csv(files.W_OCTOBER), "a")
    record = (await storage.transactions.list_records(BookSpan(HOME, ME)))[0]
    await storage.transactions.change(record.id, ME, None, "删掉", AT)
    _, count = await imported(bills, files.wechat_csv(files.W_OCTOBER), "b")
    assert (count, len(await rows(storage))) == (0, 4)


async def test_another_persons_bill_is_their_own(storage: Storage, bills: BillImports) -> None:
    await imported(bills, files.wechat_csv(files.W_OCTOBER), "a")
    other = Conversation("10000", "private", "30002")
    preview = await bills.preview(other, "30002", files.wechat_csv(files.W_OCTOBER), "b")
    assert preview.new == 5


async def test_whoever_is_forgotten_leaves_nothing(storage: Storage, bills: BillImports) -> None:
    await imported(bills, files.wechat_csv(files.W_OCTOBER), "a")
    await bills.preview(HOME, ME, files.alipay_csv(files.A_OCTOBER), "b")
    gone = (await storage.members.delete_member(HOME, ME)).gone
    assert gone["导入过的单号"] == 5
    assert gone["待确认的账单"] == 1
    assert gone["账目"] == 5


async def test_a_long_bill_is_written_in_parts(storage: Storage, bills: BillImports) -> None:
    row = files.W_OCTOBER[0]
    data = files.wechat_csv([[*row[:8], str(number), *row[9:]] for number in range(MOST_NEW + 20)])
    preview, count = await imported(bills, data, "a")
    assert count == MOST_NEW
    assert f"一次最多记 {MOST_NEW} 笔，先记早的，剩下 20 笔记完再发一次" in told(preview, TODAY)
    assert [(await imported(bills, data, each))[1] for each in "bc"] == [20, 0]
