"""The daily backup: when it is due, which are kept, and what happens where it fails."""

from __future__ import annotations

import os
from datetime import datetime, time, timedelta
from pathlib import Path

import pytest
from nonebot_plugin_mishu.storage.copies import Backup, DailyBackup, DailyPlan
from nonebot_plugin_mishu.storage.copies.daily import begun, file_name, is_due, outdated
from ready_database import ready_url

NOON = datetime(2026, 11, 18, 12)
AT = time(4, 30)


def names(*moments: str) -> list[str]:
    return [f"mishu-{moment}.backup" for moment in moments]


@pytest.mark.parametrize(
    ("now", "there", "due"),
    [
        ("2026-11-18T12:00:00", [], True),
        ("2026-11-18T12:00:00", ["20261118-043000"], False),
        ("2026-11-18T12:00:00", ["20261118-042959"], True),
        ("2026-11-18T04:29:59", ["20261117-043001"], False),
        ("2026-11-18T04:30:00", ["20261117-043001"], True),
        ("2026-11-18T04:30:00", ["20261118-043000"], False),
        ("2026-11-18T03:00:00", ["20261117-042959"], True),
        ("2026-03-01T00:10:00", ["20260228-050000"], False),
        ("2026-11-18T12:00:00", ["20991231-000000"], True),
        ("2026-11-18T12:00:00", ["20261399-000000", "20261118-0430", "x"], True),
    ],
)
def test_it_is_due_when_none_was_begun_since_the_hour_struck(now: str, there: list[str], due: bool):
    assert is_due(datetime.fromisoformat(now), AT, names(*there)) is due


def test_a_name_tells_when_it_was_begun():
    assert begun(file_name(NOON)) == NOON
    for foreign in ("mishu.db", "mishu-20261118-120000.backup.part", "mishu-20261318-120000.backup", ""):
        assert begun(foreign) is None


def test_only_our_oldest_are_outdated():
    kept = names(*(f"202611{day:02}-043000" for day in range(1, 6)))
    others = ["mishu.db", "mishu-old.backup", "a.txt"]
    assert sorted(outdated([*others, *kept], 3)) == kept[:2]
    assert outdated([*others, *kept], 5) == []


class Desk:
    """A daily backup on a clock that stands."""

    def __init__(self, url: str, folder: Path, keep: int = 2) -> None:
        self.now = NOON
        self.made: list[Backup] = []
        self.failed: list[str] = []
        plan = DailyPlan(AT, folder, keep)
        self.backup = DailyBackup(url, plan, lambda: self.now, self.made.append, self.failed.append)


async def test_one_a_day_is_made_and_the_newest_are_kept(tmp_path: Path):
    desk = Desk(await ready_url(tmp_path), tmp_path)
    (tmp_path / "mishu-20200101-000000.backup.77.part").touch()
    for _ in range(4):
        await desk.backup.back_up_if_due()
        await desk.backup.back_up_if_due()
        desk.now += timedelta(days=1)
    assert len(desk.made) == 4
    assert desk.failed == []
    assert sorted(name for name in os.listdir(tmp_path) if "backup" in name) == names(
        "20261120-120000", "20261121-120000"
    )


async def test_a_failure_is_said_once_and_tried_again_later(tmp_path: Path):
    (tmp_path / "kept").write_text("a file where the directory should be")
    desk = Desk(await ready_url(tmp_path), tmp_path / "kept")
    await desk.backup.back_up_if_due()
    desk.now += timedelta(minutes=5)
    await desk.backup.back_up_if_due()
    assert len(desk.failed) == 1
    assert "每日备份没有做成" in desk.failed[0]
    os.unlink(tmp_path / "kept")
    desk.now += timedelta(minutes=5)
    await desk.backup.back_up_if_due()
    assert (len(desk.made), len(desk.failed)) == (1, 1)
    (tmp_path / "kept" / desk.made[0].file.name).unlink()
    desk.now -= timedelta(days=2)  # the clock was set back
    await desk.backup.back_up_if_due()
    assert len(desk.made) == 2


async def test_it_can_be_stopped_at_any_time(tmp_path: Path):
    desk = Desk(await ready_url(tmp_path), tmp_path / "kept")
    await desk.backup.stop()
    desk.backup.start()
    await desk.backup.stop()
