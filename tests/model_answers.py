"""What the scripted model server can answer: plausible answers, faults, and the requests they answer.

`model_server.py` serves these on a socket and re-exports them; its docstring explains how they are used.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

USAGE = {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}

Rung: TypeAlias = str
JSON_OBJECT_ONLY: frozenset[Rung] = frozenset({"json_schema", "tool"})
"""Refused with 400 by endpoints like DeepSeek and GLM; `json_object` needs the word JSON everywhere."""
NOTHING_BUT_TEXT: frozenset[Rung] = frozenset({"json_schema", "tool", "json_object"})


@dataclass
class Request:
    """One request as received."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: dict[str, Any]
    at: float
    """Loop time of receipt, seconds."""
    connection: int
    """Number of the connection it came on, from 1."""
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client hung up before its answer was complete."""

    @property
    def name(self) -> str:
        """The call's name, from `X-Mishu-Call`."""
        return self.headers.get("x-mishu-call", "")

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body.get("messages", [])

    @property
    def data(self) -> Any:
        """`request.data` of a structured call: the last user message as JSON."""
        return json.loads(self.user_text)

    @property
    def user_text(self) -> str:
        """The last user message as text."""
        return next((_text(m) for m in reversed(self.messages) if m.get("role") == "user"), "")

    @property
    def prompt(self) -> str:
        """All messages' text, joined by newlines."""
        return "\n".join(_text(message) for message in self.messages)

    @property
    def rung(self) -> Rung:
        """How structure is asked for: `json_schema`, `tool`, `json_object`, `tools` (several) or `text`."""
        wanted = self.body.get("response_format")
        kind = wanted.get("type") if isinstance(wanted, dict) else None
        if kind in ("json_schema", "json_object"):
            return kind
        names = [tool["function"]["name"] for tool in self.body.get("tools") or []]
        if names == [self.name]:
            return "tool"
        return "tools" if names else "text"


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return (
        content
        if isinstance(content, str)
        else "\n".join(part.get("text", "") for part in content or [] if isinstance(part, dict))
    )


# -- what can be answered ---------------------------------------------------------------------------------


@dataclass
class Reply:
    """One answer on the wire. Build it with the functions below."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds before the first byte."""
    every: float | None = None
    """Send the body byte by byte with this many seconds between; None: at once."""
    forever: bytes | None = None
    """Chunked transfer: repeat this piece, one every `every` seconds, and never end."""
    hang: bool = False
    """Read the request and never answer."""
    reset: bool = False
    """Abort the connection (RST) instead of answering."""


Answer: TypeAlias = "str | Mapping[str, Any] | list[Any] | Reply | Calls | Completion"
Script: TypeAlias = "Answer | Callable[[Request], Answer | Awaitable[Answer]]"


@dataclass
class Calls:
    """Tool calls, with or without text. Arguments that are a `str` go out as they are."""

    calls: list[tuple[str, Any]]
    text: str | None = None
    reasoning: str | None = None


@dataclass
class Completion:
    """A completion spelled out: `content` as is (a `str`, a list of parts or None)."""

    content: Any
    finish_reason: str | None = "stop"
    message: dict[str, Any] = field(default_factory=dict)
    """Further keys of the message (`refusal`, `tool_calls`, `reasoning_content`)."""
    usage: dict[str, Any] | None = field(default_factory=lambda: dict(USAGE))


def tool_calls(*calls: tuple[str, Any], text: str | None = None, reasoning: str | None = None) -> Calls:
    """An answer that calls tools: `tool_calls(("create_task", {"title": "开会"}))`."""
    return Calls(list(calls), text, reasoning)


def as_json(value: Any, status: int = 200, **headers: str) -> Reply:
    """Any JSON value as a whole HTTP body."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return Reply(status, body, {"Content-Type": "application/json", **headers})


def failure(status: int, message: str = "", code: str | None = None, **headers: str) -> Reply:
    """An HTTP error in the vendor's form."""
    error = {"message": message or f"provider says {status}", "type": "error", "code": code}
    return as_json({"error": error}, status, **headers)


def rate_limited(retry_after: float = 3600) -> Reply:
    """429 that asks to wait; far longer than any deadline by default."""
    return failure(429, "slow down sk-provider-secret", **{"Retry-After": f"{retry_after:g}"})


def server_error(status: int = 500) -> Reply:
    """A failure of the endpoint, with provider text that must never be shown."""
    return failure(status, "internal provider error sk-provider-secret")


def html() -> Reply:
    """200 with a web page: a captive portal, a wrong address."""
    return Reply(200, b"<!doctype html><html><body>Welcome {}</body></html>", {"Content-Type": "text/html"})


def null() -> Reply:
    """200 with the JSON value null."""
    return as_json(None)


def error_body() -> Reply:
    """200 with an error object instead of a completion."""
    return as_json({"error": {"message": "provider quota text sk-provider-secret", "code": "quota"}})


def choices_null() -> Reply:
    """200 with `choices: null`."""
    return as_json({"id": "x", "object": "chat.completion", "choices": None})


def no_choices() -> Reply:
    """200 with an empty list of choices."""
    return as_json({"id": "x", "object": "chat.completion", "choices": []})


def blank() -> Completion:
    """An answer of white space, as DeepSeek sometimes gives."""
    return Completion("  \n\n ")


