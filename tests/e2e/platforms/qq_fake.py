"""QQ's HTTP API and gateway for official bots on loopback. It refuses what QQ refuses."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import WSMsgType, web

from ..harness.answers import Gate
from .chat import Line, Seen, Someone

APP = "102001234"
BOT_ID = "B07B07B07B07B07B07B07B07B07B07B0"
_numbers = itertools.count(1)
_MENTION = re.compile(r"<@([^<>\s]+)>")
GROUP_WINDOW, PRIVATE_WINDOW, TIMES = 300.0, 3600.0, 5


def openid() -> str:
    """A new openid."""
    return f"{next(_numbers):032X}"


@dataclass
class Answerable:
    """A message or an event that may be answered."""

    place: str
    at: float
    used: set[int] = field(default_factory=set)
    private: bool = False


class QqFake:
    """One official bot's QQ: `sent` is what members saw of it, by place."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.active_refused: set[str] = set()
        self.all_active_refused = False
        self.keyboards = True
        self.sent: defaultdict[str, list[Seen]] = defaultdict(list)
        self.refusals: Counter[int] = Counter()
        self.bodies: list[tuple[str, dict[str, Any]]] = []
        self.acknowledged: dict[str, float] = {}
        """Interactions, and after how many seconds they were acknowledged."""
        self.pressed: dict[str, float] = {}
        self.members: defaultdict[str, dict[str, Someone]] = defaultdict(dict)
        self.member_calls = 0
        self.gates: list[Gate] = []
        """Each holds back the answer to one message that was said, the first the next one's."""
        self.changed = asyncio.Event()
        self._answerable: dict[str, Answerable] = {}
        self._button_data: dict[str, list[tuple[str, str, str]]] = {}
        self._sockets: set[web.WebSocketResponse] = set()
        self._sequence = itertools.count(1)
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def __aenter__(self) -> QqFake:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/token", self._token)
        app.router.add_get("/gateway/bot", self._gateway_address)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_get("/users/@me", self._me)
        app.router.add_post("/v2/{kind:groups|users}/{place}/messages", self._message)
        app.router.add_post("/v2/{kind:groups|users}/{place}/files", self._file)
        app.router.add_get("/v2/groups/{place}/members", self._members_of)
        app.router.add_get("/v2/groups/{place}/members/{member}", self._member_of)
        app.router.add_put("/interactions/{id}", self._interaction)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        for socket in list(self._sockets):
            await socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def settings(self) -> dict[str, object]:
        """The bot's own keys for this fake."""
        intent = {"c2c_group_at_messages": True, "interaction": True}
        return {
            "MISHU__BOT__ADAPTERS": ["qq"],
            "QQ_BOTS": [{"id": APP, "secret": "s", "intent": intent}],
            "QQ_API_BASE": f"http://127.0.0.1:{self.port}/",
            "QQ_AUTH_BASE": f"http://127.0.0.1:{self.port}/token",
            "QQ_CUSTOM_GATEWAY_URL": f"ws://127.0.0.1:{self.port}/gateway",
        }

    async def until(self, found: Callable[[], Any], within: float, wanted: str) -> Any:
        """What `found` finds, as soon as it finds something."""
        end = time.monotonic() + within
        while True:
            if (value := found()) is not None and value is not False:
                return value
            left = end - time.monotonic()
            last = [seen for place in self.sent.values() for seen in place[-2:]][-6:]
            assert left > 0, f"not within {within:g} s: {wanted}; {self.refusals}; last sent: {last}"
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), min(left, 0.5))
            except TimeoutError:
                continue

    def expire(self) -> None:
        """Nothing that was said may be answered any more."""
        self._answerable.clear()

    async def emit(self, kind: str, data: dict[str, Any], event_id: str | None = None) -> None:
        """An event, over the gateway."""
        frame = {
            "op": 0,
            "s": next(self._sequence),
            "t": kind,
            "d": data,
            "id": event_id or f"{kind}:{openid()}",
        }
        for socket in list(self._sockets):
            await socket.send_str(json.dumps(frame, ensure_ascii=False))

    def answerable(self, name: str, place: str, *, private: bool = False) -> None:
        """Something that may be answered from now on."""
        self._answerable[name] = Answerable(place, time.monotonic(), private=private)

    def button(self, seen: Seen, label: str) -> tuple[str, str]:
        """Id and data of a button under a message."""
        for shown, button_id, data in self._button_data.get(seen.id, []):
            if shown == label:
                return button_id, data
        raise AssertionError(f"no button {label} under {seen}")

    def lost_button(self, label: str) -> Seen:
        """A message of long ago with a button of the bot's, of which the bot has kept nothing."""
        seen = Seen(f"ROBOT1.0_{openid()}", "", buttons=[label])
        self._button_data[seen.id] = [(label, f"mishu{openid().lower()}-0-0", label)]
        return seen

    # HTTP

    async def _token(self, request: web.Request) -> web.Response:
        return web.json_response({"access_token": "t", "expires_in": "7200"})

    async def _me(self, request: web.Request) -> web.Response:
        return web.json_response({"id": BOT_ID, "username": "小秘", "bot": True})

    async def _gateway_address(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1000, "max_concurrency": 1}
        url = f"ws://127.0.0.1:{self.port}/gateway"
        return web.json_response({"url": url, "shards": 1, "session_start_limit": limit})

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=2**26)
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 20_000}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            frame = json.loads(message.data)
            if frame["op"] == 1:
                await socket.send_json({"op": 11})
            elif frame["op"] in (2, 6):
                user = {"id": BOT_ID, "username": "小秘", "bot": True}
                ready = {"version": 1, "session_id": openid(), "user": user, "shard": [0, 1]}
                if frame["op"] == 2:
                    await socket.send_json({"op": 0, "s": next(self._sequence), "t": "READY", "d": ready})
                self._sockets.add(socket)
                self.changed.set()
        self._sockets.discard(socket)
        return socket

    @property
    def connected(self) -> bool:
        """The bot listens."""
        return bool(self._sockets)

    async def drop(self) -> None:
        """The line is cut."""
        for socket in list(self._sockets):
            await socket.close()

    def _refuse(self, code: int, words: str) -> web.Response:
        self.refusals[code] += 1
        return web.json_response({"code": code, "message": words}, status=400)

    async def _message(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != "QQBot t":
            return web.json_response({"code": 11244, "message": "token"}, status=401)
        place, body = request.match_info["place"], await request.json()
        self.bodies.append((place, body))
        if (body.get("keyboard") or body.get("msg_type") == 2) and not self.keyboards:
            return self._refuse(40034029, "markdown or keyboard not allowed")
        name = body.get("msg_id") or body.get("event_id")
        if name is not None:
            known = self._answerable.get(name)
            if known is None or known.place != place:
                return self._refuse(40034024, "msg_id")
            window = PRIVATE_WINDOW if known.private else GROUP_WINDOW
            if time.monotonic() - known.at > window:
                return self._refuse(40034005, "msg expired")
            if body.get("msg_seq") in known.used:
                return self._refuse(40054005, "msg_seq used")
            if len(known.used) >= TIMES:
                return self._refuse(40034128, "msg limit")
            known.used.add(body.get("msg_seq", 1))
        elif self.all_active_refused or place in self.active_refused:
            return self._refuse(40034105 if place in self.active_refused else 40034102, "active not allowed")
        content = str((body.get("markdown") or {}).get("content") or body.get("content") or "")
        seen = Seen(f"ROBOT1.0_{openid()}", _shown(content), _MENTION.findall(content))
        for row in ((body.get("keyboard") or {}).get("content") or {}).get("rows") or []:
            for button in row["buttons"]:
                label = button["render_data"]["label"]
                seen.buttons.append(label)
                kept = self._button_data.setdefault(seen.id, [])
                kept.append((label, button["id"], button["action"]["data"]))
        if body.get("msg_type") == 7:
            assert body["media"]["file_info"].startswith("file:")
            seen.pictures = 1
        self.sent[place].append(seen)
        self.changed.set()
        if self.gates:
            gate = self.gates.pop(0)
            gate.entered.set()
            await gate.opened.wait()
        return web.json_response({"id": seen.id, "timestamp": datetime.now(UTC).isoformat()})

    async def _file(self, request: web.Request) -> web.Response:
        body = await request.json()
        if body.get("file_type") not in (1, 2, 3):
            return self._refuse(40034004, "file type not open")
        return web.json_response({"file_uuid": "u", "file_info": f"file:{openid()}", "ttl": 60})

    async def _members_of(self, request: web.Request) -> web.Response:
        self.member_calls += 1
        members = [_info(one) for one in self.members[request.match_info["place"]].values()]
        return web.json_response({"members": members})

    async def _member_of(self, request: web.Request) -> web.Response:
        known = self.members[request.match_info["place"]].get(request.match_info["member"])
        return web.json_response(_info(known)) if known else self._refuse(11253, "no member")

    async def _interaction(self, request: web.Request) -> web.Response:
        name = request.match_info["id"]
        self.acknowledged[name] = time.monotonic() - self.pressed[name]
        self.changed.set()
        return web.json_response({})


def _info(one: Someone) -> dict[str, Any]:
    return {"member_openid": one.id, "username": one.name, "member_role": one.role, "bot": False}


def _shown(content: str) -> str:
    """What a member sees: without mentions' codes and Markdown's escapes."""
    text = _MENTION.sub("", content).replace("\n\n", "\n")
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-!|~>])", r"\1", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


