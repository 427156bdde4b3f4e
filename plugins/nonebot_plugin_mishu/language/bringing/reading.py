"""Lines about imported calendars and files, read. Pure; the words are `words.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from ...patterns import Pattern
from ..text.fold import normalise

Kind = Literal["subscribe", "list", "cancel", "share", "unshare", "calendar_file", "bill_file"]
_ADDRESS: Final = Pattern(r"(?:https?|webcals?)://[^\s\"'<>，。；！？、（）【】《》]+", re.IGNORECASE)
_EDGES: Final = " ,.!?~:;，。！？～：；、「」“”\"'《》"
_POLITE: Final = ("请", "帮我", "麻烦", "把", "秘书")


@dataclass(frozen=True, slots=True)
class Bringing:
    """A line about what is brought in. `address` as it was written; `name` which calendar, as far as said."""

    kind: Kind
    address: str = ""
    name: str = ""


@lru_cache(1)
def _words() -> dict[str, Any]:
    source = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def _listed(name: str) -> tuple[str, ...]:
    return tuple(sorted(_words()["calendar"][name].split(), key=lambda word: (-len(word), word)))


def words_of_file(kind: Literal["calendar", "bill"]) -> str:
    """The words that a file of a kind stands for."""
    return str(_words()["file"][kind])


def bill_answer(text: str) -> Literal["yes", "no"] | None:
    """Answer to a bill's card in words of bringing in (导入吧, 不导了); None for any other line."""
    line = normalise(text).strip(_EDGES).rstrip("啊呀哦哈")
    answers: tuple[Literal["yes", "no"], ...] = ("yes", "no")
    return next((each for each in answers if line in _words()["card"][each].split()), None)


def find_address(text: str) -> str | None:
    """The address in a line, as it was written."""
    found = _ADDRESS.search(text)
    return None if found is None else found.group().rstrip(".,;:!?")


def is_calendar_address(address: str) -> bool:
    """True for an address that says by itself that it is a calendar's."""
    lower = address.lower().partition("?")[0]
    return lower.startswith(("webcal://", "webcals://")) or lower.endswith((".ics", ".ical"))


def read_bringing(text: str) -> Bringing | None:
    """A line about imported calendars and files; None for any other."""
    address = find_address(text)
    if address is not None:
        rest = normalise(text.replace(address, " "))
        named = any(word in rest for word in _listed("noun")) or is_calendar_address(address)
        ordered = any(word in rest for word in _listed("subscribe"))
        alone = not rest.strip(_EDGES) and is_calendar_address(address)
        return Bringing("subscribe", address) if alone or (named and ordered) else None
    line = normalise(text).strip(_EDGES)
    if line == words_of_file("calendar"):
        return Bringing("calendar_file")
    if line == words_of_file("bill"):
        return Bringing("bill_file")
    for polite in _POLITE:
        line = line.removeprefix(polite).strip(_EDGES)
    if line in _listed("list"):
        return Bringing("list")
    begun: tuple[Kind, ...] = ("unshare", "share", "cancel")
    for kind in begun:
        for word in _listed(kind):
            if line.startswith(word):
                return Bringing(kind, name=line.removeprefix(word).strip(_EDGES))
    return None
