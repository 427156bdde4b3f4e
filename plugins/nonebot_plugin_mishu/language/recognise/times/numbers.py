"""Numerals inside time words: their pattern, and their value remembered."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from ..numerals import parse_decimal, parse_integer

NUM: Final = "(?:[0-9]{1,4}|[零〇一二两俩仨三四五六七八九十廿卅百]{1,5})"
"""A whole number as it is said in time words. To embed; holds no group."""

SMALL: Final = (
    "(?:[0-9]{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?"
    "|[一二两三四五六七八九])"
)
"""A whole number below 100, Chinese digits in a row excluded."""

DECIMAL: Final = "(?:[0-9]{1,4}(?:\\.[0-9]{1,2})?|[零〇一二两俩仨三四五六七八九十廿卅百]{1,5})"
"""As `NUM`, also with a decimal point."""


@lru_cache(maxsize=1024)
def integer(text: str) -> int | None:
    """The whole number `text` is, or `None` (三四 is an estimate)."""
    return parse_integer(text)


@lru_cache(maxsize=1024)
def decimal(text: str) -> Decimal | None:
    """The number `text` is, or `None`."""
    return parse_decimal(text)