class QqChat:
    """A group of an official bot, or a member's conversation with it."""

    recalls = False
    buttons = True
    publishes = False

    def __init__(self, fake: QqFake, place: str | None = None, *, private: bool = False) -> None:
        self.fake = fake
        self.id = place or openid()
        self.private = private

    def member(self, name: str, role: str = "member") -> Someone:
        made = Someone(openid(), name, role)
        self.fake.members[self.id][made.id] = made
        return made

    async def say(self, who: Someone, text: str) -> Line:
        return await self._say(who, text)

    async def call(self, who: Someone, text: str) -> Line:
        return await self._say(who, text, called=not self.private)

    async def quote(self, who: Someone, seen: Seen, text: str) -> Line:
        return await self._say(who, text, quoted=seen)

    async def _say(
        self, who: Someone, text: str, *, called: bool = False, quoted: Seen | None = None
    ) -> Line:
        message_id = f"ROBOT1.0_{openid()}"
        at = datetime.fromtimestamp(self.fake.now(), UTC).isoformat()
        event: dict[str, Any] = {"id": message_id, "content": _coded(text), "timestamp": at}
        if self.private:
            event["author"] = {"id": who.id, "user_openid": who.id, "username": who.name}
        else:
            author = {"id": who.id, "bot": False, "member_openid": who.id, "member_role": who.role}
            event |= {"author": {**author, "username": who.name}}
            event |= {"group_id": self.id, "group_openid": self.id}
        if quoted is not None:
            element = {"content": _coded(quoted.text), "msg_idx": "REFIDX_1"}
            element["author"] = {"id": BOT_ID, "bot": True, "username": "小秘"}  # type: ignore[assignment]
            event |= {"message_type": 103, "msg_elements": [element]}
            event["message_scene"] = {"source": "default", "ext": ["ref_msg_idx=REFIDX_1"]}
        kind = "C2C_MESSAGE_CREATE" if self.private else "GROUP_MESSAGE_CREATE"
        if called:
            us = {"scope": "single", "bot": True, "id": BOT_ID, "is_you": True, "member_openid": BOT_ID}
            event["mentions"] = [{**us, "username": "小秘"}]
            event["content"] = f"<@{BOT_ID}> {event['content']}"
        self.fake.answerable(message_id, self.id, private=self.private)
        await self.fake.emit(kind, event)
        return Line(message_id, who, text)

    async def press(self, who: Someone, seen: Seen, label: str) -> None:
        button_id, data = self.fake.button(seen, label)
        name, event_id = openid(), f"INTERACTION_CREATE:{openid()}"
        where = (
            {"user_openid": who.id}
            if self.private
            else {"group_openid": self.id, "group_member_openid": who.id}
        )
        self.fake.pressed[name] = time.monotonic()
        self.fake.answerable(event_id, self.id, private=self.private)
        event = {
            "id": name,
            "type": 11,
            "version": 1,
            "timestamp": datetime.fromtimestamp(self.fake.now(), UTC).isoformat(),
            "scene": "c2c" if self.private else "group",
            "chat_type": 2 if self.private else 1,
            "application_id": APP,
            "data": {"resolved": {"button_data": data, "button_id": button_id}},
            **where,
        }
        await self.fake.emit("INTERACTION_CREATE", event, event_id)
        await self.fake.until(lambda: name in self.fake.acknowledged, 3.0, "a press acknowledged")

    async def recall(self, line: Line) -> None:
        raise AssertionError("QQ tells official bots of no recall")

    def make_admin(self) -> None:
        """It changes nothing: QQ has no call for announcements."""

    def announcements(self) -> list[str]:
        return []

    async def expect(
        self, matching: str | Callable[[Seen], bool] | None = None, within: float = 12.0
    ) -> Seen:
        def find() -> Seen | None:
            for seen in self.fake.sent[self.id]:
                if not seen.taken and _fits(seen, matching):
                    return seen
            return None

        found: Seen = await self.fake.until(find, within, f"a message in {self.id} matching {matching!r}")
        found.taken = True
        return found

    def left(self) -> list[Seen]:
        return [seen for seen in self.fake.sent[self.id] if not seen.taken]

    def take_all(self) -> None:
        for seen in self.left():
            seen.taken = True

    def alone(self, who: Someone) -> QqChat:
        return QqChat(self.fake, who.id, private=True)


def _fits(seen: Seen, matching: str | Callable[[Seen], bool] | None) -> bool:
    if matching is None:
        return True
    return matching(seen) if callable(matching) else matching in seen.text


def _coded(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
