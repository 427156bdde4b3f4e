"""A bot whose clock jumps a year ahead and comes back: whatever repeats still comes at each of its times."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime

import pytest

from .harness import Api, BotClock, BotProcess, Chat
from .harness.bot_clock import SHANGHAI, instant
from .reminder_steps import reminders

OFFLINE = True
CLOCK = "2026-11-18T10:01"
YEAR = 365 * 86400.0


@pytest.fixture
def clock(bot: BotProcess) -> Iterator[BotClock]:
    yield bot.clock
    bot.clock.reset()


def waiting(bot: BotProcess, room: Chat) -> dict[str, str]:
    """When what waits is due, by what it says."""
    return {
        row["text"]: datetime.fromtimestamp(row["due_at"], SHANGHAI).strftime("%Y-%m-%dT%H:%M")
        for row in reminders(bot, room)
        if row["state"] == "waiting"
    }


async def log_of(bot: BotProcess) -> str:
    return bot.log


async def wake(room: Chat) -> None:
    """Something that makes the bot look at its rows, in another group."""
    other = room.client.room()
    said = await other.call(other.member("小红"), "5小时后提醒我睡觉")
    await other.expect(quoting=said)


@pytest.mark.exhaustive
async def test_a_year_ahead_and_back_loses_no_repetition(
    room: Chat, api: Api, bot: BotProcess, clock: BotClock
) -> None:
    ming = room.member("小明")
    orders = ("每周四上午9点提醒我交周报", "每天晚上10点提醒我吃药", "每周五下午3点开例会，记到日程")
    orders += ("后天早上8点提醒我寄快递",)
    for words in orders:
        said = await room.call(ming, words)
        await room.expect(quoting=said)
    before = waiting(bot, room)
    assert days(before) == ["11-18T22:00", "11-19T09:00", "11-20T08:00", "11-20T14:50"]

    clock.advance(YEAR)
    await wake(room)
    await room.expect("迟到")
    await api.poll(lambda: later(bot, room), lambda found: found == 3, "what repeats is a year ahead")
    clock.reset()
    await wake(room)
    await api.poll(lambda: at_their_times(bot, room), lambda found: found == before, "as before")
    await api.poll(lambda: log_of(bot), lambda log: "拨回来了" in log, "the clock's way back is told")
    await api.settle(room)

    for at, thing in (
        ("2026-11-18T22:00", "吃药"),
        ("2026-11-19T09:00", "周报"),
        ("2026-11-20T08:00", "寄快递"),
        ("2026-11-20T14:50", "例会"),
    ):
        clock.set(instant(at) + 1)
        await wake(room)
        told = await room.expect(thing)
        assert "2027" not in told.text
    nexts = ["11-20T22:00", "11-26T09:00", "11-27T14:50"]
    await api.poll(lambda: at_their_times(bot, room), lambda found: days(found) == nexts, "the next ones")


def days(found: dict[str, str]) -> list[str]:
    return sorted(at[5:] for at in found.values())


async def later(bot: BotProcess, room: Chat) -> int:
    return sum(at.startswith("2027") for at in (await asyncio.to_thread(waiting, bot, room)).values())


async def at_their_times(bot: BotProcess, room: Chat) -> dict[str, str]:
    return await asyncio.to_thread(waiting, bot, room)
