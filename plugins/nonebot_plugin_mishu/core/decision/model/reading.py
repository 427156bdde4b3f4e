"""`parse_intents`: a model's reading of a line the rules are not sure of, checked by code.

What comes back is advice about words. Who acts, what is open and which agents there are is known without
it: unknown agents and intents are dropped, operations are bound only to open tasks of this very member, and
its `safety` can only make the gate's verdict graver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field

from ....agents import AgentSpec, AnswerMatch, Clause, Request, SlotFrame
from ....llm import ChatMessage, ModelClient
from ....memory import clean_name, one_line
from ....prompts import prompt
from ....prompts.quoting import QUOTE, fitted
from ....storage.records import FrameRecord
from ...lines_before import OURS
from ..reading import Frame
from .frame_sums import apart
from .sources import ASSIGNEE, MEMBER, REF, ValueSources
from .world import WEEKDAYS, reading_of, shown

Op = Literal["start", "set_slot", "correct", "confirm", "deny", "cancel", "clarify", "chitchat", "none"]
Safety = Literal["SAFE", "BLOCK", "EMERGENCY"]
MOST_FRAMES: Final = 10
"""Most frames taken of one answer."""
_CHANGES: Final = frozenset({"change", "delete", "finish", "amend"})
_REFS: Final = frozenset({"ref", "refs", "taskId"})
_MOST_MEANT: Final = 9
"""Most candidates listed for an invented id."""
_LONGEST_QUESTION: Final = 300
_MOST_OPEN: Final = 10
"""Most open tasks shown to a model."""


def _known_op(value: Any) -> Any:
    return value if value in get_args(Op) else "none"


def _known_safety(value: Any) -> Any:
    return value if value in get_args(Safety) else "SAFE"


def _words(value: Any) -> Any:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


Words = Annotated[str, BeforeValidator(_words)]


class SlotValue(BaseModel):
    """One slot as the model read it: always text."""

    name: Words
    value: Words


class ParsedFrame(BaseModel):
    """One intent of the line."""

    agent_code: Words
    intent: Words
    slots: list[SlotValue] = Field(default_factory=list[SlotValue])
    priority: int | None = None
    text: Words = ""


class IntentOp(BaseModel):
    """One command about a frame: an index in this answer, or the task_id of an open frame."""

    op: Annotated[Op, BeforeValidator(_known_op)] = Field(
        description="set_slot 补上、correct 改、confirm 同意、deny 不同意、cancel 不办了、clarify 问一句；"
        "start 开始一件新事、chitchat 闲聊、none 什么也不做，这三个不用写"
    )
    frame: int | str | None = Field(
        default=None, description="open_frames 里的 task_id，或 frames 里的第几项，从 0 数；clarify 时是 null"
    )
    slot: str | None = Field(default=None, description="补的或改的是哪一项")
    value: Annotated[str | None, BeforeValidator(lambda given: None if given is None else str(given))] = (
        Field(default=None, description="补上或改成的原话；clarify 时是要问的话")
    )


class ParsedIntents(BaseModel):
    """The answer of `parse_intents`."""

    frames: list[ParsedFrame] = Field(default_factory=list[ParsedFrame])
    intent_ops: list[IntentOp] = Field(default_factory=list[IntentOp])
    safety: Annotated[Safety, BeforeValidator(_known_safety)] = "SAFE"


@dataclass(frozen=True, slots=True)
class ModelReading:
    """The model's answer after the checks."""

    frames: tuple[Frame, ...] = ()
    bound: Mapping[str, AnswerMatch] = field(default_factory=dict[str, AnswerMatch])
    """By task_id of an open frame of this member's."""
    clarify: str | None = None
    """The one question to be asked instead of doing anything."""
    clarify_slot: str | None = None
    safety: Safety = "SAFE"
    refused: int = 0
    """Number of frames with unknown ids or invented values."""
    left: tuple[str, ...] = ()
    """Words of frames of intents that no agent has, or that do not hold, beside others that do."""
    unnamed: tuple[Frame, ...] = ()
    """Of these the changes of which only the id was wrong, with the ids of all that could be meant."""

    @property
    def empty(self) -> bool:
        """True if nothing of it can be done."""
        return not (self.frames or self.bound or self.clarify)


