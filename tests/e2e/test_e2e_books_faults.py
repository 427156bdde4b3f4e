"""Seed 4 where the model fails: three seconds in all, then local rules; a late answer is nobody's."""

from __future__ import annotations

import asyncio
import time

import pytest
from default_run import first
from model_server import ModelServer, dribble, hang, html, never_ends, rate_limited, server_error, truncated

from .harness import Api, Chat, Held
from .test_e2e_books import WAITING, answer, card, corrected, saved, tell, waiting

pytestmark = pytest.mark.exhaustive

LIMIT = 3.0
"""CORRECTION_TIMEOUT by default."""


@pytest.mark.exhaustive
async def test_a_late_answer_is_not_applied(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming, "红包60")
    model.always("correct_transaction", held := Held(corrected((0, {"amount": 999.0}))))
    said = await room.say(ming, "改为收入")
    await waiting(room)
    asked = await held.entered()
    done = await answer(room, said)
    assert "已将第1笔修改为收入60元，红包" in done.text
    held.release()
    async with asyncio.timeout(5):
        await asked.closed.wait()
    await api.settle(room)
    model.always("correct_transaction", corrected(intent="unclear"))
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("INCOME", "60.00", "红包")]


@first(1)
@pytest.mark.parametrize("fault", ["hang", "500", "html", "429", "truncated", "dribble", "endless"])
async def test_local_rules_correct_where_the_model_gives_no_answer(
    room: Chat, api: Api, model: ModelServer, fault: str
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always(
        "correct_transaction",
        {
            "hang": hang(),
            "dribble": dribble(),
            "endless": never_ends(),
            "500": server_error(),
            "html": html(),
            "429": rate_limited(),
            "truncated": truncated(),
        }[fault],
    )
    began = time.monotonic()
    done = await tell(room, ming, "第一笔改成50")
    took = time.monotonic() - began
    assert "已将第1笔修改为50元，午饭" in done.text
    assert took < LIMIT + 2, f"{took:.1f} s: three seconds are for all of it"
    assert sum(text == WAITING for text in room.texts()) == 1
    for words in ("sk-", "500", "html", "Retry", "openai"):
        assert words not in "".join(room.texts()).replace("500元", "")
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "50.00", "午饭"), ("EXPENSE", "20.00", "打车")]


@pytest.mark.exhaustive
async def test_the_route_answers_within_its_time_too(room: Chat, api: Api, model: ModelServer) -> None:
    model.always("correct_transaction", hang())
    batch = [{"index": 3, "amount": "35.00", "type": "EXPENSE", "category": "餐饮"}]
    began = time.monotonic()
    given = await api.http.post(
        "/api/v1/llm/correct-transaction", json={"currentBatch": batch, "correctionText": "改成收入50块"}
    )
    assert time.monotonic() - began < LIMIT + 2
    assert given.json() == {
        "corrections": [{"index": 3, "updatedFields": {"type": "INCOME", "amount": 50.0}}],
        "intent": "correction",
        "confidence": 1.0,
    }


async def test_a_model_that_reads_new_sentences_badly_is_not_used(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    model.always("parse_transactions", hang())
    shown = await card(room, ming, "午饭35，打车20")
    assert "合计：支出55元" in shown.text
    assert "parse_transactions" not in model.names
