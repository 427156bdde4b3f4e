"""The tools that chat is offered: to look up what is kept here, and to offer an order of the member's.

They write nothing. Whose things are looked at comes from the event: the group's schedules, polls and lines,
the speaker's own tasks and records.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...language.text.fold import normalise
from ...llm import Tool
from ...memory import clean_name, one_line
from ...prompts.quoting import shown_rows
from ...storage import Conversation, Storage
from ...storage.schedules.records import ScheduleRecord
from ...storage.transactions.queries import BookSpan
from ..api.task_context import TaskContext
from ..polls.board import LATELY
from ..polls.wording import state

OFFER: Final = "offer"
MOST: Final = 20
"""Rows that one look-up gives."""
_LONGEST: Final = 100
_DAY: Final = {"type": "string", "description": "YYYY-MM-DD"}
_WORDS: Final = {"type": "string", "description": "名字里的词，可以不给"}


def _tool(name: str, description: str, properties: Mapping[str, Any], *required: str) -> Tool:
    schema = {"type": "object", "properties": dict(properties), "required": list(required)}
    return Tool(name, description, {**schema, "additionalProperties": False})


_SPAN: Final = {"words": _WORDS, "from": _DAY, "to": _DAY}
TOOLS: Final = (
    _tool("find_schedules", "查这个群的日程，谁参加", _SPAN),
    _tool("find_tasks", "查说话人自己没做完的任务和提醒", _SPAN),
    _tool("find_records", "查说话人自己记的账，和谁欠谁", _SPAN),
    _tool("find_polls", "查这个群的投票、报名、统计：到哪了，都有谁，什么时候截止", {"words": _WORDS}),
    _tool("search_record", "在群聊记录和让秘书记住的事里找谁说过什么", {"words": _WORDS}, "words"),
    _tool(
        OFFER,
        "对方像是想办一件事、但没有明说时，问他要不要办。order 是替他写好的一句完整吩咐，"
        "例如「明天下午三点提醒我交表」「周五下午两点302评审 记到群日程」",
        {"order": {"type": "string", "description": "一句完整的吩咐"}},
        "order",
    ),
)


class Lookups:
    """Carries out the tools that look something up."""

    def __init__(
        self,
        storage: Storage,
        zone: ZoneInfo,
        came: Callable[[Conversation, str], Awaitable[float | None]] | None = None,
        owed: Callable[[Conversation, str], Awaitable[list[dict[str, str]]]] | None = None,
    ) -> None:
        """`came` tells since when somebody is in a group: what was said before is not looked up for them.
        `owed` gives what a member owes and is owed there."""
        self._owed = owed
        self._storage = storage
        self._zone = zone
        self._came = came or storage.joins.since

    async def run_lookup(self, name: str, arguments: Mapping[str, Any], context: TaskContext) -> str:
        """Found rows, as JSON for a model. Raises `StorageError`."""
        words = normalise(str(arguments.get("words") or ""))[:_LONGEST].lower()
        first, last = _day(arguments.get("from")), _day(arguments.get("to"))
        match name:
            case "find_schedules":
                rows = await self._find_schedules(context, words, first, last)
            case "find_tasks":
                rows = await self._find_tasks(context, words, first, last)
            case "find_records":
                rows = await self._find_records(context, words, first, last)
            case "find_polls":
                rows = await self._find_polls(context, words)
            case _:
                rows = await self._find_lines(context, words)
        found = shown_rows(rows[:MOST])
        told: dict[str, Any] = {"found": found, "more": len(rows) > len(found)}
        if name == "find_records" and self._owed is not None and context.conversation.is_group:
            told["owed"] = shown_rows(await self._owed(context.conversation, context.actor.user_id))
        return json.dumps(told, ensure_ascii=False)

    async def _find_schedules(
        self, context: TaskContext, words: str, first: date | None, last: date | None
    ) -> list[dict[str, Any]]:
        found = await self._storage.schedules.live(context.conversation)
        return [
            _schedule(each, self._zone)
            for each in found
            if _name_matches(words, f"{each.description} {each.plan.place or ''}")
            and (each.plan.recurrence is not None or _within(each.plan.begins.date(), first, last))
        ]

    async def _find_tasks(
        self, context: TaskContext, words: str, first: date | None, last: date | None
    ) -> list[dict[str, Any]]:
        here = context.conversation if context.conversation.is_group else None
        kept = await self._storage.tasks.of_member(context.actor.user_id, conversation=here, status="pending")
        rows: list[dict[str, Any]] = []
        for each in kept:
            due = _day(each.fields.due_date)
            if _name_matches(words, each.title) and (due is None or _within(due, first, last)):
                row = {"title": each.title, "day": each.fields.due_date, "start": each.fields.start_time}
                if each.fields.remind_at is not None:
                    at = datetime.fromisoformat(each.fields.remind_at).astimezone(self._zone)
                    row["remind"] = f"{at:%Y-%m-%d %H:%M}"
                rows.append({name: value for name, value in row.items() if value})
        return rows

    async def _find_records(
        self, context: TaskContext, words: str, first: date | None, last: date | None
    ) -> list[dict[str, Any]]:
        span = BookSpan(
            context.conversation,
            context.actor.user_id,
            first=first.isoformat() if first is not None else None,
            last=last.isoformat() if last is not None else None,
        )
        kept = await self._storage.transactions.list_records(span, limit=200)
        return [
            {
                "amount": f"{each.fields.fen // 100}.{each.fields.fen % 100:02d}",
                "type": each.fields.type,
                "category": each.fields.category,
                "description": each.fields.description,
                "date": each.fields.day,
            }
            for each in reversed(kept)
            if _name_matches(words, f"{each.fields.description} {each.fields.category}")
        ]

    async def _find_polls(self, context: TaskContext, words: str) -> list[dict[str, Any]]:
        """Polls of the group, the newest first, as they are shown: an anonymous one without names."""
        if not context.conversation.is_group:
            return []
        found = await self._storage.polls.list_polls(
            context.conversation, since=context.request.now - LATELY, limit=MOST
        )
        named = [
            each
            for each in found
            if _name_matches(words, f"{each.fields.question} {' '.join(each.fields.options)}")
        ]
        return [
            {"poll": one_line(state(each, self._zone)), "status": "开着" if each.open else "截止了"}
            for each in sorted(named or found, key=lambda one: one.touched_at, reverse=True)
        ]

    async def _find_lines(self, context: TaskContext, words: str) -> list[dict[str, Any]]:
        said = context.utterance.message
        wanted = words.split()
        if not wanted:
            return []
        facts = [
            {"name": clean_name(each.name), "text": one_line(each.content), "kept": "是"}
            for each in await self._storage.facts.list_facts(context.conversation)
            if _name_matches(" ".join(wanted), each.content)
        ]
        since = await self._came(context.conversation, said.user_id) or 0.0
        found = await self._storage.ledger.containing(
            context.conversation, wanted, user_id=None, since=since, until=said.time, limit=MOST
        )
        return facts + [
            {
                "at": f"{datetime.fromtimestamp(each.time, self._zone):%Y-%m-%d %H:%M}",
                "name": clean_name(each.name),
                "text": one_line(each.text),
            }
            for each in found
            if each.order < said.order
        ]


def _schedule(each: ScheduleRecord, zone: ZoneInfo) -> dict[str, Any]:
    begins = each.plan.begins.astimezone(zone)
    all_day = begins.time() == time(0) and each.plan.segment is not None
    when = f"{begins:%Y-%m-%d}" if all_day else f"{begins:%Y-%m-%d %H:%M}"
    row = {"when": when, "what": each.description, "place": each.plan.place}
    joined: Sequence[str] = [clean_name(one.name) for one in each.joined]
    repeats = "是" if each.plan.recurrence is not None else None
    return {name: value for name, value in {**row, "joined": joined, "repeats": repeats}.items() if value}


def _name_matches(words: str, name: str) -> bool:
    """True if all words, or two characters in a row of one, are in a name; no words match every name."""
    name = normalise(name).lower()
    parts = words.split()
    if all(part in name for part in parts):
        return True
    return any(part[at : at + 2] in name for part in parts for at in range(len(part) - 1))


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None


def _within(day: date, first: date | None, last: date | None) -> bool:
    return (first or date.min) <= day <= (last or date.max - timedelta(days=1))
