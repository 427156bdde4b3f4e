"""The one clock."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.clock import BELIEVED, SETTLED, Clock, ClockSeen


def test_receipts_grow_also_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(ZoneInfo("Asia/Shanghai"))
    first = clock.receipt()
    monkeypatch.setattr("time.time", lambda: 5.0)
    second, third = clock.receipt(), clock.receipt()
    assert first < second < third


class Tomorrow(Clock):
    """A clock that somebody gave us: a day ahead."""

    def wall(self) -> float:
        return super().wall() + 86_400


def test_receipts_go_by_the_clock_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_795_282_200.0)
    assert Tomorrow(ZoneInfo("Asia/Shanghai")).receipt() == 1_795_368_600 * 10**9


def test_who_knows_only_the_machines_clock_is_told_the_time_in_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_795_282_200.0)
    clock = Tomorrow(ZoneInfo("Asia/Shanghai"))
    assert clock.on_the_machine(clock.wall() + 42) == 1_795_282_242.0
    assert Clock(ZoneInfo("Asia/Shanghai")).on_the_machine(1_795_282_207.0) == 1_795_282_207.0


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


YEAR, DAY, HOUR, MINUTE = 365 * 86400.0, 86400.0, 3600.0, 60.0


@pytest.mark.parametrize(
    ("jumps", "waited", "mending", "deletes"),
    [
        ((), MINUTE, False, True),
        ((), SETTLED, True, True),
        ((YEAR,), MINUTE, False, False),
        ((YEAR,), BELIEVED, True, True),
        ((YEAR, -YEAR), 0.0, True, True),
        ((YEAR, MINUTE, -YEAR), 0.0, True, True),
        ((YEAR, YEAR, -2 * YEAR), 0.0, True, True),
        ((YEAR, -YEAR + HOUR), 0.0, True, True),
        ((YEAR, -YEAR / 2), MINUTE, False, False),
        ((-YEAR,), MINUTE, False, True),
        ((-YEAR,), SETTLED, True, True),
        ((-YEAR, YEAR), MINUTE, False, False),
        ((HOUR, -HOUR), MINUTE, False, True),
    ],
)
def test_a_clock_that_jumps_is_seen(
    jumps: tuple[float, ...], waited: float, mending: bool, deletes: bool
) -> None:
    wall, monotonic = 1.8e9, 500.0
    seen = ClockSeen.first(wall, monotonic)
    for jump in jumps:
        wall, monotonic = wall + jump + 5, monotonic + 5
        seen = seen.then(wall, monotonic)
    seen = seen.then(wall + waited, monotonic + waited)
    assert (seen.mending(monotonic + waited), seen.deletes(monotonic + waited)) == (mending, deletes)
    assert not seen.mended().mending(monotonic + waited + DAY)
