"""Reminders that are put off more than once, and with a courtesy behind it."""

from __future__ import annotations

from .harness import BotProcess, Chat
from .reminder_steps import SLEEPER, remind, reminders, until_states

OFFLINE = True
BOT = SLEEPER


async def test_who_changes_their_mind_is_reminded_once(room: Chat, bot: BotProcess) -> None:
    ming = room.member("小明")
    await remind(room, ming, "2秒后提醒我关火")
    came = await room.expect("提醒：关火")
    await until_states(bot, room, "sent")
    for words in ("推迟20分钟吧，谢谢", "推迟2小时", "晚点再提醒我好吗？"):
        said = await room.quote(ming, came, words)
        assert "再提醒" in (await room.expect(quoting=said)).text
    assert [row["state"] for row in reminders(bot, room)] == ["sent", "dropped", "dropped", "waiting"]
