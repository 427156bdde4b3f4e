"""Members who have not spoken are called by their card."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot_plugin_mishu.adapter.asking import RosterNeeds
from nonebot_plugin_mishu.adapter.onebot_v11 import rosters as adapter
from nonebot_plugin_mishu.adapter.onebot_v11.rosters import OneBotRosters
from nonebot_plugin_mishu.frontdesk.lines.reading import mentioned
from nonebot_plugin_mishu.storage.records import PRESSED, Conversation
from office import office
from stand_ins import GROUP
from virtual_time import virtual


class _Platform:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        self.asked.append(user_id)
        return {"500": "老陈"}.get(user_id)


@virtual
async def test_the_card_of_who_is_mentioned_is_asked_once() -> None:
    platform = _Platform()
    async with office(card=platform.card) as made:
        for number in range(2):
            await made.call("a", f"提醒他交表{number}", ats=["500"])
        assert platform.asked == ["500"]
        heard = made.heard("a", "交表", ats=["500", "600"])
        assert [each.name for each in mentioned(heard, made.room)] == ["老陈", "群友"]


@virtual
async def test_whoever_speaks_is_called_as_they_speak_and_never_asked_about() -> None:
    platform = _Platform()
    async with office(card=platform.card) as made:
        await made.say("500", "早")
        await made.call("a", "提醒他交表", ats=["500"])
        assert platform.asked == []


@virtual
@pytest.mark.parametrize(
    ("user", "known_as"), [("b", ("名b", "admin")), ("500", ("老陈", "member")), ("600", ("群友", "member"))]
)
async def test_who_pressed_a_button_is_who_they_were_when_they_spoke(
    user: str, known_as: tuple[str, str]
) -> None:
    """A press tells an id alone, and who spoke before a restart is known to the ledger."""
    platform = _Platform()
    async with office(card=platform.card) as made:
        await made.say("b", "早", role="admin")
        told = {"name": "群友", "introduced": False, "message_id": f"{PRESSED}1"}
        await made.call(user, "确认", quote="mishu1", **told)
        [kept] = [row for row in made.room.ledger.since(0) if row.pressed]
        assert (kept.name, kept.role) == known_as
        assert made.room.ledger.name_of(user) == known_as[0]
        assert platform.asked == [] if user == "b" else [user]
        on_disk = made.storage.rows[GROUP.self_id, kept.message_id]
        assert (on_disk.name, on_disk.role) == known_as


@virtual
async def test_a_private_conversation_has_nobody_to_ask_about() -> None:
    platform = _Platform()
    async with office(card=platform.card) as made:
        private = Conversation(GROUP.self_id, "private", "a")
        await made.say("a", "提醒他交表", ats=["500"], conversation=private)
        assert platform.asked == []


async def test_the_platform_is_asked_for_the_card_then_the_nickname(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[int, Any] = {
        1: {"card": "老陈", "nickname": "chen"},
        2: {"card": "", "nickname": "chen"},
        3: None,
    }
    asked: list[int] = []

    async def call_api(action: str, **data: Any) -> Any:
        assert action == "get_group_member_info"
        asked.append(data["user_id"])
        return rows[data["user_id"]]

    monkeypatch.setattr(adapter, "connected_bot", lambda account: SimpleNamespace(call_api=call_api))
    made = OneBotRosters(RosterNeeds(lambda: 0.0))
    where = Conversation("10000", "group", "777")
    assert [await made.card(where, user) for user in ("1", "2", "3", "1", "3")] == [
        "老陈",
        "chen",
        None,
        "老陈",
        None,
    ]
    assert asked == [1, 2, 3]
    assert await made.card(where, "a") is None


@virtual
async def test_a_press_waits_for_the_message_above_it_that_is_still_being_sent() -> None:
    async with office() as made:
        made.platform.gate = asyncio.Event()
        saying = asyncio.create_task(made.desk.announcer.announce(GROUP, "喝水"))
        await asyncio.sleep(0.1)
        told = {"name": "群友", "introduced": False, "message_id": f"{PRESSED}1"}
        await made.call("a", "完成", quote="sent-1", **told)
        await made.pass_time(0.5)
        assert not made.room.seat.lock.busy, "no turn has begun"
        made.platform.gate.set()
        assert await saying == "sent-1"
        await made.pass_time(5)
        assert [speech.quote for _, speech in made.platform.sent] == [None, f"{PRESSED}1"]
