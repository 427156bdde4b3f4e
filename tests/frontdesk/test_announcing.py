"""Speaking up unasked: through the same outbox, never in a silence, without moving the presence."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.agents import NotAnnounced
from nonebot_plugin_mishu.secretary import PresenceState, SendFailed
from office import office
from stand_ins import GROUP, OTHER
from virtual_time import virtual


@virtual
async def test_an_announcement_is_sent_stored_and_moves_nothing() -> None:
    async with office() as here:
        sent = await here.desk.announcer.announce(GROUP, "该开会了", mentions=["30001"])
        assert here.platform.texts == ["该开会了"]
        line = here.room.ledger.get(sent)
        assert line is not None
        assert line.is_bot
        assert here.room.seat.presence.state is PresenceState.ABSENT


@virtual
async def test_in_a_silence_nothing_is_announced() -> None:
    async with office() as here:
        await here.say("30001", "闭嘴")
        assert here.desk.announcer.silent_until(GROUP) is not None
        with pytest.raises(NotAnnounced) as refused:
            await here.desk.announcer.announce(GROUP, "该开会了")
        assert not refused.value.perhaps
        assert here.platform.texts == []


@virtual
async def test_a_send_that_may_have_gone_out_says_so() -> None:
    async with office() as here:
        here.platform.fail = SendFailed("平台没有回应", perhaps=True)
        with pytest.raises(NotAnnounced) as refused:
            await here.desk.announcer.announce(GROUP, "该开会了")
        assert refused.value.perhaps


@virtual
async def test_nothing_is_announced_where_we_are_not() -> None:
    async with office(groups={"mode": "deny", "ids": [OTHER.peer]}) as here:
        with pytest.raises(NotAnnounced):
            await here.desk.announcer.announce(OTHER, "该开会了")
        assert here.platform.texts == []
        assert await here.desk.announcer.allows(GROUP, "提醒")
        assert not await here.desk.announcer.allows(GROUP, "日报")
