"""`/秘书 导出` and `/秘书 忘记我`: what is kept of the member who asks, told or deleted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..clock import Clock
from ..storage import Storage
from ..storage.personal import Kept
from ..storage.records import LedgerMessage
from .commands import Command
from .heard import Heard
from .platform import Platform
from .room import Room

_LISTED = 100
_SHOWN = 200


class PersonalDesk:
    """Serves members their own data. Raises `StorageError` where the database does not answer."""

    def __init__(self, clock: Clock, storage: Storage, platform: Platform) -> None:
        self._clock = clock
        self._storage = storage
        self._platform = platform

    async def export(self, room: Room, heard: Heard, command: Command) -> str:
        """Give everything as a file; where that cannot be sent, list the newest lines."""
        kept = await self._storage.members.export(room.conversation, heard.user_id)
        content = json.dumps(self._exported(kept), ensure_ascii=False, indent=1, default=str)
        name = f"mishu-{self._clock.local(self._clock.wall()):%Y%m%d-%H%M%S}.json"
        if await self._platform.give_file(room.conversation, name, content.encode()):
            return f"你在这里的记录导出好了（{_listed(kept.counts)}），见文件 {name}。"
        newest = kept.messages[-_LISTED:]
        lines = [f"{self._clock.local(said.time):%Y-%m-%d %H:%M} {said.text[:_SHOWN]}" for said in newest]
        head = f"你在这里的记录有：{_listed(kept.counts)}（文件发不出去，列出最近 {len(lines)} 条消息）："
        return "\n".join([head, *lines])

    async def forget(self, room: Room, heard: Heard, command: Command) -> str:
        """Delete everything, on disk and in memory."""
        counts = await self._storage.members.forget(room.conversation, heard.user_id)
        room.ledger.forget_member(heard.user_id, whole=not room.conversation.is_group)
        return f"好的，你在这里的都忘了：{_listed(counts)}。"

    def _exported(self, kept: Kept) -> dict[str, Any]:
        return {"messages": [self._message(said) for said in kept.messages], **kept.rows}

    def _message(self, said: LedgerMessage) -> dict[str, Any]:
        return {
            "id": said.message_id,
            "time": self._clock.local(said.time).isoformat(),
            "name": said.name,
            "text": said.text,
            "captions": said.captions,
        }


def _listed(counts: Mapping[str, int]) -> str:
    return "、".join(f"{kind} {count} 条" for kind, count in counts.items()) or "没有记录"
