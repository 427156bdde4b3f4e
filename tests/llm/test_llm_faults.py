"""Every fault of a model endpoint, over a real socket: one error kind each, in time, nothing leaks."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest
from helpers_llm import CHECK, KEY, Bench, Check, MakeBench, kind_of
from model_server import (
    FAULTS,
    PROVIDER_TEXTS,
    Completion,
    ModelServer,
    as_json,
    blank,
    dribble,
    failure,
    hang,
    never_ends,
    rate_limited,
    reset,
    server_error,
    slow,
    truncated,
)
from nonebot_plugin_mishu import llm
from nonebot_plugin_mishu.llm import ChatMessage, Deadline, ModelError

KINDS = {
    "hang": "timeout",
    "dribble": "timeout",
    "never_ends": "timeout",
    "429": "rate_limited",
    "500": "unreachable",
    "html": "invalid",
    "null": "invalid",
    "error_body": "invalid",
    "choices_null": "invalid",
    "no_choices": "invalid",
    "blank": "invalid",
    "truncated": "invalid",
    "wrong_enum": "invalid",
    "reset": "unreachable",
    "fenced": "ok",
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_every_fault_is_one_error_kind(
    fault: str, make_bench: MakeBench, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    bench = make_bench()
    await bench.client.warm()
    model_server.always("check_safety", FAULTS[fault]())
    seconds = 0.4 if KINDS[fault] == "timeout" else 5.0
    shown = ""
    try:
        await bench.check(seconds)
        outcome = "ok"
    except ModelError as error:
        outcome = error.kind
        shown = f"{error!r} {error} {error.__cause__!r} {error.__context__!r}"
    assert outcome == KINDS[fault]
    assert not shown or shown.endswith(" None None")
    assert [call.outcome for call in bench.calls] == [outcome]
    seen = caplog.text + shown + repr(bench.calls) + repr(bench.warnings)
    for secret in (*PROVIDER_TEXTS, KEY, f":{model_server.port}"):
        assert secret not in seen


@pytest.mark.parametrize("fault", [hang, dribble, never_ends])
async def test_pitfall_34_the_deadline_holds_and_the_connection_is_closed(
    fault: object, make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", fault())  # type: ignore[operator]
    deadline = Deadline.after(0.3)
    assert await kind_of(bench.check(deadline=deadline)) == "timeout"
    assert deadline.expired
    await asyncio.wait_for(model_server.last().closed.wait(), 5)
    assert len(model_server.requests) == 1


async def test_pitfall_34_queueing_counts(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(real_time=True, concurrency=1)
    await bench.client.warm()
    model_server.always("check_safety", hang())
    first = asyncio.create_task(kind_of(bench.check(5.0)))
    await model_server.wait_for("check_safety")
    assert await kind_of(bench.check(0.2)) == "timeout"
    assert len(model_server.requests) == 1
    first.cancel()
    await asyncio.wait({first})
    assert [call.outcome for call in bench.calls] == ["timeout", "canceled"]


async def test_pitfall_34_retries_stay_inside(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", server_error())
    assert await kind_of(bench.check(0.2)) == "unreachable"
    assert len(model_server.requests) == 1  # the first wait would not fit
    model_server.always("check_safety", slow(0.15, server_error()))
    assert await kind_of(bench.check(0.9)) in ("timeout", "unreachable")


async def test_pitfall_34_a_long_retry_after_ends_the_call_at_once(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.always("check_safety", rate_limited(3600))
    assert await kind_of(bench.check(60)) == "rate_limited"
    assert bench.time.slept == []
    assert len(model_server.requests) == 1


async def test_a_retry_after_that_fits_is_obeyed(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("check_safety", rate_limited(3), CHECK)
    assert (await bench.check(60)).verdict == "SAFE"
    assert len(bench.time.slept) == 1
    assert 3 <= bench.time.slept[0] < 3.5


async def test_transient_failures_are_retried_with_growing_waits(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    for chance in (0.0, 0.5, 0.999):
        bench = make_bench(chance=lambda chance=chance: chance)
        model_server.reset().answer("check_safety", reset(), server_error(503), CHECK)
        assert (await bench.check(60)).items == [1, 2]
        first, second = bench.time.slept
        assert first * 1.1 < second
        bodies = [request.body for request in model_server.requests]
        assert bodies[0] == bodies[1] == bodies[2]


async def test_retries_are_few(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", server_error())
    assert await kind_of(bench.check(600)) == "unreachable"
    assert len(model_server.requests) == 3


@pytest.mark.parametrize("status", [401, 402, 403, 404, 413, 301])
async def test_refusals_are_not_retried(status: int, bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", failure(status, Location="/elsewhere"))
    assert await kind_of(bench.check()) == "refused"
    assert len(model_server.requests) == 1


@pytest.mark.parametrize("code", ["context_length_exceeded", "model_not_found", "insufficient_quota"])
async def test_a_hopeless_refusal_does_not_walk_the_ladder(
    code: str, bench: Bench, model_server: ModelServer
) -> None:
    status = 429 if code == "insufficient_quota" else 400
    model_server.always("check_safety", failure(status, "no", code))
    assert await kind_of(bench.check()) == "refused"
    assert len(model_server.requests) == 1


async def test_pitfall_35_a_missing_finish_reason_is_an_end(bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("check_safety", Completion('{"verdict": "BLOCK"}', finish_reason=None))
    assert await bench.check() == Check(verdict="BLOCK")


async def test_pitfall_35_a_body_with_a_bom_is_read(bench: Bench, model_server: ModelServer) -> None:
    reply = as_json({"choices": [{"message": {"content": '{"verdict": "BLOCK"}'}}]})
    reply.body = b"\xef\xbb\xbf" + reply.body
    model_server.answer("check_safety", reply)
    assert (await bench.check()).verdict == "BLOCK"


async def test_pitfall_35_content_in_parts_is_read(bench: Bench, model_server: ModelServer) -> None:
    parts = [{"type": "text", "text": '{"verdict": '}, {"type": "text", "text": '"BLOCK"}'}, {"type": "x"}]
    model_server.answer("check_safety", Completion(parts))
    assert (await bench.check()).verdict == "BLOCK"


async def test_pitfall_35_a_blank_answer_is_asked_for_once_more(
    bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer("check_safety", blank(), CHECK)
    assert (await bench.check()).verdict == "SAFE"
    assert [request.rung for request in model_server.requests] == ["json_schema", "json_schema"]
    model_server.reset().always("chat_reply", blank())
    said = bench.client.text("chat_reply", [ChatMessage("user", "在吗")], deadline=bench.deadline())
    assert await kind_of(said) == "invalid"
    assert len(model_server.requests) == 2


@pytest.mark.parametrize(
    "answer",
    [
        Completion(None, message={"refusal": "不行"}),
        Completion("一半", finish_reason="content_filter"),
        Completion("一半", finish_reason="sensitive"),
    ],
)
async def test_a_model_that_will_not_is_refused(
    answer: Completion, bench: Bench, model_server: ModelServer
) -> None:
    model_server.answer("chat_reply", answer)
    said = bench.client.text("chat_reply", [ChatMessage("user", "在吗")], deadline=bench.deadline())
    assert await kind_of(said) == "refused"


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {"choices": {}},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"tool_calls": [{"function": {}}]}}]},
        {"choices": [{"message": {"tool_calls": 3}}]},
    ],
)
async def test_pitfall_35_any_other_json_is_invalid(
    body: object, bench: Bench, model_server: ModelServer
) -> None:
    model_server.always("check_safety", as_json(body))
    assert await kind_of(bench.check()) == "invalid"


async def test_pitfall_37_cut_off_json_is_never_used(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", truncated(CHECK))
    assert await kind_of(bench.check()) == "invalid"
    assert len(model_server.requests) == 1
    whole = Completion('{"verdict": "SAFE"}', finish_reason="length")
    model_server.reset().always("check_safety", whole)
    assert await kind_of(bench.check()) == "invalid"
    model_server.reset().always("check_safety", Completion('{"verdict": "SAFE", "items": [1'))
    assert await kind_of(bench.check()) == "invalid"


async def test_pitfall_33_provider_text_is_in_no_traceback(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", failure(400, "sk-provider-secret", "model_not_found"))
    with pytest.raises(ModelError) as caught:
        await bench.check()
    shown = "".join(traceback.format_exception(caught.value))
    assert "sk-provider-secret" not in shown
    assert "openai" not in shown.lower().replace("mishu", "")


async def test_nobody_listens(make_bench: MakeBench) -> None:
    bench = make_bench("http://127.0.0.1:9/v1")
    assert await kind_of(bench.check(60)) == "unreachable"
    assert len(bench.time.slept) == 2
    assert bench.client.status() == "failing"


@pytest.mark.parametrize("url", ["http://", "http://[::1", "http://a b/", "http://127.0.0.1:99999/v1"])
async def test_a_malformed_address_is_an_error_kind_too(url: str, make_bench: MakeBench) -> None:
    assert await kind_of(make_bench(url).check()) in ("refused", "unreachable")


async def test_a_key_that_fits_in_no_header_is_refused(make_bench: MakeBench) -> None:
    assert await kind_of(make_bench(api_key="秘钥\n").check()) in ("refused", "unreachable")


async def test_pitfall_39_a_hung_caption_ends(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(real_time=True, vision_model="sees")
    await bench.client.warm()
    model_server.always("caption_image", hang())
    assert bench.client.sees
    before = time.monotonic()
    assert await kind_of(bench.client.caption(b"\x89PNG..", deadline=Deadline.after(0.2))) == "timeout"
    assert time.monotonic() - before < 60


async def test_without_a_vision_model_captions_are_offline(bench: Bench, model_server: ModelServer) -> None:
    assert not bench.client.sees
    assert await kind_of(bench.client.caption("http://x/y.png", deadline=bench.deadline())) == "offline"
    assert model_server.requests == []


async def test_without_a_key_everything_is_offline(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(api_key=None)
    assert not bench.client.online
    assert bench.client.status() == "offline"
    assert await kind_of(bench.check()) == "offline"
    await bench.client.warm()
    assert model_server.requests == []


async def test_a_lone_surrogate_does_not_break_the_request(bench: Bench, model_server: ModelServer) -> None:
    await bench.client.structured(
        "check_safety", {"text": "\ud83d好"}, Check, instructions="看", deadline=bench.deadline()
    )
    assert model_server.last().data == {"text": "?好"}


async def test_the_client_can_be_closed_and_used_again(bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", CHECK)
    await bench.check()
    await bench.client.aclose()
    await bench.check()
    assert model_server.connections == 2


_IMPORT = """
import sys, types
package = types.ModuleType("nonebot_plugin_mishu")
package.__path__ = [sys.argv[1]]
sys.modules[package.__name__] = package
import nonebot_plugin_mishu.llm
sys.exit(" ".join({"openai", "httpx2", "nonebot"} & set(sys.modules)) or 0)
"""


def test_importing_the_room_imports_no_client_library() -> None:
    place = str(Path(llm.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", _IMPORT, place], check=False, capture_output=True)
    assert (done.returncode, done.stderr.strip()) == (0, b"")
