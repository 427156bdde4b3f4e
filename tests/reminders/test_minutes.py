"""The week's minutes: when they come, and what they say; and what was decided, in the daily digest."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.reminders.digest import digest
from nonebot_plugin_mishu.reminders.minutes import WeeklyMinutes
from nonebot_plugin_mishu.storage import Conversation, Storage
from nonebot_plugin_mishu.storage.reminders.records import DIGEST, ReminderRecord
from stand_ins import GROUP

ZONE = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 5, 20, 15, 0, tzinfo=ZONE)


class Voice:
    """True if the feature is on."""

    on = True

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        return self.on


def minutes_of(
    storage: Storage, voice: Voice, said: str | None = "定了：…", wanted: str | None = None
) -> WeeklyMinutes:
    async def summary(conversation: Conversation, since: float, until: float) -> str | None:
        assert until - since == 7 * 86400
        return said

    async def time_in(conversation: Conversation) -> str | None:
        return wanted

    wall = WEDNESDAY.timestamp
    return WeeklyMinutes(storage.reminders, summary, voice, ZONE, wall, time_in)  # type: ignore[arg-type]


async def _row(storage: Storage) -> list[ReminderRecord]:
    rows = await storage.reminders.rows.due(GROUP, WEDNESDAY.timestamp() + 30 * 86400, 10)
    return [row for row in rows if row.agent_code == DIGEST]


async def test_they_come_every_friday_at_six_or_when_it_was_said(storage: Storage) -> None:
    minutes = minutes_of(storage, Voice())
    await minutes.switch(GROUP, True)
    (row,) = await _row(storage)
    assert row.due_at == datetime(2026, 5, 22, 18, 0, tzinfo=ZONE).timestamp()
    assert row.recurrence == {"freq": "weekly", "interval": 1, "byday": ["FR"]}
    await minutes_of(storage, Voice(), wanted="WE 14:30").switch(GROUP, True)
    (row,) = await _row(storage)
    assert row.due_at == datetime(2026, 5, 27, 14, 30, tzinfo=ZONE).timestamp(), "today's has passed"
    await minutes.switch(GROUP, False)
    assert await _row(storage) == []


async def test_they_say_nothing_where_nobody_spoke_or_they_are_off(storage: Storage) -> None:
    voice = Voice()
    minutes = minutes_of(storage, voice)
    await minutes.switch(GROUP, True)
    (row,) = await _row(storage)
    assert await minutes.compose(row, WEDNESDAY.timestamp()) == "这周的群纪要：\n定了：…"
    assert await minutes_of(storage, voice, None).compose(row, WEDNESDAY.timestamp()) is None
    voice.on = False
    assert await minutes.compose(row, WEDNESDAY.timestamp()) is None


def test_the_daily_digest_names_what_was_decided() -> None:
    assert digest([], WEDNESDAY) is None
    told = digest([], WEDNESDAY, ["小红「定在周五了」"])
    assert told is not None
    assert "· 小红「定在周五了」" in told
