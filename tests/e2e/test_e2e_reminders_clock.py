"""Reminders and the clock: set forward, set back, and a container whose own zone is not the group's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from default_run import first

from .harness import Api, BotClock, BotProcess, Chat, Fail, Member, OneBotClient
from .harness.bot_clock import SHANGHAI
from .reminder_steps import remind as ask
from .reminder_steps import reminders, until_states
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import TODAY, TOMORROW

OFFLINE = True
HOUR = 3600


@pytest.fixture
def clock(bot: BotProcess) -> Iterator[BotClock]:
    yield bot.clock
    bot.clock.reset()


async def remind(room: Chat, who: Member, words: str) -> str:
    """Ask for a reminder, which also makes the bot look at its rows; what it says to it."""
    answer = (await ask(room, who, words)).text
    assert "提醒" in answer
    return answer


async def test_pitfall_44_set_forward_it_comes_late_and_once(
    room: Chat, api: Api, bot: BotProcess, clock: BotClock
) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "1小时后提醒我喝水")
    clock.advance(3 * HOUR)
    await remind(room, hong, "5小时后提醒我睡觉")
    late = await room.expect("提醒：喝水")
    assert re.search(r"迟到 (2 小时|1 小时 59 分钟)", late.text), late.text
    assert late.ats == [str(ming.user_id)]
    clock.reset()
    await remind(room, hong, "6小时后提醒我起床")
    await api.settle(room)
    room.nothing_else()
    assert [row["state"] for row in reminders(bot, room)] == ["sent", "waiting", "waiting"]


@pytest.mark.exhaustive
async def test_pitfall_44_set_back_it_waits_for_its_time_and_is_not_lost(
    room: Chat, api: Api, bot: BotProcess, clock: BotClock
) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "3秒后提醒我喝水")
    due = reminders(bot, room)[0]["due_at"]
    clock.advance(-HOUR)
    other = room.client.room()
    while room.now() + HOUR < due:
        await other.sentinel()
    await remind(other, hong, "1秒后提醒我打卡")
    await other.expect("提醒：打卡")
    await api.settle(room)
    room.nothing_else()
    clock.reset()
    await remind(room, hong, "6小时后提醒我起床")
    await room.expect("提醒：喝水")
    await until_states(bot, room, "sent", "waiting")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_46_the_containers_zone_moves_no_reminder(
    room: Chat, bot: BotProcess, clock: BotClock
) -> None:
    """The process runs with TZ=UTC; the group's wall time is eight hours ahead of that."""
    ming = room.member("小明")
    said = await remind(room, ming, "明天早上8点提醒我吃药")
    assert "08:00" in said
    [row] = reminders(bot, room)
    assert row["due_at"] % (24 * HOUR) == 0, "08:00 there is midnight in UTC"
    assert room.now() < row["due_at"] <= room.now() + 48 * HOUR
    clock.set(row["due_at"] + 1)
    await remind(room, ming, "5小时后提醒我睡觉")
    assert (await room.expect("提醒：吃药")).text.strip() == "提醒：吃药"


async def test_pitfall_47_the_31st_comes_in_short_months(
    room: Chat, api: Api, bot: BotProcess, clock: BotClock
) -> None:
    ming = room.member("小明")
    await remind(room, ming, "每月31号上午9点提醒我交房租")
    days: list[str] = []
    for _ in range(4):
        row = reminders(bot, room)[-1]
        assert row["state"] == "waiting"
        days.append(row["wall"])
        clock.set(row["due_at"] + 1)
        await remind(room.client.room(), ming, "5小时后提醒我睡觉")
        await room.expect("提醒：交房租")
        await api.poll(lambda: last_wall(bot, room), lambda wall: wall != days[-1], "the next row")
    months = [day[:7] for day in days]
    assert len(set(months)) == 4, days
    first = int(months[0][:4]) * 12 + int(months[0][5:])
    assert [int(each[:4]) * 12 + int(each[5:]) for each in months] == list(range(first, first + 4)), days


async def last_wall(bot: BotProcess, room: Chat) -> str:
    return reminders(bot, room)[-1]["wall"]


EVERYBODY = [
    ("中午十二点半叫大家下楼吃饭", f"{TODAY}T12:30", "下楼吃饭"),
    ("下午四点提醒各位交考勤表", f"{TODAY}T16:00", "交考勤表"),
    ("晚上九点半通知全员关灯锁门", f"{TODAY}T21:30", "关灯锁门"),
    ("明早八点喊大伙儿打卡", f"{TOMORROW}T08:00", "打卡"),
    ("下午六点一刻提醒大家收摊", f"{TODAY}T18:15", "收摊"),
    ("两分钟后提醒大家收卷子", f"{TODAY}T10:02", "收卷子"),
]


@first(2)
@pytest.mark.parametrize(("words", "due", "thing"), EVERYBODY, ids=lambda each: str(each)[:12])
async def test_everybody_is_reminded_at_the_time_that_was_said(
    room: Chat, api: Api, bot: BotProcess, clock: BotClock, words: str, due: str, thing: str
) -> None:
    """At that time and not ten minutes before; a member's word calls nobody by an @, an admin's all."""
    clock.set(f"{TODAY}T10:00")
    for who, called in ((room.member("小明"), []), (room.member("管理员", role="admin"), ["all"])):
        place = room if called == [] else room.client.room()
        said = await place.call(who, words)
        await place.expect("到点提醒大家", quoting=said)
        [row] = reminders(bot, place)
        at = datetime.fromtimestamp(row["due_at"], SHANGHAI)
        assert at.strftime("%Y-%m-%dT%H:%M") == due
        clock.set(row["due_at"] + 1)
        await remind(room.client.room(), who, "5小时后提醒我睡觉")
        told = await place.expect(thing)
        assert told.ats == called
        assert "迟到" not in told.text
        await until_states(bot, place, "sent")
        clock.set(f"{TODAY}T10:00")
        await api.settle(place)
        place.nothing_else()


async def test_everybody_is_told_by_a_line_where_the_platform_lets_us_call_nobody(
    room: Chat, client: OneBotClient, bot: BotProcess, clock: BotClock
) -> None:
    clock.set(f"{TODAY}T10:00")
    admin = room.member("管理员", role="admin")
    said = await room.call(admin, "下午三点提醒大家开窗通风")
    await room.expect("到点提醒大家", quoting=said)
    client.plan("send", Fail(), times=9, matching=lambda action: "'all'" in str(action.params))
    [row] = reminders(bot, room)
    clock.set(row["due_at"] + 1)
    await remind(client.room(), admin, "5小时后提醒我睡觉")
    await room.expect(lambda sent: "开窗通风" in sent.text and sent.ats == [])
    await until_states(bot, room, "sent")
