"""A model that hangs or breaks when a reminder is due: nothing of a reminder waits for it."""

from __future__ import annotations

import pytest
from model_server import ModelServer, hang, html

from .harness import Api, BotProcess, Chat, Held
from .reminder_steps import remind, reminders, until_states


@pytest.mark.exhaustive
async def test_pitfall_45_a_model_that_hangs_at_fire_time_holds_up_nothing(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer
) -> None:
    ming, hong = room.members("小明", "小红")
    await remind(room, ming, "4秒后提醒我喝水")
    due = reminders(bot, room)[0]["due_at"]
    model.always("*", held := Held("好的"))
    waiting = await room.call(hong, "今天吃什么好")
    await held.entered()
    came = await room.expect("提醒：喝水")
    assert room.now() < due + 3
    assert came.ats == [str(ming.user_id)]
    await until_states(bot, room, "sent")
    held.release()
    await room.expect(quoting=waiting)
    await api.settle(room)
    assert len([text for text in room.texts() if "提醒：喝水" in text]) == 1


@pytest.mark.exhaustive
async def test_a_reminder_is_answered_though_the_model_is_broken(
    room: Chat, bot: BotProcess, model: ModelServer
) -> None:
    ming = room.member("小明")
    model.always("*", html())
    await remind(room, ming, "3秒后提醒我喝水")
    asked = len(model.requests)
    came = await room.expect("提醒：喝水")
    await until_states(bot, room, "sent")
    assert len(model.requests) == asked, "no model is asked for a reminder"
    model.always("*", hang())
    answer = await room.expect(quoting=await room.quote(ming, came, "推迟20分钟"))
    assert "再提醒" in answer.text
    await until_states(bot, room, "sent", "waiting")
