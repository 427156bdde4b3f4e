"""Seed 0's state machine: `step(state, event)` gives the next state and the calls. Pure.

One per (conversation, user). The runner makes the calls (by a model, or by local rules) and reports back with
events. Candidates waiting for a yes are one batch of `drafts`, whose local triage reports confirmed or denied
items as `Checked`, and asks for the rest (`MemberSpoke`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from .candidate import Candidate, Operation

CheckedIntent = Literal["confirm", "deny", "edit", "irrelevant"]


class Phase(StrEnum):
    """States of seed 0."""

    IDLE = "IDLE"
    NEED_CONFIRM = "NEED_CONFIRM"
    EDIT = "EDIT"


@dataclass(frozen=True, slots=True)
class TalkState:
    """State of a member's talk about schedules.

    `candidates`: asked about (NEED_CONFIRM) or waiting for operations (EDIT); `text`: their source;
    `question`: ours.
    """

    phase: Phase = Phase.IDLE
    candidates: tuple[Candidate, ...] = ()
    text: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class MemberSpoke:
    """Line of the member."""

    text: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """Answer to `ExtractInfo` about `text`; `question`: to be asked if a yes is needed."""

    candidates: tuple[Candidate, ...]
    text: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """Answer to `CheckIntent`, or result of local triage, about `text`."""

    intent: CheckedIntent
    text: str = ""


@dataclass(frozen=True, slots=True)
class Generated:
    """Answer to `GenerateOperation`: checked operations."""

    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Expired:
    """CONFIRM_TIMEOUT has passed."""


Event: TypeAlias = MemberSpoke | Extracted | Checked | Generated | Expired


@dataclass(frozen=True, slots=True)
class ExtractInfo:
    """Call `extract_info`."""

    text: str
    pre_confirmed: bool = False
    old_time: str = ""
    old_description: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """`request.data`."""
        return {
            "text": self.text,
            "pre_confirmed": self.pre_confirmed,
            "old_time": self.old_time,
            "old_description": self.old_description,
        }


@dataclass(frozen=True, slots=True)
class CheckIntent:
    """Call `check_intent`."""

    question: str
    text: str

    @property
    def data(self) -> dict[str, Any]:
        """`request.data`."""
        return {"question": self.question, "text": self.text}


@dataclass(frozen=True, slots=True)
class GenerateOperation:
    """Call `generate_operation` for one candidate with all schedules."""

    candidate: Candidate

    def data(self, schedules: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """`request.data`; `schedules` as `{id, time, description}`."""
        return {
            "intent": self.candidate.intent,
            "old_time": self.candidate.old_time,
            "old_description": self.candidate.old_description,
            "new_time": self.candidate.new_time,
            "new_description": self.candidate.new_description,
            "all_schedules": list(schedules),
        }


@dataclass(frozen=True, slots=True)
class AddLocally:
    """Add these to the schedule (s1)."""

    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class CarryOut:
    """Query, edit or delete with these operations (s2)."""

    candidate: Candidate
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """Ask if these are schedules."""

    candidates: tuple[Candidate, ...]


Effect: TypeAlias = ExtractInfo | CheckIntent | GenerateOperation | AddLocally | CarryOut | PlanQuestion
Step: TypeAlias = tuple[TalkState, tuple[Effect, ...]]


def step(state: TalkState, event: Event) -> Step:
    """Next state and effects, in order. An event without an edge changes nothing."""
    edge = TABLE.get((state.phase, _name(event)))
    return edge(state, event) if edge is not None else (state, ())


def _name(event: Event) -> str:
    return f"Checked {event.intent}" if isinstance(event, Checked) else type(event).__name__


def _extract(state: TalkState, event: Any) -> Step:
    """extract_info with what was heard."""
    return state, (ExtractInfo(event.text),)


def _extracted(state: TalkState, event: Any) -> Step:
    """need_confirm: NEED_CONFIRM and a question; else add locally, or EDIT and generate_operation."""
    if not event.candidates:
        return state, ()
    unsure = tuple(each for each in event.candidates if each.need_confirm)
    settled, effects = _confirmed(
        tuple(each for each in event.candidates if not each.need_confirm), event.text
    )
    if not unsure:
        return settled, effects
    waiting = TalkState(Phase.NEED_CONFIRM, unsure, event.text, event.question)
    return waiting, (*effects, PlanQuestion(unsure))


def _confirmed(candidates: tuple[Candidate, ...], text: str) -> Step:
    adds = tuple(each for each in candidates if each.intent == "add")
    others = tuple(each for each in candidates if each.intent != "add")
    effects: list[Effect] = [AddLocally(adds)] if adds else []
    effects += [GenerateOperation(each) for each in others]
    return (TalkState(Phase.EDIT, others, text) if others else TalkState()), tuple(effects)


def _check(state: TalkState, event: Any) -> Step:
    """check_intent with the question and what was heard."""
    return state, (CheckIntent(state.question, event.text),)


def _confirm(state: TalkState, event: Any) -> Step:
    """As if need_confirm had been false: add locally, or EDIT and generate_operation."""
    return _confirmed(state.candidates, state.text)


def _drop(state: TalkState, event: Any) -> Step:
    """Back to IDLE, nothing is kept."""
    return TalkState(), ()


def _edit(state: TalkState, event: Any) -> Step:
    """s3: extract_info with both rounds' text, the candidates' time and description, pre_confirmed."""
    old = [each.old for each in state.candidates]
    times, descriptions = ("\n".join(part for part in parts if part) for parts in zip(*old, strict=True))
    return state, (ExtractInfo(f"{state.text}\n{event.text}", True, times, descriptions),)


def _irrelevant(state: TalkState, event: Any) -> Step:
    """s4: extract_info with the text of this round alone; the question stays open."""
    return state, (ExtractInfo(event.text),)


def _generated(state: TalkState, event: Any) -> Step:
    """s2: carry the operations out; IDLE after the last."""
    if not state.candidates:
        return TalkState(), ()
    first, rest = state.candidates[0], state.candidates[1:]
    after = replace(state, candidates=rest) if rest else TalkState()
    return after, (CarryOut(first, event.operations),)


Edge: TypeAlias = Callable[[TalkState, Any], Step]

TABLE: Final[Mapping[tuple[Phase, str], Edge]] = MappingProxyType(
    {
        (Phase.IDLE, "MemberSpoke"): _extract,
        (Phase.IDLE, "Extracted"): _extracted,
        (Phase.NEED_CONFIRM, "MemberSpoke"): _check,
        (Phase.NEED_CONFIRM, "Checked confirm"): _confirm,
        (Phase.NEED_CONFIRM, "Checked deny"): _drop,
        (Phase.NEED_CONFIRM, "Checked edit"): _edit,
        (Phase.NEED_CONFIRM, "Checked irrelevant"): _irrelevant,
        (Phase.NEED_CONFIRM, "Extracted"): _extracted,
        (Phase.NEED_CONFIRM, "Expired"): _drop,
        (Phase.EDIT, "Generated"): _generated,
    }
)
"""Seed 0's diagram, edge by edge. Any other event changes nothing"""


def table_markdown() -> str:
    """`TABLE` as Markdown, for the documentation."""
    rows = ["| state | event | does |", "|---|---|---|"]
    rows += [
        f"| {phase} | {event} | {(edge.__doc__ or '').strip()} |" for (phase, event), edge in TABLE.items()
    ]
    return "\n".join(rows)
