"""One form of a text for reading: compatibility forms, invisible characters, script and spaces evened out.

What people type is read in this form everywhere (product section 3, "normalise"); what they see again is cut
from their own text, which is why `fold` remembers where every character came from.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from ...patterns import Pattern
from .script import simplified

# Zero-width, bidirectional, format and variation characters, and controls that are not white space.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef"
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
)
# Characters that the translation table alone brings to their form: ASCII, CJK, full-width forms.
_PLAIN = "\t-\r\x1c-\x1f -~、-〟〇一-鿿㐀-䶿！-～"
_INVISIBLE_RUN = Pattern(f"[{_INVISIBLE}]+")
# Whatever is not plain, with one character before it: that may be the base of a combining mark.
_RARE = Pattern(f"[^{_PLAIN}]?[^{_PLAIN}]+|[{_PLAIN}][^{_PLAIN}]+")
_SPACES = Pattern(r"\s\s+|[^\S ]")
# Longest run of combining marks normalised as one (UAX 15, stream-safe text): sorting them is quadratic.
_LONGEST_CLUSTER = 30
_SHORT = 200


class Folded(NamedTuple):
    """A normalised text with its origin. `origin[i]` is the index, in the original, of the character that
    became `text[i]`; it never decreases."""

    text: str
    origin: tuple[int, ...]
    length: int
    """Length of the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of the original that `text[start:end]` was read from; empty stays empty.

        Invisible characters after the last one are left out; several characters that came from one
        (① in 10①) all give that one.
        """
        if start >= end:
            at = self.origin[start] if start < len(self.origin) else self.length
            return at, at
        return self.origin[start], self.origin[end - 1] + 1


@cache
def _table() -> dict[int, int]:
    """Traditional to simplified, full-width to half-width, in one `str.translate` table."""
    table = dict(simplified())
    table.update({0xFF01 + index: 0x21 + index for index in range(94)})
    table[0x3000] = 0x20
    return table


def _clusters(text: str) -> list[tuple[int, str]]:
    """`text` cut before every character that starts a new composition: (index, piece)."""
    cuts: list[int] = []
    for index, character in enumerate(text):
        joins = unicodedata.combining(character) != 0 and cuts and index - cuts[-1] < _LONGEST_CLUSTER
        if not joins:
            cuts.append(index)
    return [(cut, text[cut:end]) for cut, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]


def _compatible(text: str, origin: list[int]) -> tuple[str, list[int]]:
    """NFKC piece by piece, with the source of each result."""
    characters: list[str] = []
    sources: list[int] = []
    at = 0
    for rare in _RARE.finditer(text):
        characters.append(text[at : rare.start()])
        sources.extend(origin[at : rare.start()])
        for offset, piece in _clusters(rare.group()):
            form = unicodedata.normalize("NFKC", piece)
            characters.append(form)
            sources.extend([origin[rare.start() + offset]] * len(form))
        at = rare.end()
    characters.append(text[at:])
    sources.extend(origin[at:])
    return "".join(characters), sources


def fold(text: str) -> Folded:
    """Normalise `text` and record the origin; see `normalise`. Never raises."""
    form = text
    if _RARE.search(form) is None:  # what nearly every line is
        form = form.translate(_table())
        if _SPACES.search(form) is None and form[:1] != " " and form[-1:] != " ":
            return Folded(form, tuple(range(len(form))), len(text))
        form = text
    origin = list(range(len(text)))
    for _ in range(2):  # a compatibility form may hold an invisible character or a traditional one
        if _RARE.search(form) is None:
            break
        form, origin = _without(_INVISIBLE_RUN, "", form, origin)
        form, origin = _compatible(form, origin)
    form = form.translate(_table())
    form, origin = _without(_SPACES, " ", form, origin)
    start = 1 if form.startswith(" ") else 0
    end = len(form) - 1 if form.endswith(" ") and len(form) > start else len(form)
    return Folded(form[start:end], tuple(origin[start:end]), len(text))


def _without(pattern: Pattern, put: str, text: str, origin: list[int]) -> tuple[str, list[int]]:
    """`text` with every match of `pattern` replaced by `put` (at most one character)."""
    if pattern.search(text) is None:
        return text, origin
    characters: list[str] = []
    sources: list[int] = []
    at = 0
    for found in pattern.finditer(text):
        characters.append(text[at : found.start()])
        sources.extend(origin[at : found.start()])
        if put:
            characters.append(put)
            sources.append(origin[found.start()])
        at = found.end()
    characters.append(text[at:])
    sources.extend(origin[at:])
    return "".join(characters), sources


def normalise(text: str) -> str:
    """Normalised form of a text.

    Compatibility forms become plain ones (NFKC: full-width, circled and Roman numerals), invisible characters
    (zero-width, bidirectional, variation, control) are dropped, traditional characters become simplified
    ones, runs of white space, line ends too, become one space, and the ends are trimmed. Idempotent. Never
    raises; linear in the length of the text.
    """
    return _remembered(text) if len(text) <= _SHORT else fold(text).text


@lru_cache(maxsize=1024)
def _remembered(text: str) -> str:
    """Cached: eight agents normalise each clause."""
    return fold(text).text
