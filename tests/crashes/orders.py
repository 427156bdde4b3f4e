"""Orders said to a bot that is killed again and again, and what became of each of them."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from e2e.harness import Chat, OneBotClient, Said
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.exceptions import ConnectionClosed

KINDS = {
    "提醒我明天早上八点交{}报告": ("task", "title", "提醒你"),
    "加个任务：写完{}周报": ("task", "title", "记下"),
    "明天下午三点{}评审会，记一下": ("schedule", "description", "记下"),
    "记住：{}的快递放门卫了": ("fact", "content", "记住"),
}
"""An order, where its mark stands once it was done, and what the bot says when it was."""
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LAST_MOMENT = 0.5
"""Seconds before a kill in which what is said may be lost."""


@dataclass
class Line:
    """Something said to the bot. `said_at` and `killed_at` are monotonic seconds."""

    said: Said
    room: Chat
    mark: str
    table: str
    column: str
    done: str
    said_at: float
    killed_at: float = float("inf")
    """When the process that heard it was killed."""


class Orders:
    """Members of some groups who give orders, and call now and then."""

    def __init__(self, account: OneBotClient, seed: int, groups: int = 6) -> None:
        self.account = account
        self.lines: list[Line] = []
        self._killed_at = 0.0
        self._kills: list[float] = []
        self._random = random.Random(seed)
        self._numbers = count(seed * 10_000)
        self._rooms = [account.room() for _ in range(groups)]
        self._members = {room.id: room.members("甲", "乙", "丙", "丁") for room in self._rooms}

    async def say(self, number: int, within: float) -> None:
        """So many lines, spread over a while. Ends early where the bot is killed."""
        try:
            for _ in range(number):
                await self._say_one()
                await asyncio.sleep(self._random.uniform(0, 2 * within / number))
        except (ConnectionClosed, AssertionError, OSError):
            pass  # killed in the middle of a word

    def killed(self, at: float) -> None:
        """The kill was sent: what was said until then was said before it. What is said while the process
        dies, which takes a busy machine a while, is said at its last moment."""
        self._killed_at = at
        self._kills.append(at)
        for line in self.lines:
            line.killed_at = min(line.killed_at, at)

    def next_kill(self, at: float) -> float:
        """When the next kill was sent after a moment; never, where none was."""
        return next((kill for kill in self._kills if kill >= at), float("inf"))

    def dead(self) -> None:
        """The process is gone."""
        for line in self.lines:
            if line.killed_at == float("inf"):
                line.killed_at = max(self._killed_at, line.said_at)

    async def _say_one(self) -> None:
        room = self._random.choice(self._rooms)
        who = self._random.choice(self._members[room.id])
        mark = _mark(next(self._numbers))
        if self._random.random() < 0.2:
            words, (table, column, done) = "在吗", ("", "", "")
        else:
            words, (table, column, done) = self._random.choice(list(KINDS.items()))
        said = room.compose(who, f"小秘 {words.format(mark)}")
        line = Line(said, room, mark, table, column, done, time.monotonic())
        self.lines.append(line)

        try:
            await room.deliver(said)
        except BaseException:
            self.lines.remove(line)  # it was not said
            raise


@dataclass(frozen=True)
class Fate:
    """What became of all lines, looked at when the last bot is at rest. Lists hold what was said."""

    said: int
    answered: int
    kept: int
    """Said to be done, and there."""
    given_up: int
    """Told honestly that it may not have been done."""
    lost: list[str]
    """Said to be done, and nowhere."""
    doubled: list[str]
    """Standing somewhere twice."""
    said_again: dict[str, float]
    """Answered a second time, by the same reply, marked as such: seconds from the first to a kill."""
    answered_twice: list[str]
    without_a_word: list[str]
    """On disk, and neither answered nor cut off while it was answered."""
    unheard: dict[str, float]
    """Not on disk, though said earlier than the last moment before a kill: how long before."""
    cut_off: list[str]
    """Claimed for an answer of which nobody knows whether it went out, and it did not."""
    last_moment: list[str]


async def fate(orders: Orders, url: str, given_up: str) -> Fate:
    """Compare what was said with what was answered and with what is in the database."""
    answers: dict[str, list[str]] = {}
    first: dict[str, float] = {}
    for sent in orders.account.sends:
        if sent.quotes is not None:
            answers.setdefault(sent.quotes, []).append(sent.text)
            first.setdefault(sent.quotes, sent.action.at)
    claims, found, stories = await _read(url, orders.lines)
    lost, doubled, silent, cut, late = [], [], [], [], []
    unheard: dict[str, float] = {}
    kept = hopeless = answered = 0
    for line in orders.lines:
        told = answers.get(line.said.id, [])
        name = f"{line.said.id} {line.mark}, {line.killed_at - line.said_at:.2f} s before a kill"
        joint = claims.get(line.said.id) is not None  # answered together with another that was quoted
        hopeless += any(given_up in one for one in told)
        answered += bool(told) or joint
        if line.table:
            rows = found[line.mark]
            promised = any(line.done in one and line.mark in one and "吗" not in one for one in told)
            kept += promised and rows > 0
            if promised and not rows:
                lost.append(name)
            if rows > 1:
                doubled.append(name)
        if told or joint:
            continue
        if line.said.id in claims:
            cut.append(name)
        elif line.killed_at - line.said_at <= LAST_MOMENT:
            late.append(name)
        elif line.said.id in stories:
            silent.append(f"{name}: {stories[line.said.id]}")
        else:
            unheard[line.said.id] = round(line.killed_at - line.said_at, 2)
    return Fate(
        said=len(orders.lines),
        answered=answered,
        kept=kept,
        given_up=hopeless,
        lost=lost,
        doubled=doubled,
        said_again={
            one: round(orders.next_kill(first[one]) - first[one], 2)
            for one, told in answers.items()
            if _said_again(told)
        },
        answered_twice=[
            f"{one}: {told}" for one, told in answers.items() if len(told) > 1 and not _said_again(told)
        ],
        without_a_word=silent,
        unheard=unheard,
        cut_off=cut,
        last_moment=late,
    )


async def _read(
    url: str, lines: list[Line]
) -> tuple[dict[str, str | None], Mapping[str, int], dict[str, str]]:
    """The claims, how often each mark stands in its table, and what is known of each line."""
    engine = create_async_engine(url)
    found: Counter[str] = Counter()
    marks = {line.mark: line for line in lines if line.table}
    try:
        async with engine.connect() as connection:
            rows = await connection.execute(text("SELECT message_id, sent_message_id FROM mishu_claim"))
            claims = {row.message_id: row.sent_message_id for row in rows}
            for table, column in {(line.table, line.column) for line in marks.values()}:
                for (value,) in await connection.execute(text(f"SELECT {column} FROM mishu_{table}")):
                    found.update(mark for mark in marks if mark in value and marks[mark].table == table)
            heard = "SELECT message_id, time, receipt, addressed, processed, tries FROM mishu_ledger"
            stories = {
                row.message_id: f"heard after {row.receipt / 1e9 - row.time:.1f} s, addressed"
                f" {row.addressed}, processed {row.processed}, tries {row.tries}"
                for row in await connection.execute(text(heard))
            }
            for row in await connection.execute(text("SELECT message_id, reason FROM mishu_decision")):
                stories[row.message_id] = f"{stories.get(row.message_id)}; {row.reason}"
    finally:
        await engine.dispose()
    return claims, found, stories


def _said_again(told: list[str]) -> bool:
    return len(told) == 2 and told[1] == AGAIN + told[0]


def _mark(number: int) -> str:
    """A word that means nothing and stands in no other."""
    letters = ""
    for _ in range(6):
        number, digit = divmod(number * 7 + 3, len(LETTERS))
        letters += LETTERS[digit]
    return f"Q{letters}"
