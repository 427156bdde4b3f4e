"""Milky's events as its implementations send them, for tests."""

from __future__ import annotations

from typing import Any

NOW = 1_800_000_000
GROUP = {"group_id": 777, "group_name": "小组", "member_count": 3, "max_member_count": 200}
FRIEND = {
    "user_id": 30001,
    "nickname": "小明",
    "sex": "unknown",
    "qid": "",
    "remark": "老明",
    "category": {"category_id": 0, "category_name": "好友"},
}
MEMBER = {
    "user_id": 30001,
    "nickname": "小明",
    "sex": "unknown",
    "group_id": 777,
    "card": "明",
    "title": "",
    "level": 7,
    "role": "admin",
    "join_time": 1_700_000_000,
    "last_sent_time": NOW,
}


def segment(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data}


def said(*segments: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """The data of a group message."""
    values: dict[str, Any] = {
        "message_scene": "group",
        "peer_id": 777,
        "message_seq": 5,
        "sender_id": 30001,
        "time": NOW - 3,
        "segments": list(segments),
        "group": GROUP,
        "group_member": MEMBER,
    }
    return {key: value for key, value in {**values, **changed}.items() if value is not ...}


def said_by_friend(*segments: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """The data of a friend's message."""
    here = {"message_scene": "friend", "peer_id": 30001, "friend": FRIEND, "group": ..., "group_member": ...}
    return said(*segments, **{**here, **changed})


def event(kind: str, self_id: int = 10000, time: int = NOW, **data: Any) -> dict[str, Any]:
    """A whole event."""
    return {"event_type": kind, "time": time, "self_id": self_id, "data": data}
