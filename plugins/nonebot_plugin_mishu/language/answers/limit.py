"""Limit of a deletion in question: 就明天这一次, 不是全部, 后面那个. Pure.

Like an answer from end to end: every character belongs to a time, to the item's name, or to a word of
`answer.toml`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from .answer import LONGEST
from .answer_words import ACTS, LIMIT

_PAUSES: Final = frozenset(" ,.;:!、。…·~\"'“”‘’「」『』()[]【】-—_")
_TELLING: Final = ("only", "once", "not_all", "wrong", "last", "first", "other")


@dataclass(frozen=True, slots=True)
class Limit:
    """Limit of a deletion in question."""

    spans: tuple[tuple[int, int], ...] = ()
    """Places of the times in the line."""
    once: str = ""
    """Word for one occurrence of a series (这一次, 下次), without a time."""
    whole: bool = True
    """Only a part of the items in question, not another item."""
    point: str = ""
    """`last`, `first` or `other`: one of several alike."""


def limit(
    line: str, times: Sequence[tuple[int, int]] = (), names: Collection[str] = (), *, dated: bool = True
) -> Limit | None:
    """Limit of a deletion in question; None for any other line.

    `times`: places of the times in it. `dated`: a time alone is enough (明天那次).
    """
    if not 0 < len(line) <= LONGEST:
        return None
    words = _words()
    called = sorted((name for name in names if len(name) > 1), key=len, reverse=True)
    ends = dict(times)
    found: dict[str, str] = {}
    used: list[tuple[int, int]] = []
    at = 0
    while at < len(line):
        if at in ends and ends[at] > at:
            used.append((at, ends[at]))
            at = ends[at]
            continue
        name = next((each for each in called if line.startswith(each, at)), "")
        word = next((each for each in words if line.startswith(each, at)), "")
        if word and len(word) >= len(name):
            found.setdefault(words[word], word)
            at += len(word)
        elif name:
            at += len(name)
        elif line[at] in _PAUSES:
            at += 1
        else:
            return None
    point = next((kind for kind in ("last", "first", "other") if kind in found), "")
    if not any(kind in found for kind in _TELLING) and not (used and dated):
        return None
    return Limit(tuple(used), found.get("once", ""), "wrong" not in found and not point, point)


@cache
def _words() -> dict[str, str]:
    """Known words with their role, longest first."""
    found = {word: "around" for kind in ("delete", "call_off") for word in ACTS[kind]}
    found |= {word: kind for kind, words in LIMIT.items() for word in words}
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))
