"""The switch 空闲: a group that turned it off is told how to turn it on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from nonebot_plugin_mishu.agents.schedule.free.answering import FreeTime
from nonebot_plugin_mishu.language.free_time import FreeQuestion
from nonebot_plugin_mishu.storage.records import Conversation


async def test_a_group_that_turned_it_off_is_told_how_to_turn_it_on() -> None:
    asked: list[tuple[Conversation, str]] = []
    place = Conversation("1", "group", "777")

    async def allows(where: Conversation, feature: str) -> bool:
        asked.append((where, feature))
        return False

    nothing = cast("Any", None)
    context: Any = SimpleNamespace(conversation=place, reason="")
    dispatch: Any = SimpleNamespace(task_id="t")
    result = await FreeTime(nothing, nothing, allows).answer(dispatch, context, FreeQuestion("whether", True))
    assert result.status == "canceled"
    assert "/秘书 开关 空闲 开" in (result.user_response or "")
    assert asked == [(place, "空闲")]
