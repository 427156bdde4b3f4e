"""How the platform answers the bot's API calls, and how it fails to."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .sent import SENDS, Action


@dataclass
class Fail:
    """Answer with an error, as NapCat does when a message is refused."""

    retcode: int = 1200
    words: str = "EventChecker Failed: sendMsg"


@dataclass
class Never:
    """Give no answer at all."""


@dataclass
class Disconnect:
    """Drop the connection instead of answering."""


@dataclass
class Delay:
    """Answer late."""

    seconds: float


@dataclass
class Gate:
    """Answer when the test says so. `entered` is set once a call waits here."""

    entered: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self) -> None:
        """Let the waiting calls go on."""
        self.opened.set()


Fault = Fail | Never | Disconnect | Delay | Gate


@dataclass
class PlannedFault:
    """A fault that waits for its call."""

    action: str
    fault: Fault
    times: int
    matching: Callable[[Action], bool]


class Platform:
    """The account's world: what was said, who is where. Answers like NapCat."""

    def __init__(self, self_id: str, name: str) -> None:
        self.self_id = self_id
        self.name = name
        self.messages: dict[str, dict[str, Any]] = {}
        self.members: dict[tuple[str, str], dict[str, Any]] = {}
        self.groups: dict[str, str] = {}
        self.recordings: dict[str, dict[str, Any]] = {}
        """What `get_record` answers, by the name in the segment: `{"file": path}` or `{"base64": text}`."""
        self.files: dict[str, dict[str, Any]] = {}
        """What `get_file` answers, by the id in the segment."""
        self.announcements: dict[str, list[str]] = defaultdict(list)
        """What was put among the announcements of each group."""
        self.faults: list[PlannedFault] = []

    def fault_for(self, action: Action) -> Fault | None:
        """The next planned fault of this call, used up."""
        for planned in self.faults:
            named = planned.action in (action.name, "*") or (
                planned.action == "send" and action.name in SENDS
            )
            if named and planned.matching(action):
                planned.times -= 1
                if planned.times <= 0:
                    self.faults.remove(planned)
                return planned.fault
        return None

    def remember(self, event: dict[str, Any]) -> None:
        """Keep a message so that `get_msg` finds it, and its sender as a member."""
        group, user = str(event.get("group_id", "")), str(event.get("user_id", ""))
        self.messages[str(event["message_id"])] = event
        if group:
            self.members[group, user] = {"group_id": int(group), **event.get("sender", {})}
            self.groups.setdefault(group, f"群{group}")

    def answer(self, action: Action, message_id: int) -> dict[str, Any]:
        """The response to one call, without `echo`."""
        if action.name in SENDS:
            return self._ok({"message_id": message_id, "res_id": f"res{message_id}", "forward_id": ""})
        reader: Callable[[dict[str, Any]], dict[str, Any]] | None = getattr(
            self, f"_{action.name.lstrip('_')}", None
        )
        if reader is None:
            return {
                "status": "failed",
                "retcode": 1404,
                "data": None,
                "message": "不支持的Api",
                "wording": "不支持的Api",
            }
        return reader(action.params)

    @staticmethod
    def _ok(data: Any) -> dict[str, Any]:
        return {"status": "ok", "retcode": 0, "data": data, "message": "", "wording": ""}

    def _get_msg(self, params: dict[str, Any]) -> dict[str, Any]:
        found = self.messages.get(str(params.get("message_id")))
        if found is None:
            return {"status": "failed", "retcode": 1200, "data": None, "message": "消息不存在"}
        return self._ok({**found, "real_id": found["message_id"]})

    def _get_login_info(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"user_id": int(self.self_id), "nickname": self.name})

    def _get_group_info(self, params: dict[str, Any]) -> dict[str, Any]:
        group = str(params["group_id"])
        return self._ok({"group_id": int(group), "group_name": self.groups.get(group, ""), "member_count": 9})

    def _get_group_list(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok([{"group_id": int(key), "group_name": name} for key, name in self.groups.items()])

    def _get_group_member_info(self, params: dict[str, Any]) -> dict[str, Any]:
        group, user = str(params["group_id"]), str(params["user_id"])
        if user == self.self_id:
            own = {"user_id": int(user), "nickname": self.name, "card": "", "role": "member"}
            return self._ok({"group_id": int(group), **own, **self.members.get((group, user), {})})
        found = self.members.get((group, user))
        if found is None:
            return {"status": "failed", "retcode": 1200, "data": None, "message": "群成员不存在"}
        return self._ok(found)

    def _get_group_member_list(self, params: dict[str, Any]) -> dict[str, Any]:
        group = str(params["group_id"])
        return self._ok([member for (where, _), member in self.members.items() if where == group])

    def _send_group_notice(self, params: dict[str, Any]) -> dict[str, Any]:
        group = str(params["group_id"])
        if self.members.get((group, self.self_id), {}).get("role", "member") == "member":
            return {"status": "failed", "retcode": 100, "data": None, "message": "没有权限"}
        self.announcements[group].append(params["content"])
        return self._ok(None)

    def _get_friend_list(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok([])

    def _get_stranger_info(self, params: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"user_id": int(params["user_id"]), "nickname": "某人", "sex": "unknown", "age": 0})

    def _get_version_info(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"app_name": "NapCat.Onebot", "app_version": "4.9.0", "protocol_version": "v11"})

    def _get_status(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"online": True, "good": True})

    def _delete_msg(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok(None)

    def _get_record(self, params: dict[str, Any]) -> dict[str, Any]:
        found = self.recordings.get(str(params.get("file")))
        if found is None:
            return {"status": "failed", "retcode": 1200, "data": None, "message": "文件不存在"}
        return self._ok(found)

    def _get_file(self, params: dict[str, Any]) -> dict[str, Any]:
        found = self.files.get(str(params.get("file_id")))
        if found is None:
            return {"status": "failed", "retcode": 1200, "data": None, "message": "文件不存在"}
        return self._ok(found)

    def _can_send_image(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"yes": True})

    def _can_send_record(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"yes": True})

    def _upload_group_file(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"file_id": "/file"})

    def _upload_private_file(self, _: dict[str, Any]) -> dict[str, Any]:
        return self._ok({"file_id": "/file"})
