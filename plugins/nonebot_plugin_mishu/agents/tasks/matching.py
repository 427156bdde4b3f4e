"""Which of the tasks there are a reference means. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...storage.task_records import TaskRecord
from ...text import normalise
from ..naming import several_names
from .frames import TaskReference


def matching(tasks: Sequence[TaskRecord], meant: TaskReference) -> list[TaskRecord]:
    """The tasks that the words mean: the most alike, and of these those of the day that was said."""
    found = list(tasks)
    if meant.words:
        scores = {one.id: _likeness(_form(meant.words), _form(one.title)) for one in tasks}
        top = max(scores.values(), default=0)
        found = [one for one in tasks if top > 0 and scores[one.id] == top]
    elif meant.days is None and not meant.everything:
        return []
    if meant.days is not None:
        first, last = (day.isoformat() for day in meant.days)
        of_day = [one for one in found if first <= one.fields.due_date <= last]
        found = of_day or (found if meant.words else [])
    return found


def several(tasks: Sequence[TaskRecord], meant: TaskReference) -> list[tuple[str, list[TaskRecord]]]:
    """What each of several names means (作业和还书); empty where one thing is named, with whatever words."""
    parts = several_names(meant.words)
    whole = _form(meant.words)
    if len(parts) < 2 or any(whole in _form(one.title) for one in tasks):
        return []
    return [(part, matching(tasks, replace(meant, words=part))) for part in parts]


def _form(text: str) -> str:
    return re.sub(r"[\s,，。.!！?？:：;；、「」『』“”\"'《》()（）]", "", normalise(text)).lower()


def _likeness(words: str, title: str) -> int:
    """The same, one in the other, or how many characters they share (房租已经交 is 交房租); 0: not alike."""
    if not words or not title:
        return 0
    if words == title:
        return _SAME
    if words in title or (title in words and len(title) > 1):
        return _HELD
    common = len(set(words) & set(title))
    least = min(len(set(words)), len(set(title)))
    return common if common >= 2 and common * 3 >= least * 2 else 0


_SAME: Final = 1000
_HELD: Final = 500
