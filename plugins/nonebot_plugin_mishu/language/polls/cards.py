"""The number that a poll's card carries, so that a quote of it names the poll. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern

HEAD: Final = "【{name}{number}】"
_HEAD: Final = Pattern("【(?:投票|报名|统计) ?([0-9]{1,15})】")


NOT_SAID: Final = "算还没回"
"""Ends the summary of a voice that was the member's first: without it they have none."""


def number_on_card(text: str) -> int | None:
    """Number of the poll whose card, state or result a text of ours is; None for any other text."""
    found = _HEAD.search(text)
    return int(found[1]) if found is not None else None
