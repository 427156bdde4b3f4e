"""The chat in the middle: bubbles, quotes, pictures, folded forwards, grey lines."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any

from nicegui import ui

from .group import SELF_ID, Change, Group, Message, Notice, Segment, World
from .parts import avatar, box, button, picture, role_tag, text

LINES_SHOWN = 120

_PLACEHOLDERS = {
    "record": "[语音]",
    "video": "[视频]",
    "face": "[表情]",
    "file": "[文件]",
    "json": "[卡片]",
    "xml": "[卡片]",
    "poke": "[戳一戳]",
}
_MAGIC = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def picture_source(data: dict[str, Any]) -> str | None:
    """The picture of an image segment as a `data:` address; none for what would have to be fetched."""
    for key in ("url", "file"):
        value = str(data.get(key) or "")
        if value.startswith("data:image/"):
            return value
        if value.startswith("base64://"):
            try:
                content = base64.b64decode(value[9:], validate=True)
            except (binascii.Error, ValueError):
                return None
            kind = next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), None)
            return f"data:{kind};base64,{value[9:]}" if kind else None
    return None


def plain(world: World, group: Group, segments: list[Segment]) -> str:
    """A message in one line of text, for quotes and previews."""
    parts: list[str] = []
    for segment in segments:
        kind, data = segment["type"], segment["data"]
        if kind == "text":
            parts.append(str(data.get("text", "")))
        elif kind == "at":
            parts.append(f"@{at_name(world, group, str(data.get('qq')))} ")
        elif kind == "forward":
            parts.append("[聊天记录]")
        elif kind != "reply":
            parts.append("[图片]" if kind == "image" else _PLACEHOLDERS.get(kind, f"[{kind}]"))
    return " ".join("".join(parts).split())


def at_name(world: World, group: Group, qq: str) -> str:
    """Name of the @-mentioned member."""
    return "全体成员" if qq == "all" else world.name_of(group, int(qq)) if qq.isdigit() else qq


class ChatView:
    """One page's view of one group's chat, seen by the member one speaks as."""

    def __init__(
        self,
        world: World,
        zone: tzinfo | None,
        *,
        on_reply: Callable[[Message], None],
        on_recall: Callable[[Message], Any],
        on_repeat: Callable[[Message], Any],
    ) -> None:
        self._world = world
        self._zone = zone
        self._on_reply = on_reply
        self._on_recall = on_recall
        self._on_repeat = on_repeat
        self._group: Group | None = None
        self._speaker = 0
        self._rows: dict[int, ui.element] = {}
        self._shown: list[ui.element] = []
        with box("pg-scroll"):
            self._lines = box("pg-lines")

    def show(self, group: Group, speaker: int) -> None:
        """Draw a group from the beginning."""
        self._group, self._speaker = group, speaker
        self._lines.clear()
        self._rows.clear()
        self._shown.clear()
        lines = list(group.lines)[-LINES_SHOWN:]
        if not lines:
            with self._lines, box("pg-welcome") as welcome:
                text(f"这是模拟的群聊「{group.name}」", "big")
                name = self._world.bot_name
                text(f"先选一位成员，再说句话试试；@{name} 或叫一声「{name}」就是在叫它。")
                text(f"比如：{name}，提醒我明早8点吃药 · {name}，午饭35，打车20")
            self._shown.append(welcome)
            return
        for line in lines:
            self._append(line)

    def change(self, change: Change) -> None:
        """A change in the world."""
        if self._group is None or change.group_id != self._group.group_id:
            return
        if change.kind == "line" and change.line is not None:
            if len(self._group.lines) == 1:
                self._lines.clear()
                self._shown.clear()
            self._append(change.line)
        elif change.kind == "touched" and isinstance(change.line, Message):
            row = self._rows.get(change.line.message_id)
            if row is not None:
                row.clear()
                with row:
                    self._fill(change.line)

    def _append(self, line: Message | Notice) -> None:
        with self._lines:
            if isinstance(line, Notice):
                row: ui.element = text(line.text, "pg-notice")
            else:
                mine = "mine" if line.user_id == self._speaker else ""
                row = box(f"pg-row {mine} {'bot' if line.user_id == SELF_ID else ''}")
                row.props["data-id"] = str(line.message_id)
                self._rows[line.message_id] = row
                with row:
                    self._fill(line)
        self._shown.append(row)
        while len(self._shown) > LINES_SHOWN:
            oldest = self._shown.pop(0)
            self._rows = {key: each for key, each in self._rows.items() if each is not oldest}
            oldest.delete()

    def _fill(self, message: Message) -> None:
        avatar(message.user_id, message.name)
        with box("pg-body"):
            with box("pg-meta"):
                text(message.name)
                if message.user_id == SELF_ID:
                    text("机器人", "pg-tag bot")
                role_tag(message.role)
                text(f"{datetime.fromtimestamp(message.time, self._zone):%H:%M:%S}")
            with box("pg-bubblerow"):
                if message.recalled:
                    with box("pg-bubble gone"):
                        text("已撤回")
                    return
                with box("pg-bubble"):
                    self._segments(message.segments)
                with box("pg-acts"):
                    button("回复", "pg-act", lambda: self._on_reply(message))
                    if message.user_id != self._speaker:
                        button("+1", "pg-act", lambda: self._on_repeat(message), title="用当前成员说同样的话")
                    if self._world.may_recall(message, self._speaker):
                        button("撤回", "pg-act", lambda: self._on_recall(message))
            if not message.delivered:
                text("未送达：机器人没有连接", "pg-undelivered")

    def _segments(self, segments: list[Segment]) -> None:
        assert self._group is not None
        for segment in segments:
            kind, data = segment["type"], segment["data"]
            if kind == "text":
                text(str(data.get("text", "")))
            elif kind == "at":
                text(f"@{at_name(self._world, self._group, str(data.get('qq')))}", "pg-at")
            elif kind == "reply":
                self._quote(str(data.get("id")))
            elif kind == "forward":
                self._forward(str(data.get("id")))
            elif kind == "image":
                source = picture_source(data)
                picture(source) if source else text("[图片]", "pg-media")
            else:
                text(_PLACEHOLDERS.get(kind, f"[{kind}]"), "pg-media")

    def _quote(self, message_id: str) -> None:
        assert self._group is not None
        quoted = self._world.find(int(message_id)) if message_id.lstrip("-").isdigit() else None
        if quoted is None or quoted.recalled:
            text("引用的消息已撤回" if quoted else "引用的消息不见了", "pg-quote")
        else:
            text(f"{quoted.name}：{plain(self._world, self._group, quoted.segments)}", "pg-quote")

    def _forward(self, forward_id: str) -> None:
        assert self._group is not None
        nodes = self._world.forwards.get(forward_id, [])
        with box("pg-forward", "details"):
            with box("head", "summary"):
                text("聊天记录")
                text(f"{len(nodes)} 条 · 点开查看", "pg-tag")
                for node in nodes[:2]:
                    text(plain(self._world, self._group, node["data"].get("content") or []), "peek")
            for node in nodes:
                data = node["data"]
                with box("node"):
                    text(str(data.get("nickname") or data.get("name") or self._world.bot_name), "who")
                    self._segments(data.get("content") or [])
