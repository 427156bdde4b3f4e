"""Milky's events as fields and segments of OneBot's form. Pure: dictionaries in, dictionaries out.

What is kept of a line has one form whichever way it came, so that a line that two accounts of ours heard,
one by OneBot and one by Milky, is known for the same one (`frontdesk.duty.standby_lines`).

A `message_seq` counts within one conversation, while a message is kept under its account and id alone: the
id of ours names the conversation too (`g640001.17`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ...frontdesk import IncomingMessage
from ..onebot_v11.reading import heard_message
from ..reading_context import ReadingContext

Fields = dict[str, Any]
_SCENES: Final = {"group": "g", "friend": "f"}
_LONGEST_SEQUENCE: Final = 19
_KINDS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "text": ("text", {"text": "text"}),
    "face": ("face", {"face_id": "id"}),
    "image": ("image", {"resource_id": "file", "temp_url": "url", "summary": "summary"}),
    "record": ("record", {"resource_id": "file", "temp_url": "url", "duration": "duration"}),
    "video": ("video", {"resource_id": "file", "temp_url": "url"}),
    "file": (
        "file",
        {"file_name": "name", "file_id": "file_id", "file_hash": "file_hash", "file_size": "file_size"},
    ),
    "forward": ("forward", {"forward_id": "id", "title": "title", "preview": "preview"}),
    "market_face": ("mface", {"emoji_id": "emoji_id", "summary": "summary"}),
    "light_app": ("json", {"json_payload": "data"}),
    "xml": ("xml", {"xml_payload": "data"}),
}
"""Kinds of segments: OneBot's name, and its names of the data. Mentions and quotes are `_segment`'s."""


def message_id(scene: object, peer: object, sequence: object) -> str | None:
    """Our id of a message; None where something of it is missing."""
    prefix, where = _SCENES.get(str(scene)), _number(peer)
    number = _number(sequence)
    return None if prefix is None or where is None or number is None else f"{prefix}{where}.{number}"


def sequence_of(known: str) -> int | None:
    """The `message_seq` in an id of `message_id`; None for an id of another platform or of our own making."""
    place, dot, number = known.rpartition(".")
    if not dot or place[:1] not in _SCENES.values() or not number.isdecimal():
        return None
    return int(number) if len(number) <= _LONGEST_SEQUENCE else None


def heard(
    data: Mapping[str, Any],
    segments: Sequence[Mapping[str, Any]],
    reply: Mapping[str, Any] | None,
    self_id: str,
    around: ReadingContext,
) -> IncomingMessage | None:
    """A message as heard; None for temporary sessions, for what we wrote to a friend elsewhere, and where no
    id or sender is told. `data` are the event's, `reply` the quoted message where it was asked for."""
    fields = message_fields(data, segments, reply)
    if data.get("message_scene") == "friend" and fields["user_id"] == self_id:
        return None
    return heard_message(fields, house_segments(data, segments), self_id, around)


def message_fields(
    data: Mapping[str, Any],
    segments: Sequence[Mapping[str, Any]] = (),
    reply: Mapping[str, Any] | None = None,
) -> Fields:
    """The fields of a message."""
    scene = data.get("message_scene")
    sender = _mapping(data.get("group_member")) or _mapping(data.get("friend"))
    fields: Fields = {
        "message_type": "group" if scene == "group" else "private",
        "sub_type": {"group": "normal", "friend": "friend"}.get(str(scene), "group"),
        "message_id": message_id(scene, data.get("peer_id"), data.get("message_seq")),
        "user_id": _number(data.get("sender_id")),
        "time": data.get("time"),
        "sender": {name: sender.get(name) for name in ("card", "nickname", "role")},
        "reply": _quoted(data, segments, reply),
    }
    if scene == "group":
        fields["group_id"] = data.get("peer_id")
    return fields


def house_segments(data: Mapping[str, Any], segments: Sequence[Mapping[str, Any]]) -> list[Fields]:
    """A message's segments in the form in which lines are kept; `data` say where it was said."""
    return [_segment(data, _mapping(part)) for part in segments]


