"""What was changed on a page while the group could not be told: said on the page, and to the group later."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.frontdesk.rooms.rosters import GroupCard
from nonebot_plugin_mishu.services import groups
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor, Write
from nonebot_plugin_mishu.services.office import collect_untold
from nonebot_plugin_mishu.services.schedules import schedules

from .conftest import BOT, GROUP, MING, NOW, PLACE, YA, Running

pytestmark = pytest.mark.asyncio(loop_scope="session")
ADMIN = Actor("admin", YA, GROUP, "小雅")


async def _adds(running: Running, what: str, hour: int) -> list[str]:
    begins = NOW.replace(hour=hour)
    fields = {"description": what, "starts_at": begins}
    with collect_untold() as left:
        await schedules.create_schedule(running.office, Write(ADMIN, f"web:{what}", MING), PLACE, fields)
    return left


async def test_a_change_made_while_the_account_is_away_is_told_when_it_is_back(running: Running) -> None:
    assert await _adds(running, "评审", 15) == []
    running.platform.ours.clear()
    assert await _adds(running, "复盘", 17) == ["账号不在线，群里还没说，连上就说"]
    assert await _adds(running, "聚餐", 19) == ["账号不在线，群里还没说，连上就说"]
    running.runtime.look_for_reminders()
    await asyncio.sleep(0.3)
    assert len(running.platform.sent) == 1
    running.platform.ours.append(BOT)
    running.runtime.look_for_reminders()
    async with asyncio.timeout(5):
        while len(running.platform.sent) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    late = running.platform.texts[1]
    assert late.startswith("刚才说不了话，补上网页上的改动：\n")
    assert "复盘" in late
    assert "聚餐" in late
    assert "小雅在网页上" in late
    await asyncio.sleep(0.2)
    assert len(running.platform.sent) == 2, "told once, in one message"


async def test_a_notice_is_no_reminder_that_a_member_answers(running: Running) -> None:
    running.platform.ours.clear()
    await _adds(running, "复盘", 17)
    running.platform.ours.append(BOT)
    running.runtime.look_for_reminders()
    async with asyncio.timeout(5):
        while not running.platform.sent:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert running.platform.texts[0].startswith("刚才说不了话，补一句：小雅在网页上：")
    await asyncio.sleep(0.2)
    storage = running.office.storage
    assert await storage.reminders.find_last_sent(PLACE, MING, 0.0) == []
    assert await storage.reminders.by_message(PLACE, "sent-1") == []


async def test_a_group_keeps_its_last_known_name_while_the_account_is_away(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def known(self_id: str) -> dict[str, GroupCard]:
        return {GROUP: GroupCard("产品小组", 3)}

    monkeypatch.setattr(running.office.rosters, "groups", known)

    async def names() -> list[str | None]:
        return [
            each.name for each in (await groups.list_groups(running.office, OWNER, limit=9, after=None)).rows
        ]

    assert await names() == ["产品小组"]
    running.platform.ours.clear()
    assert await names() == ["产品小组"]
