"""What is wrong with the model is named where the page of the bot and `/api/health` look."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from nonebot_plugin_mishu.llm.failures import CAUSES

from .conftest import Running


@pytest.mark.parametrize("trouble", ["密钥不对，接口不认", "接口里没有这个模型", "账户没钱了", "连不上"])
async def test_the_cause_is_named(running: Running, monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    assert trouble in CAUSES.values()
    failing = SimpleNamespace(status=lambda: "failing", trouble=lambda: trouble)
    monkeypatch.setattr(running.runtime.console, "_model", failing)
    async with running.client() as client:
        assert (await client.get("/health")).json()["llm"] == "down"
    assert running.runtime.console is not None
    assert (await running.runtime.console.health()).trouble == trouble