def notice_fields(kind: str, data: Mapping[str, Any], time: object, self_id: str) -> Fields | None:
    """The fields of what happened; None for what is nothing to us."""
    user, group = data.get("user_id"), {"group_id": data.get("group_id")}
    fields: Fields | None = None
    match kind:
        case "message_recall":
            scene, peer = data.get("message_scene"), data.get("peer_id")
            known = message_id(scene, peer, data.get("message_seq"))
            if known is not None and scene == "group":
                said_by = {"user_id": data.get("sender_id"), "operator_id": data.get("operator_id")}
                fields = {
                    "notice_type": "group_recall",
                    "group_id": peer,
                    **said_by,
                    "message_id": known,
                }
            elif known is not None:
                fields = {"notice_type": "friend_recall", "user_id": peer, "message_id": known}
        case "group_mute":
            lifted = str(data.get("duration")) == "0"
            sub = "lift_ban" if lifted else "ban"
            duration = data.get("duration")
            fields = {
                "notice_type": "group_ban",
                "sub_type": sub,
                **group,
                "user_id": user,
                "duration": duration,
            }
        case "group_whole_mute":
            sub = "ban" if data.get("is_mute") else "lift_ban"
            fields = {"notice_type": "group_ban", "sub_type": sub, **group, "user_id": 0}
        case "group_member_increase":
            fields = {"notice_type": "group_increase", **group, "user_id": user}
        case "group_member_decrease":
            fields = {"notice_type": "group_decrease", "sub_type": "leave", **group, "user_id": user}
        case "group_disband":
            fields = {"notice_type": "group_decrease", "sub_type": "kick_me", **group, "user_id": self_id}
        case "group_admin_change":
            fields = {"notice_type": "group_admin", **group, "user_id": user}
        case "group_file_upload":
            file = {"name": data.get("file_name"), "id": data.get("file_id")}
            fields = {"notice_type": "group_upload", **group, "user_id": user, "file": file}
        case "group_nudge":
            by, whom = data.get("sender_id"), data.get("receiver_id")
            fields = {"notice_type": "notify", "sub_type": "poke", **group, "user_id": by, "target_id": whom}
        case "friend_nudge" if data.get("is_self_receive") and not data.get("is_self_send"):
            fields = {"notice_type": "notify", "sub_type": "poke", "user_id": user, "target_id": self_id}
        case _:
            pass
    return None if fields is None else {**fields, "time": time, "self_id": self_id}


def _segment(where: Mapping[str, Any], part: Mapping[str, Any]) -> Fields:
    kind, data = str(part.get("type", "")), _mapping(part.get("data"))
    if kind == "mention":
        return {"type": "at", "data": {"qq": str(data.get("user_id", "")), "name": data.get("name")}}
    if kind == "mention_all":
        return {"type": "at", "data": {"qq": "all"}}
    if kind == "reply":
        quoted = message_id(where.get("message_scene"), where.get("peer_id"), data.get("message_seq"))
        return {"type": "reply", "data": {"id": quoted or ""}}
    if kind not in _KINDS:
        return {"type": kind, "data": dict(data)}
    name, renamed = _KINDS[kind]
    return {"type": name, "data": {ours: data[theirs] for theirs, ours in renamed.items() if theirs in data}}


def _quoted(
    data: Mapping[str, Any], segments: Sequence[Mapping[str, Any]], reply: Mapping[str, Any] | None
) -> Fields | None:
    """The quoted message: as the platform was asked for it, else as the segment itself tells (since 1.1)."""
    told = reply
    if told is None:
        parts = (_mapping(part) for part in segments)
        told = next((_mapping(part.get("data")) for part in parts if part.get("type") == "reply"), None)
    if told is None or told.get("sender_id") is None:
        return None
    sender = _mapping(told.get("group_member")) or _mapping(told.get("friend"))
    inside: Any = told.get("segments")
    parts = cast("Sequence[Any]", inside) if isinstance(inside, Sequence) else ()
    return {
        "message_id": message_id(data.get("message_scene"), data.get("peer_id"), told.get("message_seq")),
        "sender": {
            "user_id": told["sender_id"],
            "card": sender.get("card"),
            "nickname": sender.get("nickname") or told.get("sender_name"),
        },
        "message": [_segment(data, _mapping(part)) for part in parts],
    }


def _number(value: object) -> str | None:
    """A number of the platform's, as text."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    return str(value) or None


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
