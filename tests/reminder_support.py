"""Builders and outside views that the tests of reminders share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nonebot_plugin_mishu.storage import Conversation, Storage
from nonebot_plugin_mishu.storage.reminders.queries import NewReminder, put
from nonebot_plugin_mishu.storage.reminders.tables import reminder as table
from sqlalchemy import select

GROUP = Conversation("10000", "group", "20000")


def reminder(**changed: Any) -> NewReminder:
    values: dict[str, Any] = {
        "conversation": GROUP,
        "agent_code": "tasks",
        "item_id": 1,
        "user_ids": ["1"],
        "text": "提醒：交周报",
        "due_at": 1000.0,
        "wall": "1970-01-01 08:16",
        "zone": "Asia/Shanghai",
    }
    return NewReminder(**{**values, **changed})


async def keep(storage: Storage, *reminders: NewReminder) -> list[int]:
    """Put reminders; their ids."""

    ids: list[int] = []
    for start in range(0, len(reminders), 200):

        async def work(connection: Any, part: Sequence[NewReminder] = reminders[start : start + 200]) -> None:
            ids.extend([(await put(connection, each)).row_id for each in part])

        await storage._writer.run(work)
    return ids


async def rows_of(storage: Storage) -> list[Any]:
    async def look(connection: Any) -> list[Any]:
        return list((await connection.execute(select(table).order_by(table.c.id))).all())

    return await storage._database.read(look)


async def states(storage: Storage) -> list[str]:
    return [row.state for row in await rows_of(storage)]
