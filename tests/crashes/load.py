"""A numbered load on a bot, and a memory of what it promised.

Every summons, command and line has a number; what was acknowledged is kept, so that a test can ask for it
after the bot was killed.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from e2e.harness import Chat, Member, OneBotClient, Said
from e2e.harness.segments import at
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN
from websockets.exceptions import ConnectionClosed

ACK = 40.0
"""Seconds a command's answer is waited for. Without it the load ends, so it is longer than a kill takes."""


@dataclass
class Promise:
    """What a setting may be on disk: as it was acknowledged, or as it was asked for since."""

    allowed: set[str | None] = field(default_factory=lambda: {None})


@dataclass
class Governed:
    """What the admins of one group were told."""

    room: Chat
    words: set[str] = field(default_factory=set)
    persona: Promise = field(default_factory=Promise)
    echo: Promise = field(default_factory=Promise)
    silent: Promise = field(default_factory=Promise)


@dataclass(frozen=True)
class Summons:
    """A summons as sent. `at` is monotonic seconds."""

    said: Said
    room: Chat
    at: float


class Load:
    """Members of several groups at once: some summon, some chat, admins change settings."""

    def __init__(self, account: OneBotClient, seed: int, callers: int = 4, admins: int = 3) -> None:
        self.account = account
        self.summons: list[Summons] = []
        self._random = random.Random(seed)
        self._numbers = count(1)
        self._callers = [account.room() for _ in range(callers)]
        self._chatting = [account.room() for _ in range(4)]
        self.governed = [Governed(account.room()) for _ in range(admins)]
        self._members = {room.id: room.members("甲", "乙", "丙", "丁", "戊") for room in account.rooms}
        self._admin = Member(4_000_001, "群主", role="owner")

    async def run(self) -> None:
        """Go on until cancelled, or until the line is dead."""
        try:
            async with asyncio.TaskGroup() as group:
                for room in self._callers:
                    group.create_task(self._call(room))
                for room in self._chatting:
                    group.create_task(self._chat(room))
                for governed in self.governed:
                    group.create_task(self._govern(governed))
        except* (ConnectionClosed, AssertionError, OSError):
            pass  # killed in the middle of a word

    def answered(self) -> Counter[str]:
        """How often each message was quoted by the bot; a reply said once more after a kill, and marked as
        such, is the same reply."""
        said = (sent for sent in self.account.sends if sent.quotes is not None)
        return Counter(sent.quotes for sent in said if not sent.text.startswith(AGAIN))

    def acknowledged(self) -> int:
        """How many changes of settings were acknowledged."""
        return sum(sent.text.startswith("好，") for sent in self.account.sends)

    async def _call(self, room: Chat) -> None:
        while True:
            who = self._random.choice(self._members[room.id])
            said = room.compose(who, at(self.account.self_id), f" 第 {next(self._numbers)} 问：在吗")
            self.summons.append(Summons(said, room, time.monotonic()))
            await room.deliver(said)
            await asyncio.sleep(self._random.uniform(0.02, 0.4))

    async def _chat(self, room: Chat) -> None:
        while True:
            await room.say(self._random.choice(self._members[room.id]), f"闲话 {next(self._numbers)}")
            await asyncio.sleep(self._random.uniform(0.0, 0.05))

    async def _govern(self, governed: Governed) -> None:
        while True:
            number = next(self._numbers)
            word = f"词{number}"
            if await self._order(governed.room, f"静音词 添加 {word}"):
                governed.words.add(word)
            room, on = governed.room, number % 2 == 0
            await self._set(governed.persona, f"人设 第{number}号人物", room, f"第{number}号人物")
            await self._set(governed.echo, f"开关 复读 {'开' if on else '关'}", room, str(int(on)))
            await self._set(governed.silent, "闭嘴 30", room, "silent")
            await self._set(governed.silent, "说话", room, None)

    async def _set(self, promise: Promise, order: str, room: Chat, value: str | None) -> None:
        promise.allowed = {*promise.allowed, value}
        if await self._order(room, order):
            promise.allowed = {value}

    async def _order(self, room: Chat, words: str) -> bool:
        said = await room.say(self._admin, f"/秘书 {words}")
        answer = await room.expect(quoting=said, within=ACK)
        return answer.text.startswith("好，")
