"""Bodies without end, packed bombs and huge answers: 1 MB is read, memory stays, others are answered."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import time
import zlib
from pathlib import Path

import pytest
from default_run import first
from helpers_llm import CHECK, Bench, MakeBench, kind_of
from model_server import Completion, ModelServer, Reply, as_json
from nonebot_plugin_mishu.llm.transport.request import LARGEST

PAGE = os.sysconf("SC_PAGE_SIZE")
MB = 2**20


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def bomb(size: int) -> bytes:
    """A gzip of so many zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    pieces = [packer.compress(bytes(MB)) for _ in range(size // MB)]
    return b"".join([*pieces, packer.flush()])


def packed(value: object, encoding: str) -> Reply:
    """A completion of a value, packed."""
    message = {"role": "assistant", "content": json.dumps(value)}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
    body = gzip.compress(body) if encoding == "gzip" else zlib.compress(body)
    return Reply(200, body, {"Content-Type": "application/json", "Content-Encoding": encoding})


async def test_an_endless_body_ends_at_a_megabyte(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", Reply(forever=b" " * 65536))
    before, began = resident(), time.monotonic()
    assert await kind_of(bench.check(30)) == "invalid"
    assert time.monotonic() - began < 10
    assert resident() - before < 40 * MB
    async with asyncio.timeout(5):
        while model_server._tasks:  # noqa: ASYNC110 (the connection is closed under the server's hands)
            await asyncio.sleep(0.01)
    assert len(model_server.requests) == 1, "what is too large is not asked for again"


@first(1)
@pytest.mark.parametrize("status", [200, 400, 500])
async def test_a_bomb_of_300_megabytes_does_not_grow_memory(
    status: int, make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench()
    await bench.client.warm()
    reply = Reply(status, bomb(300 * MB), {"Content-Encoding": "gzip", "Content-Type": "application/json"})
    model_server.always("check_safety", reply)
    before = resident()
    expected = {200: "invalid", 400: "refused", 500: "unreachable"}[status]
    assert await kind_of(bench.check(30)) == expected
    assert resident() - before < 40 * MB


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_packed_answer_is_read(encoding: str, bench: Bench, model_server: ModelServer) -> None:
    model_server.answer("check_safety", packed(CHECK, encoding))
    assert (await bench.check()).verdict == "SAFE"
    assert model_server.last().headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "rot13"])
async def test_what_is_packed_otherwise_is_no_answer(
    encoding: str, bench: Bench, model_server: ModelServer
) -> None:
    reply = Reply(200, b"\x00" * 100, {"Content-Encoding": encoding})
    model_server.answer("check_safety", reply)
    assert await kind_of(bench.check()) == "invalid"


@pytest.mark.parametrize(
    "body", [b"no gzip at all", gzip.compress(b"{}" * 500, mtime=0)[:40]], ids=["plain", "cut off"]
)
async def test_a_broken_package_is_no_answer(body: bytes, bench: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", Reply(200, body, {"Content-Encoding": "gzip"}))
    assert await kind_of(bench.check()) == "invalid"


async def test_an_answer_of_ten_megabytes_leaves_others_answered(
    make_bench: MakeBench, model_server: ModelServer
) -> None:
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", CHECK)
    await bench.check(10)
    for body in (
        Completion("长" * 3_500_000),
        as_json({"choices": [{"message": {"content": "", "tool_calls": [{"function": {}}] * 400_000}}]}),
        as_json([[[[]]]] * 1_000_000),
    ):
        model_server.answer("check_safety", body)
        huge = asyncio.create_task(kind_of(bench.check(30)))
        await model_server.wait_for("check_safety", len(model_server.requests) + 1)
        began = time.monotonic()
        assert (await bench.check(10)).verdict == "SAFE"
        assert time.monotonic() - began < 2
        assert await huge == "invalid"


HOSTILE = {
    "brackets": "[" * 500_000,
    "objects": '{"a": 1} ' * 100_000,
    "numbers": json.dumps({"verdict": "SAFE", "items": [1] * 300_000}),
    "wrong items": json.dumps({"verdict": "SAFE", "items": ["x"] * 150_000}),
    "thoughts": "<think></think>" * 60_000,
    "open thoughts": "<think>" * 140_000,
    "one string": '{"verdict": "' + "S" * 900_000,
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_no_answer_of_a_megabyte_takes_the_loop(
    name: str, make_bench: MakeBench, model_server: ModelServer
) -> None:
    """The longest time in which nobody else gets a turn, while such an answer is read."""
    bench = make_bench(real_time=True)
    await bench.client.warm()
    model_server.always("check_safety", Completion(HOSTILE[name]))
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.001)
            longest = max(longest, time.monotonic() - began)

    watching = asyncio.create_task(watch())
    assert await kind_of(bench.check(30)) == "invalid"
    watching.cancel()
    assert longest < 1.0


async def test_spoken_text_may_be_longer(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(speech_model="tts")
    sound = b"ID3" + bytes(3 * LARGEST)
    model_server.always("speak", Reply(200, sound, {"Content-Type": "audio/mpeg"}))
    assert await bench.client.speak("你好", deadline=bench.deadline()) == sound
    model_server.always("speak", Reply(200, b"ID3" + bytes(21 * MB), {"Content-Type": "audio/mpeg"}))
    assert await kind_of(bench.client.speak("你好", deadline=bench.deadline(20))) == "invalid"
