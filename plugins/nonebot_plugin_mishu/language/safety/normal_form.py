"""The form in which safety rules read a text: evasions undone, idioms taken out.

Beyond the common normal form: lower case, tone marks off Latin letters, words of danger that were spaced,
dotted, half spelt in Pinyin or written with look-alikes put together again, then everyday idioms that only
sound dangerous (秒杀, 跳楼价, 笑死我了) replaced by one neutral character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern, RowPattern
from ..text.fold import normalise
from .required_characters import Index, needs_of

HEAD: Final = 1_200
TAIL: Final = 400
"""A longer text is judged by its first `HEAD` and last `TAIL` characters: no chat message is that long, and
a text of a megabyte must not cost a second."""

MASK: Final = "▯"

# What may be pushed between the characters of one word: anything but letters, digits and clause ends.
_SOFT: Final = r"[^\w,。!?;:▯]{1,3}"
_TONES: Final = str.maketrans("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü", "aaaaeeeeiiiioooouuuuvvvvv")
_HAN: Final = "[一-鿿]"
_PULLED: Final = Pattern(f"{_HAN}{_SOFT}{_HAN}")
# Three and more single characters, each set apart: 我 想 自 杀.
_PULLED_RUN: Final = Pattern(f"(?<!{_HAN}){_HAN}(?:{_SOFT}{_HAN}(?!{_HAN})){{2,200}}")
_NOT_WORD: Final = Pattern(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Spelling:
    """Other spellings of a word (a pattern), and the word."""

    says: str
    of: str


class Reader:
    """Brings a text into reading form. Made from tables `reading` and `idioms`."""

    def __init__(
        self,
        plain: Mapping[str, str],
        pulled: Sequence[str],
        spellings: Sequence[Spelling],
        idioms: Sequence[str],
    ) -> None:
        """Raises `ValueError` for a pattern it cannot read."""
        self._plain = dict(plain)
        self._plain_word = Pattern("|".join(sorted(plain, key=len, reverse=True)))
        self._pulled_word = Pattern("|".join(_SOFT.join(word) for word in pulled))
        self._spelt: Index[tuple[Pattern, str]] = Index(
            (needs_of(spelling.says), (RowPattern(spelling.says), spelling.of)) for spelling in spellings
        )
        self._idioms: Index[Pattern] = Index((needs_of(idiom), RowPattern(idiom)) for idiom in idioms)

    def read(self, text: str) -> str:
        """The reading form of `text`. Never raises; linear in `HEAD + TAIL`."""
        if len(text) > HEAD + TAIL:
            text = f"{text[:HEAD]}。{text[-TAIL:]}"
        form = normalise(text).lower().translate(_TONES)
        if _PULLED.search(form) is not None:
            form = _PULLED_RUN.sub(_put_together, form)
            form = self._pulled_word.sub(_put_together, form)
        for says, word in self._spelt.found(form):
            form = says.sub(word, form)
        form = self._plain_word.sub(lambda word: self._plain[word.group()], form)
        for idiom in self._idioms.found(form):
            form = idiom.sub(MASK, form)
        return form


def _put_together(pulled: re.Match[str]) -> str:
    return _NOT_WORD.sub("", pulled.group())
