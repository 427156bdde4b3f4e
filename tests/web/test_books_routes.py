"""The routes of the account books: shapes, bounds, what is answered without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from fastapi import FastAPI
from nonebot_plugin_mishu.agents.bookkeeping import correct_for_api
from nonebot_plugin_mishu.config import Bookkeeping
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.web.layers.handlers import install
from nonebot_plugin_mishu.web.routes.corrections import routes

NOW = datetime(2026, 11, 21, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
CHANGE = {"intent": "correction"}
BATCH = [
    {"index": 0, "amount": 35, "type": "EXPENSE", "category": "餐饮", "description": "午饭"},
    {"index": 1, "amount": "30.00", "type": "EXPENSE", "category": "红包", "description": "红包"},
]


class Backend:
    """The running plugin, as far as these routes see it."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.answer: Any = ModelError("offline", "correct_transaction")

    async def correct_transaction(self, batch: Sequence[Mapping[str, Any]], text: str) -> Mapping[str, Any]:
        async def structured(name: str, data: Any, answer: Any, **_: Any) -> Any:
            self.asked.append(data)
            if isinstance(self.answer, BaseException):
                raise self.answer
            return answer.model_validate(self.answer)

        model: Any = SimpleNamespace(structured=structured)
        return await correct_for_api(model, Bookkeeping(), batch, text, NOW)


def client_of(backend: Backend) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(routes(backend), prefix="/api")
    install(app)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")


async def correct(backend: Backend, text: str, batch: Any = BATCH) -> httpx.Response:
    async with client_of(backend) as client:
        body = {"currentBatch": batch, "correctionText": text}
        return await client.post("/api/v1/llm/correct-transaction", json=body)


async def test_the_model_s_correction_is_given_on() -> None:
    backend = Backend()
    backend.answer = {
        "corrections": [{"index": 1, "updatedFields": {"type": "INCOME", "amount": None}}],
        "intent": "correction",
        "confidence": 0.92,
    }
    answer = await correct(backend, "红包那笔改为收入")
    assert answer.json() == {
        "corrections": [{"index": 1, "updatedFields": {"type": "INCOME"}}],
        "intent": "correction",
        "confidence": 0.92,
    }
    assert backend.asked[0]["correctionText"] == "红包那笔改为收入"


@pytest.mark.parametrize(
    "given",
    [
        {**CHANGE, "corrections": [{"index": 0, "updatedFields": {"amount": 5}}], "confidence": 0.55},
        {**CHANGE, "corrections": [{"index": 9, "updatedFields": {"amount": 5}}], "confidence": 0.9},
        {**CHANGE, "corrections": [{"index": 0, "updatedFields": {"amount": -5}}], "confidence": 0.9},
        {"corrections": [], "intent": "unclear", "confidence": 0.3},
        {"corrections": [], "intent": "irrelevant", "confidence": 1},
    ],
)
async def test_what_is_unclear_changes_nothing(given: dict[str, Any]) -> None:
    backend = Backend()
    backend.answer = given
    answer = (await correct(backend, "改一下")).json()
    assert (answer["intent"], answer["corrections"]) == ("unclear", [])


async def test_without_a_model_local_rules_correct() -> None:
    answer = await correct(Backend(), "第一笔改成50")
    assert answer.json() == {
        "corrections": [{"index": 0, "updatedFields": {"amount": 50.0}}],
        "intent": "correction",
        "confidence": 1.0,
    }
    assert (await correct(Backend(), "嘿")).json()["intent"] == "unclear"


async def test_a_request_that_is_none_is_refused() -> None:
    assert (await correct(Backend(), "", BATCH)).status_code == 422
    assert (await correct(Backend(), "x", [{"index": "a"}])).status_code == 422
    assert (await correct(Backend(), "x", BATCH * 51)).status_code == 422


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"amount": "abc"}, "currentBatch.0.amount"),
        ({"amount": -3}, "currentBatch.0.amount"),
        ({"amount": 0}, "currentBatch.0.amount"),
        ({"amount": 1.234}, "currentBatch.0.amount"),
        ({"amount": 10**12}, "currentBatch.0.amount"),
        ({"date": "2026-13-01"}, "currentBatch.0.date"),
        ({"index": 1}, "index"),
    ],
)
async def test_what_no_item_can_be_is_named(changed: dict[str, Any], named: str) -> None:
    backend = Backend()
    async with client_of(backend) as http:
        body = {"currentBatch": [{**BATCH[0], **changed}, BATCH[1]], "correctionText": "改成50"}
        given = await http.post("/api/v1/llm/correct-transaction", json=body)
    assert given.status_code == 422
    assert named in given.json()["error"]["message"]
    assert backend.asked == []
