"""Models that think: how they are asked not to, and what a refusal of that teaches."""

from __future__ import annotations

from typing import Any

import pytest
from helpers_llm import CHECK, MakeBench, kind_of
from model_server import JSON_OBJECT_ONLY, ModelServer, Request, failure, tool_calls
from nonebot_plugin_mishu.llm import ChatMessage, Tool
from nonebot_plugin_mishu.llm.vendors import THINKERS, Thinker, thinker_of

DISABLED = {"thinking": {"type": "disabled"}}
NOT_ENABLED = {"enable_thinking": False}
FIELDS = {"thinking", "enable_thinking", "reasoning_effort"}
HERE = "http://127.0.0.1:1/v1"


def sent(request: Request) -> dict[str, Any]:
    return {key: value for key, value in request.body.items() if key in FIELDS}


def picky(words: str) -> Any:
    """A server that takes no field it does not know."""

    def answer(request: Request) -> Any:
        return failure(400, words, "invalid_request_error") if sent(request) else CHECK

    return answer


@pytest.mark.parametrize(
    ("url", "model", "off"),
    [
        ("https://api.deepseek.com", "deepseek-v4-flash", DISABLED),
        ("https://api.deepseek.com/v1", "deepseek-v4-pro", DISABLED),
        ("https://openrouter.ai/api/v1", "deepseek/deepseek-v4-flash", DISABLED),
        ("https://api.deepseek.com", "deepseek-reasoner", {}),
        ("https://open.bigmodel.cn/api/paas/v4", "glm-4.7", DISABLED),
        ("https://open.bigmodel.cn/api/paas/v4", "GLM-5.1", DISABLED),
        (HERE, "zai-org/GLM-4.6", DISABLED),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen-plus", NOT_ENABLED),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen3.5-flash", NOT_ENABLED),
        (HERE, "Qwen/Qwen3-32B", NOT_ENABLED),
        ("https://api.moonshot.cn/v1", "kimi-k2.6", DISABLED),
        ("https://api.moonshot.cn/v1", "kimi-k2-thinking", {}),
        ("https://api.siliconflow.cn/v1", "Pro/deepseek-ai/DeepSeek-V4", NOT_ENABLED),
        ("https://api.siliconflow.cn/v1", "some-new-model", NOT_ENABLED),
        ("https://ark.cn-beijing.volces.com/api/v3", "doubao-seed-2.0-lite", DISABLED),
        ("https://api.minimaxi.com/v1", "MiniMax-M3", DISABLED),
        ("https://api.minimaxi.com/v1", "MiniMax-M2.7", {}),
    ],
)
def test_the_family_is_known_by_model_or_host(url: str, model: str, off: dict[str, Any]) -> None:
    thinker = thinker_of(url, model)
    assert thinker is not None
    assert dict(thinker.off) == off


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://api.openai.com/v1", "gpt-4o-mini"),
        (HERE, "llama3.2"),
        (HERE, "my-glm-4.7-finetune"),
        ("", ""),
    ],
)
def test_nothing_is_sent_to_who_is_not_known(url: str, model: str) -> None:
    assert thinker_of(url, model) is None


def test_every_family_can_be_found() -> None:
    assert all(thinker.models or thinker.hosts for thinker in THINKERS)


