"""A model that answers what a sample scripts. Stands where the core expects the one model client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from nonebot_plugin_mishu.llm import ChatMessage, Deadline, ModelError, Tool, ToolCall, ToolTurn
from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)
V = TypeVar("V")

HANG = "hang"
ERROR = "error"


def ready(value: V) -> asyncio.Future[V]:
    """A future that has its value."""
    future: asyncio.Future[V] = asyncio.get_running_loop().create_future()
    future.set_result(value)
    return future


class ScriptedModel:
    """`script` sets answers by call; a list is answered one by one, anything else every time."""

    def __init__(self, *, online: bool) -> None:
        self.online = online
        self.sees = False
        self.embedding_model: str | None = None
        self.asked: list[str] = []
        self._answers: dict[str, Any] = {}

    def script(self, answers: Mapping[str, Any]) -> None:
        """Answers from now on, over those set before."""
        for name, given in answers.items():
            self._answers[name] = list(given) if isinstance(given, list) else given

    async def structured(
        self, name: str, data: Mapping[str, Any], answer: type[T], *, deadline: Deadline, **more: Any
    ) -> T:
        """The scripted object, checked as the real client checks it."""
        given = await self._given(name, deadline)
        try:
            return answer.model_validate(given)
        except ValidationError:
            raise ModelError("invalid", name) from None

    async def text(
        self, name: str, messages: Sequence[ChatMessage], *, deadline: Deadline, **more: Any
    ) -> str:
        """The scripted words."""
        return str(await self._given(name, deadline))

    async def tools(
        self,
        name: str,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool],
        *,
        deadline: Deadline,
        **more: Any,
    ) -> ToolTurn:
        """One round: a list of calls (`{tool, arguments}` each), or words. Rounds are a list of these."""
        given = await self._given(name, deadline)
        if isinstance(given, str):
            return ToolTurn(given, (), (), ChatMessage("assistant", given))
        calls = tuple(
            ToolCall(f"call{len(self.asked)}-{number}", call["tool"], call["arguments"])
            for number, call in enumerate(given, start=1)
        )
        return ToolTurn("", calls, (), ChatMessage("assistant", "", calls=calls))

    async def embed(self, *args: Any, **more: Any) -> Any:
        """No embeddings here."""
        raise ModelError("offline", "embed")

    async def _given(self, name: str, deadline: Deadline) -> Any:
        self.asked.append(name)
        given = self._answers.get(name)
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if given == HANG:
            await asyncio.sleep(deadline.remaining())
            raise ModelError("timeout", name)
        if given is None or given == ERROR:
            raise ModelError("unreachable", name)
        return given
