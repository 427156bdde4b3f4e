"""A model's frames held against what the rules read: where the two differ, their agent asks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...agents import AgentSpec
from ...agents.frame import refs_of
from .reading import Frame

_READS: Final = "query"
_CHAT: Final = "chat"


def compared(found: Iterable[Frame], rules: Sequence[Frame], specs: Iterable[AgentSpec]) -> list[Frame]:
    """The model's frames, those that the rules read otherwise marked `contested`.

    A frame is what the rules read too where they have one of its agent and intent that means no other
    thing. What only looks something up is never contested, nor what the agent does not say the act of
    (`AgentSpec.acts`): such an agent asks by its own rules.
    """
    acts = {spec.code: spec.acts for spec in specs}
    return [
        replace(frame, contested=True) if _writes(frame, acts) and not _read_so(frame, rules) else frame
        for frame in found
    ]


def _writes(frame: Frame, acts: Mapping[str, Mapping[str, str]]) -> bool:
    act = acts.get(frame.agent_code, {}).get(frame.intent)
    return frame.agent_code != _CHAT and act is not None and act != _READS


def _read_so(frame: Frame, rules: Sequence[Frame]) -> bool:
    mine = set(refs_of(frame.slots))
    for other in rules:
        if (other.agent_code, other.intent) != (frame.agent_code, frame.intent):
            continue
        theirs = set(refs_of(other.slots))
        if not mine or not theirs or mine & theirs:
            return True
    return False
