"""Stored rows of the agents, for a sample to compare."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.transactions.queries import BookSpan

Reader = Callable[[Storage, Conversation, ZoneInfo], Awaitable[list[dict[str, Any]]]]


async def _tasks(storage: Storage, conversation: Conversation, zone: ZoneInfo) -> list[dict[str, Any]]:
    return [task.as_json() for task in await storage.tasks.all_in(conversation)]


async def _schedules(storage: Storage, conversation: Conversation, zone: ZoneInfo) -> list[dict[str, Any]]:
    return [schedule.as_json() for schedule in await storage.schedules.live(conversation)]


async def _transactions(storage: Storage, conversation: Conversation, zone: ZoneInfo) -> list[dict[str, Any]]:
    everything = BookSpan(conversation, None, everything=True)
    rows = sorted(await storage.transactions.list_records(everything), key=lambda record: record.id)
    return [
        {
            "id": record.id,
            "type": record.fields.type,
            "amount": f"{record.fields.fen // 100}.{record.fields.fen % 100:02d}",
            "category": record.fields.category,
            "description": record.fields.description,
            "date": record.fields.day,
            "user": record.user_name,
            "shared": record.fields.shared,
        }
        for record in rows
    ]


READERS: Mapping[str, Reader] = {"tasks": _tasks, "schedules": _schedules, "transactions": _transactions}