def truncated(value: Any = None) -> Completion:
    """Structured data cut off in the middle, `finish_reason: length`."""
    whole = json.dumps(value or {"should_reply": True, "items": [{"amount": 1}, {"amount": 2}]})
    return Completion(whole[: len(whole) * 2 // 3], finish_reason="length")


def fenced(value: Any = None) -> Script:
    """Structured data in a Markdown fence after prose; the call's default where no value is given."""

    def answer(request: Request) -> Answer:
        data = value if value is not None else default_for(request)
        if isinstance(data, str):
            return data
        return Completion(f"好的，结果如下：\n```json\n{json.dumps(data, ensure_ascii=False)}\n```\n以上。")

    return answer


def wrong_enum() -> Script:
    """The call's default with every word and every truth value replaced by one that is not allowed."""

    def spoil(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: spoil(item) for key, item in value.items()}
        if isinstance(value, list):
            return [spoil(item) for item in value]
        return "MAYBE_PERHAPS" if isinstance(value, str | bool) else value

    return lambda request: spoil(default_for(request))


def hang() -> Reply:
    """The request is read; nothing ever comes back."""
    return Reply(hang=True)


def dribble(every: float = 0.02) -> Reply:
    """One byte of a body that never ends, again and again: no read timeout ever sees a pause."""
    return Reply(body=b" " * 1_000_000, headers={"Content-Type": "application/json"}, every=every)


def never_ends(every: float = 0.02) -> Reply:
    """A chunked body (an event stream) whose end never comes."""
    event = b'data: {"choices": []}\n\n'
    return Reply(forever=event, headers={"Content-Type": "text/event-stream"}, every=every)


def reset() -> Reply:
    """The connection is aborted after the request."""
    return Reply(reset=True)


def slow(seconds: float, then: Answer = "好的") -> Script:
    """The answer `then`, so many seconds late."""

    async def answer(_request: Request) -> Answer:
        await asyncio.sleep(seconds)
        return then

    return answer


FAULTS: dict[str, Callable[[], Script]] = {
    "hang": hang,
    "dribble": dribble,
    "never_ends": never_ends,
    "429": rate_limited,
    "500": server_error,
    "html": html,
    "null": null,
    "error_body": error_body,
    "choices_null": choices_null,
    "no_choices": no_choices,
    "blank": blank,
    "truncated": truncated,
    "fenced": fenced,
    "wrong_enum": wrong_enum,
    "reset": reset,
}
"""Every model fault by name. `fenced` is one a client is expected to read."""

PROVIDER_TEXTS = ("sk-provider-secret", "provider says", "internal provider", "provider quota", "slow down")
"""Pieces of the faults' texts: none of them may ever be seen in a group, a log or the database."""


# -- what is answered by default --------------------------------------------------------------------------


def _chat_frame(request: Request) -> dict[str, Any]:
    text = request.data.get("text", "")
    frame = {"agent_code": "chat", "intent": "chitchat", "slots": [], "priority": 4, "text": text}
    operation = {"op": "chitchat", "frame": 0, "slot": None, "value": None}
    return {"frames": [frame], "intent_ops": [operation], "safety": "SAFE"}


DEFAULTS: dict[str, Script] = {
    "analyze_conversation": {
        "should_reply": True,
        "is_questioned": True,
        "is_interesting": False,
        "reply_strategy": "回应追问",
        "topic": "闲聊",
        "reply_target": "",
        "plan": None,
    },
    "parse_intents": _chat_frame,
    "check_safety": {"verdict": "SAFE", "category": "", "reply": ""},
    "extract_info": {"candidates": []},
    "check_intent": {"intent": "irrelevant"},
    "generate_operation": {"operations": []},
    "parse_transactions": {"items": []},
    "correct_transaction": {"corrections": [], "intent": "unclear", "confidence": 0.3},
    "manage_tasks": "好的",
    "chat_reply": "好的",
    "caption_image": "一张图片",
    "summarize": "大家聊了聊天。",
    "transcribe": lambda request: as_json({"text": "今天的语音"}),
    "speak": lambda request: Reply(body=b"ID3" + bytes(200), headers={"Content-Type": "audio/mpeg"}),
}


def default_for(request: Request) -> Any:
    """The unscripted answer to a request."""
    script = DEFAULTS.get(request.name, "好的")
    return script(request) if callable(script) else script


# -- how an answer looks on the wire ------------------------------------------------------------------------


def on_wire(request: Request, answer: Answer) -> Reply:
    match answer:
        case Reply():
            return answer
        case Completion():
            return _completion(request, answer)
        case Calls():
            calls = [
                {"id": f"call_{number}", "type": "function", "function": _function(name, value)}
                for number, (name, value) in enumerate(answer.calls)
            ]
            extra: dict[str, Any] = {"tool_calls": calls}
            if answer.reasoning is not None:
                extra["reasoning_content"] = answer.reasoning
            return _completion(request, Completion(answer.text, "tool_calls", extra))
        case str():
            return _completion(request, Completion(answer))
    if request.rung == "tool":
        return on_wire(request, Calls([(request.name, answer)]))
    return _completion(request, Completion(json.dumps(answer, ensure_ascii=False)))


def _function(name: str, arguments: Any) -> dict[str, str]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"name": name, "arguments": text}


def _completion(request: Request, answer: Completion) -> Reply:
    message = {"role": "assistant", "content": answer.content, **answer.message}
    value: dict[str, Any] = {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
    }
    if answer.usage is not None:
        value["usage"] = answer.usage
    return as_json(value)
