"""What a line tells instead of all items of a card (全不要了 这样:晚饭50，打车20). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...patterns import Pattern
from .grammar import Kind
from .triage import triage

_ANEW: Final = Pattern(
    "^(?:就|是|那就|改成|应该|应该是|我)?(?:这样子?|重新(?:记|来|写|说)?|重来|重记|从头来)"
    "(?:的|吧|一下|一遍)?[: ,，]*"
)


def told_instead(parts: Sequence[str], item_count: int) -> str | None:
    """Rest of a line in its parts, whose first one refuses all of `item_count` items and whose others have
    sums; None for any other line. A refusal without 都 and the like is one only before 这样 or 重新."""
    first = triage(parts[0], item_count) if len(parts) > 1 else None
    if first is None or first.kind is not Kind.CANCEL:
        return None
    rest = "，".join(parts[1:])
    told = _ANEW.sub("", rest)
    has_sums = any(each.isdigit() for each in told)
    return told if has_sums and (first.scoped or told != rest) else None
