"""Several bots on one PostgreSQL, each with accounts of its own, in groups they share or have for themselves;
members who give numbered orders there; and the faults that come over the bots."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from e2e.harness import BotProcess, OneBotClient
from e2e.harness.room import Chat, Member, Said
from e2e.harness.segments import reply, text
from e2e.harness.sent import Sent
from sqlalchemy import URL
from websockets.exceptions import ConnectionClosed, WebSocketException
from wire import Wire

from .own_server import Server

ORDERS = {
    "T": ("小秘 帮我建个任务整理{}资料", "task", "title"),
    "R": ("小秘 15秒后提醒我整理{}资料", "task", "title"),
    "S": ("小秘 明天下午三点{}评审会，记一下", "schedule", "description"),
    "F": ("小秘 记住：{}的快递放门卫了", "fact", "content"),
}
"""An order by the first letter of its mark, and the table and column where the mark then stands."""
KINDS = ("kill", "pause", "restart", "database", "network")
"""kill -9, SIGSTOP and SIGCONT, an orderly restart, the database restarted, a bot cut off from it."""
DIAL = 0.3
"""Seconds after which an account dials again that nobody answered."""
SAMPLED = 2.0
"""Seconds between two looks at the memory of the bots."""


@dataclass(eq=False)
class Line:
    """One numbered line, when it was said (monotonic), and which accounts it was reported through."""

    mark: str
    group: Group
    words: str
    at: float
    said: dict[int, Said]
    heard_by: set[int] = field(default_factory=lambda: set[int]())


@dataclass(eq=False)
class Group:
    """One group. `rooms`: as each account of ours that sits in it sees it, by the account's number."""

    id: int
    rooms: dict[int, Chat]


@dataclass(frozen=True)
class Fault:
    """What happened to one bot (`process`), or to all (None), and from when to when (monotonic)."""

    kind: str
    process: int | None
    began: float
    over: float
    how: str = ""


class Account(OneBotClient):
    """An account that stays connected while its bot is up, as implementations do, and that hears what others
    of ours say in its groups."""

    spoke: Callable[[Sent], None] = staticmethod(lambda sent: None)

    def __init__(self, url: str, self_id: int) -> None:
        super().__init__(url, self_id)
        self.connected = asyncio.Event()

    async def stay(self) -> None:
        """Connect, and again whenever the line is gone, until cancelled."""
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, AssertionError):
                await self.connect()
                self.connected.set()
                assert self._socket is not None
                await self._socket.wait_closed()
            self.connected.clear()
            with suppress(OSError, WebSocketException, AssertionError):
                await self.disconnect()
            await asyncio.sleep(DIAL)

    @property
    def up(self) -> bool:
        """True while it is connected."""
        return self._socket is not None and self._socket.close_code is None

    def _keep(self, sent: Sent) -> None:
        super()._keep(sent)
        self.spoke(sent)


