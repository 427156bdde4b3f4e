"""Tasks with an unanswered question of the end.

The question expires after two minutes, and the task is saved as a moment; a member who declined twice is not
asked again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from ....storage import Storage
from ....storage.records import Conversation, FrameRecord
from ....storage.tasks.records import TaskChanges, TaskDraft
from .. import words
from ..model.calls import priority_of
from .consequences import reminder_of
from .open_end import DECLINED
from .policy import TaskQuestion, as_moment, asked_kind, settle
from .revision import described
from .several import MORE, at_other
from .task_time import Wish

WAITS: Final = 120.0
"""Seconds until an unanswered question of the end expires"""
ENOUGH: Final = 2
"""Number of declines after which a member is not asked again"""
ZONE: Final = "_zone"
_LOOKED_AT: Final = 200


class OpenEnds:
    """Limit on questions of the end, and their expiry."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def tired(self, conversation: Conversation, user_id: str) -> bool:
        """True if the member declined `ENOUGH` questions of the end."""
        asked = await self._storage.frames.latest_of(conversation, user_id, _LOOKED_AT)
        return sum(bool(each.slots.get(DECLINED)) for each in asked) >= ENOUGH

    async def expire(self, frame: FrameRecord) -> str | None:
        """Expire the question: save the task as a moment and return the reply. Raises `StorageError`: then
        nothing is saved or said."""
        slots = frame.slots
        if asked_kind(slots) != "end" or slots.get("_intent") != "create_task" or not slots.get(ZONE):
            return None
        zone = ZoneInfo(str(slots[ZONE]))
        now = datetime.fromtimestamp(frame.expires_at or frame.updated_at, UTC).astimezone(zone)
        wish = Wish.from_json(slots.get("_time") or {}, zone)
        said: list[str] = []
        more = cast("list[dict[str, Any]]", slots.get(MORE) or [])
        for serial, other in enumerate([dict[str, Any](), *more]):
            wish = at_other(wish, other, zone) if other else wish
            line = await self._kept(frame, as_moment(wish), serial, now)
            said += [] if line is None else [line]
        if not said:
            return None
        lines = "\n".join(said)
        return f"没等到结束时间，先按开始的时间记了。{lines}"

    async def _kept(self, frame: FrameRecord, wish: Wish, serial: int, now: datetime) -> str | None:
        slots, zone = frame.slots, ZoneInfo(str(frame.slots[ZONE]))
        when = settle(wish, now, zone)
        if isinstance(when, TaskQuestion):
            return None
        title = str(slots.get("title") or "")
        owner = str(slots.get("assignee") or frame.user_id)
        name = str(slots.get("_assigneeName") or slots.get("_asker") or "")
        fields = TaskChanges(
            title=title,
            due_date="",
            zone=zone.key,
            priority=priority_of(slots.get("priority")) or "medium",
            description=slots.get("description"),
        )
        fields = described(fields, when)
        origin = f"{frame.task_id}#end{serial}"
        new = TaskDraft(frame.conversation, owner, name, frame.user_id, fields, origin)
        made = await self._storage.tasks.create(
            new,
            summary=f"创建任务「{title}」",
            at=now.timestamp(),
            remind=reminder_of,
            objects=lambda _: None,
        )
        self._storage.reminders.changed()
        return words.created(made, now, mine=owner == frame.user_id, promised=bool(slots.get("_reminders")))
