"""Messages and tool calls of a conversation with a model, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

MessageRole: TypeAlias = Literal["system", "user", "assistant", "tool"]
ModelRole: TypeAlias = Literal["main", "secretary", "vision"]
"""Role of a configured model: `secretary` is the main one unless SECRETARY_MODEL says otherwise."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a known tool whose arguments are a JSON object. Nothing else is checked here."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RejectedCall:
    """A tool call that must not be run; the endpoint still expects a tool message for its `id`."""

    id: str
    name: str
    problem: Literal["unknown_tool", "bad_arguments"]
    """Its arguments are not kept: they are never run and never repaired (pitfall 37)."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation with a model."""

    role: MessageRole
    text: str
    images: tuple[str, ...] = ()
    """Addresses (http, https or data) of pictures, user messages only."""
    calls: tuple[ToolCall | RejectedCall, ...] = ()
    """Tool calls of an assistant message."""
    call_id: str | None = None
    """Id of the call that a tool message answers."""
    reasoning: str | None = None
    """The assistant's `reasoning_content`: some vendors want it back within a tool loop."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as offered to a model."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of the arguments."""


@dataclass(frozen=True, slots=True)
class ToolTurn:
    """One round with tools: calls, or text, or both.

    Append `message` to the conversation and answer every call of `calls` and `rejected` with a tool
    message (`ChatMessage("tool", result, call_id=call.id)`) before the next round.
    """

    text: str
    calls: tuple[ToolCall, ...]
    rejected: tuple[RejectedCall, ...]
    message: ChatMessage
