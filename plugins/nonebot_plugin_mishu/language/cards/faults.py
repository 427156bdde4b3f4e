"""A complaint about the content of an open card (第一笔不对吧), by the words of `faults.toml`. Pure."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from ...patterns import Pattern
from ..word_lists import one_of
from .triage import names_item, plain

_TABLE: Final[dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_PARTS: Final = Pattern(one_of(_TABLE["parts"].split()))
_WRONG: Final = Pattern(one_of(_TABLE["wrong"].split()))
_RIGHT: Final = Pattern(one_of(_TABLE["right"].split()))


def finds_fault(text: str) -> bool:
    """A line says of what a card has that it is wrong, be it asked (第一笔不对吧) or not known where
    (第一笔的金额好像哪里不太对劲)."""
    line = _RIGHT.sub(" ", plain(text))
    return (names_item(line) or _PARTS.search(line) is not None) and _WRONG.search(line) is not None
