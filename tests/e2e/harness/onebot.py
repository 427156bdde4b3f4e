"""A OneBot v11 implementation as the bot sees one: it reports events over a WebSocket and answers calls."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from .answers import Delay, Disconnect, Fail, Fault, Gate, Never, PlannedFault, Platform
from .bot_clock import now_at
from .room import Chat
from .sent import SENDS, Action, Sent, read_send

_message_ids = itertools.count(700_001)


class OneBotClient:
    """One QQ account, connected to the bot.

    `header_self_id` is what the handshake says, where it shall differ from the `self_id` of the events.
    Every action of the bot is kept in `actions`, every message it sent in `sends`.
    """

    def __init__(
        self,
        url: str,
        self_id: int,
        *,
        name: str = "小秘",
        token: str | None = None,
        header_self_id: str | None = None,
    ) -> None:
        self.url = url
        self.self_id = str(self_id)
        self.token = token
        self.header_self_id = header_self_id or self.self_id
        self.platform = Platform(self.self_id, name)
        self.actions: list[Action] = []
        self.sends: list[Sent] = []
        self._sends_by_place: defaultdict[tuple[bool, str | None], list[Sent]] = defaultdict(list)
        self.rooms: list[Chat] = []
        """Every group asked for."""
        self.problems: list[str] = []
        """What went wrong while answering: a defect of the harness, reported when the client closes."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._waiters: set[asyncio.Event] = set()

    async def __aenter__(self) -> OneBotClient:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.disconnect()

    async def connect(self) -> None:
        """Connect and report `lifecycle.connect`, as implementations do. Raises what the handshake raises."""
        headers = {"X-Self-ID": self.header_self_id, "X-Client-Role": "Universal"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        self._socket = await connect(
            self.url, additional_headers=headers, max_size=None, ping_interval=None, proxy=None
        )
        self._reader = asyncio.create_task(self._read(self._socket))
        await self.emit({"post_type": "meta_event", "meta_event_type": "lifecycle", "sub_type": "connect"})

    async def disconnect(self) -> None:
        """Close the connection; what was planned but not answered is dropped."""
        for task in [*self._answering, self._reader]:
            if task is not None:
                task.cancel()
        if self._socket is not None:
            await self._socket.close()
        for task in [*self._answering, self._reader]:
            if task is not None:
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self._answering.clear()
        self._socket = self._reader = None
        assert not self.problems, self.problems

    async def reconnect(self) -> None:
        """Drop the line and dial again."""
        await self.disconnect()
        await self.connect()

    async def wake(self) -> None:
        """See that the line still stands, and dial again where it does not.

        Tests that keep the loop busy for long may have stood between two modules: the bot hangs up on an
        account that answers none of its pings.
        """
        assert self._socket is not None, "not connected"
        try:
            async with asyncio.timeout(5):
                await (await self._socket.ping())
        except (ConnectionClosed, TimeoutError):
            await self.reconnect()

    async def emit(self, event: dict[str, Any]) -> dict[str, Any]:
        """Report one event, filled up with `time` and `self_id` where they are missing."""
        whole = {"time": int(self.now()), "self_id": int(self.self_id), **event}
        await self.emit_raw(json.dumps(whole, ensure_ascii=False))
        return whole

    async def emit_raw(self, frame: str) -> None:
        """Send one frame as it stands."""
        assert self._socket is not None, "not connected"
        await self._socket.send(frame)

    def room(self, group_id: int | None = None) -> Chat:
        """A group of this account (a fresh one unless named)."""
        self.rooms.append(Chat.group(self, group_id))
        return self.rooms[-1]

    def friend(self, user_id: int | None = None, name: str = "好友") -> Chat:
        """A private conversation with a friend."""
        return Chat.private(self, user_id, name)

    def sends_to(self, place: tuple[bool, str | None], since: int = 0) -> list[Sent]:
        """The messages to one conversation, from number `since` of all on.

        Modules share an account, and looking through all it ever sent, after every action, took most of the
        time of the modules that come last.
        """
        found = self._sends_by_place.get(place, [])
        return found[bisect_left(found, since, key=lambda sent: sent.number) :]

    def plan(
        self,
        action: str,
        fault: Fault,
        *,
        times: int = 1,
        matching: Callable[[Action], bool] = lambda action: True,
    ) -> Fault:
        """Plan a fault for the next `times` matching calls of `action` (`send`: any message, `*`: all)."""
        self.platform.faults.append(PlannedFault(action, fault, times, matching))
        return fault

    def now(self) -> float:
        """Seconds since the epoch by the clock of the bot: accounts and their bot share one."""
        return now_at(self.url)

    def next_message_id(self) -> int:
        """A message id nobody had yet."""
        return next(_message_ids)

    async def until(self, check: Callable[[], Any], within: float, what: str) -> Any:
        """Wait until `check` gives something true, looking again after every action of the bot."""
        woken = asyncio.Event()
        self._waiters.add(woken)
        try:
            async with asyncio.timeout(within):
                while not (found := check()):
                    woken.clear()
                    await woken.wait()
                return found
        except TimeoutError:
            seen = [repr(sent) for sent in self.sends[-12:]]
            raise AssertionError(
                f"{what}: not within {within:g} s; the bot's last messages: {seen}"
            ) from None
        finally:
            self._waiters.discard(woken)

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in socket:
                call = json.loads(frame)
                action = Action(call["action"], call.get("params") or {}, time.monotonic())
                task = asyncio.create_task(self._respond(socket, action, call.get("echo")))
                self._answering.add(task)
                task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.problems.append(repr(error))

    async def _respond(self, socket: ClientConnection, action: Action, echo: Any) -> None:
        fault = self.platform.fault_for(action)
        message_id = self.next_message_id()
        self.actions.append(action)
        if action.name in SENDS:
            sent = read_send(action, message_id)
            sent.delivered = not isinstance(fault, Fail)
            sent.number = len(self.sends)
            self.sends.append(sent)
            self._sends_by_place[sent.place].append(sent)
            self._keep(sent)
        for waiter in self._waiters:
            waiter.set()
        match fault:
            case Never():
                return
            case Disconnect():
                await socket.close()
                return
            case Delay(seconds):
                await asyncio.sleep(seconds)
            case Gate():
                fault.entered.set()
                await fault.opened.wait()
            case _:
                pass
        response = self.platform.answer(action, message_id)
        if isinstance(fault, Fail):
            response = {
                "status": "failed",
                "retcode": fault.retcode,
                "data": None,
                "message": fault.words,
                "wording": fault.words,
            }
        with contextlib.suppress(ConnectionClosed):
            await socket.send(json.dumps({**response, "echo": echo}, ensure_ascii=False))

    def _keep(self, sent: Sent) -> None:
        own = {"user_id": int(self.self_id), "nickname": self.platform.name, "card": "", "role": "member"}
        kept = {
            "message_id": sent.message_id,
            "message_type": "private" if sent.is_private else "group",
            "time": int(self.now()),
            "user_id": int(self.self_id),
            "sender": own,
            "message": sent.segments,
            "raw_message": sent.text,
        }
        if sent.group_id is not None:
            kept["group_id"] = int(sent.group_id)
        self.platform.messages[str(sent.message_id)] = kept
