"""Tasks from the frames of a message: stable ids, and the class of their agents. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from ...agents import AnswerMatch
from ...agents.api.frame import refs_of
from ...language.clauses.order_words import has_order_word
from ...language.mood import orders_reminder, stops_reminder
from ...storage.records import FrameRecord
from ..decision.reading import Frame, MessageReading
from ..message_context import MessageContext
from ..protocols import Agents
from .orchestrator import CHAT, clamped


def new_tasks(
    job: MessageContext, frames: Iterable[Frame], agents: Agents, first: int
) -> list[tuple[FrameRecord, Frame]]:
    """A queued task for every frame; an unknown agent's frame is talk. `first` is the place of the first.

    The same message gives the same ids again: what a restart repeats is the same task.
    """
    message = job.said.message
    made: list[tuple[FrameRecord, Frame]] = []
    for place, frame in enumerate(frames, start=first):
        spec = agents.get(frame.agent_code) or agents.get(CHAT)
        assert spec is not None, "there is always a chat agent"
        known = spec.code == frame.agent_code
        origin = f"{job.conversation.self_id}/{message.message_id}/{place}"
        task = FrameRecord(
            task_id=task_id(origin),
            conversation=job.conversation,
            user_id=job.user_id,
            agent_code=spec.code,
            intent=frame.intent if known else spec.intents[0].name,
            text=frame.clause.text,
            status="queued",
            priority=clamped(frame.priority, spec.priority),
            focus=spec.focus,
            origin=origin,
            message_id=message.message_id,
            place=place,
            slots=dict(frame.slots) if known else {},
            created_at=job.request.now,
            updated_at=job.request.now,
        )
        made.append((task, frame))
    return made


def task_id(origin: str) -> str:
    """A short id that shows no platform number."""
    return f"t{sha256(origin.encode()).hexdigest()[:20]}"


def supersedes(new: FrameRecord, asked: FrameRecord, agents: Agents) -> bool:
    """True if a new order concerns the thing of an open question, which is then over (要改到周日吗？
    就周四)."""
    spec = agents.get(new.agent_code)
    reads = {intent.name for intent in spec.intents if intent.reads_only} if spec is not None else set[str]()
    same = asked.status == "awaiting_user" and new.agent_code == asked.agent_code
    if not same or {new.intent, asked.intent} & reads:
        return False
    if (new.agent_code, new.intent, asked.intent) == _POLL_MADE:
        return True  # the poll that was proposed, said anew
    if (poll := new.slots.get(_POLL)) is not None and poll == asked.slots.get(_POLL):
        return True  # a voice in the poll whose voice was asked about
    return not set(refs_of(new.slots)).isdisjoint(refs_of(asked.slots))


_POLL: Final = "poll"
_POLL_MADE: Final = ("polls", "make", "make")


def is_request(reading: MessageReading) -> bool:
    """True if the rules are sure of work in the line."""
    return any(frame.sure and frame.agent_code != CHAT for frame in reading.frames)


def is_talk(reading: MessageReading) -> bool:
    """True if the rules read only talk, and no declined order."""
    return all(frame.agent_code == CHAT and not frame.declined for frame in reading.frames)


def is_of_another(reading: MessageReading, agent_code: str) -> bool:
    """True if the rules are sure of an order to another agent about a kept thing, or of a reminder
    (把组会删掉, 提醒我还小红30, beside a card of the books); 检讨不写了 别提醒了 is of its reminder."""
    work = [frame for frame in reading.frames if frame.agent_code != CHAT]
    kept = [frame for frame in work if frame.match is not None and frame.match.refs]
    named = any(frame.sure or stops_reminder(frame.clause.text) for frame in kept)
    named = named or any(frame.sure and orders_reminder(frame.clause.text) for frame in work)
    return named and all(frame.agent_code != agent_code for frame in work)


def stands_alone(reading: MessageReading, agent_code: str) -> bool:
    """True if the rules are sure of an order that does not answer this agent's question: to another agent,
    or with the agent's own noun (再订一间会议室, while it asks which room). False for an order without an
    object (改成下午五点)."""
    work = [frame for frame in reading.frames if frame.sure and frame.agent_code != CHAT]
    return any(
        frame.match is None or frame.match.weight >= _OWN
        if frame.agent_code == agent_code
        else frame.match is None or not frame.match.nameless or bool(frame.match.refs)
        for frame in work
    )


_OWN: Final = 3
"""Weight of an agent's own noun (`Match.weight`)."""


def is_undoing(reading: MessageReading) -> bool:
    """True if the line is nothing but 撤销."""
    return all((frame.agent_code, frame.intent) == UNDOING for frame in reading.frames)


UNDOING: Final = ("bookkeeping", "undo")
"""Of whatever was done last: the books only carry it out."""


def is_question(reading: MessageReading, agents: Agents) -> bool:
    """True if the rules are sure of queries only (本周日程, 花了多少)."""
    reads = {(spec.code, intent.name) for spec in agents for intent in spec.intents if intent.reads_only}
    work = [frame for frame in reading.frames if frame.agent_code != CHAT]
    return bool(work) and all(frame.sure and (frame.agent_code, frame.intent) in reads for frame in work)


_NAMES_ITS_TASK: Final = 5
"""Characters from which on a line that something is done says what (买菜做完了)."""


_EVERYDAY: Final = frozenset({"schedule", "tasks", "bookkeeping"})
"""Agents whose words people also use among themselves; another's are its own."""


def is_order(reading: MessageReading) -> bool:
    """True if an unaddressed line is work: sure, and with a time, a sum, a word of ours or the thing's
    name (not 有事吗, 解决了, 到了叫我)."""
    return any(frame.sure and frame.agent_code != CHAT and _says_more(frame) for frame in reading.frames)


def _says_more(frame: Frame) -> bool:
    clause = frame.clause
    if frame.agent_code not in _EVERYDAY:
        return True
    if frame.intent == "complete_task" and len(clause.text) < _NAMES_ITS_TASK:
        return False
    done = frame.intent == "complete_task"
    return done or bool(clause.times or clause.amounts) or has_order_word(clause.text)


def continued(
    frames: Sequence[Frame], open_tasks: Iterable[FrameRecord]
) -> dict[int, tuple[str, AnswerMatch]]:
    """Frames that say an open focus once more, by their number: the task, and what they add to it.

    Somebody who is asked for how long and says 我头痛三天了想挂号 wants no second visit. What contradicts the
    open task is a new one.
    """
    found: dict[int, tuple[str, AnswerMatch]] = {}
    waiting = [task for task in open_tasks if task.focus and task.status == "awaiting_user"]
    for number, frame in enumerate(frames):
        for task in waiting:
            same = (frame.agent_code, frame.intent) == (task.agent_code, task.intent)
            if (
                same
                and frame.slots
                and all(task.slots.get(name, value) == value for name, value in frame.slots.items())
            ):
                added = {name: value for name, value in frame.slots.items() if name not in task.slots}
                found[number] = (task.task_id, AnswerMatch("fills", added))
                break
    return found
