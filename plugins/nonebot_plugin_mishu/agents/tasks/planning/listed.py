"""Several tasks in one order: 帮我建三个任务：写周报、约牙医、还书; 待办：1. … 2. …. Pure.

A list needs a label (三个任务, 几件事, 要做的) or numbers after it; each item is read as a separate order
with the day and reminder of the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....language.clause import Clause
from ....language.clauses.task_lists import LABEL, MOST, SHOPPING, acts, is_deed, tasks_listed
from ....language.recognise.times import parse
from ....patterns import Pattern
from .new_task import REMINDING

_LONGEST: Final = 60
_ENDS: Final = Pattern(
    "[。.!！~ ]+$|(?:这|就)?(?:[两二三四五六七八九十几]个|些)?(?:吧|哈|啊|谢谢|就这些|就这样)+[。.!！~ ]*$"
)


def items_of(clause: Clause) -> tuple[Clause, ...]:
    """Clause of each item of a task list; empty if the line is no list."""
    text = clause.text
    label = LABEL.match(text)
    if label is None:
        return _in_a_row(clause)
    parts = [text[start:end] for start, end in tasks_listed(text)]
    if not parts:
        parts = [_ENDS.sub("", part).strip() for part in _deeds(text[label.end() :].strip(" ,，:"))]
    if label["noun"] in SHOPPING:
        parts = [part if part.startswith("买") else f"买{part}" for part in parts]
    if not 2 <= len(parts) <= MOST or any(not 0 < len(part) <= _LONGEST for part in parts):
        return ()
    return _alone(clause, label.end(), label.group(), parts)


def _in_a_row(clause: Clause) -> tuple[Clause, ...]:
    """Enumeration without a label: 提醒我明天买猫粮、交电费、给老妈打电话."""
    first, *rest = _deeds(clause.text)
    if not rest or any(one.span[1] > len(first) for one in clause.times):
        return ()
    parts = [_ENDS.sub("", part).strip() for part in rest]
    return (*_alone(clause, 0, "", [first]), *_alone(clause, len(first), first, parts))


def _alone(clause: Clause, at: int, label: str, parts: Sequence[str]) -> tuple[Clause, ...]:
    """Parts as separate clauses, with the day and the reminder named before `at`."""
    spans = [span for one in clause.times for span in one.spans if span[1] <= at]
    days = "".join(clause.text[start:end] for start, end in spans)
    calls = "提醒我" if REMINDING.search(label) is not None else ""
    situation = clause.situation
    said = [f"{days}{calls}{part}" for part in parts]
    return tuple(Clause(one, situation, tuple(parse(one, situation.now, situation.zone))) for one in said)


def _deeds(text: str) -> list[str]:
    """Parts between 、 if each is an action (买猫粮、交电费), else the whole text."""
    parts = [part.strip() for part in text.split("、")]
    return parts if len(parts) > 1 and all(map(is_deed, parts[1:])) and acts(parts[0]) else [text]
