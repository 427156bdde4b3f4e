"""The table of the built-in agents' pure halves (`agents.builtin`) against the agents of an instance."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import AgentSpec
from nonebot_plugin_mishu.agents.api.builtin_codes import ROUTING
from nonebot_plugin_mishu.agents.api.frame import NOTHING_READ
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.app.assembly import assemble
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.llm import ModelClient
from nonebot_plugin_mishu.storage import Storage

from bot.replay.scripted import ScriptedModel
from bot.replay.stage import StandingClock
from bot.replay.tables import laid_out

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZONE).timestamp()
FIELDS = ("rules", "merges", "acts", "listens", "overhears", "claims")


def _fail(what: str, error: BaseException) -> None:
    raise error


@pytest.fixture
async def specs(tmp_path: Path) -> Any:
    clock = StandingClock(ZONE, NOW)
    storage = await Storage.open(await laid_out(tmp_path), on_trouble=print, now=clock.wall)
    found: dict[str, AgentSpec] = {}

    def watched(agents: Any) -> Any:
        found.update({spec.code: spec for spec in agents})
        return agents

    model = cast(ModelClient, ScriptedModel(online=False))
    services = assemble(Config(), clock, storage, model, ["秘书"], _fail, watched=watched)
    yield found
    await services.close()
    await storage.close()


def test_every_code_of_the_routing_order_has_its_row() -> None:
    assert tuple(agent.code for agent in builtin_rules()) == ROUTING


async def test_what_reads_without_a_handler_reads_as_the_agent_does(specs: dict[str, AgentSpec]) -> None:
    clause = whole("周五下午三点评审会 午饭35", situation(NOW, ZONE))
    for agent in builtin_rules():
        spec = specs[agent.code]
        assert [getattr(agent, name) for name in FIELDS] == [getattr(spec, name) for name in FIELDS]
        if agent.read("", clause) is not NOTHING_READ:
            assert agent.read is spec.read
