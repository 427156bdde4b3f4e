"""Reminders over SIGKILL and hours off: sent once, or once more and marked; late, and never as a flood.

One bot is killed in the middle of much, its rows are moved in time while it is off, and it is started
again: each test looks at a group of its own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from model_server import ModelServer

from .harness import Api, BotProcess, Chat, Fail, Member, Never, OneBotClient, Sent, summon
from .harness.room import STATES
from .reminder_steps import alter, multiply, remind, reminders, states, until_states
from .test_e2e_restart import running

pytestmark = pytest.mark.exhaustive

HOUR = 3600
MANY = 10_000
NAMES = (
    *("before", "hanging", "queued", "said", "refused", "twice", "flood", "daily", "meeting", "deleted"),
    *("moved", "undone", "few"),
)


@dataclass
class Killed:
    """A bot that was killed with reminders in every state, three hours off, and runs again."""

    bot: BotProcess
    account: OneBotClient
    rooms: dict[str, Chat]
    ming: Member
    hong: Member
    at: dict[str, int] = field(default_factory=dict[str, int])
    """How many messages stood in a group before the restart."""
    due: float = 0.0
    api: Api = field(init=False)

    def since(self, name: str) -> list[Sent]:
        """What the bot said in a group after it was started again."""
        return self.rooms[name].sends[self.at[name] :]

    async def only(self, name: str) -> Sent:
        """The one reminder that came in a group after the restart."""
        room = self.rooms[name]
        await self.account.until(lambda: self._reminders(name), 20, f"a reminder in {name}")
        await self.api.settle(room)
        found = self._reminders(name)
        assert len(found) == 1, found
        return found[0]

    def _reminders(self, name: str) -> list[Sent]:
        """What came and quotes nothing: a reply that a kill cut off may come once more, marked."""
        found = [sent for sent in self.since(name) if not STATES.search(sent.text)]
        return [sent for sent in found if not (sent.quotes and sent.text.startswith("【补发】"))]

    async def none(self, name: str) -> None:
        """Nothing came in a group after the restart."""
        await self.api.settle(self.rooms[name])
        found = [sent for sent in self.since(name) if not STATES.search(sent.text)]
        assert found == []


async def before_the_kill(case: Killed) -> None:
    """Reminders that wait, that hang at the platform, that wait behind a message, that are over."""
    rooms, ming, hong = case.rooms, case.ming, case.hong
    for name in ("before", "flood", "deleted", "moved", "undone", "few"):
        await remind(rooms[name], ming, "2小时后提醒我交周报")
    await remind(rooms["daily"], ming, "每天早上8点提醒我吃药")
    await summon(rooms["meeting"], ming, "记录日程：后天下午3点开会")
    await summon(rooms["meeting"], hong, "参加后天下午3点的开会")
    await summon(rooms["deleted"], ming, "删除任务交周报")
    await rooms["deleted"].expect(quoting=await rooms["deleted"].say(ming, "确认"))
    await summon(rooms["moved"], ming, "把交周报的提醒改到后天下午3点")
    await summon(rooms["undone"], ming, "撤销")

    def of(name: str, words: str = "") -> Any:
        here = rooms[name].id
        return lambda call: str(call.params.get("group_id")) == here and words in str(call.params)

    case.account.plan("send", Never(), times=2, matching=of("hanging", "提醒："))
    case.account.plan("send", Never(), times=2, matching=of("twice", "提醒："))
    case.account.plan("send", Fail(), times=9, matching=of("refused", "提醒："))
    for name in ("said", "hanging", "twice", "refused"):
        await remind(rooms[name], ming, "3秒后提醒我喝水")
    await remind(rooms["queued"], ming, "5秒后提醒我喝水")
    case.account.plan("send", Never(), matching=of("queued"))
    await rooms["queued"].call(hong, "帮助")
    await rooms["queued"].expect()
    for name in ("said", "hanging", "twice", "refused"):
        await rooms[name].expect("提醒：喝水")
    await until_states(case.bot, rooms["said"], "sent")
    await until_states(case.bot, rooms["refused"], "waiting")
    for name in ("hanging", "twice", "queued"):
        await until_states(case.bot, rooms[name], "claimed")
    assert not any("提醒：喝水" in text for text in rooms["queued"].texts())
    await case.bot.kill()


def while_it_is_off(case: Killed) -> None:
    """Three hours pass, and two days for those that make a flood."""
    bot, rooms, now = case.bot, case.rooms, case.bot.clock.now()
    case.due = now - 3 * HOUR - 300
    alter(bot, rooms["before"], f"due_at = {case.due}")
    alter(bot, rooms["twice"], "unclear = 1")
    alter(bot, rooms["refused"], "failures = 4, not_before = 0")
    began = datetime.fromtimestamp(now - 30 * 24 * HOUR, ZoneInfo("Asia/Shanghai")).strftime("%Y-%m-%d 08:00")
    alter(bot, rooms["daily"], f"due_at = due_at - {4 * 24 * HOUR}, anchor = '{began}'")
    alter(bot, rooms["meeting"], f"due_at = {now - 60}")
    alter(bot, rooms["few"], f"due_at = {now - 60}")
    multiply(bot, rooms["few"], [(f"提醒：第{number}件", now - 60 + number) for number in range(5)])
    texts = ((f"提醒：第{number}件", now - 2 * 24 * HOUR + number) for number in range(MANY))
    multiply(bot, rooms["flood"], texts)
    case.at = {name: len(room.sends) for name, room in rooms.items()}


@pytest_asyncio.fixture(scope="module")
async def killed(tmp_path_factory: Any, model_of_session: ModelServer) -> AsyncIterator[Killed]:
    bot = BotProcess(tmp_path_factory.mktemp("bot"), {"API_TIMEOUT": 60})
    account = OneBotClient(bot.onebot_url, 10_062)
    rooms = {name: account.room() for name in NAMES}
    case = Killed(bot, account, rooms, Chat.member("小明"), Chat.member("小红"))
    try:
        async with running(bot, account):
            await before_the_kill(case)
        account.platform.faults = [each for each in account.platform.faults if isinstance(each.fault, Fail)]
        await asyncio.to_thread(while_it_is_off, case)
        async with running(bot, account) as case.api:
            yield case
            log = bot.log
            assert "Traceback" not in log
    finally:
        await bot.close()


async def test_pitfall_44_one_that_was_due_while_the_bot_was_off_comes_late_and_says_so(killed: Killed):
    late = await killed.only("before")
    assert "提醒：交周报" in late.text
    assert re.search(r"迟到 3 小时 [5-9] 分钟", late.text), late.text
    assert late.ats == [str(killed.ming.user_id)]
    assert "补发" not in late.text
    assert states(killed.bot, killed.rooms["before"]) == ["sent"]


async def test_killed_while_the_platform_had_it_comes_once_more_and_marked(killed: Killed):
    again = await killed.only("hanging")
    assert "补发" in again.text
    assert "提醒：喝水" in again.text
    assert states(killed.bot, killed.rooms["hanging"]) == ["sent"]


async def test_killed_between_claim_and_send_comes(killed: Killed):
    assert "提醒：喝水" in (await killed.only("queued")).text
    assert states(killed.bot, killed.rooms["queued"]) == ["sent"]


async def test_after_two_sends_of_which_nobody_knows_it_is_over(killed: Killed):
    await killed.none("twice")
    assert states(killed.bot, killed.rooms["twice"]) == ["sent"]


async def test_what_was_said_before_the_kill_is_not_said_again(killed: Killed):
    await killed.none("said")
    assert states(killed.bot, killed.rooms["said"]) == ["sent"]


async def test_pitfall_45_a_send_that_is_always_refused_is_given_up(killed: Killed):
    await killed.only("refused")
    assert states(killed.bot, killed.rooms["refused"]) == ["dropped"]
    assert "不再重试" in killed.bot.log
    assert len([text for text in killed.rooms["refused"].texts() if "提醒：喝水" in text]) == 2


async def test_pitfall_44_ten_thousand_after_two_days_are_no_flood_and_none_is_lost(killed: Killed):
    room = killed.rooms["flood"]
    await killed.account.until(lambda: killed.since("flood"), 20, "the gathered reminder")
    await killed.api.settle(room)
    said = [sent for sent in killed.since("flood") if "件" in sent.text]
    assert len(said) == 1, said
    assert "迟到" in said[0].text
    assert f"有 {MANY} 条" in said[0].text
    assert [int(each) for each in re.findall(r"第(\d+)件", said[0].text)] == list(range(10))
    rows = reminders(killed.bot, room)
    assert len(rows) == MANY
    assert {row["state"] for row in rows} == {"sent"}


async def test_a_few_come_one_by_one_in_the_order_they_were_due(killed: Killed):
    await killed.account.until(lambda: len(killed.since("few")) >= 5, 20, "five reminders")
    await killed.api.settle(killed.rooms["few"])
    said = [sent.text for sent in killed.since("few") if "件" in sent.text]
    assert [re.findall(r"第(\d+)件", text) for text in said] == [[str(number)] for number in range(5)]
    assert all("迟到 " in text for text in said)


async def test_one_that_recurs_comes_once_says_what_was_missed_and_goes_on(killed: Killed):
    late = await killed.only("daily")
    assert "吃药" in late.text
    assert re.search(r"其间还错过 [23] 次", late.text), late.text
    rows = reminders(killed.bot, killed.rooms["daily"])
    assert [row["state"] for row in rows] == ["sent", "waiting"]
    assert killed.bot.clock.now() < rows[1]["due_at"] <= killed.bot.clock.now() + 24 * HOUR
    assert rows[1]["wall"].endswith("08:00")


async def test_a_schedules_reminder_is_for_its_creator_and_who_joined(killed: Killed):
    reminder = await killed.only("meeting")
    assert "开会" in reminder.text
    assert reminder.ats == [str(killed.ming.user_id), str(killed.hong.user_id)]


async def test_what_was_deleted_moved_or_taken_back_is_not_reminded_of(killed: Killed):
    for name, left in (("deleted", ["dropped"]), ("undone", [])):
        await killed.none(name)
        assert states(killed.bot, killed.rooms[name]) == left
    await killed.none("moved")
    rows = reminders(killed.bot, killed.rooms["moved"])
    assert [row["state"] for row in rows] == ["dropped", "waiting"]
    assert rows[1]["due_at"] > rows[0]["due_at"] + 24 * HOUR
