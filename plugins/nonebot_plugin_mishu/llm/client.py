"""The one client for models (contracts.md, Model calls)."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from ..config import Llm
from ..storage.records import Conversation, ModelCall
from .calls import CallLog
from .deadline import Deadline
from .messages import ChatMessage, ModelRole, Tool, ToolTurn

T = TypeVar("T", bound=BaseModel)


class ModelClient:
    """The one gateway to models. Every method raises `ModelError` and nothing else (but cancellation)."""

    def __init__(
        self,
        config: Llm,
        *,
        record: Callable[[ModelCall], None],
        spent: Callable[[Conversation | None], Awaitable[int]],
        warn: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is imported, opened or connected here.

        `record` gets every finished call and must not block. `spent` gives the tokens used today, of all
        (None) or of one conversation; it is asked only where a budget is configured. `warn` gets log lines
        that hold call names and kinds only.
        """
        raise NotImplementedError

    @property
    def online(self) -> bool:
        """Whether there is a key and a model at all."""
        raise NotImplementedError

    def status(self) -> Literal["ok", "offline", "failing"]:
        """For `/api/health`: `failing` while the main model's last call failed or its breaker is open."""
        raise NotImplementedError

    async def warm(self) -> None:
        """Import the client library off the event loop (it takes a second or two); call it at start-up."""
        raise NotImplementedError

    async def structured(
        self,
        name: str,
        data: Mapping[str, Any],
        answer: type[T],
        *,
        instructions: str,
        deadline: Deadline,
        conversation: Conversation | None = None,
        model: ModelRole = "main",
        writes: bool = False,
        log: CallLog | None = None,
    ) -> T:
        """Ask for an answer of the given shape; `data` goes out as JSON in the last user message.

        `writes` says that something will be written from the answer: then two different objects in one
        answer are refused instead of the first usable one taken.
        """
        raise NotImplementedError

    async def text(
        self,
        name: str,
        messages: Sequence[ChatMessage],
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        model: ModelRole = "main",
        log: CallLog | None = None,
    ) -> str:
        """Ask for words. Never blank; without thoughts (`<think>`)."""
        raise NotImplementedError

    async def tools(
        self,
        name: str,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool],
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        model: ModelRole = "main",
        log: CallLog | None = None,
    ) -> ToolTurn:
        """One round with tools."""
        raise NotImplementedError

    async def caption(
        self,
        image: str | bytes,
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        instructions: str = "用一句中文说出图片里有什么，不超过 60 字。",
        log: CallLog | None = None,
    ) -> str:
        """Describe a picture (address or bytes) in a sentence; `offline` where no vision model is set."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Close all connections. The client can be used again: it opens anew."""
        raise NotImplementedError
