"""What the model client's tests share: a client on a server, a fake clock, an answer model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from model_server import ModelServer
from nonebot_plugin_mishu.config import Llm
from nonebot_plugin_mishu.llm import Deadline, ModelClient, ModelError
from nonebot_plugin_mishu.storage.records import Conversation, ModelCall
from pydantic import BaseModel, SecretStr

KEY = "sk-our-own-secret-key"
GROUP = Conversation("10000", "group", "20000")


class Check(BaseModel):
    """An answer with everything that can go wrong."""

    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"]
    sure: bool = True
    category: str = ""
    items: list[int] = []


CHECK = {"verdict": "SAFE", "sure": True, "category": "", "items": [1, 2]}


@dataclass
class FakeTime:
    """A clock that moves only when somebody sleeps on it."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Bench:
    """A client with everything around it recorded."""

    def __init__(self, url: str, **options: Any) -> None:
        self.calls: list[ModelCall] = []
        self.warnings: list[str] = []
        self.spent: dict[Conversation | None, int] = {}
        self.spent_by: dict[tuple[Conversation, str], int] = {}
        self.time = FakeTime()
        settings: dict[str, Any] = {"base_url": url, "api_key": SecretStr(KEY), "model": "test-model"}
        real_time = options.pop("real_time", False)
        extra = {key: options.pop(key) for key in ("breaker", "chance", "practice") if key in options}
        if not real_time:
            extra |= {"clock": self.time, "sleep": self.time.sleep}
        self.client = ModelClient(
            Llm(**settings | options),
            record=self.calls.append,
            spent=self._spent,
            spent_by=self._spent_by,
            warn=self.warnings.append,
            **extra,
        )
        self._clock: dict[str, Any] = {} if real_time else {"clock": self.time}

    async def _spent(self, conversation: Conversation | None) -> int:
        return self.spent.get(conversation, 0)

    async def _spent_by(self, conversation: Conversation, member: str) -> int:
        return self.spent_by.get((conversation, member), 0)

    def deadline(self, seconds: float = 5.0) -> Deadline:
        return Deadline.after(seconds, **self._clock)

    async def check(self, seconds: float = 5.0, **options: Any) -> Check:
        """One structured call."""
        options = {"instructions": "看看这句话。", "deadline": self.deadline(seconds), **options}
        return await self.client.structured("check_safety", {"text": "在吗"}, Check, **options)


async def kind_of(awaitable: Any) -> str:
    """The kind of the `ModelError` it raises, `ok` where it raises none."""
    try:
        await awaitable
    except ModelError as error:
        return error.kind
    return "ok"


MakeBench = Callable[..., Bench]


def bench_on(server: ModelServer, **options: Any) -> Bench:
    return Bench(server.url, **options)
