"""Questions about earlier talk, answered by the lines that say so, or by nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.lines.line import RecordLine
from ...language.lines.lookup import AnsweringLine, TalkQuestion, answering, content_words, question_of
from ...language.lines.marks import links
from ...language.lines.record_questions import RecordQuestion
from ...language.lines.shared import SharedQuestion, shares, to_files
from ...record import line_of
from ...storage.records import Conversation, LedgerMessage
from ...storage.schedules.records import ScheduleRecord
from ..api.task_context import TaskContext
from ..schedule.words import plan_time
from .finding import FOUND, cut, day_of, through
from .names import MemberNames
from .ports import Came, RecordLedger

LOOKED_THROUGH: Final = 3_000
"""Newest lines searched."""
_OLDER: Final = 60
"""Older lines with the words, searched besides."""
_PLANS: Final = 3
NOT_SAID: Final = "群里没有说过这个：记录里找不到「{asked}」。"
NOR_SAID: Final = "群里也没有说过。"
NO_FILES: Final = "群里没有人发过{what}。记录只留一段时间，撤回的也不算。"


class LookUp:
    """Answers to questions about the talk. Raises `StorageError`."""

    def __init__(
        self,
        ledger: RecordLedger,
        zone: ZoneInfo,
        came: Came,
        live: Callable[[Conversation], Awaitable[Sequence[ScheduleRecord]]],
        names: MemberNames,
    ) -> None:
        """`live` gives the schedules of a conversation."""
        self._ledger = ledger
        self._zone = zone
        self._came = came
        self._live = live
        self._names = names

    async def answer(self, context: TaskContext, question: TalkQuestion) -> str:
        """Lines that answer, with speaker and time; a "not said" reply if none does."""
        said = await self._said(context, question)
        planned = await self._planned(context, question)
        if not said and not planned:
            return NOT_SAID.format(asked=context.text.strip(" ?？。!！~"))
        told = ["日程里记着：", *planned] if planned else []
        return "\n".join([*told, *(["群里说过：", *said] if said else [])])

    async def beside(self, context: TaskContext) -> str | None:
        """Answer from the talk to a question that no kept thing answers; None if it is no question."""
        question = question_of(context.text, context.clause.times)
        if question is None or not context.conversation.is_group:
            return None
        said = await self._said(context, question)
        return "\n".join(["群里说过：", *said]) if said else NOR_SAID

    async def shared(self, context: TaskContext, wanted: RecordQuestion) -> str:
        """Files or links of the question, the newest first."""
        asked = wanted.shared or SharedQuestion("files")
        lines = await self._talk(context, wanted)
        found = [line for line in lines if shares(line, asked)][::-1]
        name = "链接" if asked.kind == "links" else "文件"
        if not found and (asked.what or asked.ending):
            every = [line for line in lines if shares(line, SharedQuestion(asked.kind))][::-1]
            head = f"没有找到「{asked.what}{asked.ending or name}」。"
            if not every:
                return f"{head}群里没有人发过{name}。"
            return "\n".join([f"{head}群里发过的{name}：", *self._listed(every, asked, context.now)])
        if not found:
            return NO_FILES.format(what=name)
        return "\n".join([f"群里发过的{name}，新的在前：", *self._listed(found, asked, context.now)])

    def _listed(self, lines: Sequence[RecordLine], asked: SharedQuestion, now: datetime) -> list[str]:
        told: dict[str, str] = {}
        for line in lines:
            for each in _things(line, asked):
                told.setdefault(each, f"· {day_of(line.at, now)}{line.at:%H:%M} {line.name} {each}")
        rows = list(told.values())
        return [*rows[:FOUND], *([f"· 还有 {len(rows) - FOUND} 个"] if len(rows) > FOUND else [])]

    async def _said(self, context: TaskContext, question: TalkQuestion) -> list[str]:
        lines = await self._talk(context, None)
        # Thousands of lines are searched for times: not in the loop's time.
        found = await asyncio.to_thread(answering, question, lines)
        if not found and len(lines) >= LOOKED_THROUGH:
            found = answering(question, await self._older(context, question))
        return [_told(each, context.now) for each in found]

    async def _talk(self, context: TaskContext, wanted: RecordQuestion | None) -> list[RecordLine]:
        said = context.utterance.message
        since = await self._came(context.conversation, said.user_id) or 0.0
        until = through(said)
        span = None if wanted is None else wanted.span
        if span is not None and span.since is not None:
            since = max(since, span.since.timestamp())
            until = span.until.timestamp() if span.until < context.now else until
        heard = await self._ledger.between(context.conversation, since, until, LOOKED_THROUGH)
        return await self._names.into(context.conversation, self._read(heard, said))

    async def _older(self, context: TaskContext, question: TalkQuestion) -> list[RecordLine]:
        said = context.utterance.message
        since = await self._came(context.conversation, said.user_id) or 0.0
        words = content_words(question.about)
        heard = await self._ledger.containing(
            context.conversation, words, user_id=None, since=since, until=through(said), limit=_OLDER
        )
        return await self._names.into(context.conversation, self._read(heard[::-1], said))

    def _read(self, heard: Sequence[LedgerMessage], said: LedgerMessage) -> list[RecordLine]:
        return [line_of(each, self._zone) for each in heard if each.order < said.order]

    async def _planned(self, context: TaskContext, question: TalkQuestion) -> list[str]:
        """Coming schedules of that name."""
        words = question.about.split()
        found = [
            each
            for each in await self._live(context.conversation)
            if any(word in each.description for word in words)
        ]
        return [f"· {plan_time(each.plan, context.now)} {_named(each)}" for each in found[:_PLANS]]


def _named(schedule: ScheduleRecord) -> str:
    place = schedule.plan.place
    return f"{schedule.description}，{place}" if place else schedule.description


def _things(line: RecordLine, asked: SharedQuestion) -> Sequence[str]:
    if asked.kind == "links":
        before = cut(line.text)
        return [each if line.text == each else f"「{before}」" for each in links(line)[:1]]
    if line.files:
        return line.files
    return [f"「{cut(line.text)}」"] if to_files(line) else ()


def _told(found: AnsweringLine, now: datetime) -> str:
    line, before = found.line, found.question
    after = f"（{found.assents} 人附和）" if found.assents else ""
    asked = f"{before.name}「{cut(before.text)}」→ " if before is not None else ""
    return f"· {day_of(line.at, now)}{line.at:%H:%M} {asked}{line.name}「{cut(line.text)}」{after}"
