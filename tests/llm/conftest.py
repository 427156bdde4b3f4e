"""Fixtures of the model client's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from helpers_llm import Bench, MakeBench
from model_server import ModelServer, serve

model_server = pytest_asyncio.fixture(serve)


@pytest_asyncio.fixture
async def make_bench(model_server: ModelServer) -> AsyncIterator[MakeBench]:
    """Clients on the model server (or on `url`), closed at the end."""
    made: list[Bench] = []

    def make(url: str | None = None, **options: Any) -> Bench:
        made.append(Bench(url or model_server.url, **options))
        return made[-1]

    yield make
    for bench in made:
        await bench.client.aclose()


@pytest_asyncio.fixture
async def bench(make_bench: MakeBench) -> Bench:
    """One client with a fake clock."""
    return make_bench()
