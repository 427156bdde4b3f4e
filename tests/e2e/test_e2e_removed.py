"""Removed from a group: its timers there stop, until it is let in again (product section 12)."""

from __future__ import annotations

import pytest

from .harness import BotProcess, Chat, OneBotClient
from .harness.api import Api
from .reminder_steps import SLEEPER, remind, reminders

OFFLINE = True
BOT = SLEEPER


async def removed(room: Chat) -> None:
    await room.notice("group_decrease", sub_type="kick_me", user_id=int(room.client.self_id), operator_id=9)


@pytest.mark.exhaustive
async def test_no_reminder_goes_where_it_was_removed_from(
    room: Chat, client: OneBotClient, api: Api, bot: BotProcess
) -> None:
    ming = room.member("小明")
    await remind(room, ming, "3秒后提醒我喝水")
    await removed(room)
    due = reminders(bot, room)[0]["due_at"]
    other = client.room()
    await remind(other, other.member("小红"), f"{max(1, round(due - room.now())) + 2}秒后提醒我站起来")
    await other.expect("提醒：站起来")
    await api.poll(lambda: _failures(bot, room), lambda failures: failures > 0, "it was due and held back")
    room.nothing_else()


@pytest.mark.exhaustive
async def test_let_in_again_it_speaks(room: Chat) -> None:
    await removed(room)
    await room.notice("group_increase", sub_type="invite", user_id=int(room.client.self_id), operator_id=9)
    await room.expect("我是")
    ming = room.member("小明")
    await remind(room, ming, "2秒后提醒我喝水")
    await room.expect("提醒：喝水")


@pytest.mark.exhaustive
async def test_heard_there_again_it_speaks_though_nobody_told(room: Chat) -> None:
    await removed(room)
    await remind(room, room.member("小明"), "2秒后提醒我喝水")
    await room.expect("提醒：喝水")


async def _failures(bot: BotProcess, room: Chat) -> int:
    return sum(row["failures"] for row in reminders(bot, room))
