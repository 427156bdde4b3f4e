"""Messages as groups make them: many groups, many members, words, pictures, mentions of others."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

SELF_ID = 10_001
SENTINEL = "/秘书 状态"
"""Command that every instance answers; its answer shows that all earlier messages are handled."""

LINES = (
    "晚饭吃什么", "今天加班到好晚，刚出公司门", "哈哈哈哈笑死我了", "这个boss怎么打不过去啊，队友太菜了",
    "收到", "周六聚餐谁来，地点定了吗", "我看了一下，好像是昨天改的那个地方有问题", "快递到了没", "早",
    "有没有人知道附近哪家店的猫粮便宜一点，上次那家涨价了", "好的", "明天降温，大家多穿点", "在路上了",
    "刚才那个视频看了吗，太离谱了吧，我看了三遍都没看懂他是怎么做到的", "行", "那就这么定了", "不是吧",
)  # fmt: skip
_ids = count(1_000_000)


@dataclass(frozen=True)
class Pace:
    """Pace of a group's event times: seconds between two of its messages; 0 is all at once, now."""

    name: str
    gap: float


QUIET = Pace("quiet groups", 45.0)
"""Groups in which nothing but talk happens: at most 13 messages of a group in ten minutes."""
BUSY = Pace("busy groups", 0.0)
"""Groups that talk so much at once that the bot joins in, and then watches for what to join."""


class Chatter:
    """Makes messages for `groups` groups of `members` members each; the same ones for the same seed."""

    def __init__(self, pace: Pace, groups: int = 200, members: int = 40, first_group: int = 20_000) -> None:
        self.pace = pace
        self.groups = list(range(first_group, first_group + groups))
        self.members = members
        self._random = random.Random(7)

    def frames(self, number: int) -> Iterator[str]:
        """So many messages, one group after the other, as frames of the WebSocket."""
        now = int(time.time())
        rounds = -(-number // len(self.groups))
        for index in range(number):
            turn, place = divmod(index, len(self.groups))
            at = now - int((rounds - 1 - turn) * self.pace.gap)
            yield self.frame(self.groups[place], at)

    def frame(self, group: int, at: int | None = None) -> str:
        """One message of somebody in a group."""
        chance = self._random.random()
        user = group * 1000 + self._random.randrange(self.members)
        said = f"{self._random.choice(LINES)}{self._random.randrange(1000)}"
        parts: list[dict[str, Any]] = [text(said)]
        if chance < 0.08:
            parts = [{"type": "image", "data": {"file": "a.png", "url": "http://127.0.0.1/a.png"}}]
        elif chance < 0.16:
            parts.append({"type": "face", "data": {"id": "178"}})
        elif chance < 0.2:
            parts.insert(0, {"type": "at", "data": {"qq": str(group * 1000 + 1)}})
        return message(group, user, parts, at)


def identified(frame: str) -> str:
    """The message id of a frame."""
    return str(json.loads(frame)["message_id"])


def text(words: str) -> dict[str, Any]:
    """A text segment."""
    return {"type": "text", "data": {"text": words}}


def called(group: int, user: int, words: str) -> tuple[str, str]:
    """A message with an @ of the bot: its id and its frame."""
    message_id = next(_ids)
    parts = [{"type": "at", "data": {"qq": str(SELF_ID)}}, text(" " + words)]
    return str(message_id), message(group, user, parts, None, message_id)


def sentinel(group: int) -> tuple[str, str]:
    """A message that every instance answers: its id and its frame."""
    message_id = next(_ids)
    return str(message_id), message(group, 999_999, [text(SENTINEL)], None, message_id)


def message(
    group: int, user: int, parts: list[dict[str, Any]], at: int | None, message_id: int | None = None
) -> str:
    """A group message as OneBot implementations report it."""
    raw = "".join(part["data"].get("text") or f"[CQ:{part['type']}]" for part in parts)
    event = {
        "time": at or int(time.time()),
        "self_id": SELF_ID,
        "post_type": "message",
        "message_type": "group",
        "sub_type": "normal",
        "message_id": message_id or next(_ids),
        "group_id": group,
        "anonymous": None,
        "user_id": user,
        "message": parts,
        "raw_message": raw,
        "message_format": "array",
        "font": 14,
        "sender": {
            "user_id": user,
            "nickname": f"群友{user % 1000}",
            "card": "" if user % 3 else f"名片{user % 1000}",
            "role": "member",
            "title": "",
            "level": "12",
        },
    }
    return json.dumps(event, ensure_ascii=False)
