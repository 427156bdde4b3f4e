"""Reply of several tasks as one text, and the outcome of the request."""

from __future__ import annotations

from typing import Final

from ..agents import Outcome, Status
from ..agents.api.registry import BUILT_IN
from ..storage.records import FrameRecord
from .buttons import answers_to
from .instructions import repeats_instructions
from .message_context import MessageContext
from .safety.gate import may_say
from .tasks.dispatching import shown

DONE: Final = "办好了。"
UNSAYABLE: Final = "这个我不方便说，我们换个话题吧。"
_KEPT: Final = "记下了："
"""Common beginning of parts that become one list."""
_NUMBERED: Final = 3
"""Least number of parts that are numbered."""


def composed(job: MessageContext) -> Outcome:
    """The outcome of a job whose work is done. What may not be said is left out."""
    parts = [part if _fit(part) else UNSAYABLE for part in _told_apart(job)]
    parts = list(dict.fromkeys(parts))
    parts.extend(_waiting(job))
    text = _joined(parts)
    if text is None and job.called and _only_done(job):
        text = DONE
    if text is not None and not may_say(text):
        text = UNSAYABLE
    unsaid = text is not None and UNSAYABLE in text
    reasons = [*job.reasons, "回复没有通过安全检查"] if unsaid else job.reasons
    asked = () if text == UNSAYABLE else tuple(job.asked)
    return Outcome(
        text,
        _status(job),
        "；".join(dict.fromkeys(reasons)) or "没有要做的事",
        task_id=_lead(job),
        actions=tuple(job.actions),
        asked=asked,
        pictures=tuple(job.pictures),
        spoken=job.spoken,
        told_by_sign=text in job.signs and not (asked or job.pictures),
        buttons=answers_to([task for one in asked if (task := job.plan.get(one)) is not None]),
    )


def _only_done(job: MessageContext) -> bool:
    """All of it was other plugins' work, is done, and had nothing to say: a member who called is told so."""
    tasks = [task for one in job.touched if (task := job.plan.get(one)) is not None]
    others = bool(tasks) and all(task.agent_code not in BUILT_IN for task in tasks)
    return others and all(task.status == "completed" for task in tasks)


def _told_apart(job: MessageContext) -> list[str]:
    """The parts; among others a question names what it is about, where its words do not: two tasks may ask
    in the same words (请问结束时间是几点？)."""
    if len(job.parts) < 2:
        return job.parts
    asking = [task for one in job.asked if (task := job.plan.get(one)) is not None]
    parts: list[str] = []
    for part in job.parts:
        task = next((task for task in asking if job.told.get(task.task_id) == part), None)
        if task is not None:
            asking.remove(task)
            part = part if _is_about(part, task.text) else f"「{shown(task.text)}」{part}"
        parts.append(part)
    return parts


def _is_about(part: str, text: str) -> bool:
    return any(text[at : at + 2] in part for at in range(len(text) - 1))


def _fit(part: str) -> bool:
    return may_say(part) and not repeats_instructions(part)


def _joined(parts: list[str]) -> str | None:
    if len(parts) >= _NUMBERED and all(part.startswith(_KEPT) and "\n" not in part for part in parts):
        parts = [part.removeprefix(_KEPT) for part in parts]
        listed = "\n".join(f"{number}. {part}" for number, part in enumerate(parts, start=1))
        return f"记下了{len(parts)}条：\n{listed}"
    if len(parts) >= _NUMBERED:
        return "\n".join(f"{number}. {part}" for number, part in enumerate(parts, start=1))
    return "\n".join(parts) or None


def _waiting(job: MessageContext) -> list[str]:
    """Waiting tasks of this message: behind its own focus, or behind an older one."""
    focus = job.plan.focus
    held = [task for task in job.plan.held() if task.task_id in job.mine]
    if focus is None or not held:
        return []
    if focus.task_id in job.mine or focus.task_id in job.asked:
        return [f"{_named(held)}等这件说完再办。"]
    job.asked.append(focus.task_id)
    question = focus.question or ""
    return [f"先把「{shown(focus.text)}」说完，再办{_named(held)}。{question}".strip()]


def _named(held: list[FrameRecord]) -> str:
    return "、".join(f"「{shown(task.text)}」" for task in held[:3]) + (
        f"等 {len(held)} 件" if len(held) > 3 else ""
    )


def _status(job: MessageContext) -> Status:
    tasks = [task for one in job.touched if (task := job.plan.get(one)) is not None]
    if any(task.waits for task in tasks) or job.asked:
        return "awaiting_user"
    if any(task.status == "completed" for task in tasks):
        return "completed"
    return "canceled" if tasks or not job.parts else "completed"


def _lead(job: MessageContext) -> str | None:
    """The task reported to a caller: one that asks, else the first dispatched."""
    return next(iter(job.asked), None) or next(iter(job.touched), None)
