"""OneBot v11 events read into the front desk's values. Pure: dictionaries and values in, values out.

What is read is the event as it was sent (`original_message`), not what the adapter made of it: it cuts the
@ of the bot and the quote out of `message` (pitfall 26). Events that lack fields some implementations
leave out are read all the same (pitfall 60).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, cast

from ...frontdesk import IncomingMessage, QuotedMessage, Segment
from ...patterns import Pattern
from ...storage.records import Conversation, ConversationKind, Role
from ..reading_context import ReadingContext

_PLACEHOLDERS = {
    "image": "[图片]",
    "record": "[语音]",
    "video": "[视频]",
    "face": "[表情]",
    "mface": "[表情]",
    "bface": "[表情]",
    "marketface": "[表情]",
    "file": "[文件]",
    "forward": "[合并转发]",
    "json": "[卡片]",
    "xml": "[卡片]",
    "share": "[链接]",
    "music": "[音乐]",
    "location": "[位置]",
    "contact": "[名片]",
    "poke": "[戳一戳]",
    "shake": "[戳一戳]",
    "dice": "[骰子]",
    "rps": "[猜拳]",
}
_OFFICIAL_BOTS = (range(2854196301, 2854216400), range(3889000000, 3890000000))
"""Numbers that QQ gives to its official group bots (Q群管家 and others)."""
_AHEAD = 300.0
"""Seconds an event's time may be ahead of our clock."""
_LONGEST_ID = 128
_DEEPEST = 20
"""Levels of lists and objects kept of a segment: forwards stand in forwards as deep as a sender likes,
and who stores or reads it goes down with it."""
_MOST_SEGMENTS = 10_000
"""Segments kept of one message; of a longer one its first and its last, and between them what calls us."""
_CODE = Pattern(r"\[CQ:[^\]]*\]")


def conversation_of(event: Mapping[str, Any], self_id: str) -> Conversation | None:
    """Which conversation an event belongs to; None for what is neither a group nor a friend."""
    group, user = _id(event.get("group_id")), _id(event.get("user_id"))
    if group not in (None, "0") and event.get("message_type", "group") == "group":
        return _conversation(self_id, "group", group)
    if user is not None and event.get("message_type", "private") == "private":
        return _conversation(self_id, "private", user)
    return None


@lru_cache(4096)
def _conversation(self_id: str, kind: ConversationKind, peer: str) -> Conversation:
    """One value for all messages of a conversation: the ledger keeps a thousand of them for each."""
    return Conversation(self_id, kind, peer)


def heard_message(
    event: Mapping[str, Any], segments: Sequence[Mapping[str, Any]], self_id: str, around: ReadingContext
) -> IncomingMessage | None:
    """A message event as heard; None where it is none of ours (temporary sessions, no id or sender).

    `self_id` is the connection's: the payload's may differ (pitfall 61).
    """
    conversation, own, us = _place(event, self_id, around)
    message_id, user_id = _id(event.get("message_id")), _id(event.get("user_id"))
    if conversation is None or message_id is None or user_id is None:
        return None
    if not conversation.is_group and (event.get("sub_type") or "friend") != "friend":
        return None
    if user_id in own:
        user_id = us
    kept_id = around.kept_id if conversation.is_group else str
    sender = _mapping(event.get("sender"))
    anonymous = bool(event.get("anonymous")) or event.get("sub_type") == "anonymous"
    raw = tuple(
        {"type": str(part.get("type", "")), "data": _shallow(_mapping(part.get("data")))}
        for part in map(_mapping, _fewer(segments, own))
    )
    return IncomingMessage(
        conversation=conversation,
        message_id=kept_id(message_id),
        time=_time(event.get("time"), around.receipt / 1e9),
        receipt=around.receipt,
        user_id=sys.intern(user_id),  # a member speaks often
        name=sys.intern(_name(sender) or "群友"),
        role=_role(sender.get("role")),
        segments=tuple(_segment(part, own, us, kept_id) for part in raw),
        raw_segments=raw,
        heard_at=around.heard_at,
        superuser=user_id in around.superusers and not anonymous,
        obeyed=not anonymous and user_id not in around.accounts and not is_official_bot(user_id),
        quote=_quote(event.get("reply"), own, us, kept_id),
    )


def heard_poke(event: Mapping[str, Any], self_id: str, around: ReadingContext) -> IncomingMessage | None:
    """A poke of the bot as heard; None where somebody else was poked."""
    user_id = _id(event.get("user_id"))
    conversation, own, _ = _place(event, self_id, around)
    if conversation is None or user_id is None or user_id in own or _id(event.get("target_id")) not in own:
        return None
    return IncomingMessage(
        conversation=conversation,
        message_id=f"poke-{around.receipt}",
        time=_time(event.get("time"), around.receipt / 1e9),
        receipt=around.receipt,
        user_id=user_id,
        name=_name(_mapping(event.get("sender"))) or "群友",
        role="member",
        segments=(Segment("other", "[戳一戳]"),),
        raw_segments=(),
        heard_at=around.heard_at,
        obeyed=user_id not in around.accounts and not is_official_bot(user_id),
    )


