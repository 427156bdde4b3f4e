"""Frequency of a stored item, alone (每周的, behind its change) or with its name (例会每周都开). Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ..answers.answer_words import HOW_OFTEN
from ..clause import Situation
from ..recognise.times import parse
from .corrections import Edit
from .undoing import word_kinds

LONGEST: Final = 24
"""Most characters of such a line."""
_EDGE: Final = " ,。.!~"
_SOME_DAY: Final = datetime(2026, 1, 7, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
"""Only the places of times are used, not their values."""
_BEFORE: Final = {"before": HOW_OFTEN["before"], "blank": HOW_OFTEN["blank"]}
_BEHIND: Final = {"behind": HOW_OFTEN["behind"], "blank": HOW_OFTEN["blank"]}
_NAME: Final = 2
"""Least characters that name an item."""


def says_how_often(line: str) -> bool:
    """True for a frequency and particles alone (每周的, 以后每个月都要)."""
    found = _parts(line.strip(_EDGE))
    return found is not None and bool(found[0] or found[2]) and word_kinds(found[0], _BEFORE) is not None


def frequency_told(line: str, where: Situation) -> tuple[Edit, ...]:
    """The line as an order to change how often an item is: the last one, directly behind its change, or the
    one it names, which is asked about. Empty for any other line."""
    found = _parts(line.strip(_EDGE)) if where.addressed else None
    if found is None:
        return ()
    head, often, behind = found
    last = where.last
    if says_how_often(line):
        just = where.just_done() and where.just_shown() and last is not None and last.id
        return ((0, len(line), f"{last.name}改成{often}"),) if just and last is not None and last.name else ()
    orders = any(sign in head for sign in _CHANGES)  # 例会改成两周一次吧 is read as it is
    name = _named_in(head, where) if behind and not orders else ""
    return ((0, len(line), f"{name}改成{often}行吗"),) if name else ()


def _named_in(head: str, where: Situation) -> str:
    """The words that name a stored item, and around them none but those of such a line; else empty."""
    begins = [at for at in range(len(head)) if word_kinds(head[:at], _BEFORE) is not None]
    ends = [at for at in range(len(head), 0, -1) if word_kinds(head[at:], _BEFORE) is not None]
    names = (head[start:end] for start in begins for end in ends if end - start >= _NAME)
    return next((name for name in names if any(name in thing.name for thing in where.things)), "")


def _parts(line: str) -> tuple[str, str, str] | None:
    """Words before a frequency, the frequency and the words behind it."""
    if not 0 < len(line) <= LONGEST or not any(sign in line for sign in _SIGNS):
        return None
    times = parse(line, _SOME_DAY, ZoneInfo("Asia/Shanghai"))
    if len(times) != 1 or times[0].recurrence is None or times[0].invalid or len(times[0].spans) > 1:
        return None
    rule = times[0].recurrence
    if rule.byday or rule.bymonthday or times[0].start is not None:
        return None  # 改成每月18号 names a day
    start, end = times[0].span
    if word_kinds(line[end:], _BEHIND) is None:
        return None
    return line[:start].strip(_EDGE), line[start:end], line[end:].strip(_EDGE)


_CHANGES: Final = ("改", "换", "变")
_SIGNS: Final = ("每", "天天", "隔", "一次")
