"""Who paid and who bears it, from a line to the card and to 谁欠谁; and what is amended afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from books_support import Shop, shop
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import (
    Bearing,
    split,
    split_unevenly,
    without_share,
)

ME, YA, KAI, LIN = ("1", "小明"), ("2", "小雅"), ("3", "阿凯"), ("4", "林然")
MEMBERS = tuple(Mention(*who) for who in (YA, KAI, LIN, ("5", "石头")))


async def said(books: Shop, text: str, intent: str = "record") -> str:
    return await books.say(text, intent, members=MEMBERS)


async def shares(books: Shop) -> list[tuple[str, int]]:
    (record,) = await books.saved()
    return [(str(name), int(fen)) for _, name, fen in record.fields.shares]


@pytest.mark.parametrize(
    ("bears", "wanted"),
    [
        ([Bearing(YA, "tenths", 6)], [1200, 1800]),
        ([Bearing(YA, "tenths", 6), Bearing(ME, "tenths", 4)], [1200, 1800]),
        ([Bearing(YA, "more", 1000)], [1000, 2000]),
        ([Bearing(YA, "less", 1000)], [2000, 1000]),
        ([Bearing(YA, "sum", 500)], [2500, 500]),
        ([Bearing(ME, "sum", 2000), Bearing(YA, "sum", 1000)], [2000, 1000]),
        ([Bearing(ME, "sum", 2000), Bearing(YA, "sum", 500)], None),
        ([Bearing(YA, "sum", 9000)], None),
        ([Bearing(YA, "more", 9000)], None),
        ([Bearing(YA, "tenths", 6), Bearing(ME, "tenths", 3)], None),
    ],
)
def test_unequal_parts(bears: list[Bearing], wanted: list[int] | None) -> None:
    found = split_unevenly(3000, ME, [YA], 2, bears)
    assert (None if found is None else [share.fen for share in found]) == wanted


@pytest.mark.parametrize("fen", [1, 2, 99, 100, 10_000, 10_001])
def test_unequal_parts_are_the_whole_sum(fen: int) -> None:
    for bears in ([Bearing(YA, "tenths", 3)], [Bearing(KAI, "tenths", 1), Bearing(ME, "tenths", 2)]):
        found = split_unevenly(fen, ME, [YA, KAI], 4, bears)
        assert found is not None
        assert sum(share.fen for share in found) == fen
        assert len(found) == 4


def test_a_part_that_is_given_up_is_the_payers() -> None:
    shared = split(3000, ME, [YA, KAI])
    given = without_share(shared, "2")
    assert given is not None
    assert [share.fen for share in given] == [2000, 0, 1000]
    assert without_share(shared, "1") is None
    assert without_share(shared, "9") is None


async def test_who_is_named_paid(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "谁一起分" in await said(books, "小雅付了140")
        assert "小雅付的" in await said(books, "我俩")
        await said(books, "确认")
        assert await shares(books) == [("小雅", 7000), ("小明", 7000)]


async def test_a_payment_of_others_is_not_recorded(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "小雅付了140")
        assert "不记" in await said(books, "不用记")
        assert await books.kept() == []


async def test_an_unknown_payer_is_asked_for(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "「王哥」" in await said(books, "王哥付了80 我们俩AA")
        assert "阿凯付的" in await said(books, "阿凯")
        await said(books, "确认")
        assert await shares(books) == [("阿凯", 4000), ("小明", 4000)]


async def test_a_ratio_is_asked_for(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "谁多谁少" in await said(books, "火锅200 六四开 和小雅")
        assert "小明80元、小雅120元" in await said(books, "小雅六成我四成")


async def test_parts_that_do_not_fit_are_not_recorded(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "对不上" in await said(books, "聚餐240 我80小雅60")
        assert await books.kept() == []


async def test_a_saved_record_is_divided_after_all(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "民宿300")
        await said(books, "确认")
        assert "另外2人是谁" in await said(books, "那三百是三个人的 我的是28.8", "correct")
        await said(books, "林然和小雅")
        assert await shares(books) == [("小明", 2880), ("林然", 13560), ("小雅", 13560)]


async def test_a_part_is_given_up_on_a_yes_only(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "火锅200 和石头AA")
        await said(books, "确认")
        for answer, left in (("不用", 10000), ("对", 0)):
            assert "石头那份100元" in await said(books, "石头那份算了 我请他", "correct")
            await said(books, answer)
            assert (await shares(books))[1] == ("石头", left)


async def test_a_part_on_the_card_is_given_up(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "火锅200 和石头AA")
        assert "小明200元、石头0元" in await said(books, "石头那份算了")
        await said(books, "确认")
        assert await shares(books) == [("小明", 20000), ("石头", 0)]


async def test_what_nobody_divided_is_said(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "谁也不欠谁" in await said(books, "账平了吗", "query")
        await said(books, "午饭35")
        await said(books, "确认")
        told = await said(books, "账平了吗", "query")
        assert "1笔支出没说和谁分" in told
        assert "谁也不欠谁" not in told


async def test_a_correction_names_its_sum(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        for line in ("奶茶18", "打车25"):
            await said(books, line)
            await said(books, "确认")
        await said(books, "不是18，是16", "correct")
        await said(books, "打车不是25 是28", "correct")
        assert "没有99元的账" in await said(books, "不是99是9", "correct")
        assert sorted(await books.kept()) == ["奶茶1600", "打车2800"]


async def test_a_budget_without_a_month_is_asked_about(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "按月算" in await said(books, "旅行预算一共8000 帮盯着点")
        assert "没改" in await said(books, "不用")
        assert "还没设" in await said(books, "预算还剩多少", "query")
        assert "记下了" in await said(books, "餐饮预算800")  # a category is of the books alone
        assert "按月算" in await said(books, "旅行预算9000")
        assert "记下了" in await said(books, "对")


async def test_parts_by_name_divide_the_card_and_add_nothing(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "房费900我和小雅一人一半")
        assert "小雅300元" in await said(books, "对 小雅300")
        assert "没听清" in await said(books, "小雅800 我200")
        await said(books, "确认")
        assert sorted(fen for _, fen in await shares(books)) == [30000, 60000]


async def test_parts_that_do_not_fit_the_sum_are_no_expenses(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        assert "对不上" in await said(books, "水电300 我100 小雅250")
        assert await books.kept() == []


async def test_a_miswritten_sum_is_the_one_behind(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "加油60")
        await said(books, "确认")
        assert "没有16元的账" in await said(books, "60记成16了吧", "correct")
        assert "90元" in await said(books, "90记成60了", "correct")
        assert await books.kept() == ["加油9000"]


async def test_a_rough_sum_beside_a_card_is_asked_for(tmp_path: Path) -> None:
    async with shop(tmp_path) as books:
        await said(books, "停车15")
        assert "唱歌具体是多少" in await said(books, "唱歌花了两百多")
        await said(books, "确认")
        assert await books.kept() == ["停车1500"]
