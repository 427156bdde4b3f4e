"""Offers in the words of a reply, 要不要我周六早上七点提醒你出发？, and the order that a yes to one would be.
Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from ...patterns import Pattern
from ..recognise.times import parse
from ..text.fold import normalise
from .states import ANY_MOMENT, ZONE

_QUOTED: Final = Pattern("「[^」]*」|『[^』]*』|“[^”]*”")
_TAIL: Final = Pattern(r"[?？。.!！~～\s]+$")
_SOFT: Final = Pattern("(?:一下|一声|呀|哈|哦|呢|吧|不|吗|么|嘛|没|咯|啊|噻)+$")
_HELPS: Final = Pattern("^(?:现在|先|来|就|也)*+(?:帮忙|(?:帮|给|替|为)(?:你们?|您|大家)?|把它|帮)?")
_FOR: Final = Pattern("(?:帮|给|替|为)(?:你们?|您|大家)")
LONGEST: Final = 120
"""Characters of a sentence in which an offer is looked for."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer: the orders that it may be, the likeliest first, as the member would give them."""

    orders: tuple[str, ...]
    asks: bool
    """Already a question."""


def offer_in(sentence: str, line: str = "") -> Offer | None:
    """Offer in a sentence of a reply; None if none of ours. `line` is the member's line: 需要我提醒您吗？
    refers to it."""
    text = _QUOTED.sub("▯", normalise(sentence).strip())[:LONGEST]
    asks = text.rstrip("~ ").endswith("?")
    body = _TAIL.sub("", text)
    found = _patterns()
    if not found["does"].search(body) or found["chosen"].search(body):
        return None
    match = None
    for name in ("asked", "helping", "called", "bare") if asks else ():
        match = match or found[name].search(body)
    match = match or found["tagged"].search(body)
    if match is None and not asks and not found["asked_of_them"].search(body):
        match = found["stated"].search(body)
        if match is not None and not _has_when(match["order"]):
            match = None
    if match is None or not found["does"].search(match["order"]):
        return None
    said = _SOFT.sub("", match["order"])
    return Offer(tuple(dict.fromkeys(_orders(said, line))), asks)


def _orders(said: str, line: str) -> Iterator[str]:
    plain = _HELPS.sub("", said).strip(" ,，")
    mine = _FOR.sub("", plain).replace("您", "我").replace("你", "我")
    yield mine
    reminds = re.sub(f"(?:{_either('calls')})我(?:一声|一下)?", "提醒我", mine)
    yield reminds
    if "提醒" in reminds and line and not _has_when(reminds):
        yield f"提醒我{line.strip()}"


def deletes(order: str) -> bool:
    """True for an order to delete."""
    return re.search(_either("deletes"), order) is not None


def changes(order: str) -> bool:
    """True for an order to change."""
    return re.search(_either("changes"), order) is not None


def _has_when(text: str) -> bool:
    return bool(parse(text, ANY_MOMENT, ZONE)) or re.search("到时|到点|届时", text) is not None


@cache
def _patterns() -> dict[str, Pattern]:
    asks, may, tags = _either("asks"), _either("may"), _either("tags")
    return {
        "asked": Pattern(rf"(?:{asks})我们?(?P<order>.{{1,60}})$"),
        "bare": Pattern(rf"(?:^|[,，]|那么?|还)(?:{asks})(?P<order>.{{1,60}}?)(?:吗|不|么|嘛)$"),
        "helping": Pattern(rf"(?:{asks})(?P<order>(?:帮|给|替|为)(?:你|您|大家).{{1,60}})$"),
        "called": Pattern(rf"(?:{asks})(?P<order>.{{1,30}}(?:{_either('calls')}|提醒)(?:你|您|大家).*)$"),
        "tagged": Pattern(rf"我(?:{may})?(?P<order>.{{2,60}}?)[,， ](?:{tags})$"),
        "stated": Pattern(rf"我(?:也)?(?:{may})(?P<order>.{{2,60}})$"),
        "does": Pattern(_either("does")),
        "chosen": Pattern(_either("chosen")),
        "asked_of_them": Pattern(_either("asked_of_them")),
    }


@cache
def _either(name: str) -> str:
    data: dict[str, Any] = tomllib.loads(Path(__file__).with_name("offers.toml").read_text("utf-8"))
    return "|".join(
        re.escape(word) for word in sorted(str(data[name]).split(), key=lambda one: (-len(one), one))
    )
