"""Conditions for offering an order that a model worded for a member. Pure.

An offer is an order that says all by itself, and a yes stands between it and what is written: so a word of
its title may be unknown, but not what is to be done, to what, and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from ....agents.api.frame import refs_of
from ....language.clause import Situation
from ..reading import Frame, MessageReading
from ..rules.choosing import Recogniser
from ..rules.veto import FALLBACK

_TITLES: Final = ("title", "new_description")
_WHENS: Final = ("remindAt", "dueDate", "new_time", "startTime", "recurrence", "repeat")
_BECOMES: Final = (*_TITLES, *_WHENS, "place", "endTime", "timeSegment", "priority", "note", "notes")
_KEEPS: Final = ("schedule", "tasks")
_SHORTEST: Final = 2
_LISTED: Final = 4
NO_WORK: Final = "这句里没有读出要办的事，请写成一句完整的吩咐，例如「明天下午三点提醒我交表」"
NO_ORDER: Final = "这句不是吩咐，是在问或者在猜"
NO_TITLE: Final = "没写清楚是什么事"
NO_TIME: Final = "没写什么时候，先问他时间"
BAD_TIME: Final = "时间不对：{}"
NO_CHANGE: Final = "没写清楚要改成什么"
NOT_KEPT: Final = "这里没有记着这件事，改不了也删不了，可以问他要不要新记一条"
WHICH: Final = "可能是好几件：{}，先问他是哪一件"
NOT_SURE: Final = "这句读不准，请他自己说清楚做什么、什么时候"


def by_itself(where: Situation) -> Situation:
    """The situation without recent things, changes and quotes, for reading an offer."""
    return replace(where, addressed=True, quoted=None, mentions=(), shown=(), shown_at=None, done=None)


def why_not(reading: MessageReading, specs: Iterable[Recogniser]) -> str | None:
    """Reason why a reading may not be offered, for the model that worded it; None if it may."""
    acts = {spec.code: spec.acts for spec in specs}
    found = [
        _why_not(frame, acts.get(frame.agent_code, {}).get(frame.intent, "")) for frame in reading.frames
    ]
    return next((each for each in found if each is not None), None)


def agreed(reading: MessageReading, specs: Iterable[Recogniser]) -> MessageReading:
    """Reading of an offered order after its member's yes: frames that may be offered are sure."""
    acts = {spec.code: spec.acts for spec in specs}
    frames = tuple(
        frame
        if frame.sure or _why_not(frame, acts.get(frame.agent_code, {}).get(frame.intent, "")) is not None
        else replace(frame, sure=True)
        for frame in reading.frames
    )
    return replace(reading, frames=frames, sure=all(frame.sure for frame in frames))


def _why_not(frame: Frame, act: str) -> str | None:
    if frame.agent_code == FALLBACK[0] or frame.declined:
        return NO_ORDER if frame.declined else NO_WORK
    if not frame.mood.plain:
        return NO_ORDER
    wrong = next((time.invalid for time in frame.clause.times if time.invalid), None)
    if wrong is not None:
        return BAD_TIME.format(wrong)
    if frame.idle:
        return BAD_TIME.format("、".join(frame.idle))
    slots = frame.slots
    if act == "make" and frame.agent_code in _KEEPS:
        return _unmade(slots)
    if act in ("change", "delete", "finish") and frame.agent_code in _KEEPS:
        return _unmeant(frame, slots, act)
    return None if frame.sure else NOT_SURE


def _unmade(slots: Mapping[str, Any]) -> str | None:
    """Missing part of something new."""
    titles = [str(slots[name]) for name in _TITLES if slots.get(name)]
    if not titles or len(titles[0]) < _SHORTEST:
        return NO_TITLE
    return None if any(slots.get(name) for name in _WHENS) else NO_TIME


def _unmeant(frame: Frame, slots: Mapping[str, Any], act: str) -> str | None:
    """Missing part of a change of a kept thing."""
    refs = refs_of(slots)
    things = {
        thing.id: thing.name for thing in frame.clause.situation.things if thing.agent == frame.agent_code
    }
    meant = [things[one] for one in refs if one in things]
    if not meant:
        return NOT_KEPT
    if len(meant) > 1 and not slots.get("every"):
        return WHICH.format("、".join(meant[:_LISTED]))
    if act == "change" and not any(slots.get(name) for name in _BECOMES):
        return NO_CHANGE
    return None
