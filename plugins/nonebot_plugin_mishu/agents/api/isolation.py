"""Isolation of agents of other plugins: an error in one of their callbacks costs nobody else anything.

A callback that raises, hangs or returns what it may not is told to the log with the agent's name, and the
line goes on as if the agent had nothing to say. A question whose answers fail twice is given up
(`AgentSpec.gives_up`). An agent that hung or was slow too often is set aside until the next start: its pure
callbacks are asked no more (`guard`). Ours are not wrapped: their errors are ours to see.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, Final, TypeVar, cast

from ...language.clause import Clause
from ...language.match import AnswerMatch, Match
from ...report import Report
from ...storage.records import FrameRecord
from .dispatch import Ask, TaskResult
from .frame import NOTHING_READ, AgentFrame, frame_of
from .guard import Guard
from .spec import AgentSpec, Intent, Slot
from .task_context import TaskContext

T = TypeVar("T")

ERRORS: Final = 2
"""Lines whose reading as an answer may fail before a question is given up."""
_REMEMBERED: Final = 500
"""Questions of which errors are remembered."""
_RELATIONS: Final = frozenset({"fills", "corrects", "confirm", "deny", "cancel"})


class WrongReturn(TypeError):
    """A callback returned a value of the wrong type; the text names the callback and the type."""


class SetAside(RuntimeError):
    """An agent is not called any more, because it blocked the event loop too often."""


class Isolation:
    """One agent's callbacks, each behind a guard. `spec` is the agent as the core sees it."""

    def __init__(self, spec: AgentSpec, report: Report) -> None:
        self._inner = spec
        self._report = report
        self._failed: dict[str, int] = {}
        self._unanswered: OrderedDict[str, set[str]] = OrderedDict()
        self._aside = False
        self._guard = Guard(spec.code, self._hung)
        self.spec = replace(
            spec,
            handler=self._async("handler", spec.handler),
            intents=tuple(self._intent(each) for each in spec.intents),
            rules=self._rules,
            read=self._read,
            answers=self._answers if spec.answers is not None else None,
            replies=self._replies if spec.replies is not None else None,
            overhears=self._overhears if spec.overhears is not None else None,
            listens=self._listens if spec.listens is not None else None,
            slots=tuple(self._slot(each) for each in spec.slots),
            expire=self._expire if spec.expire is not None else None,
            drop=self._async("drop", spec.drop),
            undo=self._undo if spec.undo is not None else None,
            gives_up=self._gives_up,
            isolated=True,
        )

    def _rules(self, clause: Clause) -> Match | None:
        def call() -> Match | None:
            found = cast("object", self._inner.rules(clause))
            if found is None:
                return None
            if not isinstance(found, Match):
                raise WrongReturn(f"rules: {type(found).__name__}")
            if found.intent not in self._inner.intent_names():
                raise WrongReturn("rules: an intent that the agent does not have")
            if not isinstance(cast("object", found.weight), int) or not 1 <= found.weight <= _HEAVIEST:
                raise WrongReturn("rules: a weight that is not 1, 2 or 3")
            if found.clause is not None and not isinstance(cast("object", found.clause), Clause):
                raise WrongReturn(f"rules: clause is {type(found.clause).__name__}")
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
                and all(isinstance(cast("object", name), str) for name in found.slots)
            ):
                raise WrongReturn(f"answers: {type(found).__name__}")
            if found is not None:
                _storable("answers", found.slots)
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

    def _intent(self, intent: Intent) -> Intent:
        return replace(intent, handler=self._async("handler", intent.handler))

    def _async(self, callback: str, function: Callable[..., Awaitable[T]] | None) -> Any:
        """An async callback whose errors are its caller's to tell: the core knows of what task."""
        return None if function is None else self._guard.stepwise(callback, function)

    async def _expire(self, frame: FrameRecord) -> str | None:
        expire = self._async("expire", self._inner.expire)
        return _sentence("expire", await expire(frame))

    async def _undo(self, undo: Any) -> str | None:
        hook = self._async("undo", self._inner.undo)
        return _sentence("undo", await hook(undo))

    def _gives_up(self, task_id: str) -> bool:
        return self._guard.pace.set_aside or len(self._unanswered.get(task_id, ())) >= ERRORS

    def _note(self, task_id: str, line: str) -> None:
        self._unanswered.setdefault(task_id, set()).add(line)
        self._unanswered.move_to_end(task_id)
        while len(self._unanswered) > _REMEMBERED:
            self._unanswered.popitem(last=False)

    def _hung(self, sentence: str) -> None:
        self._report(sentence, SetAside("hangs"))

    def _guarded(
        self, callback: str, call: Callable[[], T], instead: T, failed: Callable[[], None] = lambda: None
    ) -> T:
        if self._guard.pace.set_aside:
            if not self._aside:
                self._aside = True
                pace = self._guard.pace
                self._report(
                    f"智能体 {self._inner.code} 拖住了大家（卡住 {pace.hangs} 次，太慢 {pace.slow} 次），"
                    "到下次启动前不再问它",
                    SetAside("too slow"),
                )
            return instead
        try:
            return self._guard.run(callback, call)
        except Exception as error:  # noqa: BLE001 - an agent of anybody's; the line goes on without it
            failed()
            count = self._failed[callback] = self._failed.get(callback, 0) + 1
            if count == 1 or str(count).strip("0") == "1":
                self._report(f"智能体 {self._inner.code} 的 {callback} 出错（第 {count} 次）", error)
            return instead


