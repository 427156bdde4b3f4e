"""OneBot v11 events as an implementation sends them: complete, with the types the adapter expects.

An event that lacks `font`, `sub_type` or `raw_message`, or has a number for `sender.level`, turns quietly
into a bare event and reaches no handler; what is tried in the playground must be the real path.
"""

from __future__ import annotations

from typing import Any

from .group import SELF_ID, Group, Message, Segment, World

Event = dict[str, Any]


def escape(text: str, *, inside: bool = False) -> str:
    """Text as it stands in a CQ code string; `inside` the brackets, commas too."""
    text = text.replace("&", "&amp;").replace("[", "&#91;").replace("]", "&#93;")
    return text.replace(",", "&#44;") if inside else text


def raw_message(segments: list[Segment]) -> str:
    """The message as a CQ code string."""
    parts: list[str] = []
    for segment in segments:
        data: dict[str, Any] = segment["data"]
        if segment["type"] == "text":
            parts.append(escape(str(data["text"])))
        else:
            fields = "".join(f",{key}={escape(str(value), inside=True)}" for key, value in data.items())
            parts.append(f"[CQ:{segment['type']}{fields}]")
    return "".join(parts)


def sender(message: Message) -> dict[str, Any]:
    """Sender object, as in an event and in `get_msg`."""
    return {
        "user_id": message.user_id,
        "nickname": message.name,
        "card": message.name,
        "sex": "unknown",
        "age": 0,
        "area": "",
        "level": "1",
        "role": message.role,
        "title": "",
    }


def _base(world: World, post_type: str) -> Event:
    return {"time": int(world.now()), "self_id": SELF_ID, "post_type": post_type}


def _notice(world: World, group: Group, notice_type: str, **fields: Any) -> Event:
    base = _base(world, "notice")
    return base | {"notice_type": notice_type, "group_id": group.group_id} | fields


def lifecycle(world: World) -> Event:
    """We are connected."""
    return _base(world, "meta_event") | {"meta_event_type": "lifecycle", "sub_type": "connect"}


def heartbeat(world: World, interval: float) -> Event:
    """We are still here; `interval` in seconds."""
    return _base(world, "meta_event") | {
        "meta_event_type": "heartbeat",
        "status": {"online": True, "good": True},
        "interval": int(interval * 1000),
    }


def group_message(world: World, message: Message) -> Event:
    """Somebody said something in a group."""
    return _base(world, "message") | {
        "time": int(message.time),
        "message_type": "group",
        "sub_type": "normal",
        "message_id": message.message_id,
        "message_seq": message.message_id,
        "real_id": message.message_id,
        "group_id": message.group_id,
        "user_id": message.user_id,
        "anonymous": None,
        "message": message.segments,
        "message_format": "array",
        "raw_message": raw_message(message.segments),
        "font": 14,
        "sender": sender(message),
    }


def group_recall(world: World, message: Message, operator_id: int) -> Event:
    """Somebody took a message back."""
    return _notice(
        world,
        world.groups[message.group_id],
        "group_recall",
        user_id=message.user_id,
        operator_id=operator_id,
        message_id=message.message_id,
    )


def poke(world: World, group: Group, user_id: int, target_id: int) -> Event:
    """Somebody poked somebody."""
    return _notice(world, group, "notify", sub_type="poke", user_id=user_id, target_id=target_id)


def increase(world: World, group: Group, user_id: int, operator_id: int) -> Event:
    """Somebody came into the group; the bot is invited, others are let in."""
    sub_type = "invite" if user_id == SELF_ID else "approve"
    return _notice(
        world, group, "group_increase", sub_type=sub_type, user_id=user_id, operator_id=operator_id
    )


def decrease(world: World, group: Group, user_id: int, operator_id: int) -> Event:
    """Somebody left, or the bot was put out."""
    sub_type = "kick_me" if user_id == SELF_ID else "leave"
    return _notice(
        world, group, "group_decrease", sub_type=sub_type, user_id=user_id, operator_id=operator_id
    )


def bot_mute(world: World, group: Group, operator_id: int, seconds: int) -> Event:
    """The bot may not speak for so many seconds; 0 lifts it."""
    return _notice(
        world,
        group,
        "group_ban",
        sub_type="ban" if seconds else "lift_ban",
        user_id=SELF_ID,
        operator_id=operator_id,
        duration=seconds,
    )


def admin(world: World, group: Group, user_id: int) -> Event:
    """A member, or the bot, became an admin, or is one no longer."""
    role = group.bot_role if user_id == SELF_ID else group.members[user_id].role
    sub_type = "set" if role == "admin" else "unset"
    return _notice(world, group, "group_admin", sub_type=sub_type, user_id=user_id)
