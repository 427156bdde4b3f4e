"""Seed 4, scenario by scenario, at the handler: with a scripted model and without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from books_support import ScriptedModel, Shop, shop
from nonebot_plugin_mishu.agents.bookkeeping.model.asking import Corrected
from nonebot_plugin_mishu.llm import ModelError
from pydantic import ValidationError


@pytest_asyncio.fixture(loop_scope="session")
async def office(tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop(tmp_path, correction_timeout=0.3) as opened:
        yield opened


def answering(office: Shop, intent: str, *corrections: Any, confidence: float | None = 0.92) -> None:
    office.model.online = True
    office.model.answers["correct_transaction"] = {
        "corrections": [{"index": index, "updatedFields": fields} for index, fields in corrections],
        "intent": intent,
        "confidence": confidence,
    }


async def test_确认_is_local(office: Shop) -> None:
    office.model.online = True
    card = await office.say("午饭35，打车20")
    assert "1. 午饭 35元（餐饮）" in card
    assert "2. 打车 20元（交通）" in card
    assert "合计：支出55元" in card
    assert await office.kept() == []
    assert "第1、2笔记下了" in await office.say("确认")
    assert await office.kept() == ["午饭3500", "打车2000"]
    assert not office.model.asked
    assert office.spoken == []


async def test_不要了_is_local(office: Shop) -> None:
    office.model.online = True
    await office.say("午饭35，打车20")
    assert await office.say("不要了") == "好，不记了"
    assert await office.kept() == []
    assert not office.model.asked


async def test_确认第二笔_saves_that_one_only(office: Shop) -> None:
    office.model.online = True
    await office.say("午饭35，打车20")
    assert "第2笔记下了" in await office.say("确认第二笔")
    assert await office.kept() == ["打车2000"]
    assert not office.model.asked
    await office.say("取消")
    assert await office.kept() == ["打车2000"]


async def test_删掉第三笔_cancels_that_one_only(office: Shop) -> None:
    office.model.online = True
    await office.say("午饭35，打车20，奶茶15")
    await office.say("删掉第三笔")
    await office.say("确认")
    assert await office.kept() == ["午饭3500", "打车2000"]
    assert not office.model.asked


async def test_a_correction_asks_the_model_behind_the_waiting_line(office: Shop) -> None:
    await office.say("红包30")
    answering(office, "correction", (0, {"type": "INCOME"}))
    said = await office.say("修改为收入")
    assert office.spoken == ["好的，正在修改..."]
    assert said == "已将第1笔修改为收入30元，红包。还需要修改吗？"
    call = office.model.asked[0]
    assert call.name == "correct_transaction"
    assert call.data == {
        "currentBatch": [
            {
                "index": 0,
                "amount": "30.00",
                "type": "EXPENSE",
                "category": "红包",
                "description": "红包",
                "date": "2026-11-21",
            }
        ],
        "correctionText": "修改为收入",
    }
    await office.say("确认")
    assert [one.fields.type for one in await office.saved()] == ["INCOME"]


async def test_a_natural_sentence_goes_to_the_model(office: Shop) -> None:
    await office.say("红包30")
    answering(office, "correction", (0, {"type": "INCOME"}))
    await office.say("那个应该是收入不是支出啊")
    assert [call.name for call in office.model.asked] == ["correct_transaction"]


async def test_several_fields(office: Shop) -> None:
    await office.say("红包30")
    answering(office, "correction", (0, {"type": "INCOME", "amount": 60.0}))
    assert await office.say("改为收入60块") == "已将第1笔修改为收入60元，红包。还需要修改吗？"


async def test_an_item_by_its_word(office: Shop) -> None:
    await office.say("午饭35，红包30")
    answering(office, "correction", (1, {"type": "INCOME"}))
    said = await office.say("红包那笔改为收入")
    assert said.startswith("已将第2笔修改为收入30元，红包。还需要修改吗？")
    assert "2. 红包 收入30元" in said


async def test_the_model_s_confirm_and_cancel(office: Shop) -> None:
    await office.say("午饭35")
    answering(office, "confirm", confidence=0.85)
    assert "记下了" in await office.say("嗯对第一笔就照这么来得了")
    assert await office.kept() == ["午饭3500"]


async def test_append(office: Shop) -> None:
    await office.say("午饭35")
    fields = {"amount": 15.0, "category": "饮品", "type": "EXPENSE", "description": "奶茶"}
    answering(office, "append", (-1, fields))
    said = await office.say("还有一笔奶茶15")
    assert said.startswith("第2笔加上了：奶茶 15元")
    await office.say("确认")
    assert [one.fields.category for one in await office.saved()] == ["餐饮", "饮品"]


async def test_append_up_to_the_limit(tmp_path: Path) -> None:
    async with shop(tmp_path, max_items=2) as office:
        await office.say("午饭35，打车20")
        answering(office, "append", (-1, {"amount": 15, "type": "EXPENSE", "description": "奶茶"}))
        assert "一次最多2笔" in await office.say("还有一笔奶茶15")
        await office.say("确认")
        assert await office.kept() == ["午饭3500", "打车2000"]


@pytest.mark.parametrize(
    ("intent", "confidence", "corrections"),
    [
        ("unclear", 0.3, []),
        ("correction", 0.55, [(0, {"amount": 60})]),
        ("correction", 0.9, [(1, {"amount": 60})]),
        ("correction", 0.9, [(-2, {"amount": 60})]),
        ("correction", 0.9, []),
        ("correction", 0.9, [(0, {"amount": -5})]),
        ("correction", 0.9, [(0, {"amount": 0})]),
        ("correction", 0.9, [(0, {"amount": "1e5"})]),
        ("correction", 0.9, [(0, {"amount": 10**12})]),
        ("correction", 0.9, [(0, {"amount": 1.234})]),
        ("correction", 0.9, [(0, {"type": "收入"})]),
        ("correction", 0.9, [(0, {"date": "2026-13-01"})]),
        ("correction", 0.9, [(0, {"date": "昨天"})]),
        ("correction", 0.9, [(0, {"category": "餐饮\n忽略"})]),
        ("correction", 0.9, [(0, {"amount": 60, "owner": "30002"})]),
        ("correction", 1.5, [(0, {"amount": 60})]),
        ("correction", -0.1, [(0, {"amount": 60})]),
        ("correction", 0.9, [(0, {"amount": 60}), (0, {"amount": 70})]),
        ("append", 0.9, [(0, {"amount": 60})]),
        ("confirm", None, []),
        ("cancel", None, []),
        ("cancel", 0.6, []),
        ("append", 0.9, [(-1, {"description": "奶茶"})]),
        ("delete everything", 0.9, []),
    ],
)
async def test_what_is_not_exactly_right_changes_nothing(
    office: Shop, intent: str, confidence: float | None, corrections: list[Any]
) -> None:
    await office.say("午饭35")
    answering(office, intent, *corrections, confidence=confidence)
    told = await office.say("改成那个样子60")
    assert told.startswith("没听清要改什么，请再说一次\n")
    assert "午饭 35元" in told  # as it is, before a yes is asked for again
    await office.say("确认")
    [one] = await office.saved()
    assert (one.fields.fen, one.fields.type, one.fields.day) == (3500, "EXPENSE", "2026-11-21")


async def test_a_missing_confidence_counts_for_a_correction(office: Shop) -> None:
    await office.say("午饭35")
    answering(office, "correction", (0, {"amount": 60}), confidence=None)
    assert "修改为60元" in await office.say("改成60")


async def test_a_model_that_is_silent_for_ever_or_late_is_corrected_locally(office: Shop) -> None:
    await office.say("红包30")
    answering(office, "cancel", confidence=1.0)
    office.model.answers_late = True
    assert await office.say("改为收入60块") == "已将第1笔修改为收入60元，红包。还需要修改吗？"
    async with asyncio.timeout(10):
        await office.model.answered_late.wait()  # the late answer would cancel all
    await office.say("确认")
    assert await office.kept() == ["红包6000"]


@pytest.mark.parametrize(
    "given",
    [
        {"corrections": [{"index": 0, "updatedFields": {"amount": True}}], "intent": "correction"},
        {
            "corrections": [{"index": 0, "updatedFields": {"amount": 99}}],
            "intent": "correction",
            "confidence": "高",
        },
        {
            "corrections": [{"index": 0, "updatedFields": {"amount": 99}}],
            "intent": "correction",
            "confidence": True,
        },
        {"corrections": [{"index": "0", "updatedFields": {"amount": 99}}], "intent": "correction"},
        {"corrections": [{"index": True, "updatedFields": {"amount": 99}}], "intent": "correction"},
    ],
)
async def test_values_of_another_type_are_no_answer(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Corrected.model_validate(given)


@pytest.mark.parametrize("kind", ["timeout", "invalid", "refused", "rate_limited"])
async def test_a_failing_model_is_corrected_locally_without_a_word_of_it(office: Shop, kind: Any) -> None:
    await office.say("红包30")
    office.model.online = True
    office.model.answers["correct_transaction"] = ModelError(kind, "correct_transaction")
    assert await office.say("改为收入") == "已将第1笔修改为收入30元，红包。还需要修改吗？"


async def test_offline_says_so_once_and_corrects_simply(office: Shop) -> None:
    await office.say("红包30")
    first = await office.say("改为收入")
    assert first == "已将第1笔修改为收入30元，红包。还需要修改吗？\n（现在只会改金额、收支、分类和怎么分）"
    assert await office.say("金额改成100") == "已将第1笔修改为收入100元，红包。还需要修改吗？"
    assert office.spoken == []
    await office.say("确认")
    [one] = await office.saved()
    assert (one.fields.type, one.fields.fen) == ("INCOME", 10000)


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("那个应该是收入不是支出", {"type": "INCOME"}),
        ("不是支出，是收入", {"type": "INCOME"}),
        ("改成45", {"fen": 4500}),
        ("不是35是45", {"fen": 4500}),
        ("把35改成四十五块五", {"fen": 4550}),
        ("分类改成交通", {"category": "交通"}),
        ("应该是交通", {"category": "交通"}),
        ("归到娱乐吧", {"category": "娱乐"}),
        ("日期改成昨天", {"day": "2026-11-20"}),
        ("描述改成和小王吃饭", {"description": "和小王吃饭"}),
        ("第一笔改成50", {"fen": 5000}),
        ("午饭那笔改成50", {"fen": 5000}),
        ("改成收入100块", {"fen": 10000, "type": "INCOME"}),
    ],
)
async def test_local_corrections(office: Shop, said: str, fields: dict[str, Any]) -> None:
    await office.say("午饭35")
    assert "已将第1笔修改为" in await office.say(said)
    await office.say("确认")
    [one] = await office.saved()
    was = {"fen": 3500, "type": "EXPENSE", "category": "餐饮", "description": "午饭", "day": "2026-11-21"}
    now = {name: getattr(one.fields, name) for name in was}
    assert now == {**was, **fields}


async def test_no_item_named_asks_which_and_takes_the_answer(office: Shop) -> None:
    await office.say("午饭35，打车20")
    assert "要改第几笔" in await office.say("改成60")
    assert "已将第2笔修改为60元，打车" in await office.say("第二笔")
    await office.say("确认")
    assert await office.kept() == ["午饭3500", "打车6000"]


@pytest.mark.parametrize(
    "said", ["打车那笔改成60", "打车的改成60", "第二笔改成60", "第2笔应该是60", "打车是60"]
)
async def test_the_item_by_number_or_word(office: Shop, said: str) -> None:
    await office.say("午饭35，打车20")
    assert "已将第2笔修改为60元，打车" in await office.say(said)


async def test_only_pending_items_are_shown_and_mapped_back(office: Shop) -> None:
    await office.say("午饭35，打车20，奶茶15")
    await office.say("确认第一笔")
    answering(office, "correction", (1, {"amount": 18}))
    assert "已将第3笔修改为18元，奶茶" in await office.say("奶茶应该是18")
    shown = office.model.asked[-1].data["currentBatch"]
    assert [(one["index"], one["description"]) for one in shown] == [(0, "打车"), (1, "奶茶")]
    await office.say("确认")
    assert sorted(await office.kept()) == ["午饭3500", "奶茶1800", "打车2000"]


async def test_what_was_changed_is_said_where_the_words_do_not_tell_it(office: Shop) -> None:
    await office.say("午饭35")
    assert "修改为35元，午饭（交通）。还需要修改吗？" in await office.say("分类改成交通")
    assert "修改为35元，午饭（交通），11月20日 周五。" in await office.say("日期改成昨天")


async def test_offline_append(office: Shop) -> None:
    await office.say("午饭35")
    assert "第2笔加上了：奶茶 15元" in await office.say("还有一笔奶茶15")
    await office.say("确认")
    assert await office.kept() == ["午饭3500", "奶茶1500"]


async def test_exit_asks_once_and_then_drops(office: Shop) -> None:
    await office.say("午饭35，打车20")
    assert await office.say("退出") == "这2笔要保存吗？"
    assert "没记" in await office.say("退出")
    assert await office.kept() == []


async def test_expiry_drops_and_says_so(office: Shop) -> None:
    await office.say("午饭35")
    office.ahead += 301
    assert await office.expire() == "等太久了，第1笔没记，要记就再说一遍"
    assert await office.kept() == []


async def test_continue_takes_more(office: Shop) -> None:
    await office.say("午饭35")
    assert await office.say("继续") == "好，接着说"
    assert "第2笔加上了：打车 20元" in await office.say("打车20")
    await office.say("确认")
    assert await office.kept() == ["午饭3500", "打车2000"]


async def test_only_the_owner_s_lines_count(office: Shop) -> None:
    await office.say("午饭35")
    office.tasks["30002"] = office.tasks["30001"]
    await office.say("确认", user="30002")
    assert office.passed
    assert await office.kept() == []


@pytest.mark.parametrize("said", ["绝对不行", "好像不太对", "不用确认了", "我再确认一下"])
async def test_pitfall_51_what_only_looks_like_an_order_saves_nothing(office: Shop, said: str) -> None:
    await office.say("午饭35")
    await office.say(said)
    assert await office.kept() == []


async def test_talk_is_not_the_cards(office: Shop) -> None:
    office.model.online = True
    await office.say("午饭35")
    assert await office.say("哈哈真的吗朋友们") == ""
    assert office.passed
    assert not office.model.asked


async def test_a_model_changes_adds_and_removes_in_one_answer(tmp_path: Path) -> None:
    answer = {
        "intent": "correction",
        "corrections": [{"index": 0, "updatedFields": {"amount": 16}}],
        "added": [{"amount": 12, "type": "EXPENSE", "category": "餐饮", "description": "水果"}],
        "removed": [1],
    }
    async with shop(tmp_path, ScriptedModel(correct_transaction=answer)) as office:
        await office.say("午饭35，打车20")
        said = await office.say("前头那个是十六块来着，坐车的归我老板出了，再补个水果十二")
        assert "16元，午饭" in said
        assert "水果 12元" in said
        await office.say("确认")
        assert sorted(await office.kept()) == ["午饭1600", "水果1200"]


async def test_what_can_be_changed_offline_is_said_once_an_hour(office: Shop) -> None:
    hint = "现在只会改金额"
    said: list[bool] = []
    for minutes in (0, 10, 61):
        office.ahead = minutes * 60.0
        await office.say("红包30")
        said.append(hint in await office.say("改为收入"))
        await office.say("确认")
    assert said == [True, False, True]
