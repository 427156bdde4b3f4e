"""Steps of the tests about reminders: what stands in the rows, and how time passes while the bot is off."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from nonebot_plugin_mishu.storage.reminders.records import DIGEST

from .harness import BotProcess, Chat, Member, Sent
from .harness.api import POLL

SLEEPER: dict[str, object | None] = {"MISHU__BOT__PLUGINS": ["foreign_sleeper"]}
"""Settings of the bot that these modules share, without a model."""


def reminders(bot: BotProcess, room: Chat | None = None) -> list[dict[str, Any]]:
    """The rows of reminders, those of one conversation if it is given, oldest first."""
    return _rows(bot, "mishu_reminder", room)


def tasks(bot: BotProcess, room: Chat) -> list[dict[str, Any]]:
    """The rows of a conversation's tasks."""
    return _rows(bot, "mishu_task", room)


def states(bot: BotProcess, room: Chat) -> list[str]:
    """The states of a conversation's reminders."""
    return [row["state"] for row in reminders(bot, room)]


async def until_states(bot: BotProcess, room: Chat, *expected: str, within: float = 12.0) -> None:
    """Wait until a conversation's reminders are in these states."""
    end = time.monotonic() + within
    while (seen := await asyncio.to_thread(states, bot, room)) != list(expected):
        assert time.monotonic() < end, f"expected {expected}, last seen {seen}"
        await asyncio.sleep(POLL)


def digests(bot: BotProcess, room: Chat) -> list[dict[str, Any]]:
    """The rows of a group's digests, oldest first."""
    return [row for row in reminders(bot, room) if row["agent_code"] == DIGEST]


async def until_digests(bot: BotProcess, room: Chat, *expected: str, within: float = 12.0) -> None:
    """Wait until a group's digests are in these states."""
    end = time.monotonic() + within
    while (seen := [row["state"] for row in await asyncio.to_thread(digests, bot, room)]) != list(expected):
        assert time.monotonic() < end, f"expected {expected}, last seen {seen}"
        await asyncio.sleep(POLL)


def alter(bot: BotProcess, room: Chat, values: str, agent_code: str = "%") -> None:
    """Set columns of a conversation's waiting and claimed reminders, while the bot is off."""
    assert bot.process is None or bot.process.returncode is not None, "the bot runs"
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        where = "peer = ? AND agent_code LIKE ? AND state IN ('waiting', 'claimed')"
        changed = connection.execute(
            f"UPDATE mishu_reminder SET {values} WHERE {where}", [room.id, agent_code]
        )
        assert changed.rowcount > 0, "nothing to change"


def multiply(bot: BotProcess, room: Chat, texts: Iterable[tuple[str, float]]) -> None:
    """Put copies of a conversation's one reminder, each with a text and a due time, while the bot is off."""
    [row] = reminders(bot, room)
    names = [name for name in row if name != "id"]
    adding = f"INSERT INTO mishu_reminder ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"
    copies = [{**row, "text": text, "due_at": due, "origin": f"{room.id}:{text}"} for text, due in texts]
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("DELETE FROM mishu_reminder WHERE id = ?", [row["id"]])
        connection.executemany(adding, [[copy[name] for name in names] for copy in copies])


async def remind(room: Chat, who: Member, words: str) -> Sent:
    """Ask for a reminder; the bot's answer, which says that it is kept."""
    said = await room.call(who, words)
    answer = await room.expect(quoting=said)
    assert answer.text.startswith(("好，", "记下了：")), answer.text
    return answer


def _rows(bot: BotProcess, table: str, room: Chat | None) -> list[dict[str, Any]]:
    where, values = ("", []) if room is None else (" WHERE peer = ?", [room.id])
    with closing(sqlite3.connect(f"file:{bot.database}?mode=ro", uri=True, timeout=2)) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute(f"SELECT * FROM {table}{where} ORDER BY id", values)
        return [dict(row) for row in found]
