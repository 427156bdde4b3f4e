"""Events of QQ's official bots read into the front desk's values. Pure: dictionaries in, values out.

Members and groups are openids, text of each bot's own. In what a bot hears of a group its own mention is a
member too, with `is_you`; `GROUP_AT_MESSAGE_CREATE` has it cut out of the text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from ...frontdesk import IncomingMessage, QuotedMessage, Segment
from ...patterns import Pattern
from ...storage.records import PRESSED, Conversation, Role
from ..reading_context import ReadingContext

GROUP_EVENTS = frozenset({"GROUP_MESSAGE_CREATE", "GROUP_AT_MESSAGE_CREATE"})
PRIVATE_EVENT = "C2C_MESSAGE_CREATE"
PRESS = "INTERACTION_CREATE"
_MENTION = Pattern(r"<@!?(?P<id>[^<>@\s]{1,128})>|<(?:faceType|emoji:)[^<>]{0,2000}>")
_AHEAD = 300.0
"""Seconds an event's time may be ahead of our clock."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Name and role of a member as last heard."""

    name: str
    role: Role


def place_of(event: Mapping[str, Any], account: str) -> Conversation | None:
    """Which conversation an event belongs to; None for a guild's."""
    group = _text(event.get("group_openid"))
    if group:
        return Conversation(account, "group", group)
    author = _mapping(event.get("author"))
    user = _text(author.get("user_openid")) or _text(event.get("user_openid")) or _text(event.get("openid"))
    return Conversation(account, "private", user) if user else None


def heard_message(
    kind: str,
    event: Mapping[str, Any],
    account: str,
    around: ReadingContext,
    sent_as: Callable[[str], str | None] = lambda text: None,
) -> IncomingMessage | None:
    """A message event as heard; None where it lacks an id or a sender.

    `sent_as`: the id of our own message with a text. QQ tells of a quoted message its words and no id.
    """
    where, author = _home(event, account, around), _mapping(event.get("author"))
    message_id = _text(event.get("id"))
    user_id = _text(author.get("member_openid")) or _text(author.get("user_openid"))
    if where is None or not message_id or not user_id:
        return None
    raw, quote = _parts(kind, event, where.self_id), _quote(event, where.self_id, sent_as)
    if quote is not None and quote.message_id:
        raw.insert(0, {"type": "reply", "data": {"id": quote.message_id}})
    return IncomingMessage(
        conversation=where,
        message_id=message_id,
        time=_time(event.get("timestamp"), around.receipt / 1e9),
        receipt=around.receipt,
        user_id=sys.intern(user_id),
        name=sys.intern(str(author.get("username") or "").strip() or "群友"),
        role=_role(author.get("member_role")),
        segments=tuple(_segment(part, where.self_id) for part in raw),
        raw_segments=tuple(raw),
        heard_at=around.heard_at,
        superuser=user_id in around.superusers,
        obeyed=author.get("bot") is not True,
        quote=quote,
    )


def pressed_words(event: Mapping[str, Any]) -> str:
    """What a pressed button says."""
    resolved = _mapping(_mapping(event.get("data")).get("resolved"))
    return str(resolved.get("button_data") or "").strip()


def pressed_button(event: Mapping[str, Any]) -> str:
    """Id of a pressed button, as it was sent."""
    resolved = _mapping(_mapping(event.get("data")).get("resolved"))
    return str(resolved.get("button_id") or "")


def pressed_under(event: Mapping[str, Any]) -> str:
    """Our id of the message under which a pressed button stands: the token in the button's id."""
    return pressed_button(event).partition("-")[0]


def heard_press(
    event: Mapping[str, Any], account: str, around: ReadingContext, by: Speaker | None
) -> IncomingMessage | None:
    """A pressed button as a line of who pressed it: said to us, quoting our message with the button. That
    message is named also where nobody knows it any more: the words on its button are no answer to another."""
    where, words = _home(event, account, around), pressed_words(event)
    user_id = _text(event.get("group_member_openid")) or _text(event.get("user_openid"))
    if where is None or not words or not user_id:
        return None
    of = pressed_under(event)
    raw: list[dict[str, Any]] = [{"type": "reply", "data": {"id": of}}]
    if where.is_group:
        raw.append({"type": "at", "data": {"qq": where.self_id}})
    raw.append({"type": "text", "data": {"text": words}})
    return IncomingMessage(
        conversation=where,
        message_id=f"{PRESSED}{_text(event.get('event_id')) or _text(event.get('id')) or around.receipt}",
        time=_time(event.get("timestamp"), around.receipt / 1e9),
        receipt=around.receipt,
        user_id=user_id,
        name=by.name if by is not None else "群友",
        role=by.role if by is not None else "member",
        segments=tuple(_segment(part, where.self_id) for part in raw),
        raw_segments=tuple(raw),
        heard_at=around.heard_at,
        superuser=user_id in around.superusers,
        quote=QuotedMessage(of, where.self_id, "", ""),
        introduced=by is not None,
    )


