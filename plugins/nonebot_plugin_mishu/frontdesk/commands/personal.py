"""`/秘书 导出` and `/秘书 忘记我`: a member's data, sent to them alone or deleted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...clock import Clock
from ...storage import Storage
from ...storage.personal import Forgotten, PersonalData
from ...storage.records import LedgerMessage
from ..lines.incoming_message import IncomingMessage
from ..private_delivery import NOT_SENT, SENT, Privately
from ..rooms.room import Room
from .parsing import Command

CONFIRM = 60.0
"""Seconds in which 确认忘记 means the 忘记我 before it."""
NOTHING_ASKED = "没有等着确认的「忘记我」。要我忘记你，先发「/秘书 忘记我」，一分钟内再说「确认忘记」。"
LEFT_ALONE = "好，什么都没删。"
_LISTED = 100
_SHOWN = 200
_NAMED = ("消息", "我的回答", "任务", "日程", "提醒", "账目", "预算", "日历订阅")
"""Kinds that are named one by one; whatever else there is counts together."""
_REST = "办事记录"
_STAYING = {"日程": "群里的日程 {} 条", "任务": "你派给别人的任务 {} 条", "提醒": "还要叫别人的提醒 {} 条"}
_SHARED = "账目"


class PersonalDesk:
    """Serves members their own data. Raises `StorageError` where the database does not answer."""

    def __init__(self, clock: Clock, storage: Storage, privately: Privately) -> None:
        self._clock = clock
        self._storage = storage
        self._privately = privately

    async def export(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Give everything as a file, in private; where a file cannot be sent, the newest lines."""
        kept = await self._storage.members.export(room.conversation, heard.user_id)
        content = json.dumps(self._exported(kept), ensure_ascii=False, indent=1, default=str)
        name = f"mishu-{self._clock.local(self._clock.wall()):%Y%m%d-%H%M%S}.json"

        def told(with_file: bool) -> str:
            if with_file:
                return f"你的记录导出好了（{_listed(kept.counts)}），都在文件 {name} 里。"
            newest = kept.messages[-_LISTED:]
            lines = [f"{self._clock.local(said.time):%Y-%m-%d %H:%M} {said.text[:_SHOWN]}" for said in newest]
            head = f"你的记录有：{_listed(kept.counts)}。文件发不出去，先列最近 {len(lines)} 条消息："
            return "\n".join([head, *lines])

        file = (name, content.encode())
        if room.conversation.is_group:
            sent = await self._privately.hand_over(room.conversation, heard.user_id, told, file)
            return f"导出好了，{SENT}" if sent else NOT_SENT
        return told(await self._privately.give_file(room.conversation, file))

    async def forget(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Ask once, naming what goes and what stays."""
        would = await self._storage.members.would_forget(room.conversation, heard.user_id)
        now = self._clock.monotonic()
        room.forgetting = {user: until for user, until in room.forgetting.items() if until > now}
        room.forgetting[heard.user_id] = now + CONFIRM
        return (
            f"会删掉你在这里的：{_listed(would.gone)}，删了找不回来。{_staying(would)}"
            "确定的话，一分钟内说「确认忘记」。"
        )

    async def confirmed(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Delete everything, on disk and in memory, where it was asked for within the minute."""
        if room.forgetting.pop(heard.user_id, 0.0) <= self._clock.monotonic():
            return NOTHING_ASKED
        done = await self._storage.members.delete_member(
            room.conversation, heard.user_id, sparing=heard.message_id
        )
        room.ledger.forget_member(heard.user_id, whole=not room.conversation.is_group)
        return f"好，都忘了：{_listed(done.gone)}。{_staying(done)}".rstrip()

    async def forget_line(self, room: Room, heard: IncomingMessage) -> None:
        """Delete the line that asked for a deletion, once it is answered: it is owed an answer until then."""
        await self._storage.members.delete_line(room.conversation, heard.message_id)

    def _exported(self, kept: PersonalData) -> dict[str, Any]:
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
    named = [f"{kind} {counts[kind]} 条" for kind in _NAMED if kind in counts]
    rest = sum(count for kind, count in counts.items() if kind not in _NAMED)
    return "、".join([*named, *([f"{_REST} {rest} 条"] if rest else [])]) or "没有记录"


def _staying(forgotten: Forgotten) -> str:
    """Data that stays because others share it. Lines of others stay in any case."""
    parts = [words.format(forgotten.left[kind]) for kind, words in _STAYING.items() if kind in forgotten.left]
    stays = f"留下的：{'、'.join(parts)}，去掉你的名字。" if parts else ""
    if shared := forgotten.left.get(_SHARED):
        stays += f"别人记的、有你一份的账 {shared} 笔也留着，算账要用。"
    return stays or "别人说过的话不动。"
