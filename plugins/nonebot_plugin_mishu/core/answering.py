"""How a line stands to what its speaker has open: an answer, one in part, or work of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..language.clause import Clause, Situation
from ..language.undoing import asks_what_was_done
from ..storage.records import FrameRecord
from .alignment import CancelAll, ConfirmAll, TaskAnswer, align
from .answer_in_part import InPart, answered_in_part
from .decision.reading import MessageReading
from .message_context import MessageContext, quote_of
from .protocols import Agents, Read
from .situation import whole
from .tasks_of_message import is_of_another, is_question, is_request, is_undoing


def aligned(
    job: MessageContext, agents: Agents, reading: Callable[[], MessageReading]
) -> TaskAnswer | CancelAll | ConfirmAll | None:
    """Which open question of the speaker's a line answers; None where it stands by itself."""
    line = whole(job.said.words, job.situation)

    def orders() -> bool:
        return is_request(reading())

    def asks() -> bool:
        return is_question(reading(), agents) or asks_what_was_done(line.text, of_late=True)

    def undoes() -> bool:
        return _takes_back_alone(reading(), line)

    quote, tasks, done = quote_of(job), job.plan.open, job.situation.done
    return align(
        line,
        quote,
        tasks,
        agents.get,
        orders,
        called=job.called,
        asks=asks,
        undoes=undoes,
        elsewhere=lambda agent: is_of_another(reading(), agent),
        done_at=None if done is None else done.at,
    )


def _takes_back_alone(reading: MessageReading, line: Clause) -> bool:
    """Whether a line says 撤销 and tells no other value (改错了，是17号 does)."""
    return not line.times and not line.amounts and is_undoing(reading)


def overheard_answer(
    words: str,
    where: Situation,
    tasks: Iterable[FrameRecord],
    agents: Agents,
    reading: Callable[[], MessageReading],
) -> TaskAnswer | CancelAll | ConfirmAll | None:
    """What a line answers that nobody addressed to us, by memory alone."""
    return align(
        whole(words, where),
        None,
        tasks,
        agents.get,
        lambda: is_request(reading()),
        called=False,
        asks=lambda: is_question(reading(), agents),
        undoes=lambda: _takes_back_alone(reading(), whole(words, where)),
    )


def in_part(job: MessageContext, agents: Agents, read: Read, *, online: bool) -> InPart | None:
    """The piece of a line that answers, with what else is asked for in it; None where none does, or where
    what else is asked for needs a model."""

    def is_work(text: str) -> bool:
        return is_request(read(text, job.situation, agents))

    line = whole(job.said.words, job.situation)
    if _takes_back_alone(read(job.said.words, job.situation, agents), line):
        return None
    words, tasks, called = job.said.words, job.plan.open, job.called
    part = answered_in_part(words, job.situation, quote_of(job), tasks, agents.get, is_work, called=called)
    if part is None or not part.rest or part.both or not online:
        return part
    # Where the rest needs a model, its verdict comes before anything is done.
    return part if read(part.rest, job.situation, agents).sure else None
