"""The one client for models (contracts.md, Model calls)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, SecretStr

from ..config import Llm
from ..prompts import prompt
from ..storage.records import Conversation, ModelCall
from .answers.answers import structured_answer, tool_turn, words
from .answers.ladder import Rung
from .answers.schema import AnswerSchema, schema_of
from .calls import CallLog
from .deadline import Deadline
from .endpoint import Endpoint
from .engine import Engine, ModelRequest, ModelSurroundings
from .errors import ModelError
from .failures import CAUSES, OFFLINE, UNREACHABLE, Cause, Failure
from .limits.breaker import BreakerRules
from .limits.budget import Limits, SpentBy, TokenBudget
from .limits.takeover import Takeover
from .messages import ChatMessage, ModelRole, Tool, ToolTurn
from .simulator import PRACTICE_MODEL, ModelSimulator
from .transport.audio import SPEECH, TRANSCRIPTIONS, heard, sound
from .transport.embedding import EMBEDDINGS, vectors
from .transport.request import Transport
from .transport.wire import (
    as_wire,
    beside_message,
    data_message,
    image_address,
    replace_surrogates,
    tools_wire,
)
from .vendors import DEFAULT_URL

T = TypeVar("T", bound=BaseModel)
_Role: TypeAlias = ModelRole | Literal["embedding", "transcribe", "speech"]
WORDS: Final = ("main", "secretary")
"""Roles of models that read and write words: the backup, and the practice model, stand in for these."""
EMBED = "embed"
TRANSCRIBE = "transcribe"
SPEAK = "speak"
VOICE = "alloy"
"""The voice that every endpoint of this kind knows."""
R = TypeVar("R")

CAPTION = "caption_image"
TRIAL_SECONDS: Final = 10.0
"""Seconds for the trial at start."""


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
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        breaker: BreakerRules | None = None,
        practice: ModelSimulator | None = None,
        limits: Limits | None = None,
        spent_by: SpentBy | None = None,
    ) -> None:
        """Nothing is imported, opened or connected here.

        `record` gets every finished call, also failed and cancelled ones; it must not block or raise.
        `spent` gives the tokens used today, of all (None) or of one conversation; it is asked only where a
        budget is configured and must not raise; `spent_by` those of one member of a conversation. `warn`
        gets log lines that hold call names and kinds only.
        `clock` must be the one of the deadlines handed in; it, `sleep` and `chance` are for tests.
        `practice` stands before the endpoint: straight through while it is off. `limits`: the budgets in
        force, where they may be others than the configured ones.
        """
        self._config = config
        self._practice = practice
        self._rules = breaker or BreakerRules()
        self._endpoints: dict[str, Endpoint] = {}
        self._schemas: dict[type[BaseModel], AnswerSchema] = {}

        def transport(url: str, key: SecretStr | None) -> Transport:
            secret = key.get_secret_value() if key else ""
            return Transport(url, secret, connections=config.concurrency, wall=wall)

        self._transport = transport(config.base_url or DEFAULT_URL, config.api_key)
        self._standing_in = Endpoint.at(self._transport, PRACTICE_MODEL, self._rules)
        self._backup: Endpoint | None = None
        if config.has_backup:
            there = transport(config.backup_base_url or "", config.backup_api_key)
            self._backup = Endpoint.at(there, config.backup_model or "", self._rules)
        self._clock = clock
        engine = Engine(
            TokenBudget(
                limits or (lambda: (config.daily_tokens, config.group_daily_tokens)),
                spent,
                config.member_daily_tokens,
                spent_by,
            ),
            config.concurrency,
            ModelSurroundings(record, warn, clock, wall, sleep, chance),
            practice,
        )
        self._takeover = Takeover(engine, clock, warn)

    @property
    def online(self) -> bool:
        """True if a key and a model are configured, or the practice model replaces them."""
        return self._config.online or (self._practice is not None and self._practice.stands_in)

    @property
    def sees(self) -> bool:
        """True if pictures can be captioned."""
        return self._endpoint("vision") is not None

    @property
    def embedding_model(self) -> str | None:
        """Name of the model that `embed` asks; None where texts cannot be embedded."""
        return None if self._endpoint("embedding") is None else self._config.embedding_model

    def status(self) -> Literal["ok", "offline", "failing"]:
        """For `/api/health`: `failing` while the last call failed of the endpoint, or its breaker is open; of
        both where there is a backup."""
        endpoint = self._endpoint("main")
        if endpoint is None:
            return "offline"
        now = self._clock()
        if self._backup is not None and endpoint.failing(now):
            endpoint = self._backup
        return "failing" if endpoint.failing(now) else "ok"

    @property
    def cause(self) -> Cause | None:
        """Cause for the owner to look at, where the endpoint in use is failing."""
        endpoint = self._endpoint("main")
        return None if endpoint is None or self.status() != "failing" else endpoint.cause

    def trouble(self) -> str:
        """Trouble of the endpoint in a few words, where `status` is failing: 连不上, 账户没钱了."""
        return CAUSES[self.cause]

    async def warm(self) -> None:
        """Import the client library off the event loop (a second or two); call it at start-up."""
        if self._config.online:
            for transport in self._transports():
                await transport.open()

    async def try_endpoint(self) -> Cause | None:
        """Ask the endpoint once, for the list of its models, which costs nothing: what its owner has to
        look at (the key, the network); None where nothing speaks against it. Money and the model's name are
        told by the first call that fails for them (`cause`)."""
        endpoint = self._endpoint("main")
        if endpoint is None or not self._config.online:
            return None
        failure = await endpoint.transport.check_path("/models", TRIAL_SECONDS)
        cause = None if failure is None or failure.kind == "timeout" else failure.cause
        if cause in ("key", "money") or failure is UNREACHABLE:
            endpoint.cause = cause
            endpoint.last_failure = failure.kind if failure is not None else None
            return cause
        return None

    async def structured(
        self,
        name: str,
        data: Mapping[str, Any],
        answer: type[T],
        *,
        instructions: str,
        facts: str = "",
        beside: Mapping[str, Any] | None = None,
        deadline: Deadline,
        conversation: Conversation | None = None,
        model: ModelRole = "main",
        writes: bool = False,
        log: CallLog | None = None,
    ) -> T:
        """Ask for an answer of the given shape; `data` goes out as JSON in the last user message.

        `instructions` are the same in every call of this name; `facts` change, and stand behind everything
        that does not, the schema included, so that the endpoint's cache serves the beginning. Both are our
        own words (the clock): what people wrote is `data`, or `beside` it, JSON in a user message before it.
        `writes` says that something will be written from the answer: then two different objects in one
        answer are refused, where else the first one that fits is taken.
        """
        schema = self._schemas.get(answer)
        if schema is None:
            schema = self._schemas[answer] = schema_of(answer)
        users = [*([beside_message(beside)] if beside else []), data_message(data)]

        def body(rung: Rung, endpoint: Endpoint) -> dict[str, Any]:
            told = "\n\n".join(filter(None, (rung.instructions(instructions, schema), facts)))
            system = {"role": "system", "content": replace_surrogates(told)}
            return {"messages": [system, *users], **rung.parameters(name, schema, endpoint.vendor)}

        def request(endpoint: Endpoint) -> ModelRequest[T]:
            return ModelRequest(
                name,
                [lambda rung=rung: body(rung, endpoint) for rung in endpoint.ladder.rungs],
                lambda completion: structured_answer(completion, name, answer, writes=writes),
                structured=True,
                decides=True,
            )

        return await self._run_request(request, name, model, deadline, conversation, log)

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
        """Ask for words. Never blank; without thoughts (`<think>`); text only, nothing to be obeyed."""
        wire = [as_wire(message) for message in messages]
        request = ModelRequest(name, [lambda: {"messages": wire}], words, structured=False)
        return await self._run_request(lambda _: request, name, model, deadline, conversation, log)

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
        """One round with tools: calls, or text. The loop around it, and its bounds, are the caller's."""
        body = {"messages": [as_wire(message) for message in messages], "tools": tools_wire(tools)}
        known = {tool.name for tool in tools}
        request = ModelRequest(
            name,
            [lambda: body],
            lambda completion: tool_turn(completion, known),
            structured=False,
            decides=True,
        )
        return await self._run_request(lambda _: request, name, model, deadline, conversation, log)

    async def caption(
        self,
        image: str | bytes,
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        log: CallLog | None = None,
    ) -> str:
        """Describe a picture (its address or its bytes) in a sentence; `offline` without a vision model."""
        message = ChatMessage("user", prompt(CAPTION), images=(image_address(image),))
        return await self.text(
            CAPTION, [message], deadline=deadline, conversation=conversation, model="vision", log=log
        )

    async def embed(
        self,
        texts: Sequence[str],
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        log: CallLog | None = None,
    ) -> list[tuple[float, ...]]:
        """One vector for each text, all of one length; `offline` without an embedding model."""
        body = {"input": [replace_surrogates(text) for text in texts]}
        request = ModelRequest(
            EMBED,
            [lambda: body],
            lambda answer: vectors(answer, len(texts)),
            structured=False,
            route=EMBEDDINGS,
        )
        return await self._run_request(lambda _: request, EMBED, "embedding", deadline, conversation, log)

    @property
    def transcribes(self) -> bool:
        """True if voices can be transcribed."""
        return self._endpoint("transcribe") is not None

    @property
    def speaks(self) -> bool:
        """True if texts can be spoken."""
        return self._endpoint("speech") is not None

    async def transcribe(
        self,
        name: str,
        content: bytes,
        *,
        deadline: Deadline,
        conversation: Conversation | None = None,
        log: CallLog | None = None,
    ) -> str:
        """The words of a voice, perhaps none; `name` is the file's. `offline` without such a model."""
        request = ModelRequest(
            TRANSCRIBE, [dict], heard, structured=False, route=TRANSCRIPTIONS, file=(name, content)
        )
        return await self._run_request(
            lambda _: request, TRANSCRIBE, "transcribe", deadline, conversation, log
        )

    async def speak(
        self, text: str, *, deadline: Deadline, conversation: Conversation | None = None
    ) -> bytes:
        """The text spoken, as MP3; `offline` without such a model."""
        body = {"input": replace_surrogates(text), "voice": VOICE, "response_format": "mp3"}
        request = ModelRequest(SPEAK, [lambda: body], sound, structured=False, route=SPEECH)
        return await self._run_request(lambda _: request, SPEAK, "speech", deadline, conversation, None)

    async def aclose(self) -> None:
        """Close all connections. A call after it opens anew."""
        for transport in self._transports():
            await transport.close()

    async def _run_request(
        self,
        request: Callable[[Endpoint], ModelRequest[R]],
        name: str,
        role: _Role,
        deadline: Deadline,
        conversation: Conversation | None,
        log: CallLog | None,
    ) -> R:
        """The answer, or the one error: raised here, outside of any handler, without context."""
        first = self._require_endpoint(name, role)
        second = self._backup if role in WORDS else None
        result = await self._takeover.run(request, first, second, deadline, conversation, log)
        if isinstance(result, Failure):
            raise ModelError(result.kind, name)
        return result

    def _transports(self) -> list[Transport]:
        return [self._transport, *([self._backup.transport] if self._backup is not None else [])]

    def _endpoint(self, role: _Role) -> Endpoint | None:
        config = self._config
        models: dict[_Role, str | None] = {
            "main": config.model,
            "secretary": config.secretary_model or config.model,
            "vision": config.vision_model,
            "embedding": config.embedding_model,
            "transcribe": config.transcribe_model,
            "speech": config.speech_model,
        }
        model = models[role]
        if config.api_key is None or model is None:
            return None
        if model not in self._endpoints:
            self._endpoints[model] = Endpoint.at(self._transport, model, self._rules)
        return self._endpoints[model]

    def _require_endpoint(self, name: str, role: _Role) -> Endpoint:
        endpoint = self._endpoint(role)
        if endpoint is None and role in WORDS and self._practice is not None and self._practice.stands_in:
            endpoint = self._standing_in
        if endpoint is None:
            raise ModelError(OFFLINE.kind, name)
        return endpoint
