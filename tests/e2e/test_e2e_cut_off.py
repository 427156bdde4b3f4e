"""A model that falls silent after it had something done: what was done is told, in time."""

from __future__ import annotations

import pytest
from model_server import ModelServer, hang, tool_calls

from .harness import Chat
from .harness.api import Api
from .test_e2e_decision import frame, parsed

BOT = {"MISHU__LLM__TIMEOUT": 2, "MISHU__LLM__DECIDE_TIMEOUT": 1.5}
UNCLEAR = "帮我安排一下明天下午报销的那个"
"""Work that the rules are not sure about."""


@pytest.mark.exhaustive
async def test_what_was_done_before_the_model_fell_silent_is_told(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    model.answer("parse_intents", parsed(frame("tasks", "create_task", UNCLEAR)))
    model.answer(
        "manage_tasks", tool_calls(("create_task", {"title": "报销", "dueDate": "2027-02-09"})), hang()
    )
    said = await room.call(ming, UNCLEAR)
    told = await room.expect(quoting=said)
    assert told.text.startswith("记下了：报销"), told.text
    [task] = await api.get(f"/api/users/{ming.user_id}/tasks", group_id=room.id)
    assert task["title"] == "报销"
