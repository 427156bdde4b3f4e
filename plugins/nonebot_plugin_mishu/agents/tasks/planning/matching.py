"""Search of tasks by reference. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ....language.match import AnswerMatch
from ....language.names.naming import several_names
from ....language.recognise.members import of_owner
from ....language.text.fold import normalise
from ....language.word_lists import words
from ....storage.tasks.records import TaskRecord
from ..frames import CLOCK, DAYS, POINTED, TaskReference


def matching(tasks: Sequence[TaskRecord], meant: TaskReference) -> list[TaskRecord]:
    """Tasks with the most similar title, narrowed to the named day."""
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


def of_one_owner(
    tasks: Sequence[TaskRecord], meant: TaskReference
) -> tuple[list[TaskRecord], list[TaskRecord]]:
    """Tasks of the owner that a reference begins with (老猫的照片), and those of them that the rest names;
    none where it begins with no owner."""
    name, rest = of_owner(meant.words, {task.owner_name for task in tasks})
    theirs = [task for task in tasks if name and task.owner_name == name]
    return theirs, matching(theirs, replace(meant, words=rest)) if rest else theirs


def pointed(tasks: Sequence[TaskRecord], asked: Sequence[int], bound: AnswerMatch) -> list[TaskRecord]:
    """Choice among similar tasks by an answer to 要删除…吗: 后面那个, 另一个, 九点半那个, 周五的."""
    found = sorted(tasks, key=lambda one: (one.fields.due_date, _clock(one)))
    days, clock = bound.slots.get(DAYS), bound.slots.get(CLOCK)
    if days:
        found = [one for one in found if any(first <= one.fields.due_date <= last for first, last in days)]
    if clock:
        found = [one for one in found if _is_at(one, *clock)]
    match bound.slots.get(POINTED):
        case "last":
            return found[-1:]
        case "first":
            return found[:1]
        case "other":
            return [one for one in found if one.id not in asked]
        case _:
            return found if days or clock else []


def _clock(task: TaskRecord) -> str:
    return task.fields.start_time or (task.fields.remind_at or "")[11:16]


def _is_at(task: TaskRecord, clock: str, either: bool) -> bool:
    """True if the task is at the clock; with `either` in any half of the day."""
    at = _clock(task)
    if not at or at[3:] != clock[3:]:
        return False
    return at == clock or (either and int(at[:2]) % 12 == int(clock[:2]) % 12)


def several(tasks: Sequence[TaskRecord], meant: TaskReference) -> list[tuple[str, list[TaskRecord]]]:
    """Matches of each of several names (作业和还书); empty if one task is named."""
    parts = several_names(meant.words)
    whole = _form(meant.words)
    if any(whole in _form(one.title) for one in tasks):
        return []
    if len(parts) < 2:
        return _in_pieces(tasks, meant)
    return [(part, matching(tasks, replace(meant, words=part))) for part in parts]


def _in_pieces(tasks: Sequence[TaskRecord], meant: TaskReference) -> list[tuple[str, list[TaskRecord]]]:
    """Matches of each piece (简历投完了，推荐信也写好了), if every piece has one task of its own."""
    pieces = [piece for piece in re.split("[,，;；]|了(?=..)", meant.words) if piece.strip()]
    found = [(piece, matching(tasks, replace(meant, words=piece))) for piece in pieces]
    ids = {tasks[0].id for _, tasks in found if len(tasks) == 1}
    return found if len(pieces) > 1 and len(ids) == len(pieces) else []


def _form(text: str) -> str:
    return re.sub(r"[\s,，。.!！?？:：;；、「」『』“”\"'《》()（）]", "", normalise(text)).lower()


def _likeness(words: str, title: str) -> int:
    """Similarity score: equal, contained, or number of shared characters (房租已经交 is 交房租); 0: not
    alike."""
    if not words or not title:
        return 0
    if words == title:
        return _SAME
    if words in title or (title in words and len(title) > 1):
        return _HELD
    said, own = set(words) - _FILLING, set(title) - _FILLING
    if said - own and own - said:
        return 0  # 水费交了 is not 交电费: each names something that the other does not
    common = len(set(words) & set(title))
    least = min(len(set(words)), len(set(title)))
    return common if common >= 2 and common * 3 >= least * 2 else 0


_FILLING: Final = frozenset(words("tasks.names_nothing"))
_SAME: Final = 1000
_HELD: Final = 500
