"""Lines between a grave question and its yes: the yes no longer counts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from ...agents.api.request import Utterance
from ...language import confirms, ends_in_question, nods
from ...language.clause import Situation
from ...language.lines.marks import asks_for_assent
from ...language.match import AnswerMatch
from ...language.names.referents import names_part
from ...language.text.fold import normalise
from ...storage.records import FrameRecord, LedgerMessage
from ..protocols import Agents
from ..situation import whole
from .alignment import answer_of

_REMEMBERED: Final = 1000
_MOST: Final = 2
"""Most times that one question is put."""
_YES: Final = "确认"
_A_MOMENT: Final = 120.0
"""Seconds in which a bare 确认 answers a question in spite of other work done since."""
_A_SECOND: Final = 1.0
"""Resolution of event times: whole seconds."""
_SAID: Final = "said"
_DONE: Final = "done"
AGAIN: Final = "中间说了别的，再问一次："


class Asides:
    """Grave questions (a yes deletes) behind which their member said something that was not read as an
    answer.

    A yes follows its question: 取消例会 / 要全部删除吗 / 就明天这一次 / 好 deletes no series. In memory: a
    restart between the line and the yes forgets it.
    """

    def __init__(self) -> None:
        self._heard: OrderedDict[str, frozenset[str]] = OrderedDict()
        """By task: lines or work after its question."""
        self._put: OrderedDict[str, int] = OrderedDict()
        """By task: number of times its question was put again after a bare 确认."""

        self._told: OrderedDict[str, None] = OrderedDict()
        """Questions already mentioned beside other work."""

    def note(
        self,
        tasks: Iterable[FrameRecord],
        agents: Agents,
        where: Situation,
        line: str = "",
        *,
        says_more: bool = False,
    ) -> None:
        """Note a line of the member's that answered none of the tasks. A line that names their content, or
        has an unused time or sum (`says_more`), counts for every question; other lines for grave ones
        only."""
        for task in tasks:
            spoken_of = says_more or names_part(line, task.text)
            if task.status == "awaiting_user" and (spoken_of or _is_grave(task, agents, where)):
                self._keep(task)

    def asked_by_another(self, tasks: Iterable[FrameRecord], line: str) -> None:
        """Note another member's question: the next nod may answer that (地方还是奥体吗 / 对的)."""
        for task in tasks:
            if task.status == "awaiting_user" and (
                ends_in_question(normalise(line)) or asks_for_assent(line)
            ):
                self._keep(task)

    def done_since(self, tasks: Iterable[FrameRecord]) -> None:
        """Note other work done for the member: the next 确认 may refer to that."""
        for task in tasks:
            self._keep(task, _DONE)

    def comes_between(self, task: FrameRecord, bound: AnswerMatch, line: str = "", now: float = 0.0) -> bool:
        """True if a yes to the question does not count because of something in between. For a deletion:
        any yes; otherwise a nod, or 确认 after other work once the question is old (`now`, wall seconds).
        The verb of the order (存) still counts."""
        heard = self._heard.get(task.task_id, frozenset())
        old = _DONE in heard and now - task.updated_at > _A_MOMENT
        if task.question is None or not (_SAID in heard or old):
            return False
        consents = bound.relation == "confirm" or bound.consents
        return bound.grave or (consents and (nods(line) or (old and confirms(line))))

    def put_again(self, task: FrameRecord) -> bool:
        """True if a question that a bare 确认 does not answer may be put again: it is put twice at most."""
        times = self._put.get(task.task_id, 0) + 1
        self._put[task.task_id] = times
        self._put.move_to_end(task.task_id)
        while len(self._put) > _REMEMBERED:
            self._put.popitem(last=False)
        return times < _MOST

    def told_once(self, task: FrameRecord) -> bool:
        """True if the question is mentioned for the first time beside other work."""
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
        """Clear the notes of a question that is put anew or over."""
        self._heard.pop(task.task_id, None)


def nods_to_another(task: FrameRecord, said: Utterance, context: Iterable[LedgerMessage]) -> bool:
    """True if an unaddressed line nods to another member's question or proposal, put to the group or the
    speaker since the task's question: 大家下周三吃火锅怎么样 / 好呀 books no card."""
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
    """True if the line addresses the member, or nobody in particular."""
    named = {
        str(part.get("data", {}).get("qq", "")) for part in message.parts if part.get("type") == "at"
    } - {""}
    return not named or user_id in named or "all" in named


def _is_grave(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    spec = agents.get(task.agent_code)
    bound = answer_of(spec, task, whole(_YES, where))
    return bound is not None and bound.grave
