"""Reminders and the clock: set forward, set back, and a container whose own zone is not the group's."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator

import pytest

from .harness import Api, BotProcess, Chat, Member
from .reminder_steps import reminders, until_states

OFFLINE = True
BOT = {"MISHU__BOT__PLUGINS": ["foreign_clock"]}
HOUR = 3600


class Clock:
    """The bot's clock."""

    def __init__(self, bot: BotProcess) -> None:
        self.file = bot.home / "clock.txt"
        self.ahead = 0.0

    def put(self, seconds: float) -> None:
        """Set it that far ahead of ours."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds), "utf-8")
        os.replace(new, self.file)
        self.ahead = seconds

    async def remind(self, room: Chat, who: Member, words: str) -> str:
        """Ask for a reminder at the clock's time, which also makes the bot look at its rows."""
        said = await room.call(who, words, time=int(time.time() + self.ahead))
        return (await room.expect("已创建任务", quoting=said)).text


@pytest.fixture
def clock(bot: BotProcess) -> Iterator[Clock]:
    one = Clock(bot)
    yield one
    one.file.unlink(missing_ok=True)


async def test_pitfall_44_set_forward_it_comes_late_and_once(
    room: Chat, api: Api, bot: BotProcess, clock: Clock
) -> None:
    ming, hong = room.members("小明", "小红")
    await clock.remind(room, ming, "1小时后提醒我喝水")
    clock.put(3 * HOUR)
    await clock.remind(room, hong, "5小时后提醒我睡觉")
    late = await room.expect("提醒：喝水")
    assert re.search(r"迟到 (2 小时|1 小时 59 分钟)", late.text), late.text
    assert late.ats == [str(ming.user_id)]
    clock.put(0)
    await clock.remind(room, hong, "6小时后提醒我起床")
    await api.settle(room)
    room.nothing_else()
    assert [row["state"] for row in reminders(bot, room)] == ["sent", "waiting", "waiting"]


async def test_pitfall_44_set_back_it_waits_for_its_time_and_is_not_lost(
    room: Chat, api: Api, bot: BotProcess, clock: Clock
) -> None:
    ming, hong = room.members("小明", "小红")
    await clock.remind(room, ming, "3秒后提醒我喝水")
    due = reminders(bot, room)[0]["due_at"]
    clock.put(-HOUR)
    other = room.client.room()
    while time.time() < due:
        await other.sentinel()
    await clock.remind(other, hong, "1秒后提醒我打卡")
    await other.expect("提醒：打卡")
    await api.settle(room)
    room.nothing_else()
    clock.put(0)
    await clock.remind(room, hong, "6小时后提醒我起床")
    await room.expect("提醒：喝水")
    await until_states(bot, room, "sent", "waiting")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_46_the_containers_zone_moves_no_reminder(
    room: Chat, bot: BotProcess, clock: Clock
) -> None:
    """The process runs with TZ=UTC; the group's wall time is eight hours ahead of that."""
    ming = room.member("小明")
    said = await clock.remind(room, ming, "明天早上8点提醒我吃药")
    assert "08:00" in said
    [row] = reminders(bot, room)
    assert row["due_at"] % (24 * HOUR) == 0, "08:00 there is midnight in UTC"
    assert time.time() < row["due_at"] <= time.time() + 48 * HOUR
    clock.put(row["due_at"] - time.time() + 1)
    await clock.remind(room, ming, "5小时后提醒我睡觉")
    assert (await room.expect("提醒：吃药")).text.strip() == "提醒：吃药"


async def test_pitfall_47_the_31st_comes_in_short_months(
    room: Chat, api: Api, bot: BotProcess, clock: Clock
) -> None:
    ming = room.member("小明")
    await clock.remind(room, ming, "每月31号上午9点提醒我交房租")
    days: list[str] = []
    for _ in range(4):
        row = reminders(bot, room)[-1]
        assert row["state"] == "waiting"
        days.append(row["wall"])
        clock.put(row["due_at"] - time.time() + 1)
        await clock.remind(room.client.room(), ming, "5小时后提醒我睡觉")
        await room.expect("提醒：交房租")
        await api.poll(lambda: last_wall(bot, room), lambda wall: wall != days[-1], "the next row")
    months = [day[:7] for day in days]
    assert len(set(months)) == 4, days
    first = int(months[0][:4]) * 12 + int(months[0][5:])
    assert [int(each[:4]) * 12 + int(each[5:]) for each in months] == list(range(first, first + 4)), days


async def last_wall(bot: BotProcess, room: Chat) -> str:
    return reminders(bot, room)[-1]["wall"]
