"""The body of a chat completion, read without trusting any of it (pitfall 35)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from ..failures import CUT_OFF, NO_ANSWER, REFUSED, UNREACHABLE, Failure

_BAD_ENDS: dict[str, Failure] = {
    "content_filter": REFUSED,
    "sensitive": REFUSED,
    "insufficient_system_resource": UNREACHABLE,
    "network_error": UNREACHABLE,
}
"""Ends (`finish_reason`) that leave only a part of an answer, whatever the vendor calls them."""
MOST_CALLS = 64
"""Tool calls of one answer; more than that is no answer."""


@dataclass(frozen=True, slots=True)
class RawCall:
    """A tool call as received: name and arguments unchecked."""

    id: str
    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer and its token usage."""

    text: str
    calls: tuple[RawCall, ...]
    reasoning: str | None
    cut: bool
    """True if it ended at the length limit. A missing `finish_reason` is an end like any other."""
    prompt_tokens: int | None
    completion_tokens: int | None
    vectors: tuple[tuple[float, ...], ...] = ()
    """Vectors of an embedding model, in the order of the texts."""
    audio: bytes = b""
    """Audio of a speech model."""
    cached_tokens: int = 0
    """Of the prompt's tokens, those the endpoint had kept from an earlier call."""


def completion_of(body: bytes) -> Completion | Failure:
    """Read a 200's body. A failure of what is inside carries no part of it."""
    try:
        whole = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return NO_ANSWER
    root = _object(whole)
    choices = root.get("choices")
    if not isinstance(choices, list) or not choices:
        return NO_ANSWER
    choice = _object(cast("list[Any]", choices)[0])
    message = _object(choice.get("message"))
    finish = choice.get("finish_reason")
    text = _text(message.get("content"))
    calls = _calls(message.get("tool_calls"))
    if isinstance(finish, str) and finish in _BAD_ENDS:
        return _BAD_ENDS[finish]
    if _text(message.get("refusal")).strip() and not text.strip():
        return REFUSED
    cut = finish in ("length", "max_tokens")
    if calls is None or (not text.strip() and not calls):
        return CUT_OFF if cut else NO_ANSWER
    usage = _object(root.get("usage"))
    return Completion(
        text,
        calls,
        _text(message.get("reasoning_content")) or None,
        cut,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        cached_tokens=_cached(usage),
    )


def _cached(usage: dict[str, Any]) -> int:
    """Tokens of the prompt that came from a cache, wherever the vendor writes them, never more than it has.

    OpenAI, Qwen, GLM: `prompt_tokens_details.cached_tokens`; DeepSeek: `prompt_cache_hit_tokens`; Kimi:
    `cached_tokens`.
    """
    places = (
        _object(usage.get("prompt_tokens_details")).get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),
        usage.get("cached_tokens"),
    )
    found = max(_count(place) or 0 for place in places)
    return min(found, _count(usage.get("prompt_tokens")) or 0)


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(content: Any) -> str:
    """Content as a string or as a list of parts; parts that are not text are left out."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (_object(part).get("text") for part in cast("list[Any]", content))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _calls(value: Any) -> tuple[RawCall, ...] | None:
    """The tool calls; None where there is something that is none."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(cast("list[Any]", value)) > MOST_CALLS:
        return None
    found: list[RawCall] = []
    for number, item in enumerate(cast("list[Any]", value)):
        call = _object(item)
        function = _object(call.get("function"))
        name, id_ = function.get("name"), call.get("id")
        if not isinstance(name, str):
            return None
        taken = {earlier.id for earlier in found}
        own = id_ if isinstance(id_, str) and id_ and id_ not in taken else f"call_{number}"
        found.append(RawCall(own, name, function.get("arguments")))
    return tuple(found)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None
