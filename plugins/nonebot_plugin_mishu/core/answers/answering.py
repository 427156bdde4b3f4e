"""Relation of a line to its speaker's open tasks: an answer, a partial answer, or new work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...agents.api.questions import soon_after
from ...language.changes.undoing import asks_what_was_done
from ...language.clause import Clause, Situation
from ...storage.records import SPEAKER, FrameRecord
from ..decision.reading import MessageReading
from ..message_context import MessageContext, quote_of
from ..protocols import Agents, Read
from ..situation import whole
from ..tasks.tasks_of_message import is_of_another, is_question, is_request, is_undoing, stands_alone
from .alignment import CLARIFIES, CancelAll, ConfirmAll, Quote, SureRules, TaskAnswer, align, answer_of
from .approvals import answered_by_another, called_off_by_owner
from .partial_answers import InPart, answered_in_part


def aligned(
    job: MessageContext, agents: Agents, reading: Callable[[], MessageReading]
) -> TaskAnswer | CancelAll | ConfirmAll | None:
    """The open question of the speaker's that a line answers; None for a line that answers none."""
    line = whole(job.said.words, job.situation)

    rules = SureRules(
        is_new_request=lambda: is_request(reading()),
        asks=lambda: is_question(reading(), agents) or asks_what_was_done(line.text, of_late=True),
        undoes=lambda: _takes_back_alone(reading(), line),
        elsewhere=lambda agent: is_of_another(reading(), agent),
        stands_alone=lambda agent: stands_alone(reading(), agent),
    )
    quote, tasks, done = quote_of(job), own_questions(job), job.situation.done
    found = align(
        line,
        quote,
        tasks,
        agents.get,
        rules,
        called=job.called,
        done_at=None if done is None else done.at,
    )
    return found or _beside_own(job, quote, agents, reading)


def own_questions(job: MessageContext) -> tuple[FrameRecord, ...]:
    """The speaker's open tasks, without those whose question another member answers."""
    return tuple(task for task in job.plan.open if task.status != "awaiting_other")


def _beside_own(
    job: MessageContext, quote: Quote | None, agents: Agents, reading: Callable[[], MessageReading]
) -> TaskAnswer | CancelAll | None:
    """Answer to a question put to the speaker by another's order, or cancellation of a question put to
    another."""
    words, where = job.said.words, job.situation
    rules = SureRules(
        is_new_request=lambda: is_request(reading()),
        stands_alone=lambda agent: stands_alone(reading(), agent),
    )
    found = answered_by_another(
        words,
        where,
        quote,
        job.asked_here,
        agents.get,
        rules,
        called=job.called,
        now=job.request.now,
    )
    return found or called_off_by_owner(words, where, quote, job.plan.open, agents.get, called=job.called)


def about_anothers(
    line: Clause, user_id: str, tasks: Iterable[FrameRecord], agents: Agents
) -> TaskAnswer | None:
    """Correction of another member's task that concerns the speaker (别算我, of a shared bill); None for
    no such task, or several."""
    found: list[TaskAnswer] = []
    for task in tasks:
        spec = agents.get(task.agent_code)
        shown = replace(task, slots={**task.slots, SPEAKER: user_id})
        bound = spec.answers(shown, line) if spec is not None and spec.answers is not None else None
        if bound is not None and bound.relation == "corrects":
            found.append(TaskAnswer(task, bound, by_agent=True))
    return found[0] if len(found) == 1 else None


def _takes_back_alone(reading: MessageReading, line: Clause) -> bool:
    """True if the line is 撤销 without a new value (改错了，是17号 has one)."""
    return not line.times and not line.amounts and is_undoing(reading)


def overheard_answer(
    words: str,
    where: Situation,
    tasks: Iterable[FrameRecord],
    agents: Agents,
    reading: Callable[[], MessageReading],
) -> TaskAnswer | CancelAll | ConfirmAll | None:
    """Answer in an unaddressed line, from memory alone."""
    rules = SureRules(
        is_new_request=lambda: is_request(reading()),
        asks=lambda: is_question(reading(), agents),
        undoes=lambda: _takes_back_alone(reading(), whole(words, where)),
        stands_alone=lambda agent: stands_alone(reading(), agent),
    )
    return align(
        whole(words, where),
        None,
        [task for task in tasks if task.status != "awaiting_other"],
        agents.get,
        rules,
        called=False,
    )


def holds_what_is_asked(line: Clause, tasks: Iterable[FrameRecord], agents: Agents) -> bool:
    """True if a time or a sum of the line alone would answer a question just put to its speaker: the line
    may be the answer, in words unknown to the rules."""
    waiting = [
        task
        for task in tasks
        if task.status == "awaiting_user" and CLARIFIES not in task.slots and soon_after(task, line)
    ]
    values = [
        replace(line, text=_cut(line, one.span), times=(one.moved(-one.span[0]),)) for one in line.times
    ]
    values = [replace(one, amounts=()) for one in values] if waiting else []
    values += [
        replace(line, text=_cut(line, (one.start, one.end)), times=(), amounts=(one.moved(-one.start),))
        for one in line.amounts
    ]
    return any(
        (bound := answer_of(agents.get(task.agent_code), task, value)) is not None
        and bound.relation in ("fills", "corrects")
        and not bound.weak
        for task in waiting
        for value in values
    )


def _cut(line: Clause, span: tuple[int, int]) -> str:
    return line.text[span[0] : span[1]]


def in_part(job: MessageContext, agents: Agents, read: Read, *, online: bool) -> InPart | None:
    """The answering piece of a line, with the other request in it; None if no piece answers, or if the
    other request needs a model."""

    def is_work(text: str) -> bool:
        return is_request(read(text, job.situation, agents))

    line = whole(job.said.words, job.situation)
    if _takes_back_alone(read(job.said.words, job.situation, agents), line):
        return None
    words, tasks, called = job.said.words, own_questions(job), job.called

    def alone(text: str, agent: str) -> bool:
        return stands_alone(read(text, job.situation, agents), agent)

    part = answered_in_part(
        words, job.situation, quote_of(job), tasks, agents.get, is_work, called=called, stands_alone=alone
    )
    if part is None or not part.rest or part.both or not online:
        return part
    # Where the rest needs a model, its verdict comes before anything is done.
    return part if read(part.rest, job.situation, agents).sure else None
