"""The announcer before there is a desk, and through it once there is one."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents import NotAnnounced
from nonebot_plugin_mishu.app.desk_announcer import VoiceOfDesk
from office import office
from stand_ins import GROUP
from virtual_time import virtual


@virtual
async def test_without_a_desk_nothing_is_said_and_nothing_hindered() -> None:
    voice = VoiceOfDesk(lambda: None)
    with pytest.raises(NotAnnounced) as refused:
        await voice.announce(GROUP, "该开会了")
    assert not refused.value.perhaps
    assert not await voice.give_file(GROUP, "a.ics", b"")
    assert voice.silent_until(GROUP) is None
    assert not voice.connected(GROUP)
    assert await voice.allows(GROUP, "提醒")


@virtual
async def test_with_a_desk_it_is_the_desks_voice() -> None:
    async with office() as here:
        found: list[Any] = [None]
        voice = VoiceOfDesk(lambda: found[0])
        found[0] = here.desk.announcer
        await voice.announce(GROUP, "该开会了", mentions=["30001"])
        assert here.platform.texts == ["该开会了"]
        assert voice.connected(GROUP)
        assert await voice.give_file(GROUP, "a.ics", b"x")
        assert not await voice.allows(GROUP, "日报")
        await here.say("30001", "闭嘴")
        assert voice.silent_until(GROUP) is not None
