"""Several tasks in one order: 帮我建三个任务：写周报、约牙医、还书; 待办：1. … 2. …. Pure.

A list is one where it is said to be (三个任务, 几件事, 要做的) or numbered, behind its label; each of its
items is read as if it had been said alone, on the day and with the call that the label has.
"""

from __future__ import annotations

import re
from typing import Final

from ...timeparse import parse
from ..clause import Clause
from .new_task import REMINDING

MOST: Final = 20
"""Tasks of one order."""
_LABEL: Final = re.compile(
    "^(?P<head>[^:]{0,24}?)(?P<noun>任务|待办事项|待办|事项|事儿?|清单|要做的|要办的|要干的|todo|to-do|to do)"
    "(?:列表|清单)?(?:有|如下|是|为)?(?:[:,， ]+|(?= *;))",
    re.IGNORECASE,
)
_SEVERAL: Final = re.compile("[两二三四五六七八九十几些俩仨]|[2-9]|1[0-9]|以下|下面|下列|如下")
_PLURAL: Final = ("清单", "要做的", "要办的", "要干的")
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
        return ()
    rest = text[label.end() :].strip(" ,，:")
    # The marks of a numbered list became ends of sentences, the first one too (`text.list_marks`).
    numbered = [part for part in _NUMBERED.split(rest) if part] if rest.startswith((";", "；")) else []
    several = _SEVERAL.search(label["head"]) is not None or label["noun"] in _PLURAL
    parts = numbered if len(numbered) > 1 else _COMMA.split(rest) if several else []
    parts = [_ENDS.sub("", part).strip() for part in parts]
    parts = [part for part in parts if part]
    if not 2 <= len(parts) <= MOST or any(len(part) > 60 for part in parts):
        return ()
    days = "".join(one.text for one in clause.times if one.span[1] <= label.end())
    calls = "提醒我" if REMINDING.search(label.group()) is not None else ""
    situation = clause.situation
    found: list[Clause] = []
    for part in parts:
        said = f"{days}{calls}{part}"
        found.append(Clause(said, situation, tuple(parse(said, situation.now, situation.zone))))
    return tuple(found)
