"""Daily backups, of which the newest few are kept (`MISHU__BACKUP__…`).

The file names carry the local time of their start, from which the next due time is known. So a
bot that was off at the hour makes it up when it is on again, and a first one is made when it is switched on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from ...patterns import Pattern
from ..engine.errors import StorageError
from .backup import Backup, back_up, in_thread

LOOK_EVERY = 20.0
"""Seconds between two looks at the clock."""
RETRY_AFTER = timedelta(minutes=10)
"""After a backup that failed."""

_NAME = Pattern(r"mishu-(\d{8}-\d{6})\.backup\Z")
_LEFT = Pattern(r"mishu-\d{8}-\d{6}\.backup\.\d+\.part.*\Z")
"""Unfinished files of a process that was killed during a backup."""
_STAMP = "%Y%m%d-%H%M%S"


@dataclass(frozen=True, slots=True)
class DailyPlan:
    """Time of day, folder and number of the kept backups."""

    at: time
    folder: Path
    keep: int


def file_name(now: datetime) -> str:
    """The name of a backup begun at this local time."""
    return f"mishu-{now.strftime(_STAMP)}.backup"


def begun(name: str) -> datetime | None:
    """Start time (local) in the name of a daily backup; None for other names."""
    match = _NAME.match(name)
    if match is None:
        return None
    try:
        return datetime.strptime(match[1], _STAMP)
    except ValueError:
        return None


def is_due(now: datetime, at: time, names: Iterable[str]) -> bool:
    """True when no backup was begun since the last scheduled time.

    Start times in the future, from a wrong clock, are ignored.
    """
    here = now.replace(tzinfo=None)
    struck = datetime.combine(here.date(), at)
    if struck > here:
        struck -= timedelta(days=1)
    stamps = (begun(name) for name in names)
    return not any(stamp is not None and struck <= stamp <= here for stamp in stamps)


def outdated(names: Iterable[str], keep: int) -> list[str]:
    """The daily backups beyond the newest `keep`; nobody else's file."""
    ours = sorted((name for name in names if begun(name) is not None), reverse=True)
    return ours[keep:]


class DailyBackup:
    """Owner of the daily backup task. Call `start` and `stop` once each."""

    def __init__(
        self,
        url: str,
        plan: DailyPlan,
        now: Callable[[], datetime],
        told: Callable[[Backup], None],
        failed: Callable[[str], None],
    ) -> None:
        self._url = url
        self._plan = plan
        self._now = now
        self._told = told
        self._failed = failed
        self._not_before: datetime | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the backup task."""
        self._task = asyncio.create_task(self._run(), name="mishu daily backup")

    async def stop(self) -> None:
        """End the task; a backup that is being made is given up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        while True:
            await self.back_up_if_due()
            await asyncio.sleep(LOOK_EVERY)

    async def back_up_if_due(self) -> None:
        """Make a backup where one is due, then delete the outdated ones."""
        now = self._now()
        # A clock that was set back must not put the next try off for long.
        if self._not_before is not None and timedelta() < self._not_before - now <= RETRY_AFTER:
            return
        self._not_before = None
        folder = self._plan.folder
        try:
            if not is_due(now, self._plan.at, await in_thread(lambda: _list_files(folder))):
                return
            made = await back_up(self._url, folder / file_name(now))
            await in_thread(lambda: _delete_outdated(folder, self._plan.keep))
        except StorageError as error:
            self._not_before = now + RETRY_AFTER
            self._failed(f"每日备份没有做成，十分钟后再试：{error}")
        else:
            self._told(made)


def _list_files(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()] if folder.is_dir() else []


def _delete_outdated(folder: Path, keep: int) -> None:
    names = _list_files(folder)
    for name in (*outdated(names, keep), *(name for name in names if _LEFT.match(name))):
        (folder / name).unlink(missing_ok=True)
