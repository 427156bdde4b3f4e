"""Cached tokens wherever a vendor writes them, and what calls cost."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from helpers_llm import MakeBench
from model_server import Completion, ModelServer
from nonebot_plugin_mishu.llm import ChatMessage, cost, cost_of, used
from nonebot_plugin_mishu.storage import ModelUsage

FLASH = (Decimal("1"), Decimal("0.02"), Decimal("2"))
PRICES = {"deepseek-v4-flash": FLASH}


def row(model: str = "deepseek-v4-flash", read: int = 0, cached: int = 0, out: int = 0) -> ModelUsage:
    return ModelUsage(model, 1, 0, read, cached, out, "chat_reply")


@pytest.mark.parametrize(
    ("more", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 64}}, 64),
        ({"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36}, 64),
        ({"cached_tokens": 64}, 64),
        ({}, 0),
        ({"prompt_tokens_details": None}, 0),
        ({"prompt_tokens_details": {"cached_tokens": "64"}, "cached_tokens": -3}, 0),
        ({"prompt_cache_hit_tokens": 5000}, 100),
    ],
)
async def test_cached_tokens_are_recorded(
    more: dict[str, Any], cached: int, make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench()
    usage = {"prompt_tokens": 100, "completion_tokens": 5, **more}
    model_server.answer("chat_reply", Completion("好的", usage=usage))
    await bench.client.text("chat_reply", [ChatMessage("user", "在吗")], deadline=bench.deadline())
    [call] = bench.calls
    assert (call.prompt_tokens, call.cached_tokens, call.completion_tokens) == (100, cached, 5)


@pytest.mark.parametrize(
    ("given", "yuan"),
    [
        (row(read=1_000_000), "1"),
        (row(read=1_000_000, cached=1_000_000), "0.02"),
        (row(read=1_000_000, cached=500_000, out=1_000_000), "2.51"),
        (row(read=1), "0.000001"),
        (row("DeepSeek-V4-Flash", read=1_000_000), "1"),
    ],
)
def test_each_kind_of_token_has_its_price(given: ModelUsage, yuan: str) -> None:
    assert cost_of(given, PRICES) == Decimal(yuan)


def test_a_model_without_a_price_is_named_and_not_guessed() -> None:
    assert cost_of(row("other", read=5), PRICES) is None
    together = cost([row(read=1_000_000), row("other", read=5), row("never-used")], PRICES)
    assert (together.yuan, together.unpriced) == (Decimal(1), ("other",))
    assert together.words == "约 1.00 元（不含没写价格的 other）"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (row(read=120_000), "1 次，用量 120000，约 0.12 元"),
        (row(read=10), "1 次，用量 10，不到 0.01 元"),
        (row(), "1 次，用量 0，约 0.00 元"),
    ],
)
def test_use_in_words(given: ModelUsage, words: str) -> None:
    assert used([given], 0, PRICES) == words


def test_without_prices_there_is_no_yuan() -> None:
    assert used([row(read=10)], 500, {}) == "1 次，用量 10（上限 500）"
