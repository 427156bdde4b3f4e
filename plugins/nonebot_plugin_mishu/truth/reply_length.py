"""Length of a reply in words of a model's or of another plugin's: cut at a sentence's end. Pure.

What our own code makes (digests, minutes, lists of what is kept) is as long as it is.
"""

from __future__ import annotations

from typing import Final

LONGEST_REPLY: Final = 1500
"""Characters."""
_ENDS: Final = "。！？!?…；;\n"
_LEAST: Final = 0.5
"""Of the length, how much must be left by a cut at a sentence's end; else it is cut where it is full."""


def cut_reply(text: str, limit: int = LONGEST_REPLY) -> str:
    """The text as far as it may be sent: whole sentences and …, at most `limit` characters with it."""
    if len(text) <= limit:
        return text
    room = text[: limit - 1]
    end = max(room.rfind(mark) for mark in _ENDS) + 1
    kept = room[:end] if end >= limit * _LEAST else room
    return f"{kept.rstrip()}…"
