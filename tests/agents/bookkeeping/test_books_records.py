"""What is asked of saved records: corrections, undo, queries, budgets, words, AA, export; and repeats."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from books_support import ScriptedModel, Shop, shop
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.agents.bookkeeping.reports import as_csv
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import balances, settling_transfers, split
from nonebot_plugin_mishu.storage import DatabaseLocked, Storage, default_url
from nonebot_plugin_mishu.storage.transactions.queries import BookSpan
from stand_ins import FRIEND, GROUP, OTHER

WANG, LI = Mention("30002", "小王"), Mention("30003", "小李")


@pytest_asyncio.fixture(loop_scope="session")
async def office(tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop(tmp_path) as opened:
        yield opened


async def record(office: Shop, *texts: str, **more: Any) -> None:
    for text in texts:
        await office.say(text, **more)
        await office.say("确认", **more)


async def test_the_last_record_is_corrected(office: Shop) -> None:
    await record(office, "午饭35", "打车20")
    said = await office.say("刚才那笔改成45", "correct")
    assert said == "改好了：打车 45元（交通） 11月21日 周六（原来是20元，打车）。"
    assert await office.kept() == ["午饭3500", "打车4500"]


async def test_a_record_by_its_word_and_which_one_otherwise(office: Shop) -> None:
    await record(office, "午饭35", "打车20")
    await office.say("午饭那笔改成40", "correct")
    assert "改好了：午饭 50元" in await office.say("改成50", "correct")  # of the one just changed
    await record(office, "奶茶15，咖啡18")
    assert "要改第几笔" in await office.say("改成20", "correct")
    assert "改好了：奶茶 20元" in await office.say("第二笔")
    assert await office.kept() == ["午饭5000", "打车2000", "奶茶2000", "咖啡1800"]


async def test_a_record_is_deleted_and_comes_back(office: Shop) -> None:
    await record(office, "午饭35", "打车20")
    assert "删掉了：打车 20元" in await office.say("删掉打车那笔", "correct")
    assert await office.kept() == ["午饭3500"]
    assert await office.say("撤销", "undo") == "撤销了：删掉 打车20元。"
    assert await office.kept() == ["午饭3500", "打车2000"]


async def test_undo_takes_a_whole_commit_back_and_then_the_one_before(office: Shop) -> None:
    await record(office, "午饭35", "打车20，奶茶15")
    assert await office.say("撤销", "undo") == "撤销了：记账 打车20元、奶茶15元。"
    assert await office.kept() == ["午饭3500"]
    await office.say("撤销", "undo")
    assert await office.kept() == []
    assert "没有可以撤销" in await office.say("撤销", "undo")


async def test_nobody_corrects_another_s_record(office: Shop) -> None:
    await record(office, "午饭35")
    assert "没找到你记的账" in await office.say("刚才那笔改成1", "correct", user="30002", name="小王")
    assert "没有可以撤销" in await office.say("撤销", "undo", user="30002", name="小王")
    assert await office.kept() == ["午饭3500"]


async def test_pitfall_53_income_is_never_added_to_expense_nor_others_to_one_s_own(office: Shop) -> None:
    await record(office, "午饭35，打车20", "工资8000")
    await record(office, "火锅300", user="30002", name="小王")
    said = await office.say("这个月花了多少", "query")
    assert said.startswith("11月你的账：支出55元，收入8000元")
    assert "支出·餐饮 35元（64%，1笔）" in said
    assert "300" not in said
    assert "8055" not in said
    assert (await office.say("这个月餐饮花了多少", "query")).startswith("11月你的账里餐饮：支出35元")
    assert (await office.say("这个月收入多少", "query")).startswith("11月你的账：收入8000元")
    assert "没有记录" in await office.say("昨天花了多少", "query")
    assert "没有记录" in await office.say("群里这个月花了多少", "query")


async def test_spans_of_time(office: Shop) -> None:
    await record(office, "昨天打车20", "周一午饭30", "10月3号火锅200", "午饭35")
    assert "支出35元" in await office.say("今天花了多少", "query")
    assert "支出20元" in await office.say("昨天花了多少", "query")
    assert "支出85元" in await office.say("本周花了多少", "query")
    assert "支出85元" in await office.say("本月花了多少", "query")
    assert "支出200元" in await office.say("上个月花了多少", "query")
    assert "支出200元" in await office.say("10月花了多少", "query")
    assert "支出285元" in await office.say("今年花了多少", "query")


async def test_the_list(office: Shop) -> None:
    await record(office, "昨天打车20", "午饭35")
    said = await office.say("这个月明细", "query")
    assert said.splitlines() == [
        "11月你的账，共2笔：",
        "11月20日 周五 打车 20元（交通）",
        "11月21日 周六 午饭 35元（餐饮）",
    ]


async def test_a_word_taught_counts_from_then_on_in_this_conversation(office: Shop) -> None:
    await record(office, "奶茶15")
    assert await office.say("以后奶茶算饮品") == "好，以后「奶茶」记到「饮品」。"
    await record(office, "奶茶16", user="30002", name="小王")
    await record(office, "奶茶17", where=OTHER)
    assert [one.fields.category for one in await office.saved()] == ["餐饮", "饮品"]
    assert [one.fields.category for one in await office.saved(where=OTHER)] == ["餐饮"]


async def test_pitfall_53_an_unknown_thing_is_of_no_category(office: Shop) -> None:
    await record(office, "咕噜咕噜88")
    assert [one.fields.category for one in await office.saved()] == ["其他"]


async def test_a_budget_is_told_at_80_and_100_once_each(office: Shop) -> None:
    assert "11月餐饮预算100元" in await office.say("这个月餐饮预算100")
    replies = []
    for text in ("午饭50", "打车500", "晚饭31", "奶茶4", "夜宵15", "早饭1"):
        await office.say(text)
        replies.append(await office.say("确认"))
    assert ["预算" in said for said in replies] == [False, False, True, False, True, False]
    assert "用了81%（81元），还剩19元" in replies[2]
    assert "用完了" in replies[4]
    assert "餐饮预算100元，已用101元（101%），超出1元" in await office.say("预算还剩多少", "query")


async def test_a_budget_that_was_raised_before_a_kill_is_not_raised_again(office: Shop) -> None:
    await office.say("这个月餐饮预算100")
    told = await office.say("餐饮预算加50")
    office.count -= 1  # the line is read again, as the same work
    assert await office.say("餐饮预算加50") == told
    assert "150元（原来是100元）" in told
    assert "200元（原来是150元）" in await office.say("餐饮预算加50")


async def test_aa_among_people_named(office: Shop) -> None:
    card = await office.say("聚餐100 AA", mentions=[WANG, LI])
    assert "3人AA，每人33.33元（小明33.34元）" in card
    await office.say("确认")
    await record(office, "打车30 AA", user="30002", name="小王", mentions=[Mention("30001", "小明")])
    said = await office.say("谁欠谁", "query")
    assert said.splitlines()[1:] == ["小李 给 小明 33.33元", "小王 给 小明 18.33元"]
    group = await office.say("群里这个月花了多少", "query")
    assert "支出130元" in group


async def test_aa_by_count_and_a_group_expense(office: Shop) -> None:
    assert "另外4人是谁" in await office.say("聚餐300 AA 五个人")
    assert "5人AA，每人60元" in await office.say("不记名")
    await office.say("确认")
    await record(office, "买水20记群账", "午饭35")
    assert "支出320元" in await office.say("群里这个月花了多少", "query")
    owes = await office.say("谁欠谁", "query")
    assert "小明 还有 4 份共240元没收，不知道是谁的" in owes
    assert "谁也不欠谁" not in owes


@pytest.mark.parametrize(
    ("said", "shared"),
    [
        ("午饭35，打车20，AA 4人聚餐400", [False, False, True]),
        ("聚餐400 AA 4人，午饭35", [True, False]),
        ("午饭35，聚餐400，AA 4人", [True, True]),
        ("AA 4人：午饭36，聚餐400", [True, True]),
        ("午饭36 打车20 聚餐400 4人AA", [True, True, True]),
    ],
)
async def test_aa_behind_an_amount_of_its_own_is_said_of_that_only(
    office: Shop, said: str, shared: list[bool]
) -> None:
    assert "另外3人是谁" in await office.say(said)
    card = await office.say("不记名")
    lines = [line for line in card.splitlines() if line[:1].isdigit()]
    assert ["4人AA" in line for line in lines] == shared


async def test_private_books_are_not_the_group_s(office: Shop) -> None:
    await record(office, "午饭35", where=FRIEND)
    assert "没有记录" in await office.say("这个月花了多少", "query")
    assert "支出35元" in await office.say("这个月花了多少", "query", where=FRIEND)


async def test_the_export_opens_in_excel_and_holds_no_formula(office: Shop) -> None:
    await record(office, "午饭35")
    said = await office.say("导出这个月的账", "query")
    [(_, member, words, file)] = office.handed
    assert "私聊" in said
    assert office.files == [], "nothing goes to the group"
    assert member == "30001"
    assert file is not None
    name, content = file
    assert name in words
    assert name.endswith(".csv")
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.decode("utf-8-sig").splitlines()[1] == "2026-11-21,支出,35.00,餐饮,午饭,小明,,,,"


@pytest.mark.parametrize("evil", ["=1+1", "+cmd", "-2", "@SUM(A1)", "\t=1", "＝1"])
async def test_no_cell_is_a_formula(office: Shop, evil: str) -> None:
    await record(office, "午饭35")
    [one] = await office.saved()
    from dataclasses import replace

    bad = replace(one, user_name=evil, fields=replace(one.fields, description=evil, category=evil))
    row = as_csv([bad]).decode("utf-8-sig").split("\r\n", 1)[1]
    assert row.count(f"'{evil}") == 3


async def test_a_refused_file_is_given_as_text(office: Shop) -> None:
    await record(office, "午饭35")
    office.takes_files = False
    assert "午饭" not in await office.say("导出这个月的账", "query")
    assert "午饭 35元" in office.handed[-1][2]
    await record(office, "晚饭40", where=FRIEND)
    assert "晚饭 40元" in await office.say("导出这个月的账", "query", where=FRIEND)


async def test_pitfall_77_who_cannot_be_reached_is_told_so_and_the_group_sees_nothing(office: Shop) -> None:
    await record(office, "午饭35")
    office.reached = False
    said = await office.say("把账单导出来", "query")
    assert "发不到" in said
    assert "午饭" not in said
    assert office.files == []


async def test_the_amount_is_asked_for(office: Shop) -> None:
    assert await office.say("记一笔午饭") == "多少钱？"
    assert "午饭 35元" in await office.say("35")
    await office.say("确认")
    assert await office.kept() == ["午饭3500"]


async def test_foreign_money_and_too_much_are_refused_with_a_word(office: Shop) -> None:
    assert "人民币" in await office.say("买游戏$20")
    assert "太大" in await office.say("午饭99999999999元")


async def test_a_model_is_asked_only_where_the_rules_are_unsure(tmp_path: Path) -> None:
    items: list[dict[str, Any]] = [
        {"amount": 35, "type": "EXPENSE", "category": "餐饮", "description": "午饭", "date": None},
        {
            "amount": "15.00",
            "type": "EXPENSE",
            "category": "火星",
            "description": "奶茶",
            "date": "2026-11-20",
        },
    ]
    model = ScriptedModel(parse_transactions={"items": items})
    async with shop(tmp_path, model) as office:
        await office.say("午饭35，打车20")
        assert not model.asked
        await office.say("取消")
        card = await office.say("午饭35，打车，奶茶15")
        assert [call.name for call in model.asked] == ["parse_transactions"]
        assert model.asked[0].data["today"] == "2026-11-21"
        assert "餐饮" in model.asked[0].data["categories"]
        assert "2. 奶茶 15元 11月20日 周五" in card


async def test_a_model_names_payer_and_sharers_of_each_item_and_only_who_was_said(tmp_path: Path) -> None:
    food = {"type": "EXPENSE", "category": "餐饮"}
    items = [
        {**food, "amount": 35, "description": "午饭", "payer": "小王", "sharers": ["我", "小王"]},
        {**food, "amount": 15, "description": "奶茶", "payer": "老张", "sharers": ["我", "老张"]},
    ]
    async with shop(tmp_path, ScriptedModel(parse_transactions={"items": items})) as office:
        card = await office.say("午饭35，打车，奶茶15，午饭小王先垫着", members=(WANG, LI))
        told = office.model.asked[0].data
        assert (told["speaker"], told["members"]) == ("小明", ["小王", "小李"])
        assert "午饭 35元（餐饮），2人AA，每人17.50元：小王、小明，小王付的" in card
        assert "2. 奶茶 15元（餐饮）" in card
        assert "老张" not in card


@pytest.mark.parametrize("wrong", [{"amount": -1}, {"amount": 0}, {"amount": 1e15}, {"date": "2026-02-30"}])
async def test_pitfall_37_a_wrong_answer_is_not_repaired(tmp_path: Path, wrong: dict[str, Any]) -> None:
    item = {"amount": 35, "type": "EXPENSE", "category": "餐饮", **wrong}
    model = ScriptedModel(parse_transactions={"items": [item]})
    async with shop(tmp_path, model) as office:
        card = await office.say("午饭35，打车，奶茶15")
        assert "1. 午饭 35元" in card
        assert "2. 奶茶 15元" in card


async def test_trouble_with_the_database_is_said_and_loses_nothing(
    office: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.say("午饭35")
    books = office.storage.transactions

    async def locked(*_: Any, **__: Any) -> Any:
        raise DatabaseLocked

    with monkeypatch.context() as patched:
        patched.setattr(books, "commit", locked)
        assert "没存上" in await office.say("确认")
        patched.setattr(books.words, "load_words", locked)
        assert "账本现在打不开" in await office.say("确认")
    assert "30001" in office.tasks
    await office.say("确认")
    assert await office.kept() == ["午饭3500"]


MILK = {"type": "EXPENSE", "category": "火星", "description": "奶茶"}
ORDERS = ["确认", "取消", "确认第一笔", "删掉第二笔", "改成60", "第一笔改成0.05", "还有一笔奶茶15.55", "退出"]
NEW = ["午饭35.01，打车20", "红包8.88"]
SAVED = ["刚才那笔改成45.67", "撤销", "删掉刚才那笔"]


@settings(max_examples=12)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["午饭35.01，打车20", "红包8.88", *ORDERS, *SAVED]), st.booleans(), st.booleans()
        ),
        max_size=10,
    )
)
def test_totals_are_the_sum_of_what_is_saved(script: list[tuple[str, bool, bool]]) -> None:
    """After any confirm, cancel, correct, undo, crash (the result is lost) and restart (a new storage)."""

    async def scene() -> None:
        with tempfile.TemporaryDirectory() as directory:
            async with shop(Path(directory)) as office:
                for text, lost, restarts in script:
                    if text in SAVED and "30001" in office.tasks:
                        continue
                    intent = {"撤销": "undo"}.get(text, "correct" if text in SAVED else "record")
                    before = await office.kept()
                    said = await office.say(text, intent, lost=lost)
                    after = await office.kept()
                    if (
                        text in ("取消", "删掉第二笔", "退出", "改成60")
                        and "记下了" not in said
                        and "记下了" not in said
                    ):
                        assert after == before
                    if restarts:
                        await office.storage.close()
                        url = default_url(Path(directory))
                        office.storage = await Storage.open(url, on_trouble=lambda _: None)
                        office.books.storage = office.storage
                mine = BookSpan(GROUP, "30001")
                sums = {each.type: 0 for each in await office.storage.transactions.sums(mine)}
                for each in await office.storage.transactions.sums(mine):
                    sums[each.type] += each.fen
                expected: dict[str, int] = {}
                for one in await office.saved():
                    expected[one.fields.type] = expected.get(one.fields.type, 0) + one.fields.fen
                assert sums == expected
                places = [(one.batch, one.place) for one in await office.saved()]
                assert len(places) == len(set(places))

    asyncio.run(scene())


PEOPLE = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=8)


@given(st.integers(1, 10**10), PEOPLE, st.integers(0, 12))
def test_shares_are_exactly_the_whole(fen: int, people: list[str], count: int) -> None:
    shares = split(fen, ("p", "我"), [(each, each) for each in people], count)
    assert sum(share.fen for share in shares) == fen
    assert len(shares) == max(count, len(people) + 1)
    others = {share.fen for share in shares[1:]}
    assert len(others) == 1
    assert 0 <= shares[0].fen - others.pop() < len(shares)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.sampled_from("abcde"), PEOPLE), max_size=12))
def test_transfers_make_everybody_even_and_are_few(paid: list[tuple[int, str, list[str]]]) -> None:
    records = [
        (payer, split(fen, (payer, payer), [(each, each) for each in who])) for fen, payer, who in paid
    ]
    owed = balances(records)
    assert sum(owed.values()) == 0
    transfers = settling_transfers(owed)
    assert len(transfers) <= max(0, len(owed) - 1)
    for each in transfers:
        assert each.fen > 0
        owed[each.debtor] += each.fen
        owed[each.creditor] -= each.fen
    assert not any(owed.values())


async def test_deleting_the_last_record_is_not_undoing_the_last_change(office: Shop) -> None:
    await record(office, "午饭35", "打车20")
    await office.say("刚才那笔改成45", "correct")
    assert "删掉了：打车 45元" in await office.say("上一笔删掉", "undo")
    assert await office.kept() == ["午饭3500"]
    await office.say("撤销", "undo")
    assert await office.kept() == ["午饭3500", "打车4500"]


async def test_another_record_is_one_more_item_of_the_card(office: Shop) -> None:
    await office.say("记一笔午饭10")
    await office.say("记一笔午饭14")
    await office.say("确认")
    assert await office.kept() == ["午饭1000", "午饭1400"]


@pytest.mark.parametrize(
    "said", ["血压计两百三十九块 先莫买", "血压计239 先不买", "会员卡充200送30 你们记住哈"]
)
async def test_what_was_not_bought_and_rules_are_not_booked(office: Shop, said: str) -> None:
    assert "没花出去的钱不记" in await office.say(said)
    assert await office.kept() == []


async def test_a_rough_sum_that_was_asked_for_is_not_read_into_other_things(office: Shop) -> None:
    await office.say("打车去聚餐花了六十多")
    shown = await office.say("晚饭28 奶茶15")
    assert "打车" not in shown
    assert "晚饭 28元" in shown


@pytest.mark.parametrize("said", ["水没买 打车25", "没带伞 买了把伞25", "会员充值送50 我充了25"])
async def test_what_was_bought_beside_what_was_not_is_booked(office: Shop, said: str) -> None:
    assert "没花出去的钱不记" not in await office.say(said)