HEAD: Final = prompt("parse_intents")
"""Constant head of the system message; the agents follow it."""


def instructions(specs: Iterable[AgentSpec]) -> str:
    """The system message: the rules, and the purpose of each agent."""
    lines: list[str] = []
    for spec in specs:
        lines.append(f"- {spec.code}（{spec.name}）：{spec.boundary}")
        for intent in spec.intents:
            slots = "、".join(_slot_names(spec, intent.name))
            examples = "、".join(f"「{example}」" for example in intent.examples[:3])
            told = f"  - {intent.name}：{intent.description}"
            lines.append(
                told + (f"；槽位 {slots}" if slots else "") + (f"；例如{examples}" if examples else "")
            )
    return HEAD + "\n".join(lines)


def _slot_names(spec: AgentSpec, intent: str) -> list[str]:
    """Slot names of an intent, with those for things and members."""
    act = spec.acts.get(intent)
    own = [slot.name for slot in spec.slots_of(intent) if slot.name not in _REFS and slot.name != ASSIGNEE]
    own_refs = any(slot.name == REF for slot in spec.slots_of(intent))
    refs = [REF] if act in _CHANGES or own_refs else []
    return [*refs, *own, *([MEMBER] if act in _CHANGES or act == "make" else [])]


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """Input of a `parse_intents` call, beside the model."""

    request: Request
    line: Clause
    name: str
    """The speaker's card, never their number."""
    specs: Sequence[AgentSpec]
    tasks: Sequence[FrameRecord]
    """The speaker's open tasks."""
    rules: Sequence[Frame]
    """The rules' frames, for the clauses."""
    history: Sequence[ChatMessage] = ()
    around: Sequence[str] = ()
    """Lines of others just before, each behind its speaker's name, oldest first."""
    summaries: Sequence[str] = ()
    records: Sequence[Mapping[str, Any]] = ()
    """The speaker's last records, as the world shows them."""


def data(asking: ParseRequest) -> dict[str, Any]:
    """`request.data`, exactly as contracts.md has it."""
    where = asking.line.situation
    return {
        "agents": [{"code": spec.code, "intents": list(spec.intent_names())} for spec in asking.specs],
        "history": [
            *({"role": said.role, "text": said.text} for said in asking.history),
            *({"role": "group", "text": said} for said in _unheard(asking)),
        ],
        "summaries": _untold(asking),
        "open_frames": [_open(task) for task in asking.tasks[:_MOST_OPEN]],
        "world": shown(where, asking.tasks, asking.records, asking.name),
        "reading": reading_of(asking.rules, asking.line.text),
        "quote": None if where.quoted is None else fitted(where.quoted, QUOTE),
        "user": clean_name(asking.name),
        "now": f"{where.now:%Y-%m-%d %H:%M:%S} 周{WEEKDAYS[where.now.weekday()]}",
        "text": fitted(asking.line.text),
    }


def _unheard(asking: ParseRequest) -> list[str]:
    """Lines of the talk that are missing in the history: the speaker's and ours without a call."""
    own = {f"{clean_name(asking.name)}：{one_line(fitted(said.text, QUOTE))}" for said in asking.history}
    ours = {f"{OURS}：{one_line(fitted(said.text, QUOTE))}" for said in asking.history}
    return [line for line in asking.around if line not in own and line not in ours]


def _untold(asking: ParseRequest) -> list[str]:
    """Summaries that are not in the history."""
    told = [said.text for said in asking.history if len(said.text) >= _TELLS]
    return [one for one in asking.summaries if not any(each in one for each in told)]


_TELLS: Final = 4
"""Least length (characters) of a line by which a summary is recognised."""


def _open(task: FrameRecord) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "agent_code": task.agent_code,
        "intent": task.intent,
        "slots": {name: value for name, value in task.slots.items() if not name.startswith("_")},
        "missing_slots": list(task.missing_slots),
        "question": task.question,
    }


