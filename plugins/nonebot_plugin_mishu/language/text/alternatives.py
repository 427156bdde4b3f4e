"""Word lists in repeated patterns. Pure.

A repeat has as many readings as its words can be joined: (刚刚|刚)* reads 刚刚刚刚 in five ways, and thirty
of them in a million. Words that are joined from others are redundant in a repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable


def unjoined(words: Iterable[str]) -> tuple[str, ...]:
    """Words that are not joined from others (谢谢你 beside 谢谢, 你), longest first. A repeat of them matches
    the same texts."""
    kept = {word for word in words if word}
    for word in sorted(kept, key=len, reverse=True):
        kept.discard(word)
        if not _joined(word, kept):
            kept.add(word)
    return tuple(sorted(kept, key=lambda word: (-len(word), word)))


def _joined(word: str, others: Collection[str]) -> bool:
    ends = {0}
    for end in range(1, len(word) + 1):
        if any(word[start:end] in others for start in ends):
            ends.add(end)
    return len(word) in ends