def _home(event: Mapping[str, Any], account: str, around: ReadingContext) -> Conversation | None:
    where = place_of(event, account)
    if where is None or not where.is_group or around.home is None:
        return where
    return Conversation(around.home, "group", where.peer)


def _parts(kind: str, event: Mapping[str, Any], us: str) -> list[dict[str, Any]]:
    """The message as segments of the ledger's kind (`text`, `at`, `image`, …)."""
    ours: set[str] = set()
    everybody = False
    for mention in _sequence(event.get("mentions")):
        found = _mapping(mention)
        if found.get("scope") == "all":
            everybody = True
        elif found.get("is_you") is True:
            ours.update(one for one in (_text(found.get("id")), _text(found.get("member_openid"))) if one)
    parts: list[dict[str, Any]] = []
    content, at = str(event.get("content") or ""), 0
    for found in _MENTION.finditer(content):
        _add_text(parts, content[at : found.start()])
        at = found.end()
        if (member := found["id"]) is None:
            parts.append({"type": "face", "data": {}})
        else:
            who = us if member in ours else "all" if member == "everyone" else _member(event, member)
            parts.append({"type": "at", "data": {"qq": who}})
    _add_text(parts, content[at:])
    called = any(part["type"] == "at" and part["data"]["qq"] == us for part in parts)
    if not called and (ours or kind == "GROUP_AT_MESSAGE_CREATE"):
        parts.insert(0, {"type": "at", "data": {"qq": us}})
    if everybody and not any(part["data"].get("qq") == "all" for part in parts):
        parts.insert(0, {"type": "at", "data": {"qq": "all"}})
    for one in _sequence(event.get("attachments")):
        found = _mapping(one)
        sort = str(found.get("content_type") or "").partition("/")[0]
        data = {"url": str(found.get("url") or ""), "name": str(found.get("filename") or "")}
        names = {"audio": "record", "voice": "record"}
        parts.append({"type": names.get(sort, sort if sort in ("image", "video") else "file"), "data": data})
    return parts


def _member(event: Mapping[str, Any], mentioned: str) -> str:
    """A mention's id as the member's openid: mentions may name the one or the other."""
    for one in _sequence(event.get("mentions")):
        found = _mapping(one)
        if mentioned in (found.get("id"), found.get("member_openid")):
            return _text(found.get("member_openid")) or mentioned
    return mentioned


def _add_text(parts: list[dict[str, Any]], text: str) -> None:
    if text:
        parts.append({"type": "text", "data": {"text": _plain(text)}})


def _plain(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _segment(part: Mapping[str, Any], us: str) -> Segment:
    kind, data = part["type"], part["data"]
    if kind == "text":
        return Segment("text", data["text"])
    if kind == "at":
        return Segment("at_all", "all") if data["qq"] == "all" else Segment("at", data["qq"])
    if kind == "reply":
        return Segment("reply", data["id"])
    if kind == "image":
        return Segment("image", "[图片]")
    if kind == "record":
        return Segment("voice", "[语音]")
    return Segment("other", {"face": "[表情]", "video": "[视频]"}.get(kind, "[文件]"))


def _quote(event: Mapping[str, Any], us: str, sent_as: Callable[[str], str | None]) -> QuotedMessage | None:
    """What a line quotes; ours where a bot said it in words that we sent."""
    reply = _mapping(event.get("reply"))
    if not reply:
        return None
    author = _mapping(reply.get("author"))
    text = _plain(_MENTION.sub("", str(reply.get("content") or ""))).strip()
    ours = sent_as(text) if author.get("bot") is not False else None
    said_by = _text(author.get("member_openid")) or _text(author.get("user_openid")) or ""
    name = str(author.get("username") or "群友")
    return QuotedMessage(ours or "", us if ours is not None else said_by, name, text)


def _role(role: Any) -> Role:
    return role if role in ("owner", "admin") else "member"


def _time(value: Any, now: float) -> float:
    """The event's time in seconds; `now` where it tells none, or one that cannot be."""
    try:
        at = datetime.fromisoformat(value).timestamp() if isinstance(value, str) else 0.0
    except (ValueError, OverflowError):
        return now
    return at if 0 < at <= now + _AHEAD else now


def _text(value: Any) -> str | None:
    return value[:128] if isinstance(value, str) and value else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _sequence(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
