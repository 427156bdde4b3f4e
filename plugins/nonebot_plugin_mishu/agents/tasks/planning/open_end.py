"""Answers to the question of the end of a task. Pure.

Seed 1's question is asked once: 没有 and 随便 keep the start as a moment with its reminder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import time, timedelta
from typing import Any, Final

from ....language import Question, answer
from ....language.clause import Clause
from ....language.match import AnswerMatch
from ....language.timing.pointed_time import twelve_alone
from ....storage.records import FrameRecord
from .. import answering
from .policy import as_moment, asked_kind, with_end
from .task_time import Wish, raw_slots

DECLINED: Final = "_declined"
_END: Final = Question("make", value=True)


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of the line with the question of the frame; None: no answer to it."""
    if asked_kind(frame.slots) == "end":
        stored: Mapping[str, Any] = frame.slots.get("_time") or {}
        wish = Wish.from_json(stored, clause.situation.zone)
        line = clause.text.strip(" ,，。.!！~")
        if wish.start is not None and answer(line, _END).kind == "leave":
            return _filled(as_moment(wish), {DECLINED: True})
        if wish.start is not None and twelve_alone(line):
            return _filled(_until_twelve(wish, wish.start), {})
    found = answering.answers(frame, clause)
    if found is None or asked_kind(frame.slots) != "end" or found.relation == "cancel":
        return found
    return _once(found, frame, clause)


def _once(found: AnswerMatch, frame: FrameRecord, clause: Clause) -> AnswerMatch:
    """Answer whose wish does not ask for the end again: a new start (改七点) is a moment. A correction of the
    day only (说错了，后天) leaves the end open."""
    stored, asked = found.slots.get("_time"), frame.slots.get("_time")
    if not isinstance(stored, Mapping) or not isinstance(asked, Mapping):
        return found
    zone = clause.situation.zone
    said = Wish.from_json(found.slots["_time"], zone)
    before = Wish.from_json(frame.slots["_time"], zone)
    clocked = any(one.start is not None for one in clause.times)
    only_day = said.date != before.date and said.start == before.start and not clocked
    wish = replace(said, spans=before.spans and only_day)
    return replace(found, slots={**found.slots, "_time": wish.as_json()})


def _until_twelve(wish: Wish, start: time) -> Wish:
    """12点 as an end: the first noon or midnight after the start."""
    wish = replace(wish, spans=False)
    if start < time(12):
        return replace(wish, end=time(12))
    return with_end(wish, time(0), None if wish.date is None else wish.date + timedelta(days=1))


def _filled(wish: Wish, notes: Mapping[str, Any]) -> AnswerMatch:
    return AnswerMatch("fills", {"_time": wish.as_json(), **raw_slots(wish), **notes})