def heard_upload(event: Mapping[str, Any], self_id: str, around: ReadingContext) -> IncomingMessage | None:
    """A file that a member put among a group's files, as a line of theirs with that file; never an order."""
    conversation, own, _ = _place(event, self_id, around)
    user_id, name = _id(event.get("user_id")), str(_mapping(event.get("file")).get("name") or "").strip()
    if conversation is None or not conversation.is_group or user_id is None or user_id in own or not name:
        return None
    return IncomingMessage(
        conversation=conversation,
        message_id=f"upload-{around.receipt}",
        time=_time(event.get("time"), around.receipt / 1e9),
        receipt=around.receipt,
        user_id=user_id,
        name="群友",
        role="member",
        segments=(Segment("other", _PLACEHOLDERS["file"]),),
        raw_segments=({"type": "file", "data": {"name": name}},),
        heard_at=around.heard_at,
        obeyed=False,
    )


def _place(
    event: Mapping[str, Any], self_id: str, around: ReadingContext
) -> tuple[Conversation | None, Collection[str | None], str]:
    """Conversation of an event, ids that mean us in it, and our id there.

    In a group every account of ours is we: an @ of one that only listens is one of us.
    """
    conversation, own = conversation_of(event, self_id), own_ids(event, self_id)
    if conversation is None or not conversation.is_group:
        return conversation, own, self_id
    us = around.home or self_id
    return _conversation(us, "group", conversation.peer), own.union(around.accounts, (us,)), us


def own_ids(event: Mapping[str, Any], self_id: str) -> frozenset[str | None]:
    """Ids of our account in an event: the connection's, and the payload's if it differs."""
    return frozenset({self_id, _id(event.get("self_id")) or self_id})


def is_official_bot(user_id: str) -> bool:
    """True if a number is one of QQ's own group bots."""
    return re.fullmatch("[0-9]{10}", user_id) is not None and any(
        int(user_id) in numbers for numbers in _OFFICIAL_BOTS
    )


def _fewer(segments: Sequence[Mapping[str, Any]], own: Collection[str | None]) -> Sequence[Mapping[str, Any]]:
    """At most so many segments that whoever looks at each of them holds up nobody else."""
    if len(segments) <= _MOST_SEGMENTS:
        return segments
    half = _MOST_SEGMENTS // 2
    between = (part for part in segments[half:-half] if _calls(_mapping(part), own))
    return [*segments[:half], *islice(between, 2), *segments[-half:]]


def _calls(part: Mapping[str, Any], own: Collection[str | None]) -> bool:
    kind = part.get("type")
    return kind == "reply" or (kind == "at" and str(_mapping(part.get("data")).get("qq", "")) in own)


def _shallow(data: Mapping[str, Any]) -> dict[str, Any]:
    """A segment's data as they came, without what lies deeper than `_DEEPEST`."""
    if not any(isinstance(value, (dict, list)) for value in data.values()):
        return dict(data)
    return {name: _cut(value, _DEEPEST - 2) for name, value in data.items()}


def _cut(value: Any, levels: int) -> Any:
    """The value with `levels` levels of lists and objects; None in place of what lies below."""
    if isinstance(value, dict):
        inner = cast("dict[str, Any]", value)
        return {name: _cut(one, levels - 1) for name, one in inner.items()} if levels else None
    if isinstance(value, list):
        return [_cut(one, levels - 1) for one in cast("list[Any]", value)] if levels else None
    return value


def _segment(
    part: Mapping[str, Any],
    own: Collection[str | None] = (),
    self_id: str = "",
    kept_id: Callable[[str], str] = str,
) -> Segment:
    kind, data = part["type"], _mapping(part["data"])
    if kind == "text":
        return Segment("text", str(data.get("text", "")))
    if kind == "at":
        member = str(data.get("qq", ""))
        if member == "all":
            return Segment("at_all", member)
        return Segment("at", self_id if member in own else member)
    if kind == "reply":
        return Segment("reply", kept_id(str(data.get("id", ""))))
    placeholder = _PLACEHOLDERS.get(kind, "[消息]")
    if kind == "image":
        return Segment("image", placeholder)
    return Segment("voice" if kind == "record" else "other", placeholder)


def _quote(
    reply: Any, own: Collection[str | None], self_id: str, kept_id: Callable[[str], str] = str
) -> QuotedMessage | None:
    found = _mapping(reply)
    sender = _mapping(found.get("sender"))
    if found.get("message_id") is None or sender.get("user_id") is None:
        return None
    parts = found.get("message")
    text = ""
    if isinstance(parts, str):
        text = _CODE.sub("", parts)
    elif isinstance(parts, Sequence):
        for part in cast("Sequence[Any]", parts):
            piece = _segment(
                {"type": str(_mapping(part).get("type", "")), "data": _mapping(part).get("data")}
            )
            text += piece.value if piece.kind not in ("at", "at_all", "reply") else ""
    said_by = str(sender["user_id"])
    user_id = self_id if said_by in own else said_by
    return QuotedMessage(kept_id(str(found["message_id"])), user_id, _name(sender) or "群友", text.strip())


def _name(sender: Mapping[str, Any]) -> str:
    return str(sender.get("card") or sender.get("nickname") or "").strip()


def _role(role: Any) -> Role:
    return role if role in ("owner", "admin") else "member"


def _time(value: Any, now: float) -> float:
    """The event's time in seconds; `now` where it tells none, or one that cannot be.

    Late messages keep their time. One from the future (milliseconds, a broken clock) would stand behind
    everything that is said until then.
    """
    if isinstance(value, str):
        value = int(value) if re.fullmatch("[0-9]{1,12}", value) else None
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= now + _AHEAD:
        return now
    return float(value)


def _id(value: Any) -> str | None:
    """An id as text, whether it came as a number or as text; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    return str(value)[:_LONGEST_ID] or None


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
