"""Search in the group's lines: by words, by speaker, by mentioned member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from math import inf, nextafter
from typing import Final
from zoneinfo import ZoneInfo

from ...language.lines import facts
from ...language.lines.line import RecordLine
from ...language.lines.lookup import content_words
from ...language.lines.marks import asks
from ...language.lines.record_questions import RecordQuestion
from ...language.lines.spans import RecordSpan
from ...record import called, line_of
from ...storage.records import LedgerMessage
from ..api.task_context import TaskContext
from .names import MemberNames
from .ports import Came, RecordLedger

FOUND: Final = 10
"""Most lines shown by a search."""
NONE: Final = "没找到，群里的记录只留一段时间，撤回的也不算。"
NOBODY: Final = "这段时间没有人@你，也没有人回你的话。"
_OWN: Final = 3
"""Most lines shown of the asker's own."""
_QUOTE: Final = 80
_LOOKED_THROUGH: Final = 2_000
"""Newest lines of a span searched for mentions."""


class Finder:
    """Line search. Raises `StorageError`."""

    def __init__(self, ledger: RecordLedger, zone: ZoneInfo, came: Came, names: MemberNames) -> None:
        self._names = names
        self._ledger = ledger
        self._zone = zone
        self._came = came

    async def find(self, context: TaskContext, wanted: RecordQuestion) -> str:
        """Newest lines with all the words, of the wanted speaker."""
        if wanted.own:
            return await self._own(context, wanted)
        words = wanted.what.split()
        if not words and not wanted.who:
            return "比如「谁说过报销」，要找什么？"
        since, until = await self._bounds(context, wanted.span)
        found = await self._ledger.containing(
            context.conversation, words, user_id=wanted.who or None, since=since, until=until, limit=4 * FOUND
        )
        lines = await self._read(context, found)
        # What was said to us asks for the words more often than it tells of them.
        talk = [line for line in lines if not line.to_us]
        told = talk or [line for line in lines if _tells(line, context, wanted.what)]
        looser = () if told else content_words(wanted.what)
        if looser and looser != tuple(words):
            return await self.find(context, replace(wanted, what=" ".join(looser)))
        return shown(told[:FOUND], context.now) if told else NONE

    async def _own(self, context: TaskContext, wanted: RecordQuestion) -> str:
        """Newest lines of the asker with one of some words, without questions."""
        for word in wanted.own:
            who = context.actor.user_id
            since, until = await self._bounds(context, wanted.span)
            found = await self._ledger.containing(
                context.conversation, [word], user_id=who, since=since, until=until, limit=4 * FOUND
            )
            lines = [line for line in await self._read(context, found) if _tells(line, context, word)]
            if lines:
                return shown(lines[:_OWN], context.now)
        return NONE

    async def calling(self, context: TaskContext, span: RecordSpan) -> str:
        """Newest lines of others that @ or quote the asker."""
        since, until = await self._bounds(context, span)
        heard = await self._ledger.between(context.conversation, since, until, _LOOKED_THROUGH)
        before = await self._read(context, heard)
        me = context.actor.user_id
        lines = called(before, {context.actor.name: me})
        own = {line.id for line in lines if line.user_id == me}
        found = [
            line
            for line in lines
            if line.user_id != me
            and not (line.bot or line.to_us)
            and (me in line.mentions or line.reply_to in own)
        ]
        return shown(found[::-1][:FOUND], context.now) if found else NOBODY

    async def _read(self, context: TaskContext, heard: Sequence[LedgerMessage]) -> list[RecordLine]:
        said = context.utterance.message
        lines = [line_of(each, self._zone) for each in heard if each.order < said.order]
        return await self._names.into(context.conversation, lines)

    async def _bounds(self, context: TaskContext, span: RecordSpan | None) -> tuple[float, float]:
        said = context.utterance.message
        since = span.since.timestamp() if span is not None and span.since is not None else 0.0
        since = max(since, await self._came(context.conversation, said.user_id) or 0.0)
        past = span is not None and span.until < context.now
        return since, span.until.timestamp() if span is not None and past else through(said)


def shown(lines: Sequence[RecordLine], now: datetime) -> str:
    """Lines verbatim, with speaker and time."""
    told = [f"· {day_of(line.at, now)}{line.at:%H:%M} {line.name}「{cut(line.text)}」" for line in lines]
    return "\n".join([f"找到 {len(lines)} 条，新的在前：", *told])


def through(said: LedgerMessage) -> float:
    """First moment after a message's time."""
    return nextafter(said.time, inf)


def cut(text: str) -> str:
    """Line cut to the quoted length."""
    return text if len(text) <= _QUOTE else f"{text[: _QUOTE - 1]}…"


def _tells(line: RecordLine, context: TaskContext, what: str) -> bool:
    """True if a line to us is more than the same question, another question, or an order to forget."""
    text = line.text
    for name in context.request.bot_names:
        text = text.removeprefix(f"@{name}").strip()
    return text not in (context.text, what) and not asks(line) and facts.forgotten(text) is None


def day_of(at: datetime, now: datetime) -> str:
    """Date of a line; empty for today."""
    if at.date() == now.date():
        return ""
    year = f"{at.year}年" if at.year != now.year else ""
    return f"{year}{at.month}月{at.day}日 "
