"""Wishes for the calendar as a file or an address: 导出日历, 把群日程发成日历文件. Pure."""

from __future__ import annotations

import re
from typing import Final

from ..patterns import Pattern

_ASKED: Final = Pattern(
    r"(?:导出|下载|订阅|发|给|要|生成|分享).{0,8}(?:日历(?![上里中])|ics)|日历.{0,4}(?:文件|订阅|地址|链接|导出)|\.ics",
    re.IGNORECASE,
)
_MINE: Final = Pattern(r"我的|个人|自己")
_FOR_ALL: Final = Pattern(
    r"(?:发|传|丢|放|贴|给)(?:到|在|进|给)?(?:群里?|大家|大伙|所有人|各位)|群里发|群文件"
)


def wants_calendar(text: str) -> bool:
    """True if a line asks for the calendar as a file or as an address."""
    return _ASKED.search(text) is not None


def asks_for_own(text: str) -> bool:
    """True if it asks for the speaker's own plans alone."""
    return _MINE.search(text) is not None


def is_for_all(text: str) -> bool:
    """True if the file is to go to the whole group. Only then the group gets it; its address, which opens it
    to anybody, never goes to a group."""
    return _FOR_ALL.search(text) is not None
