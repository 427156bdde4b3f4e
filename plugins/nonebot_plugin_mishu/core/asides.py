"""What a member said after a grave question and that was no answer to it: a yes behind it counts no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from ..agents.clause import AnswerMatch, Situation
from ..storage.records import FrameRecord
from .protocols import Agents
from .situation import whole

_REMEMBERED: Final = 1000
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

    def note(self, tasks: Iterable[FrameRecord], agents: Agents, where: Situation) -> None:
        """A line answered none of these."""
        for task in tasks:
            if task.status == "awaiting_user" and _is_grave(task, agents, where):
                self._heard[task.task_id] = None
                self._heard.move_to_end(task.task_id)
        while len(self._heard) > _REMEMBERED:
            self._heard.popitem(last=False)

    def comes_between(self, task: FrameRecord, bound: AnswerMatch) -> bool:
        """Whether a yes to a task's question came behind something else."""
        return bound.grave and task.question is not None and task.task_id in self._heard

    def forget(self, task: FrameRecord) -> None:
        """The question is put anew, or is over."""
        self._heard.pop(task.task_id, None)


def _is_grave(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    spec = agents.get(task.agent_code)
    bound = spec.answers(task, whole(_YES, where)) if spec is not None and spec.answers is not None else None
    return bound is not None and bound.grave
