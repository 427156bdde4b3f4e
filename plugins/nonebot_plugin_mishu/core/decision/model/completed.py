"""Completion of a model's frames from the rules' reading, and removal of unfounded choices. Pure.

A middling model names the agent and the intent and forgets the id, the day or the place, or picks one of two
reviews that nobody told apart. Nothing of the rules' reading is lost by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from ....agents import AgentSpec, SlotFrame
from ....agents.api.frame import ref_slots, refs_of
from ....language import words_of
from ....language.clause import Clause, KeptThing
from ....language.names.referents import meant, said_names, shared
from ....language.recognise.times import TimeExpression, names_day, parse
from ....language.schedule_phrases import is_venue
from ....language.text.fold import normalise
from ....language.text.lists import means_several
from ..reading import Frame
from .frame_sums import booked
from .restated import TIMES

_CHANGES: Final = frozenset({"change", "delete", "finish", "amend"})
_MAKES: Final = frozenset({"make", "record"})
_OLD_NAMES: Final = ("old_description", "title", "description", "new_description", "name", "item")
"""Slots that may name a kept thing."""
_TITLES: Final = ("title", "new_description")
_WHEN: Final[Mapping[str, tuple[str, ...]]] = {
    "schedule": ("new_time", "date", "time"),
    "tasks": ("dueDate", "startTime", "remindAt"),
    "bookkeeping": ("date",),
}
"""By agent: slots for the time words that a frame lacks, in order."""


def completed(
    frames: Sequence[Frame],
    rules: Sequence[Frame],
    line: Clause,
    specs: Iterable[AgentSpec],
    lately: Sequence[str],
) -> list[Frame]:
    """The model's frames, completed with slots that only the rules read.

    Args:
        frames: the model's, checked.
        rules: what the rules read.
        line: the whole line.
        specs: all agents.
        lately: what was said here in the last minutes.
    """
    acts = {spec.code: spec.acts for spec in specs}
    found = [_whole(frame, frames, rules, line, acts) for frame in frames]
    return _undecided(booked(found, rules), rules, line, acts, lately)


def _whole(
    frame: Frame,
    frames: Sequence[Frame],
    rules: Sequence[Frame],
    line: Clause,
    acts: Mapping[str, Mapping[str, str]],
) -> Frame:
    act = acts.get(frame.agent_code, {}).get(frame.intent)
    same = [other for other in rules if _alike(other, frame)]
    only = same[0] if len(same) == 1 and sum(_alike(other, frame) for other in frames) == 1 else None
    slots = dict(frame.slots)
    if act in _CHANGES and not refs_of(slots):
        slots = _referring(slots, frame.agent_code, only, line)
    slots = _whole_times(slots, frame.clause)
    if act == "change":
        slots = _elsewhere(slots, line)
    if only is not None and (act in _MAKES or (act in _CHANGES and not _times_of(slots))):
        slots = _timed(slots, frame.agent_code, only, last=act in _CHANGES)
    if only is not None and act == "make":
        slots = _described(slots, only)
    return frame if slots == dict(frame.slots) else replace(frame, read=SlotFrame(slots))


def _alike(one: Frame, other: Frame) -> bool:
    return (one.agent_code, one.intent) == (other.agent_code, other.intent)


# What is meant


def _referring(slots: dict[str, Any], agent_code: str, only: Frame | None, line: Clause) -> dict[str, Any]:
    """The slots with the ids of the things its words name, else of those the rules refer to."""
    own = [each for each in line.situation.things if each.agent == agent_code and each.id]
    theirs = refs_of(only.slots) if only is not None else ()
    for name in _OLD_NAMES:
        words = str(slots.get(name) or "")
        called = _called(words, own) if words else []
        if len(called) > 1:
            called = [each for each in called if theirs == (each.id,)]
        if len(called) == 1:
            rest = {each: value for each, value in slots.items() if each != name}
            return {**rest, **ref_slots([called[0].id])}
    if only is None or not theirs or _names_another(slots, only, own, theirs):
        return slots
    return {**slots, **ref_slots(theirs, every=only.match.every if only.match is not None else None)}


def _names_another(
    slots: Mapping[str, Any], only: Frame, own: Sequence[KeptThing], theirs: Sequence[str]
) -> bool:
    """True if a model's title is words of the line that name nothing of the things that the rules, which are
    not sure, refer to: 奖品 of 奖品那摊子能往后挪到周日不 is not what was spoken of last."""
    said = normalise(str(slots.get("title") or "")).lower()
    if only.sure or len(said) < _SHORTEST or said not in normalise(only.clause.text).lower():
        return False
    if not normalise(only.clause.text).lower().startswith(said):
        return False  # a new name: 改成买菜
    return not any(shared(each.name, said) for each in own if each.id in theirs)


_SHORTEST: Final = 2


def _elsewhere(slots: dict[str, Any], line: Clause) -> dict[str, Any]:
    """The slots with a place that stands as a new name (换成对面那家湘菜馆) as the place."""
    name = str(slots.get("new_description") or "")
    kept = [each for each in line.situation.things if each.id in refs_of(slots)]
    if slots.get("place") or not is_venue(name) or any(is_venue(each.name) for each in kept):
        return slots
    return {**{each: value for each, value in slots.items() if each != "new_description"}, "place": name}


def _called(words: str, things: Sequence[KeptThing]) -> list[KeptThing]:
    """Things named by these words: by the exact name, else by a part of it."""
    said = normalise(words).lower()
    names = [(normalise(each.name).lower(), each) for each in things if each.name]
    if exact := [each for name, each in names if name == said]:
        return exact
    part = [each for name, each in names if len(said) > 1 and (said in name or name in said)]
    return part or list(said_names(said, things))


def _undecided(
    frames: Sequence[Frame],
    rules: Sequence[Frame],
    line: Clause,
    acts: Mapping[str, Mapping[str, str]],
    lately: Sequence[str],
) -> list[Frame]:
    """One frame with all candidates in place of the frames in which a model chose some without a reason:
    their agent asks."""
    kept: list[Frame] = []
    for frame in frames:
        changes = acts.get(frame.agent_code, {}).get(frame.intent) in _CHANGES
        perhaps = _perhaps(frame, rules) if changes else ()
        mine = refs_of(frame.slots)
        if len(perhaps) < 2 or not mine or not set(mine) <= set(perhaps):
            kept.append(frame)
            continue
        several = means_several(line.text)
        if several or (len(mine) == 1 and _told_apart(frame, perhaps, line, lately)):
            kept.append(frame)
            continue
        other = next((each for each in rules if _alike(each, frame)), None)
        slots = {**frame.slots, **ref_slots(perhaps)}
        slots.pop("ref", None)
        open_ = replace(frame, read=SlotFrame(slots)) if other is None else other
        if not any(_alike(each, open_) and set(refs_of(each.slots)) == set(perhaps) for each in kept):
            kept.append(open_)
    return kept


def _perhaps(frame: Frame, rules: Sequence[Frame]) -> tuple[str, ...]:
    """Ids of all things that the words may refer to; none if all of them, or exactly one, are meant."""
    same = next((each for each in rules if _alike(each, frame)), None)
    if same is not None:
        every = same.match is not None and same.match.every is True
        return () if every else refs_of(same.slots)
    clause = frame.clause
    known = meant(words_of(clause.text, clause.times, clause.amounts), clause)
    if known is None or known.agent != frame.agent_code or known.every is True:
        return ()
    return tuple(known.refs)


def _told_apart(frame: Frame, perhaps: Sequence[str], line: Clause, lately: Sequence[str]) -> bool:
    """True if the line, its quote or the last minutes distinguish the chosen thing: only that one was
    mentioned, or words of its name that the others lack."""
    where, (chosen,) = line.situation, refs_of(frame.slots)
    shown = [each.id for each in where.shown if each.agent == frame.agent_code and each.id in perhaps]
    if where.just_shown(_MINUTES) and shown == [chosen]:
        return True
    own = [each for each in where.things if each.agent == frame.agent_code and each.id in perhaps]
    names = {each.id: normalise(each.name).lower() for each in own}
    said = [normalise(each).lower() for each in (line.text, where.quoted or "", *lately)]

    def spoken_of(one: str) -> bool:
        others = {pair for other, name in names.items() if other != one for pair in _pairs(name)}
        return any(pair in text for pair in _pairs(names.get(one, "")) - others for text in said)

    return spoken_of(chosen) and not any(spoken_of(one) for one in perhaps if one != chosen)


_MINUTES: Final = 600.0


def _pairs(text: str) -> set[str]:
    return set(map("".join, pairwise(text)))


# When and where


def _times_of(slots: Mapping[str, Any]) -> list[str]:
    return [str(slots[each]) for each in TIMES if slots.get(each)]


def _whole_times(slots: dict[str, Any], clause: Clause) -> dict[str, Any]:
    """The slots with whole times in place of copied parts (下午三点 of 明天下午三点)."""
    if any(names_day(word) and not _part_of(word, clause.times) for word in _times_of(slots)):
        return slots
    found = dict(slots)
    for name in TIMES:
        word = found.get(name)
        whole = _part_of(word, clause.times) if isinstance(word, str) else None
        if whole is not None and names_day(whole.text):
            found[name] = whole.text
    return found


def _part_of(word: str, times: Sequence[TimeExpression]) -> TimeExpression | None:
    """The one time that contains a word."""
    inside = [each for each in times if word and word in each.text]
    return inside[0] if len(inside) == 1 and inside[0].text != word else None


def _timed(slots: dict[str, Any], agent_code: str, rules: Frame, *, last: bool) -> dict[str, Any]:
    """The slots with the times that the rules use and no slot has."""
    said = _times_of(slots)
    where = rules.clause.situation
    same = {(one.date, one.start) for word in said for one in parse(word, where.now, where.zone)}
    # 礼拜三七点, of a line that says 礼拜三吧七点: the same time is no further one
    times = [
        each.text
        for each in rules.clause.times
        if each.text not in rules.idle and (each.start is None or (each.date, each.start) not in same)
    ]
    left = [text for text in dict.fromkeys(times) if not any(text in word or word in text for word in said)]
    if last:
        left = left[-1:] if not _CHANGED.isdisjoint(rules.slots) else []
    free = [name for name in _WHEN.get(agent_code, ()) if not slots.get(name)]
    return {**slots, **dict(zip(free, left, strict=False))} if left else slots


_CHANGED: Final = frozenset({"new_time", "startTime", "endTime", "remindAt", "dueDate", "timeSegment"})


def _described(slots: dict[str, Any], rules: Frame) -> dict[str, Any]:
    """The slots with the place, and a title if none was given and the rules know every word."""
    found = dict(slots)
    if not found.get("place") and rules.slots.get("place"):
        found["place"] = rules.slots["place"]
    known = rules.match is None or not rules.match.unread
    if known and not any(found.get(name) for name in _TITLES):
        found.update({name: rules.slots[name] for name in _TITLES if rules.slots.get(name)})
    return found
