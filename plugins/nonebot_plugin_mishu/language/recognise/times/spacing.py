"""Blanks inside a time, taken out before it is read: 明天下午 3 点, 11 月 20 日, 每 30 分钟.

Many put a blank between digits and script; between a number and its unit it says nothing.
"""

from __future__ import annotations

from typing import Final

from ....patterns import Pattern
from ...text.fold import Folded

_UNIT: Final = (
    "(?:点|时(?![间代期常候刻])|分(?![手享开])|号|日|月|年|天|周(?![一二三四五六日天末年])|星期(?![一二三四五六日天])"
    "|礼拜(?![一二三四五六日天])|个|小时|钟头|刻|秒|工作日)"
)
# A number with its unit: the blank before the unit, and the one before the number.
_BLANK: Final = Pattern(
    f"(?<=[0-9]) (?={_UNIT})|(?<=[年月每隔过等第]) (?=[0-9]{{1,4}} ?{_UNIT})"
    "|(?<=每周) (?=[1-7](?![0-9.]| ?[次天个小节遍篇场人顿杯到-]))"
    f"|(?<=[0-9]点|[0-9]时| 点| 时) (?=[0-9]{{1,2}} ?分)"
)
_DECIMAL: Final = Pattern("[0-9]\\.[0-9]+$")


def closed_up(folded: Folded) -> Folded:
    """The text without the blanks that stand inside a time; every other character keeps its origin."""
    if " " not in folded.text:
        return folded
    blanks = {
        found.start()
        for found in _BLANK.finditer(folded.text)
        if not _DECIMAL.search(folded.text, max(0, found.start() - 8), found.start())
    }
    if not blanks:
        return folded
    kept = [index for index in range(len(folded.text)) if index not in blanks]
    text = "".join(folded.text[index] for index in kept)
    return Folded(text, tuple(folded.origin[index] for index in kept), folded.length)
