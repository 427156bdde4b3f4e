"""The gate beside a parse that hangs or fails, over the wire: what is answered, and what is not written."""

from __future__ import annotations

from typing import Any

import pytest
from default_run import first
from model_server import FAULTS, ModelServer, hang, server_error

from .harness import HURRIED, Api, Chat, summon
from .test_e2e_decision import UNCLEAR, written

pytestmark = pytest.mark.exhaustive

BOT = {"MISHU__BOT__PLUGINS": ["nonebot_plugin_mishu_clinic"], **HURRIED}


async def test_whoever_reads_the_line_judges_it(room: Chat, api: Api, bot: Any, model: ModelServer) -> None:
    model.answer("parse_intents", {"frames": [], "intent_ops": [], "safety": "BLOCK"})
    _, refused = await summon(room, room.member("小明"), UNCLEAR)
    assert "不" in refused.text
    assert "check_safety" not in model.names
    assert not any(written(room, bot).values())


async def test_an_emergency_is_answered_at_once(room: Chat, api: Api, bot: Any, model: ModelServer) -> None:
    for name in ("parse_intents", "check_safety", "analyze_conversation", "chat_reply"):
        model.always(name, hang())
    _, help_ = await summon(room, room.member("小明"), f"我不想活了，{UNCLEAR}")
    assert "12356" in help_.text
    assert not any(written(room, bot).values())


async def test_a_check_that_hangs_lets_nothing_be_written(
    room: Chat, api: Api, bot: Any, model: ModelServer
) -> None:
    model.always("check_safety", hang())
    model.always("parse_intents", server_error())
    _, told = await summon(room, room.member("小明"), f"跟大家告别一下，{UNCLEAR}")
    assert "取号" not in told.text
    assert not any(written(room, bot).values())


@first(4)
@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"fenced"}))  # that one can be read
async def test_a_failing_parse_falls_back_to_the_rules(
    room: Chat, api: Api, model: ModelServer, fault: str
) -> None:
    model.always("parse_intents", FAULTS[fault]())
    _, asked = await summon(room, room.member("小明"), f"我头痛想挂号，{UNCLEAR}")
    assert "持续多久" in asked.text
