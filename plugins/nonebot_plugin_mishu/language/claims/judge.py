"""The second look for claims: whether a sentence of a reply sounds as though its speaker had done something,
would do it, or knew it.

The table of words (`claims`) says which deed is claimed and misses what nobody thought of; this linear
model over characters, classes of words, shapes of clauses and rows of the tables, learned by
`python -m training` from sentences of ours, says only that something is claimed. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final
from zlib import crc32

from ..learned.judge import act_features
from ..learned.windows import read_weights, score
from ..text.tokens import Token
from .shape import Shape, frame, shape, small_words
from .states import ClaimSentence, StateRow, grounds

WEIGHTS: Final = Path(__file__).with_name("claims.weights")
BUCKETS: Final = 1 << 18
CLAIMS_ABOVE: Final = 0.15
"""A score above this is a claim; chosen on sentences that were not learned from (`python -m training`
prints them)."""
PLAIN_TALK: Final = -0.4
"""A score below this is none, whatever words of the table are in it."""
_SILENT: Final = frozenset({"blank", "filler", "particle", "courtesy", "mark"})
_TELLING: Final = frozenset(
    [
        "make",
        "change",
        "take_away",
        "finish",
        "remind",
        "look",
        "pay",
        "join",
        "action",
        "plan_noun",
        "task_noun",
        "money_noun",
        "time",
        "amount",
        "number",
        "weather",
        "come",
        "negation",
        "have",
        "rouse",
        "list_noun",
        "schedule_noun",
        "occasion",
        "unread",
        "says",
        "talk",
        "call",
    ]
)
"""Classes of words that say what a clause is about."""
_PAIRED: Final = 25
"""Words of a sentence that are seen in pairs."""
_APART: Final = 5
"""Largest distance of a pair."""
_WIDEST: Final = 5
"""Most signs of a frame in a row."""
_SMALL: Final = 12
"""Small words of a clause that are seen in pairs."""
_MANY: Final = 4
"""Clauses; more are as many."""


def claim_features(sentence: ClaimSentence, kinds: Collection[str], *, guarded: bool) -> list[int]:
    """The buckets of a sentence. `kinds` are the deeds that the table finds in it; `guarded`: it asks,
    supposes or is said of others."""
    found = {number & (BUCKETS - 1) for number in act_features(sentence.text, sentence.tokens)}
    hits = grounds(sentence)
    found.update(_bucket(each) for each in _pairs(sentence.tokens))
    found.update(_bucket(each) for each in _shapes(sentence, hits))
    found.update(_bucket(each) for each in _frames(sentence))
    found.update(_bucket(each) for each in _joints(sentence))
    found.update(_bucket(f"row {row.name}") for row in hits)
    found.update(_bucket(f"about {row.about}") for row in hits)
    found.update(_bucket(f"kind {kind}") for kind in kinds)
    if kinds:
        found.add(_bucket("kinds"))
    if guarded:
        found.add(_bucket("guarded"))
    found.add(_bucket(f"length {min(len(sentence.text) // 3, 8)}"))
    return sorted(found)


def sounds_done(features: Sequence[int]) -> float:
    """Score of a sentence: above `CLAIMS_ABOVE` it has a claim."""
    return score(features, _weights())


def _pairs(tokens: Sequence[Token]) -> Iterator[str]:
    named = ("+".join(sorted(each.classes - _SILENT)) for each in tokens if each.classes - _SILENT)
    classes = [name for name, _ in groupby(named)][: _PAIRED + _APART]
    for at, first in enumerate(classes[:_PAIRED]):
        for second in classes[at + 1 : at + 1 + _APART]:
            yield f"pair {first} {second}"


def _shapes(sentence: ClaimSentence, hits: Sequence[StateRow]) -> Iterator[str]:
    for clause, tokens in sentence.clauses:
        seen = shape(clause)
        subject, aspect, mood = f"s:{seen.subject}", f"a:{seen.aspect}", f"m:{seen.mood}"
        yield from (subject, aspect, mood, subject + aspect, aspect + mood, subject + aspect + mood)
        about = {name for token in tokens for name in token.classes if name in _TELLING}
        about |= {f"row {row.about}" for row in hits if row.pattern.search(clause)}
        for name in about:
            yield from (f"{part} {name}" for part in (subject + aspect, aspect + mood, subject, mood))


def _frames(sentence: ClaimSentence) -> Iterator[str]:
    """Features of the order of small words in each clause."""
    for clause, _ in sentence.clauses:
        framed = frame(clause)
        whole = f"^{framed}$"
        for width in range(2, _WIDEST + 1):
            yield from (f"frame {whole[at : at + width]}" for at in range(len(whole) - width + 1))
        small = small_words(framed)[:_SMALL]
        for at, first in enumerate(small):
            yield from (f"small {first}{second}" for second in small[at + 1 : at + 1 + _APART])


def _joints(sentence: ClaimSentence) -> Iterator[str]:
    """Features of clause starts and ends, and of consecutive shapes."""
    before: Shape | None = None
    for clause, tokens in sentence.clauses:
        seen = shape(clause)
        if before is not None:
            yield f"after {_shaped(before)} {_shaped(seen)}"
        before = seen
        yield f"first {'+'.join(sorted(tokens[0].classes))}"
        yield f"last {'+'.join(sorted(tokens[-1].classes))}"
        yield from (f"begins {clause[:1]}", f"ends {clause[-2:]}")
    yield f"clauses {min(len(sentence.clauses), _MANY)}"


def _shaped(seen: Shape) -> str:
    return f"{seen.subject}:{seen.aspect}:{seen.mood}"


def _bucket(feature: str) -> int:
    return crc32(feature.encode("utf-8", "replace")) & (BUCKETS - 1)


@cache
def _weights() -> Sequence[int]:
    return read_weights(WEIGHTS, BUCKETS)
