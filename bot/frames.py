"""Frames as they come from a socket: read once, cut where they are nested too deep, refused where broken.

NoneBot's adapter ends the connection at the first frame that it cannot read, and with it everything that
stands behind the frame in the socket. Here a frame is read before the adapter sees it: one that is no JSON
object is skipped, one whose forwards stand in forwards for hundreds of levels is cut, and all others go on.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

DEEPEST = 22
"""Levels of lists and objects kept of a frame: the plugin keeps 20 of a segment, which stands two deep."""
LONGEST = 16 * 2**20
"""Characters of the longest frame that is read. An answer with a recording or a picture in it fits."""
TELLING = 60.0
"""Seconds between two log lines about frames that were skipped."""
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""Tokens of the nesting of JSON: strings, in which brackets count for nothing, and brackets. A string
that is not closed goes on to the end: trying it again from each quote in it would take its length squared."""


class BrokenFrame(Exception):
    """Nobody can read this frame; the text says why, in Chinese and without a word of the frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that can be read, and the line it stands in: see `conversation_of`."""

    content: str | bytes
    place: str | None


def examine(content: str | bytes) -> Frame:
    """The frame, cut where it is nested too deep.

    Raises:
        BrokenFrame: it is too long, or no JSON object.
    """
    if len(content) > LONGEST:
        raise BrokenFrame("太长")
    content = _cut(content)
    try:
        fields: Any = json.loads(content)
    except UnicodeDecodeError:
        raise BrokenFrame("不是 UTF-8") from None
    except (ValueError, RecursionError):  # RecursionError: only where the limit was lowered below ours
        raise BrokenFrame("不是 JSON") from None
    if not isinstance(fields, dict):
        raise BrokenFrame("不是 JSON 对象")
    fields = cast("dict[str, Any]", fields)
    if "post_type" in fields and not _is_event(fields):
        raise BrokenFrame("缺少每个事件都有的字段")
    return Frame(content, conversation_of(fields))


def conversation_of(fields: dict[str, Any]) -> str | None:
    """Which line an event stands in; None for the answer to an API call."""
    if "post_type" not in fields:
        return None
    if fields.get("group_id"):
        return f"group {fields['group_id']}"
    return f"user {fields['user_id']}" if fields.get("user_id") else ""


def _is_event(fields: dict[str, Any]) -> bool:
    """True if the adapter's widest model takes it. What it does not take the adapter logs, chat and all."""
    numbers = (fields.get("time"), fields.get("self_id"))
    return isinstance(fields["post_type"], str) and all(map(_is_number, numbers))


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii() and value.removeprefix("-").isdecimal()
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _cut(content: str | bytes) -> str | bytes:
    """The frame with null in place of lists and objects that lie deeper than `DEEPEST`.

    Done on the text, in one pass: who reads it into values first runs out of stack at some hundred levels.
    """
    opening = ("[", "{") if isinstance(content, str) else (b"[", b"{")
    if sum(content.count(bracket) for bracket in opening) <= DEEPEST:  # type: ignore[arg-type]
        return content  # nearly every message: it cannot be deeper than it has brackets
    if isinstance(content, bytes):
        try:
            content = content.decode()
        except UnicodeDecodeError:
            raise BrokenFrame("不是 UTF-8") from None
    kept: list[str] = []
    depth = since = 0
    for token in _TOKEN.finditer(content):
        sign = token[0]
        if sign in ("[", "{"):
            depth += 1
            if depth == DEEPEST + 1:
                kept.append(content[since : token.start()])
        elif sign in ("]", "}"):
            if depth == DEEPEST + 1:
                since = token.end()
            depth -= 1
    if not kept:
        return content
    if depth > DEEPEST:
        raise BrokenFrame("不是 JSON")  # it ends below: nothing closes what was opened
    return "null".join((*kept, content[since:]))


class Skipped:
    """Counts frames that were skipped, and says so at most once in `TELLING` seconds."""

    def __init__(self, say: Callable[[str], None], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._monotonic = monotonic
        self._next = float("-inf")
        self._untold = 0

    def note(self, why: BrokenFrame, size: int) -> None:
        """One more was skipped. Its size and what is wrong with it are told, nothing that stands in it."""
        self._untold += 1
        now = self._monotonic()
        if now < self._next:
            return
        others = f"，连同之前没报的一共 {self._untold} 个" if self._untold > 1 else ""
        self._say(f"跳过了一个读不懂的 OneBot 消息帧（{why}，长 {size}）{others}，连接不受影响")
        self._next, self._untold = now + TELLING, 0