class Fleet:
    """`processes` bots; account n sits at bot n modulo their number, in `groups` groups or a few more."""

    def __init__(
        self, home: Path, server: Server, *, processes: int, accounts: int, groups: int, chance: random.Random
    ) -> None:
        assert accounts >= processes, "each process has an account"
        self._server = server
        self._chance = chance
        url = server.url
        assert url.host is not None
        assert url.port is not None
        self.wires = [Wire(url.host, url.port) for _ in range(processes)]
        self.bots = [BotProcess(home / str(number)) for number in range(processes)]
        self.accounts = [
            Account(self.bots[number % processes].onebot_url, 10_081 + number) for number in range(accounts)
        ]
        for number, account in enumerate(self.accounts):
            account.spoke = lambda sent, number=number: self._pass_on(number, sent)
        self.groups = self._found_groups(groups)
        self.lines: list[Line] = []
        self.faults: list[Fault] = []
        self.memory: list[list[int]] = [[] for _ in range(processes)]
        """Bytes each bot had in memory, look by look."""
        self.connections = [0] * processes
        """The most connections to the database each bot had at a look."""
        self._spoken: dict[tuple[int, str], Line] = {}
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def process_of(self, account: int) -> int:
        """At which bot an account sits."""
        return account % len(self.bots)

    def line_of(self, account: int, message_id: str | None) -> Line | None:
        """The line an account knows by this id."""
        return self._spoken.get((account, message_id or ""))

    def heard_by_speaker(self, line: Line, answers: Sequence[Sent]) -> bool:
        """True if a line was reported to the account that answered it first."""
        first = min(answers, key=lambda sent: sent.action.at)
        return any(first in self.accounts[number].sends for number in line.heard_by)

    async def start(self) -> None:
        """All bots, their accounts, and one word in each group."""
        for number, (bot, wire) in enumerate(zip(self.bots, self.wires, strict=True)):
            url: URL = self._server.url.set(host="127.0.0.1", port=await wire.start())
            bot.settings |= {
                "LOG_LEVEL": "WARNING",
                "MISHU__DATABASE_URL": url.render_as_string(hide_password=False),
                "MISHU__QQ__SEND_GAP": 0,
            }
            await bot.start()
            self._own(self._sample(number))
        for account in self.accounts:
            self._own(account.stay())
        await self._all_up(self.accounts)

    async def greet(self) -> None:
        """A word in each group, so that somebody has the duty there."""
        for group in self.groups:
            await self._say(group, "大家好")
            await asyncio.sleep(0.01)

    async def talk(self) -> None:
        """Give numbered orders until cancelled, each by another member: none is like what its speaker has.
        Half of them in a few lively groups, some two or three at once."""
        lively = self._chance.sample(self.groups, min(12, len(self.groups)))
        while True:
            group = self._chance.choice(lively if self._chance.random() < 0.5 else self.groups)
            for _ in range(self._chance.choice((1, 1, 2, 3))):
                kind = self._chance.choice("TRRSF")
                mark = f"{kind}{next(self._numbers):04}"
                line = await self._say(group, ORDERS[kind][0].format(mark), mark)
                if line.heard_by:
                    self.lines.append(line)
                await asyncio.sleep(self._chance.uniform(0.0, 0.4))
            await asyncio.sleep(self._chance.uniform(0.5, 2.5))

    async def suffer(self, kind: str, longest: float) -> Fault:
        """One fault, until it is over: at most about `longest` seconds."""
        number = self._chance.randrange(len(self.bots))
        began, bot, how = time.monotonic(), self.bots[number], ""
        assert bot.process is not None
        if kind == "pause":
            os.kill(bot.process.pid, signal.SIGSTOP)
            await asyncio.sleep(self._chance.uniform(min(4.0, longest), longest))
            os.kill(bot.process.pid, signal.SIGCONT)
        elif kind == "network":
            how = self._chance.choice(("silent", "away"))
            cut = self.wires[number].silent if how == "silent" else self.wires[number].away
            await cut(self._chance.uniform(min(3.0, longest), 0.7 * longest))
        elif kind == "database":
            crash = self._chance.random() < 0.5
            how = await self._server.restart(self._chance.choice((0.0, 1.0, 5.0)), crash=crash)
        else:
            if kind == "kill":
                await bot.kill()
                away = self._chance.choice((0.0, 3.0, 18.0))
                how = f"back after {away:g} s"
                await asyncio.sleep(away)
            else:
                await bot.stop(30)
            await bot.restart()
            await self._all_up(self.accounts[number :: len(self.bots)])
        whose = None if kind == "database" else number
        fault = Fault(kind, whose, began, time.monotonic(), how)
        self.faults.append(fault)
        return fault

    async def close(self) -> None:
        """End everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for account in self.accounts:
            with suppress(OSError, WebSocketException, AssertionError):
                await account.disconnect()
        for bot in self.bots:
            if bot.process is not None and bot.process.returncode is None:
                os.kill(bot.process.pid, signal.SIGCONT)
            await bot.close()
        for wire in self.wires:
            await wire.stop()

    def _found_groups(self, each: int) -> list[Group]:
        """Groups of accounts of two bots, of three, of one account, of two at the same bot, until each is in
        so many."""
        bots, all_of_them = len(self.bots), len(self.accounts)
        shapes = [(0, 1), (0, 1, 2), (0,), (0, bots)]
        shapes = [shape for shape in shapes if shape[-1] < all_of_them] or [(0,)]
        groups: list[Group] = []
        ids, memberships = count(640_001), dict.fromkeys(range(all_of_them), 0)
        for turn in count():
            for first in range(all_of_them):
                inside = sorted({(first + step) % all_of_them for step in shapes[turn % len(shapes)]})
                number = next(ids)
                groups.append(Group(number, {one: self.accounts[one].room(number) for one in inside}))
                for one in inside:
                    memberships[one] += 1
                    self.accounts[one].platform.groups[str(number)] = f"群{number}"
            if min(memberships.values()) >= each:
                break
        return groups

    async def _say(self, group: Group, words: str, mark: str = "") -> Line:
        """A new member says something; every account there that is connected hears it under an id of its
        own."""
        first = next(iter(group.rooms.values()))
        who = first.member(f"友{mark or group.id}")
        at = int(first.now())
        said = {number: room.compose(who, words, time=at) for number, room in group.rooms.items()}
        line = Line(mark, group, words, time.monotonic(), said)
        for number, one in said.items():
            self._spoken[number, one.id] = line
            if self.accounts[number].up:
                with suppress(ConnectionClosed, OSError, AssertionError):
                    await group.rooms[number].deliver(one)
                    line.heard_by.add(number)
        return line

    def _pass_on(self, speaker: int, sent: Sent) -> None:
        """What one account says the others in the group hear, under ids of their own."""
        group = next((one for one in self.groups if str(one.id) == sent.group_id), None)
        if group is not None and len(group.rooms) > 1:
            self._own(self._report(group, speaker, sent))

    async def _report(self, group: Group, speaker: int, sent: Sent) -> None:
        who = Member(int(self.accounts[speaker].self_id), "小秘")
        line = self.line_of(speaker, sent.quotes)
        for number, room in group.rooms.items():
            if number != speaker and self.accounts[number].up:
                quoted = [reply(line.said[number].id)] if line is not None else []
                with suppress(ConnectionClosed, OSError, AssertionError):
                    await room.deliver(room.compose(who, *quoted, text(sent.text)))

    async def _all_up(self, accounts: list[Account]) -> None:
        async with asyncio.timeout(60):
            for account in accounts:
                await account.connected.wait()

    async def _sample(self, number: int) -> None:
        while True:
            process = self.bots[number].process
            if process is not None and process.returncode is None:
                with suppress(OSError):
                    self.memory[number].append(_memory(process.pid))
            held = _connections(self.wires[number].listens_at)
            self.connections[number] = max(self.connections[number], held)
            await asyncio.sleep(SAMPLED)

    def _own(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _memory(process: int) -> int:
    """Bytes a process has in memory."""
    pages = Path(f"/proc/{process}/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _connections(port: int) -> int:
    """Established connections to a port of this machine, counted where they come from."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    return sum(row[2].endswith(f":{port:04X}") and row[3] == "01" for row in rows)