_HEAVIEST: Final = 3


def _checked(callback: str, read: Any) -> AgentFrame:
    frame = frame_of(read)
    slots = getattr(frame, "slots", None)
    if not isinstance(slots, Mapping) or not isinstance(getattr(frame, "spans", None), Mapping):
        raise WrongReturn(f"{callback}: {type(read).__name__}")
    names = cast("Mapping[object, object]", slots)
    if not all(isinstance(name, str) for name in names):
        raise WrongReturn(f"{callback}: a slot whose name is no text")
    _storable(callback, names)
    return frame


def _storable(callback: str, values: Mapping[Any, Any]) -> None:
    """Raises `WrongReturn` for values that cannot be kept with a task."""
    try:
        json.dumps(dict(values), ensure_ascii=False, default=str).encode()
    except Exception as error:  # noqa: BLE001 - a value of anybody's: it may raise anything
        raise WrongReturn(f"{callback}: values that cannot be kept ({type(error).__name__})") from None


def _sentence(callback: str, said: object) -> str | None:
    if said is not None and not isinstance(said, str):
        raise WrongReturn(f"{callback}: {type(said).__name__}")
    return said


def checked_result(result: object) -> TaskResult:
    """A handler's result. Raises `WrongReturn` where it is none: anybody's agent may return anything."""
    if not isinstance(result, TaskResult) or result.status not in _ENDS:
        raise WrongReturn(f"handler: {type(result).__name__}")
    for name in ("user_response", "still_asks", "handoff_suggestion"):
        said = cast("object", getattr(result, name))
        if said is not None and not isinstance(said, str):
            raise WrongReturn(f"handler: {name} is {type(said).__name__}")
    slots = cast("object", result.slots_update)
    if not isinstance(slots, Mapping) or not all(
        isinstance(name, str) for name in cast("Mapping[object, object]", slots)
    ):
        raise WrongReturn("handler: slots_update is no mapping of names to values")
    _storable(
        "handler", {**cast("Mapping[Any, Any]", slots), "_said": (result.user_response, result.still_asks)}
    )
    missing = cast("object", result.missing_slots)
    if not isinstance(missing, tuple | list) or not all(
        isinstance(each, str) for each in cast("tuple[object, ...]", missing)
    ):
        raise WrongReturn("handler: missing_slots is no tuple of names")
    if result.ask is not None and not isinstance(cast("object", result.ask), Ask):
        raise WrongReturn(f"handler: ask is {type(result.ask).__name__}")
    return result


def checked_context(context: TaskContext) -> None:
    """Take out of a task's context what its handler may not leave there. Raises `WrongReturn`."""
    if not isinstance(cast("object", context.reason), str):
        raise WrongReturn("handler: context.reason is no text")
    if not all(isinstance(cast("object", each), bytes) for each in context.pictures):
        raise WrongReturn("handler: context.pictures holds what is no picture")
    if context.anew is not None and not isinstance(cast("object", context.anew), str):
        raise WrongReturn("handler: context.anew is no text")
    until = cast("object", context.keep_until)
    if until is not None and not (isinstance(until, int | float) and isfinite(until)):
        raise WrongReturn("handler: context.keep_until is no time")
    for each in context.undoables:
        _storable("handler: undoable", each.token)


_ENDS: Final = frozenset({"completed", "awaiting_user", "canceled"})
