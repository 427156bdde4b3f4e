"""List of tasks in one line: 三个待办 写周报 约牙医 还书; 待办 1.写周报 2.还书. Pure.

Needs a label with a number or plural, list numbers, or only actions as pieces; pauses, blanks, 、 and numbers
part it alike. It is not cut into clauses.
"""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from ..reading import words_of

MOST: Final = 20
"""Most tasks of a list."""
LABEL: Final = Pattern(
    "^(?P<head>[^:]{0,24}?)(?P<noun>任务|待办事项|待办|事项|事情|事儿?|(?:购物|采购|买菜)?清单|要做的|要办的|要干的"
    "|todo|to-do|to do)"
    "(?:列表|清单|事情?|事儿)?(?:有|如下|是|为)?(?:[:,， ]+|(?= *;))",
    re.IGNORECASE,
)
"""Label before the list."""
SHOPPING: Final = ("购物清单", "采购清单", "买菜清单")
_PLURAL: Final = (*SHOPPING, "清单", "要做的", "要办的", "要干的")
_COUNT: Final = Pattern("(?P<count>[两二三四五六七八九十几些俩仨]|[2-9]|1[0-9])(?:个|条|件|项|样)?新?$")
_SAYS_SEVERAL: Final = Pattern("[两二三四五六七八九十几些俩仨]|[2-9]|1[0-9]|以下|下面|下列|如下")
_NUMBERS: Final = {word: n for n, word in enumerate("零一二三四五六七八九十")} | {"两": 2, "俩": 2, "仨": 3}
_NUMBERED: Final = Pattern(" *[;；] *")
_PARTS: Final = Pattern(" *(?:[、,，;；]|(?:^|(?<=.))和|还有|以及) *")
_BLANKS: Final = Pattern(
    r" *(?:[、,，;；]|(?:^|(?<=.))和|还有|以及) *|(?<![a-zA-Z0-9]) +(?!的)| +(?![a-zA-Z0-9的])"
)
_ENDS: Final = Pattern(
    "[。.!！~ ]+$|(?:这|就)?(?:[两二三四五六七八九十几]个|些)?(?:吧|哈|啊|谢谢|就这些|就这样)+[。.!！~ ]*$"
)
_TOLD: Final = Pattern("(?:了|吗|呢|没|没有|[?？])$")
_STOP: Final = Pattern("[。!?！？]")
_FEW: Final = 3
"""Actions between blanks that make a list without a number."""
_SHORTEST: Final = 2
_LONGEST: Final = 60
_LONGEST_DEED: Final = 20


def tasks_listed(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the tasks of a list in a normalised line; none for no list. Linear."""
    label = LABEL.match(text)
    if label is None:
        return ()
    stop = _STOP.search(text, label.end())
    end = stop.start() if stop is not None else len(text)
    rest = text[label.end() : end]
    begin = label.end() + len(rest) - len(rest.lstrip(" ,，:"))
    rest = text[begin:end].rstrip(" ,，")
    if rest.startswith((";", "；")):
        numbered = _spans(rest, _NUMBERED)
        if len(numbered) > 1:
            return _checked(rest, numbered, begin)
    several = _SAYS_SEVERAL.search(label["head"]) is not None or label["noun"] in _PLURAL
    counted = _COUNT.search(label["head"])
    count = _number(counted["count"]) if counted is not None else 0
    marked, blanks = _spans(rest, _PARTS), _spans(rest, _BLANKS)
    deeds = all(is_deed(rest[start:after]) for start, after in blanks)
    apart = deeds and len(blanks) > len(marked) and len(marked) != count  # A B 还有C
    if several and not apart and (len(marked) == count or (len(marked) > 1 and len(blanks) != count)):
        return _checked(rest, marked, begin)
    if several and (len(blanks) == count or (len(blanks) > 1 and deeds)):
        return _checked(rest, blanks, begin)
    if ":" in label.group() and len(blanks) >= _FEW and deeds:
        return _checked(rest, blanks, begin)
    return ()


def is_deed(part: str) -> bool:
    """True for a piece that starts with an action (交电费)."""
    tokens = [token for token in words_of(part) if token.classes.isdisjoint({"filler", "blank", "mind"})]
    if len(part) < _SHORTEST or len(part) > _LONGEST_DEED or not tokens:
        return False
    first = tokens[0]
    return "action" in first.classes and ("toward" not in first.classes or acts(part[first.end :]))


def acts(part: str) -> bool:
    """True if a piece has an action word."""
    return any("action" in token.classes for token in words_of(part))


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS.get(said, 0)


def _spans(rest: str, between: Pattern) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = 0
    for mark in between.finditer(rest):
        found.append((at, mark.start()))
        at = mark.end()
    found.append((at, len(rest)))
    spans: list[tuple[int, int]] = []
    for start, end in found:
        part = _ENDS.sub("", rest[start:end])
        first = start + len(part) - len(part.lstrip())
        if part.strip():
            spans.append((first, first + len(part.strip())))
    return spans


def _checked(rest: str, spans: list[tuple[int, int]], begin: int) -> tuple[tuple[int, int], ...]:
    parts = [rest[start:end] for start, end in spans]
    if not 2 <= len(parts) <= MOST or any(len(part) > _LONGEST or _TOLD.search(part) for part in parts):
        return ()
    return tuple((begin + start, begin + end) for start, end in spans)
