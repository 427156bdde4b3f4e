"""Isolation of agents of other plugins: an error in one of their callbacks costs nobody else anything.

A callback that raises, or returns what it may not, is told to the log with the agent's name, and the line
goes on as if the agent had nothing to say. A question whose answers fail twice is given up
(`AgentSpec.gives_up`). Ours are not wrapped: their errors are ours to see.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from ..language.clause import Clause
from ..language.match import AnswerMatch, Match
from ..storage.records import FrameRecord
from .frame import NOTHING_READ, AgentFrame, frame_of
from .spec import AgentSpec, Slot

Report = Callable[[str, BaseException], None]
T = TypeVar("T")

ERRORS: Final = 2
"""Lines whose reading as an answer may fail before a question is given up."""
_REMEMBERED: Final = 500
"""Questions of which errors are remembered."""
_RELATIONS: Final = frozenset({"fills", "corrects", "confirm", "deny", "cancel"})


class WrongReturn(TypeError):
    """A callback returned what it may not; the text names the callback and the type."""


class Isolation:
    """One agent's callbacks, each behind a guard. `spec` is the agent as the core sees it."""

    def __init__(self, spec: AgentSpec, report: Report) -> None:
        self._inner = spec
        self._report = report
        self._failed: dict[str, int] = {}
        self._unanswered: OrderedDict[str, set[str]] = OrderedDict()
        self.spec = replace(
            spec,
            rules=self._rules,
            read=self._read,
            answers=self._answers if spec.answers is not None else None,
            replies=self._replies if spec.replies is not None else None,
            overhears=self._overhears if spec.overhears is not None else None,
            listens=self._listens if spec.listens is not None else None,
            slots=tuple(self._slot(each) for each in spec.slots),
            gives_up=self._gives_up,
        )

    def _rules(self, clause: Clause) -> Match | None:
        def call() -> Match | None:
            found = cast("object", self._inner.rules(clause))
            if found is not None and not isinstance(found, Match):
                raise WrongReturn(f"rules: {type(found).__name__}")
            if found is not None and found.intent not in self._inner.intent_names():
                raise WrongReturn("rules: an intent that the agent does not have")
            return found

        return self._guarded("rules", call, None)

    def _read(self, intent: str, clause: Clause) -> AgentFrame:
        return self._guarded("read", lambda: _checked("read", self._inner.read(intent, clause)), NOTHING_READ)

    def _replies(self, frame: FrameRecord, clause: Clause) -> AgentFrame:
        replies = self._inner.replies
        assert replies is not None
        return self._guarded("replies", lambda: _checked("replies", replies(frame, clause)), NOTHING_READ)

    def _answers(self, frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
        answers = self._inner.answers
        assert answers is not None

        def call() -> AnswerMatch | None:
            found = cast("object", answers(frame, clause))
            if found is not None and not (
                isinstance(found, AnswerMatch)
                and found.relation in _RELATIONS
                and isinstance(cast("object", found.slots), Mapping)
            ):
                raise WrongReturn(f"answers: {type(found).__name__}")
            return found

        return self._guarded("answers", call, None, failed=lambda: self._note(frame.task_id, clause.text))

    def _overhears(self, clause: Clause) -> bool:
        overhears = self._inner.overhears
        assert overhears is not None
        return self._guarded("overhears", lambda: bool(overhears(clause)), False)

    def _listens(self, line: str) -> bool:
        listens = self._inner.listens
        assert listens is not None
        return self._guarded("listens", lambda: bool(listens(line)), False)

    def _slot(self, slot: Slot) -> Slot:
        inner = slot.read
        if inner is None:
            return slot

        def read(clause: Clause) -> Any | None:
            return self._guarded(f"{slot.name}.read", lambda: inner(clause), None)

        return replace(slot, read=read)

    def _gives_up(self, task_id: str) -> bool:
        return len(self._unanswered.get(task_id, ())) >= ERRORS

    def _note(self, task_id: str, line: str) -> None:
        self._unanswered.setdefault(task_id, set()).add(line)
        self._unanswered.move_to_end(task_id)
        while len(self._unanswered) > _REMEMBERED:
            self._unanswered.popitem(last=False)

    def _guarded(
        self, callback: str, call: Callable[[], T], instead: T, failed: Callable[[], None] = lambda: None
    ) -> T:
        try:
            return call()
        except Exception as error:  # noqa: BLE001 - an agent of anybody's; the line goes on without it
            failed()
            count = self._failed[callback] = self._failed.get(callback, 0) + 1
            if count == 1 or str(count).strip("0") == "1":
                self._report(f"智能体 {self._inner.code} 的 {callback} 出错（第 {count} 次）", error)
            return instead


def _checked(callback: str, read: Any) -> AgentFrame:
    frame = frame_of(read)
    slots = getattr(frame, "slots", None)
    if not isinstance(slots, Mapping) or not isinstance(getattr(frame, "spans", None), Mapping):
        raise WrongReturn(f"{callback}: {type(read).__name__}")
    return frame
