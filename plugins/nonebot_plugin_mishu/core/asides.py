"""What a member said after a grave question and that was no answer to it: a yes behind it counts no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from ..agents.clause import AnswerMatch, Situation
from ..agents.meant import shared
from ..language import ends_in_question, nods
from ..storage.records import FrameRecord
from ..text import normalise
from .protocols import Agents
from .situation import whole

_REMEMBERED: Final = 1000
_NAMES: Final = 2
"""Characters that a line shares with what was ordered, from which on it speaks of that."""
_YES: Final = "确认"
AGAIN: Final = "中间说了别的，再问一次："


class Asides:
    """The grave questions (a yes deletes) behind which their member said something that nobody read as an
    answer.

    A yes follows its question: 取消例会 / 要全部删除吗 / 就明天这一次 / 好 deletes no series. In memory: a
    restart between the line and the yes forgets it.
    """

    def __init__(self) -> None:
        self._heard: OrderedDict[str, None] = OrderedDict()

    def note(self, tasks: Iterable[FrameRecord], agents: Agents, where: Situation, line: str = "") -> None:
        """A line of their member's answered none of these; one that speaks of what is asked about is noted
        of every question, others of the grave ones."""
        for task in tasks:
            spoken_of = names_part(line, task.text)
            if task.status == "awaiting_user" and (spoken_of or _is_grave(task, agents, where)):
                self._keep(task)

    def asked_by_another(self, tasks: Iterable[FrameRecord], line: str) -> None:
        """Somebody else asked something: a nod of their member's may be for them (地方还是奥体吗 / 对的)."""
        for task in tasks:
            if task.status == "awaiting_user" and ends_in_question(normalise(line)):
                self._keep(task)

    def comes_between(self, task: FrameRecord, bound: AnswerMatch, line: str = "") -> bool:
        """Whether a yes to a task's question came behind something else: any where it deletes, else a nod."""
        consents = bound.grave or ((bound.relation == "confirm" or bound.consents) and nods(line))
        return consents and task.question is not None and task.task_id in self._heard

    def _keep(self, task: FrameRecord) -> None:
        self._heard[task.task_id] = None
        self._heard.move_to_end(task.task_id)
        while len(self._heard) > _REMEMBERED:
            self._heard.popitem(last=False)

    def forget(self, task: FrameRecord) -> None:
        """The question is put anew, or is over."""
        self._heard.pop(task.task_id, None)


def names_part(line: str, order: str) -> bool:
    """Whether a line names something of what was ordered."""
    return shared(normalise(line).lower(), normalise(order).lower()) >= _NAMES


def _is_grave(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    spec = agents.get(task.agent_code)
    bound = spec.answers(task, whole(_YES, where)) if spec is not None and spec.answers is not None else None
    return bound is not None and bound.grave
