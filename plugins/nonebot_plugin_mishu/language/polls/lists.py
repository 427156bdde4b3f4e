"""接龙 lists that members paste on: 1. 阿一 2. 阿二 两份. Pure.

A line's ends are blanks by the time it is read here, so that numbers in their order mark the entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..recognise.numerals import parse_integer
from .words import NUMBER, any_of

MOST: Final = 300
"""Entries of a list that are read."""
_LEAST: Final = 2
_ONE_MORE: Final = "算我一个"
"""What the reading of a line makes of +1."""
_LONGEST_NAME: Final = 24
_MARK: Final = Pattern(r"(?:^|(?<=[ \n,，;；]))([0-9]{1,3}) ?[.、)．。] ?")
_HEAD: Final = Pattern("接龙|报名")
_CLEAN: Final = " \n#,，、;；:：.。-—"
_AMOUNT: Final = Pattern(
    rf"(?P<name>.{{1,24}}?)(?:[ :：,，(（]{{1,4}}|(?=[+x×*]))(?:[要订报]|\+|x|×|\*){{0,3}}(?P<count>{NUMBER})"
    rf"(?:{any_of('voice.unit')})?[)）]?"
)
_TITLE_WORDS: Final = Pattern("^(?:#|接龙|报名|[:：, ])+|(?:接龙|报名|[:：, ])+$")


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A line of the list: a name as it is written, and how many."""

    name: str
    amount: int = 1


@dataclass(frozen=True, slots=True)
class PastedList:
    """A numbered list, its title without 接龙, and whether it calls itself one."""

    title: str
    entries: tuple[ListEntry, ...]
    named: bool


def read_list(text: str) -> PastedList | None:
    """The list of names in a text; None where it is none: fewer than two entries (one, under 接龙), numbers
    out of order, sentences in the place of names."""
    text = text.replace(_ONE_MORE, "+1")
    run = list(_MARK.finditer(text))
    first = next((at for at, mark in enumerate(run) if mark[1] == "1"), None)
    if first is None:
        return None
    run = run[first : first + MOST]
    if any(int(mark[1]) != number for number, mark in enumerate(run, 1)):
        return None
    head = text[: run[0].start()]
    named = _HEAD.search(head) is not None
    entries: list[ListEntry] = []
    for at, mark in enumerate(run):
        end = run[at + 1].start() if at + 1 < len(run) else len(text)
        words = text[mark.end() : end].strip(_CLEAN)
        if not words:
            continue  # the next number, left empty for whoever comes
        if len(words) > _LONGEST_NAME:
            return None
        entries.append(_entry(words))
    if len(entries) < (1 if named else _LEAST):
        return None
    return PastedList(_TITLE_WORDS.sub("", head.strip(_CLEAN)).strip(_CLEAN), tuple(entries), named)


def _entry(words: str) -> ListEntry:
    counted = _AMOUNT.fullmatch(words)
    if counted is None:
        return ListEntry(words)
    amount = parse_integer(counted["count"]) or 1
    joined = "+" in words[len(counted["name"]) :]
    name = counted["name"].strip(_CLEAN)
    # 阿一+1 brings one; 阿一 2份 wants two.
    return ListEntry(name, min(amount + 1 if joined else amount, 99))
