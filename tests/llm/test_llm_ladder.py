"""How structure is asked for, and what an endpoint's refusals teach."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers_llm import CHECK, Bench, Check, MakeBench, kind_of
from model_server import (
    JSON_OBJECT_ONLY,
    NOTHING_BUT_TEXT,
    Completion,
    ModelServer,
    failure,
    fenced,
    tool_calls,
)
from nonebot_plugin_mishu.llm.answers.ladder import RUNGS, Ladder
from nonebot_plugin_mishu.llm.answers.schema import schema_of
from nonebot_plugin_mishu.llm.vendors import UNKNOWN, VENDORS, vendor_of
from pydantic import BaseModel, Field


def rungs(server: ModelServer) -> list[str]:
    return [request.rung for request in server.requests]


async def test_the_request_is_as_the_contract_says(bench: Bench, model_server: ModelServer) -> None:
    data = {"text": "在吗“1”", "n": [1, {"a": None}]}
    await bench.client.structured("check_safety", data, Check, instructions="看看", deadline=bench.deadline())
    request = model_server.last()
    assert request.headers["x-mishu-call"] == "check_safety"
    assert request.headers["authorization"].startswith("Bearer ")
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "test-model"
    last = request.messages[-1]
    assert last == {"role": "user", "content": json.dumps(data, ensure_ascii=False)}
    asked = request.body["response_format"]["json_schema"]
    assert asked["name"] == "check_safety"
    assert asked["strict"] is True
    assert asked["schema"]["required"] == ["verdict", "sure", "category", "items"]
    assert set(request.body) == {"model", "messages", "response_format"}


async def test_refused_parameters_are_stepped_down_and_remembered(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.refuses = JSON_OBJECT_ONLY
    assert (await bench.check()).verdict == "SAFE"
    assert rungs(model_server) == ["json_schema", "tool", "json_object"]
    assert "JSON" in model_server.last().prompt
    assert "EMERGENCY" in model_server.last().prompt
    assert model_server.last().data == {"text": "在吗"}
    model_server.requests.clear()
    await bench.check()
    assert rungs(model_server) == ["json_object"]


async def test_down_to_plain_text(bench: Bench, model_server: ModelServer) -> None:
    model_server.refuses = NOTHING_BUT_TEXT
    model_server.always("check_safety", fenced(CHECK))
    assert (await bench.check()).items == [1, 2]
    assert rungs(model_server) == [rung.name for rung in RUNGS]
    assert "response_format" not in model_server.last().body


@pytest.mark.parametrize("status", [400, 422, 501])
async def test_other_words_of_refusal(status: int, bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("check_safety", failure(status), CHECK)
    await bench.check()
    assert rungs(model_server) == ["json_schema", "tool"]


async def test_a_404_that_speaks_of_tools_is_a_refused_parameter(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer("check_safety", failure(404, "no endpoint supports response_format"), CHECK)
    await bench.check()
    assert rungs(model_server) == ["json_schema", "tool"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_no_step_down_for_passing_failures(
    status: int, bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer("check_safety", failure(status), CHECK)
    await bench.check(60)
    assert rungs(model_server) == ["json_schema", "json_schema"]


async def test_one_answer_beside_the_schema_is_an_accident_two_are_a_trait(
    bench: Bench, model_server: ModelServer
) -> None:
    def only_with_json_object(request: Any) -> Any:
        return CHECK if request.rung == "tool" else "我觉得没问题"

    model_server.always("check_safety", only_with_json_object)
    for expected in (["json_schema", "tool"], ["json_schema", "tool"], ["tool"]):
        model_server.requests.clear()
        await bench.check()
        assert rungs(model_server) == expected


async def test_a_refusal_on_every_rung_is_not_remembered(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", failure(400))
    assert await kind_of(bench.check()) == "refused"
    assert rungs(model_server) == [rung.name for rung in RUNGS]
    model_server.reset()
    await bench.check()
    assert rungs(model_server) == ["json_schema"]


async def test_models_of_one_address_have_ladders_of_their_own(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(secretary_model="small")
    model_server.answer("check_safety", failure(400), CHECK)
    await bench.check(model="secretary")
    await bench.check()
    assert [(r.body["model"], r.rung) for r in model_server.requests] == [
        ("small", "json_schema"),
        ("small", "tool"),
        ("test-model", "json_schema"),
    ]


async def test_the_secretary_asks_the_main_model_by_default(bench: Bench, model_server: ModelServer) -> None:
    await bench.check(model="secretary")
    assert model_server.last().body["model"] == "test-model"


async def test_stepping_down_stays_inside_the_deadline(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    from model_server import slow

    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", slow(0.15, failure(400)))
    assert await kind_of(bench.check(0.25)) == "timeout"
    assert len(model_server.requests) == 2


async def test_a_tool_rung_answered_in_words_that_hold_the_answer(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer("check_safety", failure(400), Completion('好的 {"verdict": "BLOCK"}'))
    assert (await bench.check()).verdict == "BLOCK"


async def test_pitfall_36_arguments_as_an_object(bench: Bench, model_server: ModelServer) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "check_safety", "arguments": CHECK}}
    model_server.answer("check_safety", failure(400), Completion(None, "tool_calls", {"tool_calls": [call]}))
    assert (await bench.check()).items == [1, 2]


async def test_pitfall_37_two_tool_calls_that_differ(bench: Bench, model_server: ModelServer) -> None:
    both = tool_calls(("check_safety", CHECK), ("check_safety", {"verdict": "BLOCK"}))
    model_server.always("check_safety", both)
    assert (await bench.check()).verdict == "SAFE"
    assert await kind_of(bench.check(writes=True)) == "invalid"


def test_known_vendors_start_where_they_can() -> None:
    assert Ladder.for_vendor(vendor_of("https://api.deepseek.com/v1")).rungs[0].name == "json_object"
    assert Ladder.for_vendor(vendor_of("https://open.bigmodel.cn/api/paas/v4")).rungs[0].name == "json_object"
    assert Ladder.for_vendor(vendor_of("http://127.0.0.1:11434/v1")).rungs == RUNGS
    assert vendor_of("https://api.deepseek.com.evil.example/v1") is UNKNOWN
    assert vendor_of("http://[::1") is UNKNOWN
    assert len({vendor.name for vendor in VENDORS}) == len(VENDORS)


class Inner(BaseModel):
    name: str = Field("", max_length=3, description="名字")
    value: int | None = None


class Outer(BaseModel):
    inner: list[Inner] = []
    one: Inner = Inner(name="x")


class Free(BaseModel):
    anything: dict[str, Any] = {}


class Tree(BaseModel):
    children: list[Tree] = []


def test_schemas_are_closed_and_written_out() -> None:
    schema = schema_of(Outer)
    assert schema.strict
    written = json.dumps(schema.schema)
    assert "$ref" not in written
    assert "maxLength" not in written
    assert "default" not in written
    inner = schema.schema["properties"]["inner"]["items"]
    assert inner["additionalProperties"] is False
    assert inner["required"] == ["name", "value"]
    assert inner["properties"]["name"]["description"] == "名字"


@pytest.mark.parametrize("model", [Free, Tree])
def test_what_strict_schemas_cannot_say_is_sent_as_it_is(model: type[BaseModel]) -> None:
    assert not schema_of(model).strict
    assert schema_of(model).schema == model.model_json_schema()
