"""Several tasks in one order: 帮我建三个任务：写周报、约牙医、还书; 待办：1. … 2. …. Pure.

A list is one where it is said to be (三个任务, 几件事, 要做的) or numbered, behind its label; each of its
items is read as if it had been said alone, on the day and with the call that the label has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...language import words_of
from ...language.clause import Clause
from ...language.recognise.times import parse
from .new_task import REMINDING

MOST: Final = 20
"""Tasks of one order."""
_LABEL: Final = re.compile(
    "^(?P<head>[^:]{0,24}?)(?P<noun>任务|待办事项|待办|事项|事儿?|(?:购物|采购|买菜)?清单|要做的|要办的|要干的"
    "|todo|to-do|to do)"
    "(?:列表|清单)?(?:有|如下|是|为)?(?:[:,， ]+|(?= *;))",
    re.IGNORECASE,
)
_SHOPPING: Final = ("购物清单", "采购清单", "买菜清单")
_SHORTEST: Final = 2
_LONGEST_DEED: Final = 20
_SEVERAL: Final = re.compile("[两二三四五六七八九十几些俩仨]|[2-9]|1[0-9]|以下|下面|下列|如下")
_PLURAL: Final = (*_SHOPPING, "清单", "要做的", "要办的", "要干的")
_NUMBERED: Final = re.compile(" *[;；] *")
_COMMA: Final = re.compile(" *(?:[、,，;；]|(?:^|(?<=.))和|还有|以及) *")
_ENDS: Final = re.compile(
    "[。.!！~ ]+$|(?:这|就)?(?:[两二三四五六七八九十几]个|些)?(?:吧|哈|啊|谢谢|就这些|就这样)+[。.!！~ ]*$"
)


def items_of(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each item of a list of tasks; none where the line is no such list."""
    text = clause.text
    label = _LABEL.match(text)
    if label is None:
        return _in_a_row(clause)
    rest = text[label.end() :].strip(" ,，:")
    # The marks of a numbered list became ends of sentences, the first one too (`text.list_marks`).
    numbered = [part for part in _NUMBERED.split(rest) if part] if rest.startswith((";", "；")) else []
    several = _SEVERAL.search(label["head"]) is not None or label["noun"] in _PLURAL
    row = [] if several or len(numbered) > 1 else _deeds(rest)
    parts = numbered if len(numbered) > 1 else _COMMA.split(rest) if several else row
    parts = [_ENDS.sub("", part).strip() for part in parts]
    parts = [part for part in parts if part]
    if label["noun"] in _SHOPPING:
        parts = [part if part.startswith("买") else f"买{part}" for part in parts]
    if not 2 <= len(parts) <= MOST or any(len(part) > 60 for part in parts):
        return ()
    return _alone(clause, label.end(), label.group(), parts)


def _in_a_row(clause: Clause) -> tuple[Clause, ...]:
    """提醒我明天买猫粮、交电费、给老妈打电话: what is to be done, one after the other."""
    first, *rest = _deeds(clause.text)
    if not rest or any(one.span[1] > len(first) for one in clause.times):
        return ()
    parts = [_ENDS.sub("", part).strip() for part in rest]
    return (*_alone(clause, 0, "", [first]), *_alone(clause, len(first), first, parts))


def _alone(clause: Clause, at: int, label: str, parts: Sequence[str]) -> tuple[Clause, ...]:
    """Each of the parts as if it had been said alone, on the day and with the call said before `at`."""
    days = "".join(one.text for one in clause.times if one.span[1] <= at)
    calls = "提醒我" if REMINDING.search(label) is not None else ""
    situation = clause.situation
    said = [f"{days}{calls}{part}" for part in parts]
    return tuple(Clause(one, situation, tuple(parse(one, situation.now, situation.zone))) for one in said)


def _deeds(text: str) -> list[str]:
    """The pieces between 、 where each is something to do (买猫粮、交电费); all in one where they are not."""
    parts = [part.strip() for part in text.split("、")]
    return parts if len(parts) > 1 and all(map(_is_deed, parts[1:])) and _acts(parts[0]) else [text]


def _is_deed(part: str) -> bool:
    tokens = [token for token in words_of(part) if token.classes.isdisjoint({"filler", "blank", "mind"})]
    if len(part) < _SHORTEST or len(part) > _LONGEST_DEED or not tokens:
        return False
    first = tokens[0]
    return "action" in first.classes and ("toward" not in first.classes or _acts(part[first.end :]))


def _acts(part: str) -> bool:
    return any("action" in token.classes for token in words_of(part))
