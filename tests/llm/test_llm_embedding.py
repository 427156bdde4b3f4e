"""Embeddings: the same gateway, deadline, error and record as every other call."""

from __future__ import annotations

from typing import Any

import pytest
from helpers_llm import GROUP, KEY, Bench, MakeBench, kind_of
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer, as_json, error_body, failure, hang, html, null, reset
from nonebot_plugin_mishu.llm.failures import Failure
from nonebot_plugin_mishu.llm.transport.completion import Completion
from nonebot_plugin_mishu.llm.transport.embedding import embedding_of, vectors


def data(*found: Any, **more: Any) -> Any:
    rows = [{"index": place, "embedding": vector} for place, vector in enumerate(found)]
    return as_json({"data": rows, **more})


async def embed(bench: Bench, *texts: str, **options: Any) -> list[tuple[float, ...]]:
    return await bench.client.embed(texts, deadline=bench.deadline(), conversation=GROUP, **options)


@pytest.fixture
def embedding(make_bench: MakeBench) -> Bench:
    return make_bench(embedding_model="vectors-1")


async def test_texts_become_vectors(embedding: Bench, model_server: ModelServer) -> None:
    model_server.answer("embed", data([1, 0], [0.5, 0.5], usage={"prompt_tokens": 7}))
    assert await embed(embedding, "开会", "a\ud800") == [(1.0, 0.0), (0.5, 0.5)]
    asked = model_server.last()
    assert asked.path == "/v1/embeddings"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {"model": "vectors-1", "input": ["开会", "a?"]}
    (call,) = embedding.calls
    assert (call.name, call.model, call.outcome, call.conversation) == ("embed", "vectors-1", "ok", GROUP)
    assert (call.prompt_tokens, call.completion_tokens) == (7, 0)


async def test_the_order_is_that_of_the_texts(embedding: Bench, model_server: ModelServer) -> None:
    rows = [{"index": 1, "embedding": [2.0]}, {"index": 0, "embedding": [1.0]}]
    model_server.answer("embed", as_json({"data": rows}))
    assert await embed(embedding, "一", "二") == [(1.0,), (2.0,)]


async def test_without_a_model_for_it_nothing_is_asked(bench: Bench, model_server: ModelServer) -> None:
    assert bench.client.embedding_model is None
    assert await kind_of(embed(bench, "开会")) == "offline"
    assert model_server.requests == []


async def test_the_model_is_named(embedding: Bench) -> None:
    assert embedding.client.embedding_model == "vectors-1"


@pytest.mark.parametrize(
    "answer",
    [
        html(),
        null(),
        error_body(),
        data(),
        data([1.0], [1.0]),
        data([]),
        data([0.0, 0.0]),
        data(["x"]),
        data([True]),
        data([10**400]),
        data([1.0] * 20_000),
        as_json({"data": [{"embedding": "AAAA"}]}),
        as_json({"data": {}}),
    ],
)
async def test_pitfall_35_what_is_no_vector_is_invalid(
    embedding: Bench, model_server: ModelServer, answer: Any
) -> None:
    model_server.always("embed", answer)
    assert await kind_of(embed(embedding, "开会")) == "invalid"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(failure(401), "refused"), (failure(400, "no such route"), "refused"), (reset(), "unreachable")],
)
async def test_failures_are_of_the_known_kinds(
    embedding: Bench, model_server: ModelServer, answer: Any, kind: str
) -> None:
    model_server.always("embed", answer)
    assert await kind_of(embed(embedding, "开会")) == kind
    assert KEY not in "".join(embedding.warnings)


async def test_pitfall_34_one_deadline(make_bench: MakeBench, model_server: ModelServer) -> None:
    bench = make_bench(embedding_model="vectors-1", real_time=True)
    model_server.always("embed", hang())
    texts = bench.client.embed(["开会"], deadline=bench.deadline(0.1))
    assert await kind_of(texts) == "timeout"


async def test_a_failing_embedding_model_leaves_the_main_one_alone(
    embedding: Bench, model_server: ModelServer
) -> None:
    model_server.always("embed", failure(503))
    await kind_of(embed(embedding, "开会"))
    assert embedding.client.status() == "ok"


def test_vectors_of_different_lengths_are_none() -> None:
    answer = Completion("", (), None, False, None, 0, ((1.0,), (1.0, 2.0)))
    assert isinstance(vectors(answer, 2), Failure)
    assert isinstance(vectors(answer, 1), Failure)


@given(st.binary() | st.text().map(str.encode))
def test_any_body_is_read(body: bytes) -> None:
    assert isinstance(embedding_of(body), Completion | Failure)
