"""Word lists as parts of patterns that say a word again and again. Pure.

A repeat reads a text in as many ways as its words can be joined to it: (刚刚|刚)* reads 刚刚刚刚 in five, and
thirty of them in a million. Words that are others said one after another say nothing new in a repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable


def unjoined(words: Iterable[str]) -> tuple[str, ...]:
    """The words without those that are others one after another (谢谢你 beside 谢谢, 你), longest first.

    Any number of them says what any number of all the words says.
    """
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
