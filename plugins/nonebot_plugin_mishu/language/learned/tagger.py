"""The tagger: where the words of free slots begin and end, learned (docs/language.md, "The tagger").

A linear chain over the signs of a line, a sign being a character, a run of letters or digits, a time or an
amount. It is told which act is read, since the same words are a title in one and a reference in another. What
it finds are borders; what they mean is the reader's. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from ..text.tokens import Token
from .judge import AMOUNT, TIME
from .linear import SCALE, LinearModel, buckets, lanes, read_model

WEIGHTS: Final = Path(__file__).with_name("tagger.weights")
SLOTS: Final = ("title", "new_title", "ref", "place", "who", "item", "payer", "sharer", "text")
"""The free slots; times, sums, lengths and leads are recognised, not learned."""
LABELS: Final = ("O", *(f"{kind}-{slot}" for slot in SLOTS for kind in "BI"))
LONGEST: Final = 120
"""Most signs of a line used."""
_INSIDE: Final = {2 * number + 1: 2 * number + 2 for number in range(len(SLOTS))}
"""By the begin label of a slot: its continuation label."""
_OUT: Final = -(1 << 40)


@dataclass(frozen=True, slots=True)
class Sign:
    """One step of the chain: half-open span of the line, how it looks, the class and the place of its
    word."""

    start: int
    end: int
    look: str
    word: str
    place: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """Words of a line that fill a slot, and how far its borders stand above the next best reading of them."""

    slot: str
    start: int
    end: int
    margin: float


def tag(text: str, tokens: Sequence[Token], act: str) -> tuple[Tagged, ...]:
    """The filled slots of a line in its one form, read as `tokens`, of which `act` is read. About 0.2 ms."""
    return _tagged(text, tuple(tokens), act)


@lru_cache(maxsize=512)
def _tagged(text: str, tokens: tuple[Token, ...], act: str) -> tuple[Tagged, ...]:
    signs = signs_of(text, tokens)[:LONGEST]
    if not signs:
        return ()
    emitted = emissions(_model(), signs, act)
    path = best_path(emitted)
    return tuple(_spans(signs, emitted, path))


def signs_of(text: str, tokens: Sequence[Token]) -> list[Sign]:
    """A line as signs: every character of known and unknown words its own, times and amounts whole."""
    found: list[Sign] = []
    for token in tokens:
        name = "+".join(sorted(token.classes))
        if "time" in token.classes or "amount" in token.classes:
            look = TIME if "time" in token.classes else AMOUNT
            found.append(Sign(token.start, token.end, look, name, "1"))
        elif "latin" in token.classes or "number" in token.classes:
            word = text[token.start : token.end].lower()
            found.append(Sign(token.start, token.end, "0" if word.isdigit() else word, name, "1"))
        else:
            last = token.end - 1
            for at in range(token.start, token.end):
                place = (
                    "1"
                    if at == token.start == last
                    else "b"
                    if at == token.start
                    else "e"
                    if at == last
                    else "m"
                )
                found.append(Sign(at, at + 1, text[at].lower(), name, place))
    return found


def sign_features(signs: Sequence[Sign], at: int, act: str) -> list[int]:
    """The features of a sign: those around it, its word's class and the neighbours', and the act."""

    def look(place: int) -> str:
        return signs[place].look if 0 <= place < len(signs) else "^" if place < 0 else "$"

    def word(place: int) -> str:
        return (
            signs[place].word + signs[place].place if 0 <= place < len(signs) else "^" if place < 0 else "$"
        )

    two, one, here, next_, later = look(at - 2), look(at - 1), look(at), look(at + 1), look(at + 2)
    w_two, w_one, w_here, w_next, w_later = (word(at + step) for step in (-2, -1, 0, 1, 2))
    owner, _, _ = act.partition(".")
    texts = (
        f"0{here}",
        f"1{one}",
        f"2{next_}",
        f"3{two}",
        f"4{later}",
        f"5{one}{here}",
        f"6{here}{next_}",
        f"7{two}{one}",
        f"8{next_}{later}",
        f"9{one}{here}{next_}",
        f"a{two}{one}{here}",
        f"b{here}{next_}{later}",
        f"c{w_here}",
        f"d{w_one}",
        f"e{w_next}",
        f"f{w_one} {w_here}",
        f"g{w_here} {w_next}",
        f"h{w_one} {w_here} {w_next}",
        f"i{w_two} {w_one}",
        f"j{w_next} {w_later}",
        f"k{act}",
        f"l{act} {w_here}",
        f"m{act} {w_one}",
        f"n{owner} {one}{here}",
        f"o{act} {w_next}",
    )
    return buckets(texts)


def emissions(model: LinearModel, signs: Sequence[Sign], act: str) -> list[list[int]]:
    """The score of every label at every sign."""
    return [lanes(model.total(sign_features(signs, at, act)), len(LABELS)) for at in range(len(signs))]


def best_path(emitted: Sequence[Sequence[int]]) -> list[int]:
    """The labels with the highest sum, where what goes on has begun."""
    scores = list(emitted[0])
    for inside in _INSIDE.values():
        scores[inside] = _OUT
    back: list[list[int]] = []
    for row in emitted[1:]:
        top = max(range(len(scores)), key=scores.__getitem__)
        high = scores[top]
        new = [high + value for value in row]
        came = [top] * len(row)
        for begin, inside in _INSIDE.items():
            source = begin if scores[begin] >= scores[inside] else inside
            new[inside] = scores[source] + row[inside]
            came[inside] = source
        scores = new
        back.append(came)
    at = max(range(len(scores)), key=scores.__getitem__)
    path = [at]
    for came in reversed(back):
        at = came[at]
        path.append(at)
    path.reverse()
    return path


def _spans(signs: Sequence[Sign], emitted: Sequence[Sequence[int]], path: Sequence[int]) -> list[Tagged]:
    found: list[Tagged] = []
    at = 0
    while at < len(path):
        if path[at] not in _INSIDE:
            at += 1
            continue
        to = at + 1
        while to < len(path) and path[to] == _INSIDE[path[at]]:
            to += 1
        margin = _margin(emitted, path, at, to)
        found.append(Tagged(SLOTS[path[at] // 2], signs[at].start, signs[to - 1].end, margin / SCALE))
        at = to
    return found


def _margin(emitted: Sequence[Sequence[int]], path: Sequence[int], start: int, end: int) -> int:
    """Margin of a stretch's borders over those a sign wider or narrower, or of another slot."""
    begin = path[start]
    inside = _INSIDE[begin]
    first, last = emitted[start], emitted[end - 1]
    found = [
        first[begin] - max(value for label, value in enumerate(first) if label not in (begin, inside)),
        last[path[end - 1]] - last[0],
    ]
    if start > 0:
        found.append(emitted[start - 1][path[start - 1]] - emitted[start - 1][begin])
    if end < len(path):
        found.append(emitted[end][path[end]] - emitted[end][inside])
    return min(found)


@cache
def _model() -> LinearModel:
    return read_model(WEIGHTS)
