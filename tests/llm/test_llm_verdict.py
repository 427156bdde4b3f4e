"""An independent server's verdict on our client: llmock grades retries, waits and give-ups."""

from __future__ import annotations

from typing import Any

import pytest
from default_run import first
from helpers_llm import Bench, Check, MakeBench, kind_of
from nonebot_plugin_mishu.llm import ChatMessage, Tool


@pytest.fixture
def graded(llmock: Any, make_bench: MakeBench) -> Bench:
    """A client on llmock, in real time: the verdict measures the waits."""
    return make_bench(llmock.base_url("openai"), real_time=True, model="gpt-4o-mini")


async def said(bench: Bench, seconds: float = 20) -> str:
    messages = [ChatMessage("user", "在吗")]
    return await kind_of(bench.client.text("chat_reply", messages, deadline=bench.deadline(seconds)))


async def test_rate_limits(llmock: Any, graded: Bench) -> None:
    llmock.rate_limit(times=2, retry_after=0.3)
    assert await said(graded) == "ok"
    assert len(llmock.requests) == 3
    llmock.assert_resilient(strict=True)


@first(2)
@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 504, 529])
async def test_passing_failures(status: int, llmock: Any, graded: Bench) -> None:
    llmock.fail(status, times=1)
    assert await said(graded) == "ok"
    llmock.assert_resilient(strict=True)


async def test_an_outage_backs_off(llmock: Any, graded: Bench) -> None:
    llmock.outage()
    assert await said(graded) == "unreachable"
    assert len(llmock.requests) == 3
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_refusals(status: int, llmock: Any, graded: Bench) -> None:
    llmock.fail(status, times=None)
    assert await said(graded) == "refused"
    llmock.assert_resilient(strict=True)


async def test_stepping_down_is_no_retry(llmock: Any, graded: Bench) -> None:
    llmock.fail(422, times=1)
    assert (await graded.check()).verdict
    llmock.assert_resilient(strict=True)


async def test_prompts_that_are_too_long(llmock: Any, graded: Bench) -> None:
    llmock.context_overflow(times=None)
    assert await kind_of(graded.check()) == "refused"
    assert len(llmock.requests) == 1
    llmock.assert_resilient(strict=True)


async def test_a_long_retry_after_is_not_waited_for(llmock: Any, graded: Bench) -> None:
    llmock.rate_limit(times=None, retry_after=600)
    assert await said(graded, 5) == "rate_limited"
    llmock.assert_resilient()  # its one warning, "gave up", is what we want here


async def test_real_quotas(llmock: Any, graded: Bench) -> None:
    llmock.limits(rpm=60)
    assert [await said(graded) for _ in range(3)] == ["ok"] * 3
    llmock.assert_resilient(strict=True)


async def test_its_schema_answers_fit(llmock: Any, graded: Bench) -> None:
    answer = await graded.client.structured(
        "check_safety", {"text": "在吗"}, Check, instructions="看看", deadline=graded.deadline()
    )
    assert answer.verdict == "SAFE"
    assert llmock.last_request.body["response_format"]["json_schema"]["name"] == "check_safety"


async def test_its_tool_calls_and_their_faults(llmock: Any, graded: Bench) -> None:
    tools = [Tool("create_task", "建任务", {"type": "object", "properties": {"title": {"type": "string"}}})]
    messages = [ChatMessage("user", "建个任务")]
    llmock.call_tool("create_task", {"title": "开会"})
    turn = await graded.client.tools("manage_tasks", messages, tools, deadline=graded.deadline())
    assert turn.calls[0].arguments == {"title": "开会"}
    for fault, problem in (("malformed_arguments", "bad_arguments"), ("unknown_tool", "unknown_tool")):
        llmock.call_tool("create_task", {"title": "开会"}).break_tool_call(fault)
        turn = await graded.client.tools("manage_tasks", messages, tools, deadline=graded.deadline())
        assert turn.calls == ()
        assert [call.problem for call in turn.rejected] == [problem]
    llmock.assert_resilient(strict=True)
