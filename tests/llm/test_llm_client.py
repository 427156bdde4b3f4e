"""The model client as a whole: words, tools, budgets, the queue, the breaker, records, traces."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from helpers_llm import CHECK, GROUP, KEY, Bench, MakeBench, kind_of
from model_server import (
    Completion,
    ModelServer,
    Request,
    failure,
    hang,
    html,
    reset,
    server_error,
    tool_calls,
)
from nonebot_plugin_mishu.llm import CallLog, ChatMessage, RejectedCall, Tool, ToolCall
from nonebot_plugin_mishu.llm.limits.breaker import BreakerRules
from nonebot_plugin_mishu.storage.records import Conversation

ASK = [ChatMessage("system", "你是秘书"), ChatMessage("user", "在吗")]
TOOLS = [Tool("create_task", "建任务", {"type": "object", "properties": {"title": {"type": "string"}}})]


async def say(bench: Bench, **options: Any) -> str:
    return await bench.client.text("chat_reply", ASK, deadline=bench.deadline(), **options)


# -- words


async def test_words_come_back_without_thoughts(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("chat_reply", "<think>他在问我</think>\n\n在呢 ")
    assert await say(bench) == "在呢"
    assert model_server.last().body == {
        "model": "test-model",
        "messages": [{"role": "system", "content": "你是秘书"}, {"role": "user", "content": "在吗"}],
    }


async def test_cut_words_end_with_a_whole_sentence(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("chat_reply", Completion("第一句。第二句说到一", finish_reason="length"))
    assert await say(bench) == "第一句。"


async def test_a_tool_call_written_as_text_is_not_shown(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("chat_reply", '<tool_call>{"name": "x"}</tool_call>')
    assert await kind_of(say(bench)) == "invalid"


async def test_a_caption_shows_the_picture(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(vision_model="sees")
    assert await bench.client.caption(b"\x89PNG", deadline=bench.deadline()) == "一张图片"
    request = model_server.last("caption_image")
    assert request.body["model"] == "sees"
    picture = request.messages[-1]["content"][-1]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


# -- tools


async def test_a_round_of_tools_and_the_next(bench: Bench, model_server: ModelServer) -> None:
    calls = tool_calls(("create_task", {"title": "开会"}), reasoning="先建任务")
    model_server.answer("manage_tasks", calls, "建好了")
    turn = await bench.client.tools("manage_tasks", ASK, TOOLS, deadline=bench.deadline())
    assert turn.calls == (ToolCall("call_0", "create_task", {"title": "开会"}),)
    assert turn.rejected == ()
    messages = [*ASK, turn.message, ChatMessage("tool", "ok", call_id=turn.calls[0].id)]
    last = await bench.client.tools("manage_tasks", messages, TOOLS, deadline=bench.deadline())
    assert (last.text, last.calls) == ("建好了", ())
    assistant, tool = model_server.last().messages[-2:]
    assert assistant["reasoning_content"] == "先建任务"
    assert json.loads(assistant["tool_calls"][0]["function"]["arguments"]) == {"title": "开会"}
    assert tool == {"role": "tool", "content": "ok", "tool_call_id": "call_0"}
    assert model_server.last().body["tools"][0]["function"]["name"] == "create_task"


async def test_pitfall_36_unknown_tools_and_broken_arguments_are_set_apart(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer(
        "manage_tasks",
        tool_calls(("drop_database", {}), ("create_task", '{"title": "开'), ("create_task", "")),
    )
    turn = await bench.client.tools("manage_tasks", ASK, TOOLS, deadline=bench.deadline())
    assert turn.calls == (ToolCall("call_2", "create_task", {}),)
    assert turn.rejected == (
        RejectedCall("call_0", "drop_database", "unknown_tool"),
        RejectedCall("call_1", "create_task", "bad_arguments"),
    )
    answers = [ChatMessage("tool", "不行", call_id=call.id) for call in (*turn.calls, *turn.rejected)]
    await bench.client.tools("manage_tasks", [*ASK, turn.message, *answers], TOOLS, deadline=bench.deadline())
    sent = model_server.last().messages[2]["tool_calls"]
    assert [json.loads(call["function"]["arguments"]) for call in sent] == [{}, {}, {}]


async def test_pitfall_37_cut_tool_calls_are_never_run(bench: Bench, model_server: ModelServer) -> None:
    call = {"id": "1", "function": {"name": "create_task", "arguments": '{"title": "开会"}'}}
    model_server.answer("manage_tasks", Completion(None, "length", {"tool_calls": [call]}))
    turn = bench.client.tools("manage_tasks", ASK, TOOLS, deadline=bench.deadline())
    assert await kind_of(turn) == "invalid"


async def test_calls_without_or_with_the_same_id_get_their_own(
    bench: Bench, model_server: ModelServer
) -> None:
    call = {"function": {"name": "create_task", "arguments": "{}"}}
    twice = [{**call, "id": "same"}, {**call, "id": "same"}, {**call, "id": None}]
    model_server.answer("manage_tasks", Completion(None, "tool_calls", {"tool_calls": twice}))
    turn = await bench.client.tools("manage_tasks", ASK, TOOLS, deadline=bench.deadline())
    assert len({call.id for call in turn.calls}) == 3


# -- records, traces, budgets


async def test_a_call_leaves_a_record_and_a_trace(bench: Bench, model_server: ModelServer) -> None:
    log = CallLog()
    await bench.check(conversation=GROUP, log=log)
    [call] = bench.calls
    assert (call.name, call.model, call.conversation, call.outcome) == (
        "check_safety",
        "test-model",
        GROUP,
        "ok",
    )
    assert (call.prompt_tokens, call.completion_tokens) == (30, 12)
    assert (log.names, log.tokens) == (["check_safety"], 42)
    assert bench.warnings == []


async def test_all_attempts_count(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("check_safety", "不是 JSON", CHECK)
    await bench.check()
    assert [(call.prompt_tokens, call.completion_tokens) for call in bench.calls] == [(60, 24)]


async def test_without_usage_tokens_are_estimated(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("chat_reply", Completion("好的", usage=None))
    await say(bench)
    assert (bench.calls[0].prompt_tokens, bench.calls[0].completion_tokens) == (13, 6)


async def test_absurd_usage_is_not_believed(bench: Bench, model_server: ModelServer) -> None:
    for usage in ({"prompt_tokens": -5, "completion_tokens": "9"}, {"prompt_tokens": 10**12}, [1]):
        model_server.answer("chat_reply", Completion("好的", usage=usage))  # type: ignore[arg-type]
        await say(bench)
    assert {(call.prompt_tokens, call.completion_tokens) for call in bench.calls} == {(13, 6)}


async def test_a_timeout_is_counted_as_sent(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", hang())
    log = CallLog()
    assert await kind_of(bench.check(0.2, log=log)) == "timeout"
    assert bench.calls[0].prompt_tokens > 0
    assert log.names == ["check_safety"]
    assert bench.warnings == ["model call check_safety: timeout"]


async def test_budgets_are_checked_before_the_call(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(daily_tokens=1000, group_daily_tokens=100)
    other = Conversation("10000", "group", "20001")
    bench.spent = {None: 500, GROUP: 100, other: 99}
    assert await kind_of(bench.check(conversation=GROUP)) == "budget"
    assert await kind_of(bench.check(conversation=other)) == "ok"
    bench.spent[None] = 1000
    assert await kind_of(bench.check(conversation=other)) == "budget"
    assert await kind_of(bench.check()) == "budget"
    assert len(model_server.requests) == 1
    assert [call.outcome for call in bench.calls] == ["budget", "ok", "budget", "budget"]
    assert bench.client.status() == "ok"


async def test_what_is_under_way_counts_against_the_budget(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(daily_tokens=10)
    go = asyncio.Event()

    async def later(_request: Request) -> Any:
        await go.wait()
        return CHECK

    model_server.always("check_safety", later)
    first = asyncio.create_task(kind_of(bench.check()))
    await model_server.wait_for("check_safety")
    assert await kind_of(bench.check()) == "budget"
    go.set()
    assert await first == "ok"


# -- the queue


async def test_the_queue_is_bounded(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(concurrency=2)
    under_way, most = 0, 0

    async def later(_request: Request) -> Any:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return CHECK

    model_server.always("check_safety", later)
    await asyncio.gather(*(bench.check() for _ in range(8)))
    assert (most, len(model_server.requests)) == (2, 8)


async def test_calls_cut_short_count_while_the_endpoint_works_on_them(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    """The endpoint goes on with what nobody waits for: CONCURRENCY is what it is asked to do at once."""
    bench = make_bench(concurrency=2, real_time=True)
    under_way, most = 0, 0

    async def work() -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.4)
        under_way -= 1

    async def later(_request: Request) -> Any:
        await asyncio.shield(working := asyncio.create_task(work()))
        del working
        return CHECK

    model_server.always("check_safety", later)
    await bench.check()  # how long a call takes is known from here
    for _ in range(3):
        calls = [asyncio.create_task(bench.check(20)) for _ in range(2)]
        while under_way < 2:  # noqa: ASYNC110 - a number, not an event
            await asyncio.sleep(0.01)
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
    await asyncio.gather(bench.check(20), bench.check(20))
    assert most == 2


async def test_a_call_cut_short_frees_its_slot_where_the_endpoint_hangs(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(concurrency=1, real_time=True)
    model_server.answer("check_safety", CHECK, hang(), CHECK)
    await bench.check()
    hanging = asyncio.create_task(bench.check(60))
    await model_server.wait_for("check_safety", 2)
    await asyncio.sleep(0.5)  # longer than a call takes here
    hanging.cancel()
    await asyncio.wait([hanging])
    async with asyncio.timeout(5):
        assert (await bench.check(60)).verdict == "SAFE"


async def test_the_queue_is_first_come_first_served(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(concurrency=1)
    await bench.client.warm()
    names = [f"call_{number}" for number in range(8)]
    model_server.always("*", "好的")
    words = [bench.client.text(name, ASK, deadline=bench.deadline()) for name in names]
    await asyncio.gather(*words)
    assert model_server.names == names


async def test_calls_that_somebody_is_owed_go_first(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(concurrency=1)
    await bench.client.warm()
    model_server.always("*", "好的")
    owed = {"first": False, "chatter": False, "summons": True}
    words = [
        bench.client.text(name, ASK, deadline=bench.deadline(), log=CallLog(owed=is_owed))
        for name, is_owed in owed.items()
    ]
    await asyncio.gather(*words)
    assert model_server.names == ["first", "summons", "chatter"]


# -- the breaker


async def test_a_dead_endpoint_is_left_alone(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(breaker=BreakerRules(failures=2, window=1000, cool_down=5))
    model_server.always("check_safety", reset())
    assert [await kind_of(bench.check(60)) for _ in range(3)] == [
        "unreachable",
        "unreachable",
        "breaker_open",
    ]
    assert len(model_server.requests) == 6
    assert bench.client.status() == "failing"
    bench.time.now += 5
    assert await kind_of(bench.check(60)) == "unreachable"
    bench.time.now += 5
    assert await kind_of(bench.check(60)) == "breaker_open"
    bench.time.now += 5
    model_server.reset()
    assert await kind_of(bench.check(60)) == "ok"
    assert bench.client.status() == "ok"


@pytest.mark.parametrize("answer", [html(), failure(401), failure(429), failure(400), "不是 JSON"])
async def test_an_endpoint_that_answers_is_not_dead(
    answer: Any, make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(breaker=BreakerRules(failures=2))
    model_server.always("check_safety", answer)
    assert "breaker_open" not in [await kind_of(bench.check(60)) for _ in range(4)]


async def test_the_breaker_of_one_model_is_not_that_of_another(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(breaker=BreakerRules(failures=1), secretary_model="small")
    model_server.answer("check_safety", *[server_error()] * 3)
    assert await kind_of(bench.check(60, model="secretary")) == "unreachable"
    assert await kind_of(bench.check(60, model="secretary")) == "breaker_open"
    assert await kind_of(bench.check(60)) == "ok"


async def test_an_open_breaker_does_not_make_anybody_queue(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(breaker=BreakerRules(failures=1), secretary_model="small", concurrency=1)
    model_server.answer("check_safety", *[server_error()] * 3, hang())
    assert await kind_of(bench.check(60, model="secretary")) == "unreachable"
    holder = asyncio.create_task(kind_of(bench.check(60)))
    await model_server.wait_for("check_safety", 4)
    assert await kind_of(bench.check(1, model="secretary")) == "breaker_open"
    holder.cancel()
    await asyncio.wait({holder})


async def test_pitfall_38_hung_calls_open_the_breaker(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(real_time=True, breaker=BreakerRules(failures=2, cool_down=60, fair_wait=0.1))
    await bench.client.warm()
    model_server.always("check_safety", hang())
    kinds = [await kind_of(bench.check(seconds)) for seconds in (0.03, 0.2, 0.03, 0.2, 0.2)]
    assert kinds == ["timeout", "timeout", "timeout", "timeout", "breaker_open"]


async def test_cancelling_says_nothing_about_the_endpoint(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(breaker=BreakerRules(failures=1, fair_wait=0))
    model_server.always("check_safety", hang())
    task = asyncio.create_task(kind_of(bench.check(60)))
    request = await model_server.wait_for("check_safety")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(request.closed.wait(), 5)
    assert [call.outcome for call in bench.calls] == ["canceled"]
    model_server.reset()
    assert await kind_of(bench.check(60)) == "ok"


# -- secrets


async def test_the_key_goes_to_the_configured_address_only(bench: Bench, model_server: ModelServer) -> None:
    async with ModelServer() as elsewhere:
        model_server.always("check_safety", failure(307, Location=f"{elsewhere.url}/chat/completions"))
        assert await kind_of(bench.check()) == "refused"
        assert elsewhere.requests == []
    assert model_server.last().headers["authorization"] == f"Bearer {KEY}"


async def test_other_plugins_keep_the_client_librarys_logs(
    bench: Bench, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    from nonebot_plugin_mishu.llm.transport.http_library import http

    caplog.set_level(0)
    await bench.check()
    assert "HTTP Request" not in caplog.text
    async with http.AsyncClient(trust_env=False) as other:
        await other.post(f"{model_server.url}/chat/completions", json={"messages": []})
    assert "HTTP Request" in caplog.text


async def test_proxies_of_the_environment_are_not_for_local_endpoints(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert await kind_of(make_bench().check()) == "ok"
    assert await kind_of(make_bench("http://model.example.invalid/v1").check(60)) == "unreachable"
