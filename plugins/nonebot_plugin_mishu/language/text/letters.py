"""Letters, digits, codes and runs of a text, by which two texts are compared. Pure."""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from .fold import normalise

_CODE: Final = Pattern("[0-9a-z]*[a-z][0-9a-z]*")
_DIGITS: Final = str.maketrans("零〇二两俩三仨四五六七八九", "0022233456789")
"""一 and 十 are words as often as numbers (一阵一阵, 十分)."""
_RUN: Final = 3
"""Length (characters) of a shared run that is no coincidence."""
_WORDS: Final = Pattern("[一-鿿a-z0-9]+")


def letters_of(text: str) -> str:
    """Letters and digits of a text, in its normal form."""
    return "".join(letter for letter in normalise(text).lower() if letter.isalnum())


def digits(text: str) -> list[str]:
    """Digits of a text, those in words too."""
    return re.findall(r"\d", normalise(text).translate(_DIGITS))


def codes(text: str) -> list[str]:
    """Words with Latin letters: b2, wifi."""
    return _CODE.findall(letters_of(text))


def runs_of(text: str) -> frozenset[str]:
    """Every run of a text."""
    return frozenset(
        word[at : at + _RUN] for word in _WORDS.findall(text) for at in range(len(word) - _RUN + 1)
    )
