"""Comparison of a model's frames with the rules' reading; on a difference their agent asks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ....agents import AgentSpec
from ....agents.api.frame import refs_of
from ..reading import Frame

PROBABLE: Final = 0.9
"""Probability of an act read by the rules from which it contests a model's."""
_READS: Final = "query"
_VALUES: Final = frozenset(
    ("new_time", "new_description", "place", "startTime", "endTime", "remindAt", "dueDate", "timeSegment")
)
"""Slots with new values; a change without any of them was not read completely by the rules."""
_CHAT: Final = "chat"


def compared(
    found: Iterable[Frame], rules: Sequence[Frame], specs: Iterable[AgentSpec], *, talk: bool
) -> list[Frame]:
    """The model's frames, those that the rules read otherwise marked `contested`.

    The rules read otherwise where another act is probable to them (`PROBABLE`), or where they see no work and
    the line is `talk` to the judge of acts (火锅还是烤肉好吃): of a line that nobody here could read the
    model's word counts.

    A frame is what the rules read too where they have one of its agent and intent that means no other
    thing. What only looks something up is never contested, nor what the agent does not say the act of
    (`AgentSpec.acts`): such an agent asks by its own rules. A change of one thing by its id, which both of
    them read, is sure, and runs as the rules read it.
    """
    acts = {spec.code: spec.acts for spec in specs}
    held: list[Frame] = []
    for frame in found:
        if frame.sure or not _writes(frame, acts):
            contested = _writes(frame, acts) and _read_otherwise(frame, rules, talk)
            held.append(replace(frame, contested=contested))
        elif (same := _the_same(frame, rules, acts[frame.agent_code][frame.intent])) is not None:
            held.append(replace(same, sure=True, priority=frame.priority))
        else:
            held.append(replace(frame, contested=_read_otherwise(frame, rules, talk)))
    return held


def denied(frames: Iterable[Frame], specs: Iterable[AgentSpec]) -> list[Frame]:
    """The rules' frames of a line in which the model reads only talk: sure frames that write are asked
    about once."""
    acts = {spec.code: spec.acts for spec in specs}
    return [
        replace(frame, contested=True) if frame.sure and _writes(frame, acts) else frame for frame in frames
    ]


def _the_same(frame: Frame, rules: Sequence[Frame], act: str) -> Frame | None:
    """The rules' frame of the same act of the same thing, every word of it read: two readers, one reading,
    which is sure then."""
    mine = set(refs_of(frame.slots))
    return next(
        (
            other
            for other in rules
            if (other.agent_code, other.intent) == (frame.agent_code, frame.intent)
            and len(mine) == 1
            and set(refs_of(other.slots)) == mine
            and not (other.match is not None and other.match.unread)
            and (act != "change" or not _VALUES.isdisjoint(other.slots))
        ),
        None,
    )


def _writes(frame: Frame, acts: Mapping[str, Mapping[str, str]]) -> bool:
    act = acts.get(frame.agent_code, {}).get(frame.intent)
    return frame.agent_code != _CHAT and act is not None and act != _READS


def _read_otherwise(frame: Frame, rules: Sequence[Frame], talk: bool) -> bool:
    if _read_so(frame, rules):
        return False
    work = [other for other in rules if other.agent_code != _CHAT]
    return any(other.probability >= PROBABLE for other in work) if work else talk


def _read_so(frame: Frame, rules: Sequence[Frame]) -> bool:
    mine = set(refs_of(frame.slots))
    for other in rules:
        if (other.agent_code, other.intent) != (frame.agent_code, frame.intent):
            continue
        theirs = set(refs_of(other.slots))
        if not mine or not theirs or mine & theirs:
            return True
    return False