async def parse_intents(model: ModelClient, asking: ParseRequest, seconds: float) -> ModelReading:
    """Ask the model, check its answer. `seconds` is DECIDE_TIMEOUT. Raises `ModelError`."""
    answer = await model.structured(
        "parse_intents",
        data(asking),
        ParsedIntents,
        instructions=instructions(asking.specs),
        deadline=asking.request.deadline.earlier(seconds),
        conversation=asking.request.conversation,
        log=asking.request.calls,
    )
    return check_answer(answer, asking)


@dataclass(slots=True)
class _CheckedFrames:
    """Frames of an answer after their check."""

    taken: list[Frame] = field(default_factory=lambda: list[Frame]())
    unnamed: list[Frame] = field(default_factory=lambda: list[Frame]())
    """Changes with an unknown id, with all candidates: their agent asks."""
    refused: int = 0
    index: dict[int, int] = field(default_factory=lambda: dict[int, int]())
    """Place among the taken ones, by the frame's number in the answer."""
    held: list[str] = field(default_factory=lambda: list[str]())
    """Words of the taken frames."""
    left: list[str] = field(default_factory=lambda: list[str]())
    """Words of the refused ones."""


def check_answer(answer: ParsedIntents, asking: ParseRequest) -> ModelReading:
    """The valid part of an answer: known agents and intents, open tasks of this member. Pure."""
    heard = ValueSources.of(
        asking.line,
        [task.question or "" for task in asking.tasks],
        [*(one.text for one in asking.history), *asking.around],
        clean_name(asking.name),
    )
    frames = _check_frames(answer, asking, heard)
    bound = _check_operations(answer, asking, heard, frames)
    clarify = next((op for op in answer.intent_ops if op.op == "clarify" and (op.value or "").strip()), None)
    undone = tuple(
        text
        for text in dict.fromkeys(frames.left)
        if text in asking.line.text and not any(text in one for one in frames.held)
    )
    return ModelReading(
        tuple(frames.taken),
        bound,
        None if clarify is None else (clarify.value or "").strip()[:_LONGEST_QUESTION],
        None if clarify is None else clarify.slot,
        answer.safety,
        frames.refused,
        undone,
        tuple(frames.unnamed),
    )


def _check_frames(answer: ParsedIntents, asking: ParseRequest, heard: ValueSources) -> _CheckedFrames:
    """The frames of known agents and intents whose slots hold."""
    specs = {spec.code: spec for spec in asking.specs}
    found = _CheckedFrames()
    ids = {
        "bookkeeping": frozenset(str(each.get("id")) for each in asking.records),
        "record": frozenset(each.id for each in asking.line.situation.kept_facts),
    }
    for number, parsed in enumerate(answer.frames[:MOST_FRAMES]):
        spec = specs.get(parsed.agent_code)
        if spec is None or parsed.intent not in spec.intent_names():
            found.left.append(parsed.text)
            continue
        clause = _clause(parsed.text, asking)
        given = _given(parsed.slots)
        known = ids.get(spec.code, frozenset())
        for one in apart(given):
            names = any(slot.name == MEMBER for slot in spec.slots_of(parsed.intent))
            free = _free(spec, parsed.intent)
            slots = heard.check_slots(one, spec.code, asking.line, known, free, strangers=names)
            if slots is None:
                found.refused += 1
                which = _which(one, spec, parsed.intent, heard, asking.line, known)
                if which is not None:
                    found.unnamed.append(Frame(spec.code, parsed.intent, clause, which, sure=False))
                found.left.append(parsed.text)
                continue
            found.held.append(parsed.text)
            found.index.setdefault(number, len(found.taken))
            said = SlotFrame(slots)
            found.taken.append(
                Frame(spec.code, parsed.intent, clause, said, sure=False, priority=parsed.priority)
            )
    return found


def _check_operations(
    answer: ParsedIntents, asking: ParseRequest, heard: ValueSources, frames: _CheckedFrames
) -> dict[str, AnswerMatch]:
    """Answers to this member's open tasks, by task; operations on the answer's own frames change these."""
    specs = {spec.code: spec for spec in asking.specs}
    waiting = {task.task_id: task for task in asking.tasks}
    bound: dict[str, AnswerMatch] = {}
    for op in answer.intent_ops:
        if op.op == "clarify":
            continue
        if isinstance(op.frame, int):
            _set(frames.taken, frames.index.get(op.frame), op, heard, asking.line)
        elif op.frame is not None and (task := waiting.get(op.frame)) is not None:
            free = _free(specs.get(task.agent_code), task.intent)
            found = _bound(bound.get(op.frame), op, heard, asking.line, free)
            if found is not None:
                bound[op.frame] = found
    return bound


