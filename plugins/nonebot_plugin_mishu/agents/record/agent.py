"""The agent 群记录: what was said, told from the ledger; by a model only in sentences that were checked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import inf, nextafter
from typing import Final
from zoneinfo import ZoneInfo

from ...llm import ModelClient, ModelError
from ...record import Line, Sentence, gather, line_of, plain_form, words_of
from ...record.spans import Span, today
from ...storage.records import Conversation, LedgerMessage
from ..dispatch import TaskDispatch, TaskResult
from ..errand import Errand
from ..spec import AgentSpec, Intent
from .digest import Digests
from .ports import RecordLedger
from .reading import Asked, read
from .rules import rules

CODE: Final = "record"
FEATURE: Final = "群记录"
MOST: Final = 5_000
"""Lines of one telling; of more, the newest."""
BEFORE: Final = 500
"""Lines before the span that tell which words are common in the group."""
FOUND: Final = 10
"""Lines that a search shows."""
LONGEST: Final = 900
"""Characters of a telling with a model's sentences; without one it is `record.LONGEST`."""
SHORT: Final = 20
"""Lines up to which a telling quotes enough without a model."""
_QUOTE: Final = 80
_JUST_NOW: Final = timedelta(minutes=5)
_LATE: Final = timedelta(hours=1)
"""What is told to who spoke just now: they missed nothing since, and mean more."""
_DAY: Final = timedelta(days=1)
_LONGEST_AWAY: Final = timedelta(days=7)
_KEPT: Final = 8.0
"""Seconds of the request's time that stay for the plain form."""
QUIET: Final = "这段时间群里没有人说话。"
NOT_YET: Final = "你说的那段时间还没到。"
NONE: Final = "没有找到。群里的记录只留一段时间，撤回的也不算。"


class RecordAgent:
    """Tells what was said in the conversation it is asked in, and in no other."""

    def __init__(self, ledger: RecordLedger, model: ModelClient, zone: ZoneInfo) -> None:
        self._ledger = ledger
        self._model = model
        self._zone = zone
        self._digests = Digests(model)

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name=FEATURE,
            intents=(
                Intent(
                    "catch_up", "问不在的时候群里说了什么", ("我错过了什么", "刚才聊了啥"), reads_only=True
                ),
                Intent("sum_up", "总结一段时间的群聊", ("总结一下今天", "上午的会说了啥"), reads_only=True),
                Intent(
                    "find", "在群聊记录里找谁说过什么", ("谁说过报销", "找一下关于报销的"), reads_only=True
                ),
            ),
            boundary="只说本群的聊天记录里有的话：回顾、总结、查找。任务、日程、账目归各自的助手。",
            handler=self.handle,
            rules=rules,
            read=read,
            insertable=True,
            feature=FEATURE,
        )

    def forget(self, conversation: Conversation, user_id: str) -> None:
        """A member asked to be forgotten: nothing that was told before is kept."""
        self._digests.forget()

    async def handle(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        """Tell or find. Raises `StorageError` where the ledger cannot be read."""
        unsaid = Asked("find" if errand.intent == "find" else "catch_up")
        wanted = errand.frame if isinstance(errand.frame, Asked) else unsaid
        if wanted.kind == "find":
            text = await self._find(errand, wanted)
        else:
            text = await self._tell(errand, wanted)
        return TaskResult(dispatch.task_id, "completed", user_response=text)

    async def _tell(self, errand: Errand, wanted: Asked) -> str:
        said = errand.utterance.message
        span = await self._span(errand, wanted)
        if span.since is None or span.since >= errand.now:
            return NOT_YET
        here, since = errand.conversation, span.since.timestamp()
        until = _through(said) if span.until >= errand.now else span.until.timestamp()
        heard = await self._ledger.between(here, since, until, MOST)
        lines = self._lines(heard, said)
        if not lines:
            return QUIET
        earlier = await self._ledger.between(here, since - 7 * 86400, since, BEFORE)
        before = words_of(self._lines(earlier, said))
        # Thousands of lines are searched for times: not in the loop's time.
        found = await asyncio.to_thread(gather, lines, errand.actor.user_id, before)
        if not found.lines:
            return QUIET
        sentences = await self._sentences(errand, lines)
        if not sentences:
            errand.reason = errand.reason or "按记录摘录"
            return plain_form(found)
        errand.reason = "模型的话逐句核对过"
        return plain_form(found, sentences, longest=LONGEST)

    async def _sentences(self, errand: Errand, lines: Sequence[Line]) -> list[Sentence]:
        """A model's sentences that hold; none without a model, for a short span, or where it fails."""
        if not self._model.online or len(lines) <= SHORT:
            return []
        deadline = errand.deadline.earlier(max(errand.deadline.remaining() - _KEPT, 0.0))
        try:
            return await self._digests.told(errand.conversation, lines, deadline, errand.calls)
        except ModelError as error:
            errand.reason = f"模型没有答复（{error.label}），按记录摘录"
            return []

    async def _span(self, errand: Errand, wanted: Asked) -> Span:
        """The span that was said; else since the asker's last line here, or today."""
        now = errand.now
        if wanted.span is not None:
            return wanted.span
        if wanted.kind == "sum_up":
            return today(now)
        said = errand.utterance.message
        last = await self._ledger.last_said(errand.conversation, said.user_id, said.time)
        since = now - _DAY if last is None else datetime.fromtimestamp(_behind(last), self._zone)
        if now - since < _JUST_NOW:
            since = now - _LATE
        return Span(max(since, now - _LONGEST_AWAY), now)

    async def _find(self, errand: Errand, wanted: Asked) -> str:
        said = errand.utterance.message
        span = wanted.span
        since = span.since.timestamp() if span is not None and span.since is not None else 0.0
        past = span is not None and span.until < errand.now
        until = span.until.timestamp() if span is not None and past else _through(said)
        words = wanted.what.split()
        if not words and not wanted.who:
            return "要找什么？比如：谁说过报销。"
        found = await self._ledger.containing(
            errand.conversation,
            words,
            user_id=wanted.who or None,
            since=since,
            until=until,
            limit=2 * FOUND,
        )
        lines = [line for line in self._lines(found, said) if _no_question(line, errand)][:FOUND]
        if not lines:
            return NONE
        told = [
            f"· {_day(line.at, errand.now)}{line.at:%H:%M} {line.name}「{_cut(line.text)}」" for line in lines
        ]
        return "\n".join([f"找到 {len(lines)} 条，新的在前：", *told])

    def _lines(self, messages: Sequence[LedgerMessage], said: LedgerMessage) -> list[Line]:
        """What was said before the request; QQ's times are whole seconds, so their order tells."""
        return [line_of(each, self._zone) for each in messages if each.order < said.order]


def _behind(time: float) -> float:
    """A moment behind a line: it is not told itself. Times are kept to the microsecond."""
    return time + 1e-3


def _through(said: LedgerMessage) -> float:
    """The first moment behind the request's second."""
    return nextafter(said.time, inf)


def _no_question(line: Line, errand: Errand) -> bool:
    """Whether a line is more than an earlier question for the same words to us."""
    text = line.text
    for name in errand.request.bot_names:
        text = text.removeprefix(f"@{name}").strip()
    return text != errand.text


def _day(at: datetime, now: datetime) -> str:
    if at.date() == now.date():
        return ""
    year = f"{at.year}年" if at.year != now.year else ""
    return f"{year}{at.month}月{at.day}日 "


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTE else f"{text[: _QUOTE - 1]}…"
