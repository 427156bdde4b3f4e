"""A Milky implementation on loopback: the bot dials it, for events by WebSocket, and calls it by HTTP.

It is an account of the harness like any other: what members do is told in OneBot's form, as everywhere in
these tests, and goes over the wire as Milky has it; what the bot calls comes back the other way. Messages
have a number that counts within each conversation, as QQ's have.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import defaultdict
from typing import Any

from aiohttp import WSMsgType, web

from ..harness import OneBotClient
from ..harness.answers import Delay, Disconnect, Fail, Gate, Never
from ..harness.sent import Action, Sent, read_send

TOKEN = "milky-e2e-7f3a91c05bd24e68"
_CATEGORY = {"category_id": 0, "category_name": "好友"}
_OURS = {
    "text": lambda data: {"type": "text", "data": {"text": data["text"]}},
    "mention": lambda data: {"type": "at", "data": {"qq": str(data["user_id"])}},
    "mention_all": lambda data: {"type": "at", "data": {"qq": "all"}},
    "image": lambda data: {"type": "image", "data": {"file": data["uri"]}},
    "record": lambda data: {"type": "record", "data": {"file": data["uri"]}},
}


class MilkyFake(OneBotClient):
    """One account of a Milky implementation. `open` before the bot starts, `settings` for the bot; then
    `connect`, as with any account."""

    def __init__(self, self_id: int, *, name: str = "小秘", token: str = TOKEN) -> None:
        super().__init__("http://127.0.0.1:1", self_id, name=name, token=token)
        self.port = 0
        self.dials = 0
        """How often the bot came for events."""
        self.reactions: list[dict[str, Any]] = []
        self.files: list[dict[str, Any]] = []
        self.refuses_reactions = False
        self._up = True
        self._events: web.WebSocketResponse | None = None
        self._runner: web.AppRunner | None = None
        self._numbers: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._number_of: dict[str, int] = {}
        """The number of a message in its conversation, by the harness's id; and the other way."""
        self._known: dict[tuple[str, str, int], str] = {}

    @property
    def settings(self) -> dict[str, object]:
        """What the bot is told of it."""
        return {"host": "127.0.0.1", "port": self.port, "access_token": self.token}

    async def open(self) -> None:
        """Listen."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/event", self._serve_events)
        app.router.add_post("/api/{name}", self._serve_call)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        [(_, self.port)] = [address[:2] for address in self._runner.addresses]

    async def close(self) -> None:
        """Listen no more."""
        await self.disconnect()
        if self._runner is not None:
            await self._runner.cleanup()

    async def connect(self) -> None:
        """Answer, and wait for the bot."""
        self._up = True
        end = time.monotonic() + 20
        while self._events is None:
            assert time.monotonic() < end, "the bot does not come for events"
            await asyncio.sleep(0.02)

    async def disconnect(self) -> None:
        """Go: events end, and nothing is answered."""
        self._up = False
        events, self._events = self._events, None
        if events is not None:
            await events.close()
        assert not self.problems, self.problems

    async def wake(self) -> None:
        """It stands as long as the bot does."""
        await self.connect()

    async def emit(self, event: dict[str, Any]) -> dict[str, Any]:
        """Report one event, given in OneBot's form."""
        whole = {"time": int(self.now()), "self_id": int(self.self_id), **event}
        kind, data = self._told(whole)
        if kind:
            happened = {"event_type": kind, "time": whole["time"], "self_id": whole["self_id"], "data": data}
            await self.emit_raw(json.dumps(happened, ensure_ascii=False))
        return whole

    async def emit_raw(self, frame: str) -> None:
        """Send one frame as it stands."""
        assert self._events is not None, "not connected"
        await self._events.send_str(frame)

    def number(self, scene: str, peer: object, message_id: object) -> int:
        """The number of a message in its conversation, given when it is first asked for."""
        key = str(message_id)
        if key not in self._number_of:
            self._numbers[scene, str(peer)] += 1
            number = self._number_of[key] = self._numbers[scene, str(peer)]
            self._known[scene, str(peer), number] = key
        return self._number_of[key]

    # -- what members do

    def _told(self, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        if event.get("post_type") == "message":
            return "message_receive", self._message(event)
        group = {"group_id": event.get("group_id")}
        user = event.get("user_id")
        match event.get("notice_type"), event.get("sub_type"):
            case "group_recall" | "friend_recall" as kind, _:
                scene = kind.partition("_")[0]
                peer = event["group_id"] if scene == "group" else user
                number = self.number(scene, peer, event["message_id"])
                where = {"message_scene": scene, "peer_id": peer, "message_seq": number}
                by = {"sender_id": user, "operator_id": event.get("operator_id", user), "display_suffix": ""}
                return "message_recall", {**where, **by}
            case "notify", "poke":
                shown = {"display_action": "戳了戳", "display_suffix": "", "display_action_img_url": ""}
                if event.get("group_id") is None:
                    mine = {"user_id": user, "is_self_send": False, "is_self_receive": True}
                    return "friend_nudge", {**mine, **shown}
                who = {"sender_id": user, "receiver_id": event["target_id"]}
                return "group_nudge", {**group, **who, **shown}
            case "group_ban", sub if user == 0:
                return "group_whole_mute", {**group, "operator_id": 9, "is_mute": sub == "ban"}
            case "group_ban", _:
                return "group_mute", {
                    **group,
                    "user_id": user,
                    "operator_id": 9,
                    "duration": event["duration"],
                }
            case "group_increase", _:
                return "group_member_increase", {**group, "user_id": user}
            case "group_decrease", _:
                return "group_member_decrease", {**group, "user_id": user}
            case "group_admin", sub:
                return "group_admin_change", {
                    **group,
                    "user_id": user,
                    "operator_id": 9,
                    "is_set": sub == "set",
                }
            case "group_upload", _:
                file = event["file"]
                told = {"file_id": "/f", "file_name": file["name"], "file_size": file.get("size", 1)}
                return "group_file_upload", {**group, "user_id": user, **told}
            case _:
                return "", {}

    def _message(self, event: dict[str, Any]) -> dict[str, Any]:
        group = event.get("group_id")
        scene, peer = ("friend", event["user_id"]) if group is None else ("group", group)
        sender = event.get("sender", {})
        person = {"user_id": event["user_id"], "nickname": sender.get("nickname", ""), "sex": "unknown"}
        data: dict[str, Any] = {
            "message_scene": scene,
            "peer_id": peer,
            "message_seq": self.number(scene, peer, event["message_id"]),
            "sender_id": event["user_id"],
            "time": event["time"],
            "segments": [self._part(scene, peer, part) for part in event["message"]],
        }
        if group is None:
            data["friend"] = {**person, "qid": "", "remark": "", "category": _CATEGORY}
            return data
        data["group"] = self._group(str(group))
        data["group_member"] = self._member({**sender, "group_id": group, "user_id": event["user_id"]})
        return data

    def _part(self, scene: str, peer: object, part: dict[str, Any]) -> dict[str, Any]:
        data = part["data"]
        match part["type"]:
            case "text":
                return part
            case "at" if data["qq"] == "all":
                return {"type": "mention_all", "data": {}}
            case "at":
                return {"type": "mention", "data": {"user_id": int(data["qq"]), "name": "某人"}}
            case "reply":
                number = self.number(scene, peer, data["id"])
                return {"type": "reply", "data": {"message_seq": number}}
            case "image":
                size = {"width": 1, "height": 1, "summary": "[图片]", "sub_type": "normal"}
                return {"type": "image", "data": {"resource_id": "r", "temp_url": data["url"], **size}}
            case "record":
                told = {"resource_id": data["file"], "temp_url": data["url"], "duration": 1}
                return {"type": "record", "data": told}
            case "face":
                return {"type": "face", "data": {"face_id": data["id"], "is_large": False}}
            case "file":
                return {"type": "file", "data": {"file_id": "/f", "file_name": data["name"], "file_size": 1}}
            case "json":
                return {"type": "light_app", "data": {"app_name": "a", "json_payload": data["data"]}}
            case kind:
                raise AssertionError(f"no {kind} in Milky's form yet")

    # -- what the bot calls

    def _let_in(self, request: web.Request) -> bool:
        """Calls bring the token in a header, whoever wants events in the address."""
        if request.path == "/event":
            return request.query.get("access_token") == self.token
        return request.headers.get("Authorization") == f"Bearer {self.token}"

    async def _serve_events(self, request: web.Request) -> web.StreamResponse:
        self.dials += 1
        if not self._up:
            return web.Response(status=503)
        if not self._let_in(request):
            return web.Response(status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._events = socket
        async for message in socket:
            if message.type is WSMsgType.ERROR:
                break
        if self._events is socket:
            self._events = None
        return socket

    async def _serve_call(self, request: web.Request) -> web.StreamResponse:
        if not self._up:
            return web.Response(status=503)
        if not self._let_in(request):
            return web.Response(status=401)
        if request.content_type != "application/json":
            return web.Response(status=415)
        name, given = request.match_info["name"], await request.json()
        if name != "get_login_info" and not hasattr(self, f"_do_{name}"):
            return web.Response(status=404)
        try:
            return await self._respond_to(request, name, given)
        except Exception as error:
            self.problems.append(repr(error))
            raise

    async def _respond_to(self, request: web.Request, name: str, given: dict[str, Any]) -> web.StreamResponse:
        scene = "group" if "group" in name else "friend"
        sends = name in ("send_group_message", "send_private_message")
        message_id = self.next_message_id()
        action = self._action(name, scene, given) if sends else Action(name, given, time.monotonic())
        fault = self.platform.fault_for(action)
        self.actions.append(action)
        if sends:
            sent = read_send(action, message_id)
            sent.delivered = not isinstance(fault, Fail)
            sent.number = len(self.sends)
            self.sends.append(sent)
            self._sends_by_place[sent.place].append(sent)
            self._keep_sent(sent, scene)
        for waiter in self._waiters:
            waiter.set()
        match fault:
            case Fail():
                words = {"retcode": -500, "message": fault.words, "data": None}
                return web.json_response({"status": "failed", **words})
            case Disconnect() | Never():
                if request.transport is not None:
                    request.transport.close()
                return web.Response(status=500)
            case Delay(seconds):
                await asyncio.sleep(seconds)
            case Gate():
                fault.entered.set()
                await fault.opened.wait()
            case _:
                pass
        if sends:
            peer = given["group_id" if scene == "group" else "user_id"]
            data: Any = {"message_seq": self.number(scene, peer, message_id), "time": int(self.now())}
        else:
            data = getattr(self, f"_do_{name}")(given)
        if data is None:
            return web.json_response({"status": "failed", "retcode": -404, "message": "没有", "data": None})
        return web.json_response({"status": "ok", "retcode": 0, "data": data})

    def _keep_sent(self, sent: Sent, scene: str) -> None:
        self._keep(sent)
        self.number(scene, sent.place[1], sent.message_id)

    def _action(self, name: str, scene: str, given: dict[str, Any]) -> Action:
        """A send as the harness knows sends."""
        peer = given["group_id" if scene == "group" else "user_id"]
        parts = given["message"]
        target = {"group_id": peer} if scene == "group" else {"user_id": peer}
        if parts[0]["type"] == "forward":
            nodes = [
                {"type": "node", "data": {"content": self._spoken(scene, peer, node["segments"])}}
                for node in parts[0]["data"]["messages"]
            ]
            kind = "send_group_forward_msg" if scene == "group" else "send_private_forward_msg"
            return Action(kind, {**target, "messages": nodes}, time.monotonic())
        kind = "send_group_msg" if scene == "group" else "send_private_msg"
        return Action(kind, {**target, "message": self._spoken(scene, peer, parts)}, time.monotonic())

    def _spoken(self, scene: str, peer: object, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for part in parts:
            data = part["data"]
            if part["type"] == "reply":
                known = self._known[scene, str(peer), data["message_seq"]]
                found.append({"type": "reply", "data": {"id": known}})
            else:
                found.append(_OURS[part["type"]](data))
        return found

    def _group(self, group: str) -> dict[str, Any]:
        name = self.platform.groups.get(group, f"群{group}")
        return {"group_id": int(group), "group_name": name, "member_count": 9, "max_member_count": 200}

    def _member(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "user_id": int(row["user_id"]),
            "nickname": row.get("nickname", ""),
            "sex": "unknown",
            "group_id": int(row["group_id"]),
            "card": row.get("card", ""),
            "title": "",
            "level": 1,
            "role": row.get("role", "member"),
            "join_time": 1_700_000_000,
            "last_sent_time": 1_700_000_000,
        }

    def _do_get_login_info(self, _: dict[str, Any]) -> Any:
        return {"uin": int(self.self_id), "nickname": self.platform.name}

    def _do_get_message(self, given: dict[str, Any]) -> Any:
        scene, peer = given["message_scene"], str(given["peer_id"])
        known = self._known.get((scene, peer, given["message_seq"]))
        found = self.platform.messages.get(known or "")
        return None if found is None else {"message": self._message(found)}

    def _do_get_group_list(self, _: dict[str, Any]) -> Any:
        return {"groups": [self._group(group) for group in self.platform.groups]}

    def _do_get_group_member_list(self, given: dict[str, Any]) -> Any:
        group = str(given["group_id"])
        rows = [row for (where, _), row in self.platform.members.items() if where == group]
        return {"members": [self._member(row) for row in rows]}

    def _do_get_group_member_info(self, given: dict[str, Any]) -> Any:
        group, user = str(given["group_id"]), str(given["user_id"])
        row = self.platform.members.get((group, user))
        if row is None and user != self.self_id:
            return None
        own = {"user_id": user, "group_id": group, "nickname": self.platform.name}
        return {"member": self._member({**own, **(row or {})})}

    def _do_send_group_message(self, _: dict[str, Any]) -> Any:
        return None

    _do_send_private_message = _do_send_group_message

    def _do_send_group_message_reaction(self, given: dict[str, Any]) -> Any:
        if self.refuses_reactions:
            return None
        known = self._known[("group", str(given["group_id"]), given["message_seq"])]
        self.reactions.append({**given, "message_id": known})
        return {}

    def _do_send_group_announcement(self, given: dict[str, Any]) -> Any:
        row = self.platform.members.get((str(given["group_id"]), self.self_id), {})
        if row.get("role", "member") == "member":
            return None
        self.platform.announcements[str(given["group_id"])].append(given["content"])
        return {}

    def _do_upload_group_file(self, given: dict[str, Any]) -> Any:
        self.files.append(given)
        return {"file_id": f"/{len(self.files)}"}

    _do_upload_private_file = _do_upload_group_file

    async def __aenter__(self) -> MilkyFake:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(ConnectionError):
            await self.close()
