"""Silence by word, by command, by the platform: who may, how long, and that it beats everything."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.frontdesk import QuotedMessage
from nonebot_plugin_mishu.frontdesk.lines.foreign_lines import SILENT
from nonebot_plugin_mishu.frontdesk.silencing import ADMINS_ONLY
from nonebot_plugin_mishu.secretary import PresenceState, SendFailed
from office import Office, office
from stand_ins import BOT, GROUP, OTHER, FakeStorage
from virtual_time import settle, virtual


def silenced(made: Office) -> bool:
    return made.room.silenced_until(made.clock.wall()) is not None


@pytest.mark.parametrize(
    ("silence_by", "role", "superuser", "may"),
    [
        ("everyone", "member", False, True),
        ("admins", "member", False, False),
        ("admins", "admin", False, True),
        ("admins", "owner", False, True),
        ("admins", "member", True, True),
    ],
)
@virtual
async def test_who_may_silence_by_word(silence_by: str, role: str, superuser: bool, may: bool) -> None:
    async with office(frontdesk={"silence_by": silence_by}) as made:
        await made.say("a", "闭嘴", role=role, superuser=superuser)
        assert silenced(made) is may
        assert made.platform.sent == []


@pytest.mark.parametrize(
    ("by_command", "role", "lifted"),
    [(False, "member", True), (True, "member", False), (True, "admin", True), (True, "owner", True)],
)
@virtual
async def test_who_may_lift(by_command: bool, role: str, lifted: bool) -> None:
    async with office() as made:
        await made.say("x", "/秘书 闭嘴" if by_command else "闭嘴", role="admin")
        sent = len(made.platform.sent)
        await made.say("a", "张嘴", role=role)
        assert silenced(made) is not lifted
        assert len(made.platform.sent) == sent + lifted


@virtual
async def test_who_may_not_silence_may_not_lift() -> None:
    async with office(frontdesk={"silence_by": "admins"}) as made:
        await made.say("x", "闭嘴", role="admin")
        await made.say("a", "张嘴")
        assert silenced(made)


@virtual
async def test_it_ends_by_itself() -> None:
    async with office(frontdesk={"silence_seconds": 60}) as made:
        await made.say("a", "闭嘴")
        await made.pass_time(59)
        assert silenced(made)
        await made.pass_time(2)
        await made.call("a", "在吗")
        assert made.platform.texts == ["好的"]


@virtual
async def test_only_here() -> None:
    async with office() as made:
        await made.say("a", "闭嘴")
        await made.call("a", "在吗", conversation=OTHER)
        assert [where for where, _ in made.platform.sent] == [OTHER]


@virtual
async def test_said_to_somebody_else_it_is_none() -> None:
    async with office() as made:
        quoted = await made.say("b", "今天好冷")
        await made.say("a", "闭嘴", ats=["30002"])
        await made.say("a", "闭嘴", quote=quoted)
        await made.say("a", "闭嘴", quote="unknown")
        await made.say("a", "闭嘴", quote="9", quoted=QuotedMessage("9", "30002", "小红", "早"))
        assert not silenced(made)


@virtual
async def test_said_in_reply_to_the_bot_it_is_one() -> None:
    async with office() as made:
        await made.call("a", "在吗")
        await made.say("b", "闭嘴", quote="sent-1", at=True)
        assert silenced(made)


@virtual
async def test_it_is_back_after_a_restart() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        await made.say("a", "闭嘴")
    async with office(storage=storage) as made:
        assert silenced(made)
        await made.call("a", "在吗", message_id="another")
        assert made.platform.sent == []


@virtual
async def test_it_holds_though_it_cannot_be_stored() -> None:
    async with office() as made:
        made.storage.broken = True
        await made.say("a", "闭嘴")
        await made.call("a", "在吗")
        await made.pass_time(5)
        assert made.platform.sent == []
        await made.say("x", "/秘书 闭嘴 5", role="admin")
        assert "没能存下" in made.platform.texts[-1]
        await made.say("x", "/秘书 说话", role="admin")
        assert "没能存下" in made.platform.texts[-1]
        assert not silenced(made)


@virtual
async def test_pitfall_28_silence_while_the_reply_is_made() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        said = await made.call("a", "在吗")
        await made.say("b", "闭嘴")
        made.model.gate.set()
        await made.pass_time(30)
        assert made.platform.sent == []
        assert made.storage.row(said).processed
        assert made.room.seat.presence.state is PresenceState.ABSENT


@virtual
async def test_pitfall_28_silence_while_the_reply_waits_for_its_turn() -> None:
    async with office(qq={"send_gap": 10}) as made:
        await made.call("a", "一")
        await made.call("b", "二")
        await made.pass_time(1)
        await made.say("c", "闭嘴")
        await made.pass_time(60)
        assert made.platform.texts == ["好的"]


@virtual
async def test_pitfall_28_silence_while_an_introduction_waits_for_its_turn() -> None:
    async with office(qq={"send_gap": 10}) as made:
        await made.call("a", "一")
        joining = asyncio.create_task(made.desk.notices.joined(GROUP))
        await made.pass_time(1)
        await made.say("c", "闭嘴")
        await made.pass_time(60)
        await joining
        assert made.platform.texts == ["好的"]


@virtual
async def test_pitfall_28_nothing_is_said_in_a_silence() -> None:
    async with office() as made:
        from nonebot_plugin_mishu.secretary import Speech

        await made.say("a", "闭嘴")
        with pytest.raises(SendFailed):
            await made.desk._replies.say(GROUP, Speech("提醒：开会"), 5)
        assert made.platform.sent == []


@virtual
async def test_words_changed_at_run_time_hold_and_persist() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        await made.say("x", "/秘书 静音词 添加 安静点", role="admin")
        await made.say("x", "/秘书 静音词 删除 闭嘴", role="admin")
        await made.say("a", "闭嘴")
        assert not silenced(made)
    async with office(storage=storage) as made:
        await made.say("a", "闭嘴", message_id="n1")
        assert not silenced(made)
        await made.say("a", "安静点吧！", message_id="n2")
        assert silenced(made)
        await made.say("a", "安静点", conversation=OTHER, message_id="n3")
        assert made.desk.rooms.enter(OTHER).settings.silence is None


@virtual
async def test_muted_by_the_platform() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        said = await made.call("a", "在吗")
        await made.desk.notices.muted(GROUP, 600)
        made.model.gate.set()
        await settle()
        assert made.storage.row(said).processed
        await made.say("x", "张嘴", role="owner")
        await made.call("a", "在吗")
        assert made.platform.sent == []
        await made.desk.notices.unmuted(GROUP)
        await made.call("a", "在吗")
        assert made.platform.texts == ["好的"]
        await made.desk.notices.muted(GROUP, None)
        await made.pass_time(86400)
        assert silenced(made)


@virtual
async def test_joined_and_left() -> None:
    async with office() as made:
        await made.desk.notices.joined(OTHER)
        assert len(made.platform.sent) == 1
        assert "秘书" in made.platform.texts[0]
        made.model.gate = asyncio.Event()
        await made.call("a", "在吗", conversation=OTHER)
        await made.desk.notices.left(OTHER)
        made.model.gate.set()
        await made.pass_time(1000)
        assert len(made.platform.sent) == 1
        await made.desk.notices.left(GROUP)
        await made.desk.notices.left(BOT and OTHER)


@virtual
async def test_plain_words_to_the_bot_are_granted_and_said_for_how_long() -> None:
    async with office() as made:
        await made.say("x", "你太吵了，安静一会")
        assert made.room.silenced_until(made.clock.wall()) is None, "said to nobody"
        await made.call("x", "你太吵了，安静一会")
        assert made.platform.texts == ["好，安静10分钟。叫我张嘴可以提前说话。"]
        assert made.room.silenced_until(made.clock.wall()) is not None
        await made.call("y", "在吗")
        await made.call("y", "安静半小时")
        assert len(made.platform.sent) == 1
        await made.call("y", "你可以说话了")
        assert made.room.silenced_until(made.clock.wall()) is None


@virtual
async def test_how_long_is_taken_from_the_words() -> None:
    async with office() as made:
        await made.call("x", "安静半小时")
        assert "30分钟" in made.platform.texts[-1]
        until = made.room.silenced_until(made.clock.wall())
        assert until is not None
        assert abs(until - made.clock.wall() - 1800) < 5


@virtual
async def test_plain_words_hold_for_who_may_only() -> None:
    async with office(frontdesk={"silence_by": "admins"}) as made:
        await made.call("x", "别吵了")
        assert made.room.silenced_until(made.clock.wall()) is None
        assert made.platform.texts == [ADMINS_ONLY]
        await made.call("x", "别吵了", role="admin")
        assert made.room.silenced_until(made.clock.wall()) is not None


@virtual
async def test_plain_words_to_somebody_else_silence_nobody() -> None:
    async with office() as made:
        await made.call("x", "别说话了我在开会", ats=["30009"])
        await made.say("x", "小秘，让他闭嘴")
        assert made.room.silenced_until(made.clock.wall()) is None


@virtual
async def test_pitfall_28_plain_words_end_a_reply_on_its_way() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("a", "慢慢想")
        await made.call("b", "先别吵")
        made.model.gate.set()
        await made.pass_time(2)
        assert made.platform.texts == ["好，安静10分钟。叫我张嘴可以提前说话。"]


@virtual
async def test_a_call_in_a_silence_is_told_of() -> None:
    """为什么 says why a call was not answered; of talk that called nobody it says nothing."""
    async with office() as made:
        await made.say("x", "闭嘴", role="admin")
        await made.say("b", "今天好冷")
        await made.call("a", "在吗")
        await settle()
        assert [(one.user_id, one.reason) for one in made.storage.records] == [("a", SILENT)]
