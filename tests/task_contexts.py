"""Contexts and dispatches for tests of handlers: a line of a member as the core would hand it over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import (
    DEFAULT,
    AnswerMatch,
    Asker,
    Clause,
    Judgement,
    Mention,
    Request,
    Situation,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Utterance,
)
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.llm import CallLog, Deadline
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord
from stand_ins import GROUP, line

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=ZONE)
"""A Saturday."""


def clause(text: str, now: datetime = NOW, mentions: Sequence[Mention] = (), **more: Any) -> Clause:
    """A clause as the core makes it."""
    situation = Situation(now, mentions=tuple(mentions), **more)
    return Clause(text, situation, tuple(parse(text, now, ZONE)), tuple(find_amounts(text)))


def request(*said: Utterance, judged: Judgement = DEFAULT, budget: float = 60.0, **changed: Any) -> Request:
    """A turn of these lines, judged already, with `budget` seconds to answer."""
    loop = asyncio.get_running_loop()
    judging: asyncio.Future[Judgement] = loop.create_future()
    judging.set_result(judged)
    messages = tuple(each.message for each in said)
    values: dict[str, Any] = {
        "conversation": messages[0].conversation,
        "utterances": said,
        "context": messages,
        "reply_mode": "forced",
        "persona": None,
        "bot_names": ("小秘",),
        "judgement": judging,
        "now": messages[0].time,
        "deadline": Deadline.after(budget, loop.time),
        "calls": CallLog(),
    }
    return Request(**{**values, **changed})


@dataclass
class Said:
    """Result of a line."""

    result: TaskResult
    context: TaskContext

    @property
    def text(self) -> str:
        return self.result.user_response or ""

    @property
    def status(self) -> str:
        return self.result.status

    @property
    def tools(self) -> list[str]:
        return [action.tool for action in self.context.actions]


def context(
    text: str,
    intent: str = "record",
    *,
    conversation: Conversation = GROUP,
    user: str = "30001",
    name: str = "小明",
    origin: str = "m1#0",
    now: datetime = NOW,
    mentions: Sequence[Mention] = (),
    opened: FrameRecord | None = None,
    budget: float = 60.0,
    spoken: list[str] | None = None,
    delay: float = 0.0,
    **more: Any,
) -> TaskContext:
    """One call of a handler. `spoken` collects waiting lines; saying one takes `delay` seconds."""
    said = line(origin, text, conversation=conversation, user_id=user, name=name)
    utterance = Utterance(said, text, mentions=tuple(mentions))
    turn = request(utterance, now=now.timestamp(), budget=budget)

    async def speak(words: str) -> None:
        if delay:
            await asyncio.sleep(delay)
        if spoken is not None:
            spoken.append(words)

    heard = clause(text, now, mentions, private=not conversation.is_group)
    return TaskContext(
        turn,
        utterance,
        Asker(user, name, **more),
        intent,
        heard,
        origin,
        bound=AnswerMatch("corrects") if opened is not None else None,
        open=opened,
        speak_now=speak,
    )


def dispatch(
    done: TaskContext, slots: Mapping[str, Any] | None = None, code: str = "bookkeeping"
) -> TaskDispatch:
    """Dispatch of a task."""
    task = done.open.task_id if done.open is not None else f"t-{done.origin}"
    return TaskDispatch(
        f"{done.conversation.self_id}:{done.conversation.peer}", task, code, 4, None, slots or {}, "", task
    )


def frame(done: TaskContext, result: TaskResult, code: str = "bookkeeping") -> FrameRecord:
    """Frame kept in M3 of a result: through JSON, as the database does."""
    before = done.open.slots if done.open is not None else {}
    slots = json.loads(json.dumps({**before, **result.slots_update}))
    return FrameRecord(
        result.task_id,
        done.conversation,
        done.actor.user_id,
        code,
        done.intent,
        done.text,
        result.status,
        4,
        False,
        done.origin,
        done.utterance.message.message_id,
        0,
        slots=slots,
        question=result.user_response,
        expires_at=done.keep_until,
    )
