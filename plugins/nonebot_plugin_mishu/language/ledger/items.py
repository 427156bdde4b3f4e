"""What an item of a line about money is called: the words the tagger finds, else those around its sum. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from ...text import Amount
from ...timeparse import TimeExpression
from ..lexicon import Lexicon
from ..reading import words_of
from ..tagger import Tagged, tag
from ..tokens import Thing, Token, tokens
from .pieces import HERE, lexicon_of

ACT: Final = "books.record"
LONGEST: Final = 400
"""Characters of a line in which items are looked for."""
_HOLE: Final = frozenset({"hole"})
_MARKS: Final = frozenset({"pause", "stop", "and", "mark", "blank", "whether"})
_FRONT: Final = _MARKS | {"carries", "opens"}
_BACK: Final = _MARKS | {"carries", "closes"}
_EITHER: Final = _MARKS | {"carries"}
_WHOLE: Final = frozenset({"plain", "channel"})
_DENIES: Final = frozenset({"negation", "prohibit", "hold_off"})
_KEPT: Final = frozenset("()<>《》「」【】\"'")

Span = tuple[int, int]


@cache
def item_words() -> Lexicon:
    """The words of `items.toml`."""
    return lexicon_of(tomllib.loads((HERE / "items.toml").read_text("utf-8")))


def items_tagged(
    line: str, times: Sequence[TimeExpression], amounts: Sequence[Amount]
) -> tuple[Tagged, ...]:
    """The stretches of a line in its one form that name items, widened to whole words."""
    if len(line) > LONGEST:
        return ()
    words = words_of(line, tuple(times), tuple(amounts))
    whole = [(each.start, each.end) for each in item_tokens(line, ()) if not each.classes.isdisjoint(_WHOLE)]
    return tuple(_widened(each, whole) for each in tag(line, words, ACT) if each.slot == "item")


def _widened(found: Tagged, whole: Sequence[Span]) -> Tagged:
    """A stretch whose borders part no word (支付|宝)."""
    start = next((a for a, b in whole if a < found.start < b), found.start)
    end = next((b for a, b in whole if a < found.end < b), found.end)
    return replace(found, start=start, end=end)


def item_tokens(line: str, holes: Sequence[Span]) -> tuple[Token, ...]:
    """A line as words that carry a sum and words that do not; `holes` are what is no word of an item."""
    return _tokens(line, tuple(holes))


@lru_cache(maxsize=512)
def _tokens(line: str, holes: tuple[Span, ...]) -> tuple[Token, ...]:
    things = [Thing(start, end, _HOLE) for start, end in holes]
    return tokens(line.lower(), item_words(), things)


def words_around(line: str, within: Span, holes: Sequence[Span]) -> str:
    """What a stretch says beside its holes, without the words at the ends that only carry a sum."""
    start, end = within
    inside = [(max(a, start) - start, min(b, end) - start) for a, b in holes if a < end and start < b]
    text = line[start:end]
    runs = _runs(item_tokens(text, _joined(inside)))
    cores = [core for run in runs if (core := _core(text, run))]
    said = "".join(text[core[0].start : core[-1].end] for core in cores)
    if said:
        return said.strip()
    return next(
        (text[each.start] for run in runs for each in run if "bare" in each.classes), ""
    )  # 赚了 is better than nothing


def _joined(spans: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _runs(words: Sequence[Token]) -> list[list[Token]]:
    """The words between the holes."""
    runs: list[list[Token]] = [[]]
    for word in words:
        if "hole" in word.classes:
            runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]


def _core(
    text: str, run: Sequence[Token], front: frozenset[str] = _FRONT, back: frozenset[str] = _BACK
) -> Sequence[Token]:
    first, last = 0, len(run)
    while first < last and _goes(text, run[first], front):
        first += 1
    while first < last and _goes(text, run[last - 1], back):
        last -= 1
    return run[first:last]


def _goes(text: str, word: Token, classes: frozenset[str]) -> bool:
    if word.classes.isdisjoint(classes) or "plain" in word.classes:
        return False
    return text[word.start : word.end] not in _KEPT


def core_of(line: str, span: Span) -> Span | None:
    """A name without the words at its ends that only carry a sum; None where nothing else is in it."""
    text = line[span[0] : span[1]]
    core = _core(text, item_tokens(text, ()), _EITHER, _EITHER)
    return (span[0] + core[0].start, span[0] + core[-1].end) if core else None


def is_channel(words: str) -> bool:
    """Only by what or where money moves is said."""
    return all("channel" in each.classes for each in item_tokens(words, ()))


def is_denied(line: str, at: int) -> bool:
    """Whether the words at a place are negated in their clause (没买到票 of 票)."""
    words = words_of(line)
    before = [word for word in words if word.end <= at]
    for word in reversed(before):
        if "pause" in word.classes or "stop" in word.classes or "number" in word.classes:
            return False
        if not word.classes.isdisjoint(_DENIES):
            return True
    return False


def without_denied(words: str) -> str:
    """The words without what is denied in them: 打车 of 水没买 打车, 午饭 of 午饭不贵."""
    denied = [each for each in words_of(words) if not each.classes.isdisjoint(_DENIES)]
    if not denied:
        return words
    ends = [0, *(each.end for each in words_of(words) if "blank" in each.classes), len(words)]
    parts = [words[a:b].strip() for a, b in pairwise(ends) if not any(a <= d.start < b for d in denied)]
    return " ".join(part for part in parts if part) or words[: denied[0].start].strip() or words
