"""What is wrong with an endpoint, in words its owner can act on; and the trial at start."""

from __future__ import annotations

import pytest
from helpers_llm import Bench, kind_of
from model_server import ModelServer, failure, server_error


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (401, "Incorrect API key provided", "密钥不对，接口不认"),
        (403, "forbidden", "密钥不对，接口不认"),
        (402, "Insufficient Balance", "账户没钱了"),
        (429, "insufficient_quota", "账户没钱了"),
        (404, "The model `x` does not exist", "接口里没有这个模型"),
        (400, "model_not_found", "接口里没有这个模型"),
        (503, "", "连不上"),
    ],
)
async def test_the_cause_is_told(
    bench: Bench, model_server: ModelServer, status: int, body: str, told: str
) -> None:
    model_server.always("check_safety", failure(status, body))
    assert await kind_of(bench.check(60)) != "ok"
    assert bench.client.status() == "failing"
    assert bench.client.trouble() == told


async def test_a_good_call_and_nothing_is_wrong(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", server_error())
    await kind_of(bench.check(60))
    model_server.always("check_safety", {"verdict": "SAFE", "category": "", "reply": ""})
    await bench.check()
    assert bench.client.cause is None


async def test_the_trial_at_start_asks_for_no_words(bench: Bench, model_server: ModelServer) -> None:
    assert await bench.client.try_endpoint() is None
    assert (len(model_server.looked), model_server.requests) == (1, [])
    assert bench.client.status() == "ok"


async def test_a_wrong_key_is_told_at_start(bench: Bench, model_server: ModelServer) -> None:
    model_server.models = failure(401, "Incorrect API key provided")
    assert await bench.client.try_endpoint() == "key"
    assert (bench.client.status(), bench.client.trouble()) == ("failing", "密钥不对，接口不认")


async def test_an_endpoint_without_a_list_says_nothing(bench: Bench, model_server: ModelServer) -> None:
    model_server.models = failure(404, "not found")
    assert await bench.client.try_endpoint() is None
    assert bench.client.status() == "ok"
