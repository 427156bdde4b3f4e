"""The one clock."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.clock import Clock


def test_receipts_grow_also_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(ZoneInfo("Asia/Shanghai"))
    first = clock.receipt()
    monkeypatch.setattr("time.time_ns", lambda: 5)
    second, third = clock.receipt(), clock.receipt()
    assert first < second < third


def test_the_day_begins_in_the_configured_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    # 2026-11-21 17:30 UTC is 01:30 of the 22nd in Shanghai
    monkeypatch.setattr("time.time", lambda: 1795282200.0)
    began = Clock(ZoneInfo("Asia/Shanghai")).today_began()
    assert 1795282200.0 - began == 90 * 60
