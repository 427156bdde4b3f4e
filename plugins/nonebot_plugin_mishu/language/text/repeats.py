"""Shortening of repeats (哈哈哈哈哈哈哈哈哈, 不不不不不不不不不). Pure.

Only the reading is shortened: origins and the text stay. Numbers (66666666666, 打车20，打车20，…) and
quotations stay: a name may be 哈哈哈哈哈哈哈哈哈.
"""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from .fold import Folded

MOST: Final = 8
"""Most repeats in a row left unshortened: no word or title is longer."""
KEPT: Final = 3
"""Repeats left after shortening."""
_NUMBERED: Final = "0-9０-９〇零○一二三四五六七八九十百千万亿两半几壹贰叁肆伍陆柒捌玖拾佰仟"
_RUN: Final = Pattern(rf"(?P<unit>[^{_NUMBERED}]{{1,16}}?)(?P=unit){{{MOST},}}", re.DOTALL)
_QUOTED: Final = Pattern('「[^「」]*」|『[^『』]*』|“[^“”]*”|《[^《》]*》|"[^"]*"')
READ: Final = 4000
"""Most characters searched."""


def unrepeated(text: Folded) -> Folded:
    """Folded text with long runs of one word or phrase shortened; linear in its length."""
    said = text.text
    if len(said) <= MOST or _RUN.search(said, 0, READ) is None:
        return text
    quoted = [found.span() for found in _QUOTED.finditer(said, 0, READ)]
    kept: list[int] = []
    at = 0
    for run in _RUN.finditer(said, 0, READ):
        if any(start < run.end() and run.start() < end for start, end in quoted):
            continue
        kept.extend(range(at, run.start() + KEPT * len(run["unit"])))
        at = run.end()
    kept.extend(range(at, len(said)))
    shorter = "".join(said[index] for index in kept)
    return Folded(shorter, tuple(text.origin[index] for index in kept), text.length)


def without_repeats(text: str) -> str:
    """`unrepeated` without origins."""
    return unrepeated(Folded(text, tuple(range(len(text))), len(text))).text
