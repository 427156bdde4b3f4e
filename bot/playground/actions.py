"""The API calls of the bot, answered on the simulated groups as a OneBot v11 implementation would.

No network: a call and its parameters in, an answer and the events it causes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from . import events
from .events import Event
from .group import SELF_ID, Group, Message, Role, Segment, World

Params = dict[str, Any]

BAD_PARAMETER = 1400
UNKNOWN_ACTION = 1404
NOT_POSSIBLE = 1200
MUTED = 120

_CQ = re.compile(r"\[CQ:([A-Za-z_]+)((?:,[^\[\],]+)*)\]")


class Failed(Exception):
    """The call cannot be done: the code and words an implementation answers with."""

    def __init__(self, retcode: int, wording: str) -> None:
        super().__init__(wording)
        self.retcode = retcode
        self.wording = wording


def unescape(text: str) -> str:
    """Plain text of a CQ code string."""
    for code, sign in (("&#44;", ","), ("&#91;", "["), ("&#93;", "]"), ("&amp;", "&")):
        text = text.replace(code, sign)
    return text


def parse_message(message: Any, *, plain: bool = False) -> list[Segment]:
    """A message parameter in any of its forms (string with CQ codes, one segment, several) as segments."""
    if isinstance(message, dict):
        message = [message]
    if isinstance(message, list):
        segments = [cast("Segment", each) for each in cast("list[Any]", message) if isinstance(each, dict)]
        return [
            {"type": str(each.get("type")), "data": dict(each.get("data") or {})}
            for each in segments
            if each.get("type") != "text" or (each.get("data") or {}).get("text")
        ]
    text = str(message if message is not None else "")
    if plain:
        return [{"type": "text", "data": {"text": text}}] if text else []
    segments, end = [], 0
    for match in _CQ.finditer(text):
        if before := unescape(text[end : match.start()]):
            segments.append({"type": "text", "data": {"text": before}})
        fields = (field.partition("=") for field in match[2].split(",") if field)
        segments.append({"type": match[1], "data": {key: unescape(value) for key, _, value in fields}})
        end = match.end()
    if rest := unescape(text[end:]):
        segments.append({"type": "text", "data": {"text": rest}})
    return segments


class Actions:
    """Answers API calls on a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._table: dict[str, Callable[[Params], Any]] = {
            "send_msg": self._send,
            "send_group_msg": self._send,
            "send_private_msg": self._send_private,
            "send_group_forward_msg": self._send_forward,
            "send_forward_msg": self._send_forward,
            "delete_msg": self._delete,
            "get_msg": self._get_msg,
            "get_forward_msg": self._get_forward,
            "get_group_msg_history": self._history,
            "get_login_info": lambda _: {"user_id": SELF_ID, "nickname": world.bot_name},
            "get_stranger_info": self._stranger,
            "get_friend_list": lambda _: [],
            "get_group_info": lambda params: self._info(self._group(params)),
            "get_group_list": lambda _: [self._info(each) for each in world.groups.values()],
            "get_group_member_info": self._member,
            "get_group_member_list": self._members,
            "group_poke": self._poke,
            "send_poke": self._poke,
            "get_status": lambda _: {"online": True, "good": True},
            "get_version_info": lambda _: {
                "app_name": "Mishu.Playground",
                "app_version": "1",
                "protocol_version": "v11",
            },
            "can_send_image": lambda _: {"yes": True},
            "can_send_record": lambda _: {"yes": True},
        }
        self._events: list[Event] = []

    def answer(self, frame: Params) -> tuple[dict[str, Any], list[Event]]:
        """The answer to one call frame `{action, params, echo}`, and the events that follow it."""
        action = str(frame.get("action", "")).removesuffix("_async")
        params = cast("Params", frame.get("params") or {})
        self._events = []
        answer: dict[str, Any] = {"status": "ok", "retcode": 0, "data": None, "message": "", "wording": ""}
        try:
            if (handler := self._table.get(action)) is None:
                raise Failed(UNKNOWN_ACTION, f"不支持的 API {action}")
            answer["data"] = handler(params)
        except Failed as error:
            answer |= {"status": "failed", "retcode": error.retcode}
            answer |= {"message": error.wording, "wording": error.wording}
        if "echo" in frame:
            answer["echo"] = frame["echo"]
        return answer, self._events

    def _number(self, params: Params, key: str) -> int:
        try:
            return int(params[key])
        except (KeyError, TypeError, ValueError):
            raise Failed(BAD_PARAMETER, f"参数 {key} 不合法") from None

    def _group(self, params: Params) -> Group:
        group = self._world.groups.get(self._number(params, "group_id"))
        if group is None or not group.bot_inside:
            raise Failed(NOT_POSSIBLE, "群不存在，或机器人不在群里")
        return group

    def _message(self, params: Params) -> Message:
        message = self._world.find(self._number(params, "message_id"))
        if message is None or message.recalled:
            raise Failed(NOT_POSSIBLE, "消息不存在或已撤回")
        return message

    def _say(self, group: Group, segments: list[Segment]) -> dict[str, Any]:
        if group.muted_until > self._world.now():
            raise Failed(MUTED, "机器人在本群被禁言")
        if not segments:
            raise Failed(BAD_PARAMETER, "消息为空")
        return {"message_id": self._world.say(group, SELF_ID, segments).message_id}

    def _send(self, params: Params) -> dict[str, Any]:
        if "group_id" not in params:
            return self._send_private(params)
        segments = parse_message(params.get("message"), plain=bool(params.get("auto_escape")))
        if segments and all(segment["type"] == "node" for segment in segments):
            return self._send_forward(params | {"messages": segments})
        return self._say(self._group(params), segments)

    def _send_private(self, params: Params) -> dict[str, Any]:
        raise Failed(NOT_POSSIBLE, "试用台里没有私聊")

    def _send_forward(self, params: Params) -> dict[str, Any]:
        group = self._group(params)
        nodes = parse_message(params.get("messages", params.get("message")))
        if not nodes:
            raise Failed(BAD_PARAMETER, "合并转发为空")
        for node in nodes:
            node["data"]["content"] = parse_message(node["data"].get("content"))
        forward_id = self._world.keep_forward(nodes)
        sent = self._say(group, [{"type": "forward", "data": {"id": forward_id}}])
        return sent | {"forward_id": forward_id}

    def _delete(self, params: Params) -> None:
        message = self._message(params)
        group = self._world.groups[message.group_id]
        rank: dict[Role, int] = {"member": 0, "admin": 1, "owner": 2}
        if message.user_id != SELF_ID and rank[group.bot_role] <= rank[message.role]:
            raise Failed(NOT_POSSIBLE, "没有权限撤回这条消息")
        self._world.recall(message, SELF_ID)
        self._events.append(events.group_recall(self._world, message, SELF_ID))

    def _get_msg(self, params: Params) -> dict[str, Any]:
        return self._message_payload(self._message(params))

    def _message_payload(self, message: Message) -> dict[str, Any]:
        event = events.group_message(self._world, message)
        kept = ("time", "message_type", "message_id", "real_id", "group_id", "user_id", "sender", "message")
        return {key: event[key] for key in (*kept, "raw_message", "font")}

    def _get_forward(self, params: Params) -> dict[str, Any]:
        nodes = self._world.forwards.get(str(params.get("id") or params.get("message_id")))
        if nodes is None:
            raise Failed(NOT_POSSIBLE, "合并转发不存在")
        return {"messages": nodes, "message": nodes}

    def _history(self, params: Params) -> dict[str, Any]:
        group = self._group(params)
        wanted = min(max(int(params.get("count") or 20), 1), 100)
        said = [message for message in group.messages() if not message.recalled]
        return {"messages": [self._message_payload(message) for message in said[-wanted:]]}

    def _stranger(self, params: Params) -> dict[str, Any]:
        user_id = self._number(params, "user_id")
        for group in self._world.groups.values():
            if user_id in group.members or user_id == SELF_ID:
                return {"user_id": user_id, "nickname": self._world.name_of(group, user_id)} | _UNSAID
        raise Failed(NOT_POSSIBLE, "没有这个人")

    def _info(self, group: Group) -> dict[str, Any]:
        return {
            "group_id": group.group_id,
            "group_name": group.name,
            "member_count": len(group.members) + group.bot_inside,
            "max_member_count": 200,
        }

    def _member(self, params: Params) -> dict[str, Any]:
        group, user_id = self._group(params), self._number(params, "user_id")
        for told in self._members({"group_id": group.group_id}):
            if told["user_id"] == user_id:
                return told
        raise Failed(NOT_POSSIBLE, "群里没有这个人")

    def _members(self, params: Params) -> list[dict[str, Any]]:
        group = self._group(params)
        people = [(each.user_id, each.name, each.role) for each in group.members.values()]
        people.append((SELF_ID, self._world.bot_name, group.bot_role))
        return [
            {"group_id": group.group_id, "user_id": user_id, "nickname": name, "card": name, "role": role}
            | _UNSAID
            | {"level": "1", "title": "", "join_time": 0, "last_sent_time": 0}
            for user_id, name, role in people
        ]

    def _poke(self, params: Params) -> None:
        group, user_id = self._group(params), self._number(params, "user_id")
        name = self._world.name_of(group, user_id)
        self._world.note(group, f"{self._world.bot_name} 戳了戳 {name}")
        self._events.append(events.poke(self._world, group, SELF_ID, user_id))


_UNSAID: dict[str, Any] = {"sex": "unknown", "age": 0, "area": ""}
