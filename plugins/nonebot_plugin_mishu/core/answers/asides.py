"""What a member said after a grave question and that was no answer to it: a yes behind it counts no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from ...agents.api.request import Utterance
from ...language import confirms, ends_in_question, nods
from ...language.clause import Situation
from ...language.lines.marks import asks_for_assent
from ...language.match import AnswerMatch
from ...language.names.meant import names_part
from ...language.text.fold import normalise
from ...storage.records import FrameRecord, LedgerMessage
from ..protocols import Agents
from ..situation import whole
from .alignment import answer_of

_REMEMBERED: Final = 1000
_MOST: Final = 2
"""Times that a question is put."""
_YES: Final = "确认"
_A_MOMENT: Final = 120.0
"""Seconds in which a question is the one that 确认 is said to, whatever else was done."""
_A_SECOND: Final = 1.0
"""An event's time is told in whole seconds."""
_SAID: Final = "said"
_DONE: Final = "done"
AGAIN: Final = "中间说了别的，再问一次："


class Asides:
    """The grave questions (a yes deletes) behind which their member said something that nobody read as an
    answer.

    A yes follows its question: 取消例会 / 要全部删除吗 / 就明天这一次 / 好 deletes no series. In memory: a
    restart between the line and the yes forgets it.
    """

    def __init__(self) -> None:
        self._heard: OrderedDict[str, frozenset[str]] = OrderedDict()
        """By task: whether something was said or done behind its question."""
        self._put: OrderedDict[str, int] = OrderedDict()
        """By task: how often its question was put again because a bare 确认 does not answer it."""

        self._told: OrderedDict[str, None] = OrderedDict()
        """Questions that were told of beside something else."""

    def note(
        self,
        tasks: Iterable[FrameRecord],
        agents: Agents,
        where: Situation,
        line: str = "",
        *,
        says_more: bool = False,
    ) -> None:
        """A line of their member's answered none of these; one that speaks of what is asked about, or tells a
        time or a sum that nobody took (`says_more`), is noted of every question, others of the grave ones."""
        for task in tasks:
            spoken_of = says_more or names_part(line, task.text)
            if task.status == "awaiting_user" and (spoken_of or _is_grave(task, agents, where)):
                self._keep(task)

    def asked_by_another(self, tasks: Iterable[FrameRecord], line: str) -> None:
        """Somebody else asked something: a nod of their member's may be for them (地方还是奥体吗 / 对的)."""
        for task in tasks:
            if task.status == "awaiting_user" and (
                ends_in_question(normalise(line)) or asks_for_assent(line)
            ):
                self._keep(task)

    def done_since(self, tasks: Iterable[FrameRecord]) -> None:
        """Something else was done for their member: the next 确认 is said of that."""
        for task in tasks:
            self._keep(task, _DONE)

    def comes_between(self, task: FrameRecord, bound: AnswerMatch, line: str = "", now: float = 0.0) -> bool:
        """Whether a yes to a task's question came behind something else: any where it deletes, else a nod,
        and 确认 where something else was done since and the question is no more of this moment (`now`, wall
        seconds). The verb of what was asked (存) is a yes to that."""
        heard = self._heard.get(task.task_id, frozenset())
        old = _DONE in heard and now - task.updated_at > _A_MOMENT
        if task.question is None or not (_SAID in heard or old):
            return False
        consents = bound.relation == "confirm" or bound.consents
        return bound.grave or (consents and (nods(line) or (old and confirms(line))))

    def put_again(self, task: FrameRecord) -> bool:
        """Whether a question that a bare 确认 does not answer is put once more: it is put twice at most."""
        times = self._put.get(task.task_id, 0) + 1
        self._put[task.task_id] = times
        self._put.move_to_end(task.task_id)
        while len(self._put) > _REMEMBERED:
            self._put.popitem(last=False)
        return times < _MOST

    def told_once(self, task: FrameRecord) -> bool:
        """Whether a question is told of for the first time beside something else that was done."""
        first = task.task_id not in self._told
        self._told[task.task_id] = None
        while len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        return first

    def _keep(self, task: FrameRecord, what: str = _SAID) -> None:
        self._heard[task.task_id] = self._heard.get(task.task_id, frozenset()) | {what}
        self._heard.move_to_end(task.task_id)
        while len(self._heard) > _REMEMBERED:
            self._heard.popitem(last=False)

    def forget(self, task: FrameRecord) -> None:
        """The question is put anew, or is over."""
        self._heard.pop(task.task_id, None)


def nods_to_another(task: FrameRecord, said: Utterance, context: Iterable[LedgerMessage]) -> bool:
    """A line that calls nobody is a nod behind another member's question or proposal, put to the group or to
    the speaker since the task's question: 大家下周三吃火锅怎么样 / 好呀 books no card."""
    message = said.message
    if said.quoted is not None or not nods(said.words):
        return False
    since = [
        each
        for each in context
        if each.order < message.order and each.time + _A_SECOND >= task.updated_at and not each.recalled
    ]
    put = max((each.order for each in since if each.message_id in task.question_ids), default=None)
    return any(
        ends_in_question(normalise(each.text)) or asks_for_assent(each.text)
        for each in since
        if not (each.is_bot or each.addressed or each.user_id == said.user_id)
        and (put is None or each.order > put)
        and _reaches(each, said.user_id)
    )


def _reaches(message: LedgerMessage, user_id: str) -> bool:
    """A line is meant for a member: it names nobody else."""
    named = {
        str(part.get("data", {}).get("qq", "")) for part in message.segments if part.get("type") == "at"
    } - {""}
    return not named or user_id in named or "all" in named


def _is_grave(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    spec = agents.get(task.agent_code)
    bound = answer_of(spec, task, whole(_YES, where))
    return bound is not None and bound.grave
