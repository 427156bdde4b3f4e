"""Shared noun of several items with their own times: 周一语文周二数学周三英语考试. Pure.

The noun after the last one, or in a label before the first (三个考试：…), is added to incomplete items; a
weekday after a later day is in the next week.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..changes.corrections import Edit
from ..clause import Situation
from ..names.turns import DUTY
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import Folded
from .canonical import edited

_DAY: Final = Pattern("(?:周|星期|礼拜)[一二三四五六日天]|[0-9一二三四五六七八九十][号日]|[今明后]天")
_WEEKDAY: Final = Pattern("(?:周|星期|礼拜)[一二三四五六日天]")
_LABEL: Final = Pattern(
    "^(?:有|我有|还有|记)?(?P<count>[两三四五六七八]|[2-8])(?:个|场|门|次|节)(?P<noun>[一-鿿]{1,4})[:, ]*$"
)
_ORDERS: Final = Pattern(
    "^(?:请|帮我|麻烦|给我)*(?:记|加|添加|存)?(?:一?下|到|个|进)*群?(?:日程|日历|安排)(?:里|上|表)?[:, ]*"
)
_NUMBERS: Final = {word: n for n, word in enumerate("零一二三四五六七八九")} | {"两": 2}
_BETWEEN: Final = " ,、;"
_THING: Final = Pattern("[一-鿿a-z]{1,8}")
_NOUNS: Final = frozenset({"occasion", "hui", "personal", "plan_noun"})
_DEEDS: Final = frozenset(
    {"action", "change", "take_away", "make", "remind", "rouse", "to", "at", "come", "join"}
)
_LEAST: Final = 2
_FEW: Final = 3
"""Days that make a list without separators."""
_LONGEST: Final = 80


def spread(folded: Folded, where: Situation) -> Folded:
    """Text with the noun added to each; unchanged for no such list."""
    line = folded.text
    if len(line) > _LONGEST or len(_DAY.findall(line)) < _LEAST or DUTY.search(line) is not None:
        return folded
    edits = _edits(line, parse(line, where.now, where.zone))
    return edited(folded, edits) if edits else folded


def _edits(line: str, times: Sequence[TimeExpression]) -> list[Edit]:
    days = [each for each in times if names_day(each.text)]
    if len(days) < _LEAST or len(days) != len(times) or any(_spans_more(each) for each in days):
        return []
    things: list[tuple[int, int]] = []
    for at, each in enumerate(days):
        until = days[at + 1].span[0] if at + 1 < len(days) else len(line)
        start, end = each.span[1], until
        if at + 1 == len(days):
            pause = re.search("[ ,;。!?]", line[start:])
            end = start + pause.start() if pause is not None else end
        left = start + len(line[start:end]) - len(line[start:end].lstrip(_BETWEEN))
        start, end = left, start + len(line[start:end].rstrip(_BETWEEN))
        if _THING.fullmatch(line[start:end]) is None:
            return []
        things.append((start, end))
    label = _LABEL.match(line[: days[0].span[0]])
    if label is not None and _number(label["count"]) != len(days):
        return []
    head = _ORDERS.sub("", line[: days[0].span[0]]).strip(_BETWEEN)
    noun = label["noun"] if label is not None else _noun(line[things[-1][0] : things[-1][1]])
    if not noun or (label is None and (head or len(days) < _FEW)):
        return []
    if any(_acts(line[start:end], noun) for start, end in things):
        return []
    edits: list[Edit] = [] if label is None else [(0, label.end(), "")]
    before: date | None = None
    for at, ((_, end), each) in enumerate(zip(things, days, strict=True)):
        assert each.date is not None
        edits += _in_order(line, each, before)
        before = each.date if before is None or each.date > before else each.date + timedelta(days=7)
        start = things[at][0]
        said = line[start:end]
        lacks = "" if said.endswith(noun) or _is_thing(said) else noun
        until = days[at + 1].span[0] if at + 1 < len(days) else end
        if lacks or at + 1 < len(days):
            edits.append((end - 1, until, f"{line[end - 1]}{lacks}{',' if at + 1 < len(days) else ''}"))
    return edits


def _spans_more(one: TimeExpression) -> bool:
    return one.recurrence is not None or one.end_date is not None or one.date is None or len(one.spans) != 1


def _in_order(line: str, one: TimeExpression, before: date | None) -> list[Edit]:
    """Bare weekday after a later day: of the next week."""
    start = one.span[0]
    found = _WEEKDAY.match(line, start)
    if before is None or one.date is None or one.date > before or found is None:
        return []
    day = one.date + timedelta(days=7)
    return [(start, found.end(), f"{day.month}月{day.day}日")] if day > before else []


def _noun(thing: str) -> str:
    """The noun at the end of the last thing, with something before it (英语考试)."""
    tokens = words_of(thing)
    last = tokens[-1] if tokens else None
    if last is None or last.start == 0 or last.classes.isdisjoint(_NOUNS):
        return ""
    return thing[last.start :]


def _is_thing(said: str) -> bool:
    """True for a complete item name (例会)."""
    return any(not token.classes.isdisjoint(_NOUNS) for token in words_of(said))


def _acts(said: str, noun: str) -> bool:
    """True for an action (交语文作业), not an item name."""
    tokens = words_of(said.removesuffix(noun))
    return bool(tokens) and not tokens[0].classes.isdisjoint(_DEEDS)


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS.get(said, 0)