def _given(slots: Sequence[SlotValue]) -> dict[str, str]:
    """Slots by name; none if a name is there twice (午饭 35 打车 20 as one frame): the words are read
    instead."""
    named = [slot for slot in slots if not slot.name.startswith("_")]
    found = {slot.name: slot.value for slot in named}
    return found if len(found) == len(named) else {}


def _which(
    given: Mapping[str, str],
    spec: AgentSpec,
    intent: str,
    heard: ValueSources,
    line: Clause,
    more_ids: frozenset[str],
) -> SlotFrame | None:
    """Slots of a change with an unknown id, with all candidates: its agent asks."""
    if spec.acts.get(intent) not in _CHANGES or not _REFS & given.keys():
        return None
    rest = {name: value for name, value in given.items() if name not in _REFS}
    slots = heard.check_slots(rest, spec.code, line, more_ids, _free(spec, intent))
    ids = [thing.id for thing in line.situation.things if thing.agent == spec.code and thing.id]
    ids = [*ids, *sorted(more_ids - set(ids))]
    if slots is None or not 0 < len(ids) <= _MOST_MEANT:
        return None
    return SlotFrame({**slots, **({"ref": ids[0]} if len(ids) == 1 else {"refs": ids})})


_RELATIONS: Final[dict[str, Literal["fills", "corrects", "confirm", "deny", "cancel"]]] = {
    "set_slot": "fills",
    "correct": "corrects",
    "confirm": "confirm",
    "deny": "deny",
    "cancel": "cancel",
}


def _free(spec: AgentSpec | None, intent: str) -> frozenset[str]:
    """Slots whose values a model may word freely."""
    if spec is None or spec.own_words:
        return frozenset()
    return frozenset(slot.name for slot in spec.slots_of(intent))


def _bound(
    known: AnswerMatch | None, op: IntentOp, heard: ValueSources, line: Clause, free: frozenset[str]
) -> AnswerMatch | None:
    """Answer to one open frame from all operations on it: a cancellation outweighs the rest, a refusal a yes.
    A value without a source is no answer."""
    relation = _RELATIONS.get(op.op)
    if relation is None:
        return known
    slots = dict(known.slots) if known is not None else {}
    if op.slot and not op.slot.startswith("_") and op.value is not None and op.op in ("set_slot", "correct"):
        value = heard.value(op.slot, op.value.strip(), line, free)
        if value is None:
            return known
        slots[op.slot] = value
    strength = ("fills", "corrects", "confirm", "deny", "cancel")
    if known is not None and strength.index(known.relation) > strength.index(relation):
        relation = known.relation
    return AnswerMatch(relation, slots)


def _set(frames: list[Frame], number: int | None, op: IntentOp, heard: ValueSources, line: Clause) -> None:
    if number is None or op.op not in ("set_slot", "correct") or not op.slot or op.value is None:
        return
    if op.slot.startswith("_"):
        return
    frame = frames[number]
    held = heard.check_slots({op.slot: op.value}, frame.agent_code, line, frozenset())
    if held:
        frames[number] = replace(frame, read=SlotFrame({**frame.slots, **held}), sure=False)


def _clause(text: str, asking: ParseRequest) -> Clause:
    """The clause of the rules that the model's words come from, by overlap; else the whole line."""
    clauses = [frame.clause for frame in asking.rules]
    best = max(clauses, key=lambda clause: _overlap(text, clause.text), default=asking.line)
    shared = _overlap(text, best.text)
    return best if text and shared >= 0.5 and shared >= _overlap(text, asking.line.text) else asking.line


def _overlap(one: str, other: str) -> float:
    """Similarity of two texts: Dice coefficient of character pairs."""
    first, second = ({text[at : at + 2] for at in range(len(text) - 1)} for text in (one, other))
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0
