"""Alignment of a line with its speaker's open questions (product section 3).

Pure and fast: the front desk asks it for every line of a member who has a question open. A quote of our
question by its owner always binds; otherwise the newest question that the line answers. Another member's
tasks are never looked at: the caller hands in the speaker's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from ...agents.api.frame import refs_of
from ...agents.api.questions import told_answer
from ...language import Question, agrees_to_all, agrees_to_delete, answer, confirms_all, laughs
from ...language.answers.beside_answers import is_banter
from ...language.answers.cancellations import cancels, cancels_all
from ...language.answers.slot_values import is_value_alone
from ...language.changes.corrections import corrects_time, only_times
from ...language.changes.undoing import refused_deed
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...language.mood import stops_reminder
from ...language.polls.voices import takes_back
from ...language.text.fold import normalise
from ...language.timing.stored_length import says_only_a_length
from ...storage.records import FrameRecord

CLARIFIES: Final = "_clarify"
"""Slot name of a clarifying question of the core's: the words it asks about."""
SHORT: Final = 30
"""Longest line (characters) that may answer a question though no local rule reads it."""


class Answering(Protocol):
    """Fields of an agent's spec that alignment uses."""

    @property
    def overhears(self) -> Callable[[Clause], bool] | None:
        """True if an unaddressed line is worth a question of the agent's."""
        ...

    @property
    def answers(self) -> Callable[[FrameRecord, Clause], AnswerMatch | None] | None:
        """Relation of a line to an open question of the agent's."""
        ...

    @property
    def isolated(self) -> bool:
        """True if the agent is another plugin's."""
        ...

    def slots_of(self, intent: str) -> Sequence[Any]:
        """Slots of an intent, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Quote:
    """Quoted message of a line."""

    message_id: str
    text: str
    ours: bool


def _no() -> bool:
    return False


def _of_no_agent(agent: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class SureRules:
    """What the rules are sure to see in a line. Each is asked only where it matters: it reads the line."""

    is_new_request: Callable[[], bool] = _no
    """Work: the line answers a question only where it is nothing but the value that was asked for."""
    asks: Callable[[], bool] = _no
    """Nothing but questions of ours to answer (本周日程): those answer nothing."""
    undoes: Callable[[], bool] = _no
    """Nothing but 撤销, said of the last thing done: it calls the newest question off only where nothing was
    done since that was asked."""
    elsewhere: Callable[[str], bool] = _of_no_agent
    """An order about something kept, to an agent other than the one named: a card does not swallow it."""
    stands_alone: Callable[[str], bool] = _of_no_agent
    """An order by itself, as the agent named sees it: what another plugin's `answers` reads in it counts only
    where it calls the task off."""


UNSURE: Final = SureRules()
"""The rules are sure of nothing."""


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """Answer to a task's question. `by_agent`: the agent's own rules read it, and its handler is called
    also for a cancellation."""

    task: FrameRecord
    bound: AnswerMatch
    by_agent: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmAll:
    """Confirmation of all the speaker's questions that wait for a yes."""


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Cancellation of all the speaker's open tasks."""


def answer_of(spec: Answering | None, task: FrameRecord, line: Clause) -> AnswerMatch | None:
    """Relation of a line to a task's question: by the generic answers first, then by the agent's
    `answers`."""
    told = told_answer(task, line)
    if told is not None or spec is None or spec.answers is None:
        return told
    return spec.answers(task, line)


