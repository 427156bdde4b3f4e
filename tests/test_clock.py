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


def test_a_moment_reads_the_same_until_the_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that compares what it is told would see a change in each millisecond of difference."""
    clock = Clock(ZoneInfo("Asia/Shanghai"))
    wall = 1_795_282_200.0004
    monkeypatch.setattr("time.time", lambda: wall)
    monkeypatch.setattr("time.monotonic", lambda: 1000.0)
    first = clock.wall_of(990.0)
    assert first == pytest.approx(wall - 10)
    for late in (0.0003, -0.0002, 0.02):
        monkeypatch.setattr("time.monotonic", lambda late=late: 1000.0 + late)
        assert clock.wall_of(990.0) == first
    monkeypatch.setattr("time.time", lambda: wall - 7200)
    assert clock.wall_of(990.0) == pytest.approx(wall - 7210, abs=0.1)
