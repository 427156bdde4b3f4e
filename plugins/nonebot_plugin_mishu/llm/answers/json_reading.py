"""Reading JSON out of what a model wrote, without ever making any up (pitfalls 35 to 37).

Read: a BOM, thoughts before the answer (`<think>…</think>`), prose around it, Markdown fences, an answer
that is a JSON string holding JSON. Not read: anything broken. A `{` or `[` whose other end is missing makes
the whole text unreadable, and a broken object is skipped with everything in it, so that a part of a larger
answer is never taken for the answer.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias, cast

LONGEST = 200_000
"""Characters. Longer texts are not read at all: reading them would keep every other group waiting."""
MOST = 64
"""Bracketed pieces in a text, and thoughts before it. More than that is no answer."""
PARTS = 10_000
"""Commas in a text: lists of so many parts take long to check, and nothing that is asked for has them."""

Reason: TypeAlias = Literal["blank", "too_long", "unbalanced", "nothing", "ambiguous", "mismatch"]


class Unreadable(ValueError):
    """A model's text holds no usable JSON. The error holds no part of it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class _Broken(ValueError):
    """A value JSON does not have, or one key with two meanings."""


def _no_constant(_name: str) -> Any:
    raise _Broken


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise _Broken
        found[key] = value
    return found


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Broken
    return value


_decoder = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_duplicates
)
_OPENING, _CLOSING = "<think>", "</think>"
_UNDECODABLE = (ValueError, RecursionError)
LONGEST_STRING = 4000
"""Characters of one value: longer ones are no answer, and everything that checks them may take its time."""
DEEPEST = 50
"""Brackets within brackets. What is deeper is no answer, and comparing it could overflow the stack."""


def without_thoughts(text: str) -> str:
    """The text after its thoughts (`<think>…</think>` at the start, also where the opening is missing).

    A thought that does not end leaves nothing: there is no answer after it.
    """
    text = text.strip("\ufeff \t\r\n")
    for _ in range(MOST):
        if not text.startswith(_OPENING):
            break
        _, closing, text = text.partition(_CLOSING)
        text = text.strip() if closing else ""
    else:
        return ""
    before, closing, after = text.partition(_CLOSING)
    if not closing or _OPENING in before or text.startswith(("{", "[", "`", '"')):
        return text
    return text if _is_in_value(text, len(before)) else after.strip()


def _is_in_value(text: str, place: int) -> bool:
    """True if the place lies in a complete object or list: a mark there is a part of the answer."""
    at = _next_opening(text, 0)
    for _ in range(MOST):
        if not 0 <= at < place:
            break
        try:
            end = _balanced_end(text, at)
        except Unreadable:
            break
        if end > place:
            return _whole(text[at:end]) is not None
        at = _next_opening(text, end)
    return False


def values(text: str) -> list[Any]:
    """Every complete top-level JSON object or list in the text, in order, equal ones once.

    Raises `Unreadable` and nothing else.
    """
    if len(text) > LONGEST or text.count(",") > PARTS:
        raise Unreadable("too_long")
    answer = without_thoughts(text)
    if not answer:
        raise Unreadable("blank")
    whole = _whole(answer)
    if whole is not None:
        return [whole]
    found: list[Any] = []
    at = _next_opening(answer, 0)
    for _ in range(MOST):
        if at < 0:
            break
        end = _balanced_end(answer, at)
        value = _whole(answer[at:end])
        if value is not None and value not in found:
            found.append(value)
        at = _next_opening(answer, end)
    else:
        raise Unreadable("too_long")
    if not found:
        raise Unreadable("nothing")
    return found


def arguments(value: Any) -> dict[str, Any] | None:
    """A tool call's arguments as an object: an object, or a string that is one; None where it is neither.

    Nothing at all (null, an empty string) is a call without arguments.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if isinstance(value, str):
        value = _whole(value) if len(value) <= LONGEST and value.count(",") <= PARTS else None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _whole(text: str, depth: int = 0) -> Any:
    """The text as one JSON object or list, also packed into a JSON string once; None where it is neither."""
    try:
        value = _decoder.decode(text)
    except _UNDECODABLE:
        return None
    if isinstance(value, str) and depth == 0:
        return _whole(value, 1)
    if _beyond(value, DEEPEST):
        return None
    return cast("Any", value) if isinstance(value, dict | list) else None


def _beyond(value: Any, levels: int) -> bool:
    """A value is nested deeper than so many levels, or holds a string that is too long."""
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).values())
    elif isinstance(value, list):
        inner = cast("list[Any]", value)
    else:
        return isinstance(value, str) and len(value) > LONGEST_STRING
    return levels == 0 or any(_beyond(item, levels - 1) for item in inner)


def _next_opening(text: str, start: int) -> int:
    places = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    return min(places, default=-1)


_CLOSES = {"}": "{", "]": "["}


def _balanced_end(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`; raises `Unreadable` where none does."""
    open_: list[str] = []
    quoted = escaped = False
    for at in range(start, len(text)):
        char = text[at]
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "{[":
            open_.append(char)
        elif char in _CLOSES:
            if open_.pop() != _CLOSES[char]:
                raise Unreadable("unbalanced")
            if not open_:
                return at + 1
    raise Unreadable("unbalanced")
