"""Questions that are put to another member than the one who ordered (`Ask.of`): an approver's answer. Pure.

Only the members whom the agent named answer them, by local rules and never by a model; whoever ordered may
call the whole off, and gives no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from ...language import decides, ends_in_question, has_own_mood
from ...language.answers.cancellations import cancels, cancels_all
from ...language.clause import Clause, Situation
from ...language.clauses.segments import message
from ...language.match import AnswerMatch
from ...storage.records import ASK, FrameRecord
from ..situation import whole
from .alignment import SHORT, Answering, CancelAll, Quote, SureRules, TaskAnswer, align, answer_of

FRESH: Final = 600.0
"""Seconds in which an unaddressed answer counts."""
_LONGEST: Final = 400
_MOOD: Final = " ,、;。!~"


def answered_by_another(
    words: str,
    where: Situation,
    quote: Quote | None,
    asked: Sequence[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    rules: SureRules,
    *,
    called: bool,
    now: float,
) -> TaskAnswer | None:
    """Answer to a question put to the speaker by another member's order. `now` in wall seconds.

    Of a line that is neither said to us nor quotes the question only plain words count, and not long after:
    嗯 and 不行 are what members say to each other.

    A yes or a no may have a reason behind it (不批，周五要上线): the handler is given the whole line.
    """
    if not asked or len(words) > _LONGEST:
        return None
    line = whole(words, where)

    def aligned(part: Clause, rules: SureRules) -> TaskAnswer | None:
        found = align(part, quote, asked, spec_of, rules, called=called)
        if not isinstance(found, TaskAnswer) or (found.bound.relation == "cancel" and not found.by_agent):
            return None  # 算了 of theirs calls nothing of another's off
        if found.bound.relation == "fills" and not found.bound.slots:
            return None  # a quote, and no word of it is understood
        if called or (quote is not None and quote.ours) or found.bound.relation not in ("confirm", "deny"):
            return found
        return found if now - found.task.updated_at <= FRESH and decides(part.text) else None

    found = aligned(line, rules)
    if found is not None:
        return found
    said, pieces = message(words, where)
    if len(pieces) < 2 or rules.is_new_request():
        return None
    clause, behind = said.clause(pieces[0].start, pieces[0].end), said.text[pieces[1].start :].strip(_MOOD)
    if len(clause.text) > SHORT:
        return None
    found = aligned(clause, SureRules(stands_alone=rules.stands_alone))
    if found is None or found.bound.relation not in ("confirm", "deny"):
        return None
    doubted = has_own_mood(behind) or ends_in_question(said.text)
    return None if found.bound.relation == "confirm" and doubted else found


def called_off_by_owner(
    words: str,
    where: Situation,
    quote: Quote | None,
    tasks: Iterable[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    *,
    called: bool,
) -> TaskAnswer | CancelAll | None:
    """Cancellation, by its owner, of a task that waits for another member's answer: addressed to us, or
    quoting the question. Any other line answers nothing."""
    waiting = [task for task in tasks if task.status == "awaiting_other"]
    ours = quote is not None and quote.ours
    if not waiting or not (called or ours):
        return None
    if quote is not None and quote.ours:
        waiting = [task for task in waiting if quote.message_id in task.question_ids]
    line = whole(words, where)
    if cancels_all(line.text) and not ours:
        return CancelAll()
    for task in sorted(waiting, key=lambda one: (one.updated_at, one.place), reverse=True):
        bound = answer_of(spec_of(task.agent_code), replace(task, slots=_untold(task)), line)
        if bound is not None and bound.relation == "cancel":
            return TaskAnswer(task, bound, by_agent=True)
        if cancels(line.text):
            return TaskAnswer(task, AnswerMatch("cancel"))
    return None


def _untold(task: FrameRecord) -> dict[str, object]:
    """The slots without the answer to the question: only the approvers give it."""
    return {name: value for name, value in task.slots.items() if name != ASK}