@pytest.mark.parametrize(
    ("model", "off"),
    [
        ("deepseek-v4-flash", DISABLED),
        ("glm-4.7", DISABLED),
        ("qwen3-32b", NOT_ENABLED),
        ("kimi-k2.6", DISABLED),
    ],
)
async def test_deciding_is_done_without_thoughts(
    model: str, off: dict[str, Any], make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(model=model)
    model_server.always("check_safety", CHECK)
    await bench.check()
    await bench.check()
    assert [sent(request) for request in model_server.requests] == [off, off]


async def test_chat_may_think(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(model="deepseek-v4-flash")
    said = ChatMessage("user", "在吗")
    await bench.client.text("chat_reply", [said], deadline=bench.deadline())
    assert sent(model_server.last()) == {}


async def test_tools_are_chosen_without_thoughts(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(model="deepseek-v4-flash")
    model_server.always("manage_tasks", tool_calls(("query_tasks", {})))
    tool = Tool("query_tasks", "查", {"type": "object", "properties": {}})
    asked = [ChatMessage("user", "我有什么任务")]
    turn = await bench.client.tools("manage_tasks", asked, [tool], deadline=bench.deadline())
    assert [call.name for call in turn.calls] == ["query_tasks"]
    assert sent(model_server.last()) == DISABLED


@pytest.mark.parametrize(
    "words",
    [
        "Unrecognized request argument supplied: thinking",
        "enable_thinking is not a known parameter",
        "1 validation error: extra inputs are not permitted",
        "Bad Request",
    ],
)
@pytest.mark.parametrize("model", ["deepseek-v4-flash", "qwen-plus"])
async def test_who_refuses_the_fields_is_asked_without_them_from_then_on(
    words: str, model: str, make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(model=model)
    model_server.always("check_safety", picky(words))
    assert (await bench.check()).verdict == "SAFE"
    assert [bool(sent(request)) for request in model_server.requests] == [True, False]
    assert {request.rung for request in model_server.requests} == {"json_schema"}, "the rung was not at fault"
    model_server.requests.clear()
    await bench.check()
    assert [sent(request) for request in model_server.requests] == [{}]


KNOWN = {"model", "messages", "response_format", "tools", "tool_choice"}


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("thinker", [each for each in THINKERS if each.off], ids=lambda each: each.name)
async def test_every_familys_fields_can_be_refused(
    thinker: Thinker, status: int, make_bench: MakeBench, model_server: ModelServer
) -> None:
    """A server that knows its own fields and no other, as one built on a strict schema."""
    bench = make_bench(model="test-model")
    endpoint = bench.client._endpoint("main")  # pyright: ignore[reportPrivateUsage]
    assert endpoint is not None
    endpoint.thinker = thinker

    def strict(request: Request) -> Any:
        foreign = sorted(set(request.body) - KNOWN)
        return failure(status, f"{foreign}: Extra inputs are not permitted") if foreign else CHECK

    model_server.always("check_safety", strict)
    assert (await bench.check()).verdict == "SAFE"
    assert (await bench.check()).verdict == "SAFE"
    assert [sent(request) for request in model_server.requests] == [dict(thinker.off), {}, {}]


async def test_a_refused_form_leaves_the_fields_alone(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(model="deepseek-v4-flash")
    model_server.refuses = JSON_OBJECT_ONLY
    model_server.always("check_safety", CHECK)
    await bench.check()
    assert [request.rung for request in model_server.requests] == ["json_schema", "tool", "json_object"]
    assert all(sent(request) == DISABLED for request in model_server.requests)


async def test_where_both_are_refused_both_are_learned(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(model="glm-4.7")

    def nothing_known(request: Request) -> Any:
        refused = sent(request) or request.rung in JSON_OBJECT_ONLY
        return failure(400, "Bad Request") if refused else CHECK

    model_server.always("check_safety", nothing_known)
    assert (await bench.check()).verdict == "SAFE"
    assert len(model_server.requests) <= 6
    model_server.requests.clear()
    await bench.check()
    assert [(request.rung, sent(request)) for request in model_server.requests] == [("json_object", {})]


async def test_no_tool_is_forced_on_who_thinks(make_bench: MakeBench, model_server: ModelServer) -> None:
    """DeepSeek V4 answers a forced tool with 400 while it thinks."""
    bench = make_bench(model="deepseek-v4-flash")

    def thinking(request: Request) -> Any:
        if sent(request):
            return failure(400, "unknown field: thinking")
        if request.rung == "json_schema":
            return failure(400, "This response_format type is unavailable now")
        if request.body.get("tool_choice") is not None:
            return failure(400, "Thinking mode does not support this tool_choice")
        return CHECK

    model_server.always("check_safety", thinking)
    assert (await bench.check()).verdict == "SAFE"
    assert model_server.last().rung == "tool"
    assert "tool_choice" not in model_server.last().body


async def test_a_refusal_for_another_reason_ends_the_call(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(model="deepseek-v4-flash")
    model_server.always("check_safety", failure(400, "maximum context length is 65536 tokens"))
    assert await kind_of(bench.check()) == "refused"
    assert len(model_server.requests) == 1
