"""Whose words a sentence uses: its parts, who is named in them, and how much of it the lines do not hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from ..text import normalise
from . import telling
from .line import Line

_PARTS: Final = re.compile(r"[,，。;；!！?？\n]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_RUNS: Final = re.compile(r"[\u3400-\u9fffA-Za-z]+")
_MENTIONED: Final = re.compile(r"@(\S+)")
SPEECH: Final = re.compile("|".join(word for word in telling.SPEECH if word not in telling.VAGUE))
GLUE: Final = re.compile("|".join(telling.JOINING))
NEGATION: Final = re.compile(r"够呛|不|没|别(?!人|的|忘)|勿|未|无法|拒绝|取消|反对|推迟|放弃|否决")
_NO_NEGATION: Final = re.compile(
    r"不错|没有?(?:问题|意见)|没事|不好意思|差不多|不客气|不得不|要不然?|有没有|不过|不如|不仅|不但|不久"
    r"|不是(?=.{0,12}[吗嘛])|(?P<same>[\u3400-\u9fff])[不没](?P=same)"
)


def parts(text: str) -> list[str]:
    """A sentence cut at its commas; pieces without a character of words are left out."""
    return [part.strip() for part in _PARTS.split(text) if part.strip()]


def names_in(text: str, names: Collection[str]) -> list[str]:
    """Which of the names stand in the text, longest first, none within another one found."""
    found: list[str] = []
    left = text
    for name in sorted(names, key=len, reverse=True):
        if name and name in left:
            found.append(name)
            left = left.replace(name, " ")
    return found


def mentioned(lines: Sequence[Line]) -> set[str]:
    """Who is @-mentioned by name."""
    return {name for line in lines for name in _MENTIONED.findall(line.text)}


def subject(head: str, speakers: Collection[str]) -> str:
    """The last run of characters before a verb of saying that is neither a speaker's name nor joins."""
    runs = _RUNS.findall(GLUE.sub(" ", without(head, speakers)))
    return runs[-1] if runs else ""


def without(text: str, words: Collection[str]) -> str:
    """The text with each of the words blanked."""
    for word in sorted(words, key=len, reverse=True):
        if word:
            text = text.replace(word, " ")
    return text


def negated(text: str) -> bool:
    """Whether something is said not to be."""
    return NEGATION.search(_NO_NEGATION.sub(" ", text)) is not None


def covered(part: str, cited: Sequence[Line], names: Collection[str]) -> tuple[int, int, list[str]]:
    """How much of a part of a sentence the lines hold: characters of words, how many of them stand in a line
    beside a neighbour of theirs, and the runs that stand in none; the first of them begins with a blank where
    no word of a line stands before it.

    Names and words that only join (大家, 提议, 一起) are not counted.
    """
    bare = without(normalise(part), names)
    source = "\n".join(line.text for line in cited)
    held = [False] * len(bare)
    for at in range(len(bare) - 1):
        if bare[at : at + 2] in source and not bare[at : at + 2].isspace():
            held[at] = held[at + 1] = True
    glue = [False] * len(bare)
    for match in GLUE.finditer(bare):
        for at in range(match.start(), match.end()):
            glue[at] = True
    total = fits = 0
    runs: list[str] = []
    run = ""
    for at, character in enumerate(bare):
        word = _HAN.match(character) is not None
        counts = word and (held[at] or not glue[at])
        total += counts
        fits += counts and held[at]
        if counts and not held[at]:
            run = run or ("" if fits or runs else " ")
            run += character
        elif run:
            runs.append(run)
            run = ""
    return total, fits, [*runs, run] if run else runs


def outcome(text: str, cited: Sequence[Line]) -> str | None:
    """A word for how something came out (修好, 取消) that stands in none of the lines."""
    source = "\n".join(line.text for line in cited)
    return next((word for word in telling.OUTCOMES if word in text and word not in source), None)


def like_a_name(run: str) -> bool:
    """Whether a run of characters that no line holds may be somebody's name."""
    return 2 <= len(run) <= 4 and run[0] in telling.SURNAMES


def begins(run: str) -> bool:
    """Whether a run that no line holds is what its part of the sentence is about: its first words."""
    return len(run) > 2 and run[0] == " "
