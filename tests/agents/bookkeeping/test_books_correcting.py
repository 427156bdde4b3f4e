"""Corrections by local rules: lines on a card as data, and orders that name their items by words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import yaml
from books_support import ScriptedModel, Shop, shop
from nonebot_plugin_mishu.agents.bookkeeping import correct_for_api
from nonebot_plugin_mishu.agents.bookkeeping.cards.correcting import correct_locally
from nonebot_plugin_mishu.config import Bookkeeping
from nonebot_plugin_mishu.language.books.pointing import numbered
from nonebot_plugin_mishu.language.cards.triage import triage
from nonebot_plugin_mishu.language.entries.categories import Categories
from nonebot_plugin_mishu.language.entries.reading import read_items
from task_contexts import NOW, ZONE

LINES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "corrections.yaml").read_text(encoding="utf-8")
)


@pytest_asyncio.fixture(loop_scope="session")
async def office(tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['card']}: {line['say']}")
def test_lines_on_a_card(line: dict[str, Any]) -> None:
    pending = list(enumerate(read_items(line["card"], NOW, ZONE).entries))
    found = correct_locally(line["say"], pending, Categories(), NOW, ZONE)
    assert {number + 1: dict(fields) for number, fields in found.changes.items()} == line.get("is", {})
    assert [f"{each['amount']} {each['description']}" for each in found.added] == line.get("added", [])
    assert found.which is line.get("which", False)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("打车那笔不要了", ["午饭3500"]),
        ("删掉打车", ["午饭3500"]),
        ("午饭不要", ["打车2000"]),
        ("把打车那笔删了", ["午饭3500"]),
    ],
)
async def test_an_item_is_cancelled_by_its_words(office: Shop, said: str, kept: list[str]) -> None:
    await office.say("午饭35，打车20")
    assert "不记了" in await office.say(said)
    await office.say("确认")
    assert await office.kept() == kept


async def test_an_item_is_saved_by_its_words(office: Shop) -> None:
    await office.say("午饭35，打车20")
    assert "第2笔记下了" in await office.say("确认打车那笔")
    assert await office.kept() == ["打车2000"]


@pytest.mark.parametrize(("said", "shown"), [("是晚饭", "35元，晚饭"), ("前天的", "11月19日")])
async def test_a_line_that_says_only_what_an_item_is_is_about_it(office: Shop, said: str, shown: str) -> None:
    await office.say("午饭35")
    assert shown in await office.say(said)


async def test_words_of_two_items_name_neither(office: Shop) -> None:
    await office.say("午饭35，午饭20")
    assert "不要的是第几笔" in await office.say("删掉午饭那笔")
    assert "不要的是第几笔" in await office.say("确认")
    assert await office.kept() == []
    await office.say("都要")
    assert await office.kept() == ["午饭3500", "午饭2000"]


@pytest.mark.parametrize(
    "said", ["打车不是不要了吗", "我妈说打车不要了", "打车那笔要不要了呢", "午饭那笔改成50"]
)
def test_what_is_no_order_stays_none(said: str) -> None:
    pending = list(enumerate(read_items("午饭35，打车20", NOW, ZONE).entries))
    assert triage(numbered(said, pending), 2).kind in ("correction", "newInput")


@pytest.mark.parametrize(
    ("said", "intent"),
    [("嗯对就这样", "confirm"), ("确认", "confirm"), ("不要了", "cancel"), ("好像不太对", "unclear")],
)
async def test_without_a_model_the_route_still_hears_a_yes_and_a_no(said: str, intent: str) -> None:
    batch = [{"index": 0, "amount": "35.00", "type": "EXPENSE", "category": "餐饮", "description": "午饭"}]
    given = await correct_for_api(ScriptedModel(), Bookkeeping(), batch, said, NOW)  # type: ignore[arg-type]
    assert (given["intent"], given["corrections"]) == (intent, [])
