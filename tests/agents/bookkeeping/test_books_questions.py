"""What questions ask after, as data, that they are heard as questions, and what is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import yaml
from books_support import Shop, shop
from nonebot_plugin_mishu.config import loading
from nonebot_plugin_mishu.language.books.questions import query
from nonebot_plugin_mishu.language.entries.categories import Categories
from nonebot_plugin_mishu.language.recognise.times import parse
from task_contexts import ZONE

from bot.explain import explain

KNOWN: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "questions.yaml").read_text(encoding="utf-8")
)
NOW = datetime(2026, 11, 25, 20, tzinfo=ZONE)
CONFIG = loading.read({}, {})
NARROWING = ("category", "word", "type", "above", "newest", "largest", "smallest")


def days(first: date, last: date) -> str:
    return " ".join(day.isoformat().removeprefix("2026-") for day in (first, last))


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["say"])
def test_what_is_asked_after(known: dict[str, Any]) -> None:
    asked = query(known["say"], NOW.date(), parse(known["say"], NOW, ZONE), Categories(), private=False)
    assert asked.kind == known.get("kind", "sum")
    assert days(asked.first, asked.last) == known["days"]
    assert (None if asked.against is None else days(*asked.against[:2])) == known.get("against")
    assert asked.group is known.get("group", False)
    narrowed = {name: getattr(asked, name) or None for name in NARROWING}
    assert narrowed == {name: known.get(name) for name in NARROWING}


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["say"])
def test_it_is_a_question_to_the_books(known: dict[str, Any]) -> None:
    read = explain(known["say"], NOW, ZONE, CONFIG, [])
    assert [(frame["agent_code"], frame["intent"]) for frame in read["frames"]] == [("bookkeeping", "query")]
    assert read["transactions"] == []


@pytest_asyncio.fixture(loop_scope="session")
async def office(tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop(tmp_path) as opened:
        yield opened


async def test_answers(office: Shop) -> None:
    for said in ("午饭35", "打车20", "昨天打车30", "上个月15号打车100"):
        await office.say(said)
        await office.say("确认")
    assert await office.say("这个月打车比上个月多花多少", "query") == (
        "11月你的账里打车，和10月比：\n支出：11月50元，10月100元，11月少50元"
    )
    assert (await office.say("今天比昨天多花多少", "query")).endswith("多25元")
    newest = await office.say("最近两笔", "query")
    assert newest.startswith("你的账最近的，共2笔")
    assert "100元" not in newest
    assert "打车 100元" in await office.say("今年最大的一笔", "query")
    assert "没有记录" in await office.say("这个月超过100的支出", "query")
    assert (await office.say("这个月吃饭花了多少", "query")).startswith("11月你的账里餐饮：支出35元")
