"""From a completion to what the caller asked for: a model, words, or tool calls."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from pydantic import BaseModel

from ..failures import CUT_OFF, NO_ANSWER, WRONG_FORM, Failure
from ..messages import ChatMessage, RejectedCall, ToolCall, ToolTurn
from ..transport.completion import Completion
from .json_reading import Unreadable, arguments, values, without_thoughts
from .validation import choose

T = TypeVar("T", bound=BaseModel)

_MARKUP = ("<tool_call", "<｜tool", "<|tool", "<function_call", "[TOOL_CALLS]")
"""A tool call that an endpoint let through as text: nothing a member should read."""
_ENDS = "。！？…!?\n"


def structured_answer(completion: Completion, name: str, model: type[T], *, writes: bool) -> T | Failure:
    """The answer in a completion, from the arguments of the forced tool or from the text."""
    if completion.cut:
        return CUT_OFF
    try:
        return choose(_candidates(completion, name), model, writes=writes)
    except Unreadable:
        return WRONG_FORM


def _candidates(completion: Completion, name: str) -> list[Any]:
    own = [call for call in completion.calls if call.name == name]
    if not own:
        return values(completion.text)
    found: list[Any] = []
    for call in own:
        value = arguments(call.arguments)
        if value is None:
            raise Unreadable("nothing")
        if value not in found:
            found.append(value)
    return found


def words(completion: Completion) -> str | Failure:
    """The text to show: without thoughts, never blank. What was cut off ends with its last whole sentence."""
    text = without_thoughts(completion.text)
    if not text or any(mark in text for mark in _MARKUP):
        return NO_ANSWER
    if not completion.cut:
        return text
    last = max(text.rfind(end) for end in _ENDS)
    return text[: last + 1].strip() or text if last >= 0 else text


def tool_turn(completion: Completion, known: Collection[str]) -> ToolTurn | Failure:
    """One round with tools. Calls of unknown tools and calls whose arguments are no object are set apart."""
    if not completion.calls:
        text = words(completion)
        if isinstance(text, Failure):
            return text
        return ToolTurn(text, (), (), ChatMessage("assistant", text))
    if completion.cut:
        return CUT_OFF
    calls: list[ToolCall | RejectedCall] = []
    for call in completion.calls:
        given = arguments(call.arguments)
        if call.name not in known:
            calls.append(RejectedCall(call.id, call.name, "unknown_tool"))
        elif given is None:
            calls.append(RejectedCall(call.id, call.name, "bad_arguments"))
        else:
            calls.append(ToolCall(call.id, call.name, given))
    text = without_thoughts(completion.text)
    return ToolTurn(
        text,
        tuple(call for call in calls if isinstance(call, ToolCall)),
        tuple(call for call in calls if isinstance(call, RejectedCall)),
        ChatMessage("assistant", text, calls=tuple(calls), reasoning=completion.reasoning),
    )
