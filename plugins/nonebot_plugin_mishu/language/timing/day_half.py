"""Answer to 是早上还是晚上: a half of the day, with nothing but the item's name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...patterns import Pattern

_LEAD: Final = (
    "(?:嗯|哦|噢|啊|是|要|那|就|当然|肯定|必须|应该|废话|还用问|还用说|你说呢|显然|指定|绝对|[ ,，])*"
)
_TAIL: Final = "(?:的|那个|那场|那次|吧|啊|呀|哦|哈|呗|嘛|啦|咯|噻|撒|呢|了|[ ,，。!！~])*"
_HALVES: Final = (
    Pattern(f"{_LEAD}(?:上午|早上|早晨|凌晨|清晨|大清早|一大早|一早|am|早){_TAIL}", re.IGNORECASE),
    Pattern(f"{_LEAD}(?:下午|晚上|傍晚|夜里|中午|夜晚|pm|晚){_TAIL}", re.IGNORECASE),
)
"""Before noon, and after."""


def half_of_day(line: str, names: Iterable[str] = ()) -> int | None:
    """0 for before noon, 1 for after (下午啊, 早上的 开饭); None for neither, or more words."""
    said = line.strip()
    for name in names:
        if len(name) > 1 and name in said:
            said = said.replace(name, " ", 1)
    return next((number for number, half in enumerate(_HALVES) if half.fullmatch(said)), None)