def align(
    line: Clause,
    quote: Quote | None,
    tasks: Iterable[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    rules: SureRules = UNSURE,
    *,
    called: bool = True,
    done_at: float | None = None,
) -> TaskAnswer | CancelAll | ConfirmAll | None:
    """The task that a line answers, and how; None for a line that answers none.

    Args:
        tasks: those whose questions are the speaker's to answer.
        rules: what the rules are sure to see in the line.
        called: it was said to us by name; then also a line of which no rule sees how may say what was meant.
        done_at: wall seconds of the last thing done.
    """
    waiting = _newest_first(tasks)
    if not waiting:
        return None
    if not called and line.situation.addressed:
        line = replace(line, situation=replace(line.situation, addressed=False))
    quoted = quote is not None and quote.ours
    if not quoted and rules.asks():
        return _asked_of(line, waiting, spec_of)
    if not called and not quoted and laughs(line.text) and answer(line.text, Question()).kind == "yes":
        return None  # 哈哈好, said to whoever joked
    if quote is not None and quote.ours:
        waiting = _asked_in(quote, waiting)
        if not waiting:
            return None  # about something else we said
    elif rules.undoes():
        return _undoing(line, waiting[0], spec_of, done_at)
    elif cancels_all(line.text):
        if rules.is_new_request() and _deletes(waiting, line, spec_of):
            return None  # beside 要删除…吗, 全部取消 is of what is kept
        return CancelAll()
    elif _confirms_all(line, waiting, spec_of):
        return ConfirmAll()
    elif _refuses_deed(line, waiting[0], spec_of, done_at):
        return TaskAnswer(waiting[0], AnswerMatch("cancel"))
    if len(waiting) > 1 and not quoted and agrees_to_delete(line.text):
        waiting = _deleting_first(waiting, line, spec_of)
    foreign = quote is not None and not quote.ours and not _is_plain(line.text)
    perhaps: TaskAnswer | None = None
    for task in waiting:
        spec = spec_of(task.agent_code)
        if spec is None:
            continue
        found = (
            _made_clear(line, task, rules, called=called or quoted)
            if CLARIFIES in task.slots
            else _read(line, task, spec, rules, quoted=quoted)
        )
        if found is not None and not quoted and _is_of_another_going(line, task, found):
            continue
        card = found is not None and found.by_agent and found.bound.relation == "corrects"
        plain = found is not None and (found.bound.grave or found.bound.consents)
        if card and not (quoted or plain or cancels(line.text)) and rules.elsewhere(task.agent_code):
            continue  # 取消 alone is of the card, whatever was shown before it
        since = done_at is not None and done_at > task.updated_at
        if card and not quoted and since and stops_reminder(line.text):
            continue  # 别提醒了, when a reminder was made since
        if (
            found is not None
            and not quoted
            and _TITLE in found.bound.slots
            and rules.elsewhere(task.agent_code)
        ):
            continue  # 把例会取消掉, to 要做什么事？
        if found is not None and not quoted and _is_of_what_was_done(line, task, found, done_at):
            continue
        if found is not None and not (called or quoted) and _is_stale(line, found, spec_of):
            continue
        listens = spec.overhears is not None
        if found is not None and listens and not (called or quoted) and _is_among_members(line, found):
            continue
        if found is not None and foreign and found.bound.relation in ("confirm", "corrects"):
            continue  # 记一下, of what somebody else said
        if found is not None and not found.bound.weak:
            return found
        perhaps = perhaps or found
    if perhaps is None and quoted:
        return _as_said(line, waiting, spec_of)
    return perhaps


def _is_of_another_going(line: Clause, task: FrameRecord, found: TaskAnswer) -> bool:
    """True for 我不去了 beside a question that is about no going (提醒我交表): it is of something else."""
    goes = task.agent_code not in _NO_GOING or any(each in task.text for each in _GOING)
    return not goes and found.bound.relation in ("cancel", "deny") and takes_back(line.text)


_NO_GOING: Final = ("tasks", "bookkeeping")
_GOING: Final = ("去", "来", "参加", "报名")
_TITLE: Final = "title"
_STALE: Final = 180.0
"""Seconds after which a yes or no that is said to nobody answers cards only: a group has gone on by then."""


def _is_stale(line: Clause, found: TaskAnswer, spec_of: Callable[[str], Answering | None]) -> bool:
    """True if the line answers an old question by what may as well be said of something else by then.

    A yes that deletes (删掉), a no or a cancellation (不要), another title (改成三支), a yes where more
    is asked for (要完成哪个？). A card of sums is cancelled late as it is confirmed late.
    """
    task, bound = found.task, found.bound
    if line.situation.private or line.situation.now.timestamp() - task.updated_at <= _STALE:
        return False
    said = answer(line.text, Question("make"))
    if bound.grave or bound.relation in ("deny", "cancel"):
        return True
    if bound.relation == "corrects" and _TITLE in bound.slots and not (line.times or bound.consents):
        return True
    plain = bound.relation == "confirm" or said.kind == "yes" or said.refuses
    return plain and not _consents(task, replace(line, text=_YES, times=(), amounts=()), spec_of)


def _asked_of(
    line: Clause, waiting: Iterable[FrameRecord], spec_of: Callable[[str], Answering | None]
) -> TaskAnswer | None:
    """Question about the content of an open question (每人多少, beside a card); None for others."""
    for task in waiting:
        spec = spec_of(task.agent_code)
        bound = answer_of(spec, task, line) if spec is not None and CLARIFIES not in task.slots else None
        if bound is not None and bound.asks:
            return TaskAnswer(task, bound, by_agent=True)
    return None


def _deleting_first(
    waiting: Sequence[FrameRecord], line: Clause, spec_of: Callable[[str], Answering | None]
) -> list[FrameRecord]:
    """是 删, beside a card and a question about a deletion: it answers the deletion."""
    grave = [task for task in waiting if _deletes([task], line, spec_of)]
    return [*grave, *(task for task in waiting if task not in grave)]


def _deletes(
    waiting: Iterable[FrameRecord], line: Clause, spec_of: Callable[[str], Answering | None]
) -> bool:
    """True if a yes to any of the questions deletes something."""
    yes = replace(line, text=_YES, times=(), amounts=())
    for task in waiting:
        spec = spec_of(task.agent_code)
        bound = answer_of(spec, task, yes)
        if bound is not None and bound.grave:
            return True
    return False


_YES: Final = "确认"


def _undoing(
    line: Clause,
    newest: FrameRecord,
    spec_of: Callable[[str], Answering | None],
    done_at: float | None,
) -> TaskAnswer | None:
    """撤销 with a question open: it cancels the question only if nothing was done since the question was
    asked."""
    if done_at is not None and done_at > newest.updated_at:
        return None
    spec = spec_of(newest.agent_code)
    bound = answer_of(spec, newest, line)
    if bound is None or bound.relation not in ("cancel", "deny", "corrects"):
        return TaskAnswer(newest, AnswerMatch("cancel"))
    return TaskAnswer(newest, bound, by_agent=True)


def _is_of_what_was_done(line: Clause, task: FrameRecord, found: TaskAnswer, done_at: float | None) -> bool:
    """True if the line is only a time and another thing was made or changed since the question
    (从下下周开始哈)."""
    last = line.situation.last
    if done_at is None or done_at <= task.updated_at or last is None or not last.id:
        return False
    value = found.bound.relation in ("fills", "corrects") and not found.bound.consents
    return value and last.id not in refs_of(task.slots) and only_times(line.text, line.times)


def _is_among_members(line: Clause, found: TaskAnswer) -> bool:
    """True if an unaddressed line has a time and more words than an answer needs (那就八点半吧, 周五吧
    群里说过, 周日我可以): talk among members."""
    if CLARIFIES in found.task.slots or found.bound.whole:
        return False
    value = found.bound.relation in ("fills", "corrects") and not (found.bound.consents or found.bound.grave)
    if not value or not line.times or line.amounts or only_times(line.text, line.times):
        return False
    return not corrects_time(line.text) and not says_only_a_length(line)  # 五点结束, beside its card


def _refuses_deed(
    line: Clause,
    newest: FrameRecord,
    spec_of: Callable[[str], Answering | None],
    done_at: float | None,
) -> bool:
    """True if the line refuses the action of the newest card (不借 取消掉). Cards of several items resolve
    it themselves."""
    deed = refused_deed(line.text)
    old = done_at is not None and done_at > newest.updated_at
    several = _SECOND in (newest.question or "")
    return bool(deed) and deed in newest.text and not (old or several or _deletes([newest], line, spec_of))


_SECOND: Final = "\n2. "


def _confirms_all(
    line: Clause, waiting: Sequence[FrameRecord], spec_of: Callable[[str], Answering | None]
) -> bool:
    """True for 全部确认, if several questions wait for a yes and the newest is one of them; for 都对 where
    all of them stood in one reply."""
    if not any(agrees_to_all(line.text, count) for count in range(2, len(waiting) + 1)):
        return False
    yes = replace(line, text=_YES, times=(), amounts=())
    asking = [task for task in waiting if _consents(task, yes, spec_of)]
    if len(asking) < 2 or asking[0] is not waiting[0]:
        return False
    together = len({task.message_id for task in asking}) == 1
    return confirms_all(line.text, len(asking)) or (together and agrees_to_all(line.text, len(asking)))


def _consents(task: FrameRecord, yes: Clause, spec_of: Callable[[str], Answering | None]) -> bool:
    """True if a plain yes answers the task's question."""
    spec = spec_of(task.agent_code)
    bound = answer_of(spec, task, yes) if CLARIFIES not in task.slots else None
    return bound is not None and (bound.relation == "confirm" or bound.consents or bound.grave)


def _is_plain(text: str) -> bool:
    """True if a line that quotes another member is only a yes or a no, and so an answer to us."""
    said = answer(text, Question("delete"))
    return said.kind == "yes" or said.refuses


def may_answer(line: str, is_new_request: Callable[[], bool]) -> bool:
    """True if the line may answer a question though no local rule binds it: short, and no new request."""
    return 0 < len(line.strip()) < SHORT and not is_new_request()


def _newest_first(tasks: Iterable[FrameRecord]) -> list[FrameRecord]:
    waiting = [task for task in tasks if task.waits]
    waiting.reverse()  # of two of one moment the later one
    return sorted(waiting, key=lambda task: (task.updated_at, task.created_at, task.place), reverse=True)


def _asked_in(quote: Quote, waiting: list[FrameRecord]) -> list[FrameRecord]:
    """The tasks whose question a quoted message of ours holds: by message id, else by text.

    Questions of several tasks may have the same words (请问结束时间是几点？), so the number goes first.
    """
    known = [task for task in waiting if quote.message_id in task.question_ids]
    said = normalise(quote.text)
    return known or [task for task in waiting if task.question and normalise(task.question) in said]


def _read(
    line: Clause,
    task: FrameRecord,
    spec: Answering,
    rules: SureRules,
    *,
    quoted: bool,
) -> TaskAnswer | None:
    told = told_answer(task, line)
    if told is not None:
        return TaskAnswer(task, told, by_agent=True)
    if spec.answers is not None:
        bound = spec.answers(task, line)
        if bound is not None and spec.isolated and bound.relation != "cancel" and not quoted:
            bound = (
                None if rules.stands_alone(task.agent_code) else bound
            )  # 再订一间 B2, while it is asked which
        if bound is not None and spec.isolated and bound.relation != "cancel" and cancels(line.text):
            return TaskAnswer(task, AnswerMatch("cancel"))  # 算了 is no value, whatever its agent reads in it
        yields = bound is not None and bound.weak and not quoted and rules.is_new_request()
        if bound is not None and not yields:
            return TaskAnswer(task, bound, by_agent=True)
        if yields and not cancels(line.text):
            return None  # 午饭花了25, to 要做什么事？
    if cancels(line.text):
        return TaskAnswer(task, AnswerMatch("cancel"))
    given = _filled(line, task, spec)
    if given and (
        quoted or not rules.is_new_request() or any(is_value_alone(line, value) for value in given.values())
    ):
        return TaskAnswer(task, AnswerMatch("fills", given))
    return None


def _made_clear(line: Clause, task: FrameRecord, rules: SureRules, *, called: bool) -> TaskAnswer | None:
    """Answer to a clarifying question, or its cancellation; None for unaddressed talk and new requests."""
    if cancels(line.text):
        return TaskAnswer(task, AnswerMatch("cancel"))
    meant = may_answer(line.text, rules.is_new_request) and (called or not is_banter(line.text))
    return TaskAnswer(task, AnswerMatch("fills", weak=True)) if meant else None


def _as_said(
    line: Clause, waiting: Iterable[FrameRecord], spec_of: Callable[[str], Answering | None]
) -> TaskAnswer | None:
    """Answer to a quoted question that no rule reads: the line's words for a free-text slot, else no
    value."""
    for task in waiting:
        spec = spec_of(task.agent_code)
        if spec is not None:
            given = {} if CLARIFIES in task.slots else _as_words(line, task, spec)
            return TaskAnswer(task, AnswerMatch("fills", given))
    return None


def _filled(line: Clause, task: FrameRecord, spec: Answering) -> dict[str, Any]:
    """The values of missing slots that their readers find in the line."""
    readers = {slot.name: slot.read for slot in spec.slots_of(task.intent) if slot.read is not None}
    found = {name: readers[name](line) for name in task.missing_slots if name in readers}
    return {name: value for name, value in found.items() if value is not None}


def _as_words(line: Clause, task: FrameRecord, spec: Answering) -> dict[str, Any]:
    """The line's words as the first missing free-text slot; empty if no such slot is missing."""
    free = {slot.name for slot in spec.slots_of(task.intent) if slot.read is None}
    asked = next((name for name in task.missing_slots if name in free), None)
    return {} if asked is None else {asked: line.text}
