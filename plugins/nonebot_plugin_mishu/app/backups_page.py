"""Backend of the console's bot page: backups made and listed, the end of the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..clock import Clock
from ..error_log import inform, listen
from ..storage.copies import back_up
from ..storage.copies.backup import in_thread
from ..storage.copies.daily import begun, file_name
from ..web.backend import Caretaker

if TYPE_CHECKING:
    from loguru import Message

LINES: Final = 60
_LONGEST: Final = 300


def caretaker(clock: Clock, url: str, folder: Path) -> Caretaker:
    """For the running plugin with the database at `url`; backups lie in `folder`."""
    lines: deque[str] = deque(maxlen=LINES)

    def hear(message: Message) -> None:
        record = message.record
        at = clock.local(clock.wall())
        lines.appendleft(f"{at:%m-%d %H:%M:%S} {record['level'].name} {record['message'][:_LONGEST]}")

    listen(hear)

    async def made() -> str:
        backup = await back_up(url, folder / file_name(clock.local(clock.wall())))
        inform(f"备份好了：{backup.file.name}")
        return f"{backup.file.name}，{sum(backup.counts.values()):,} 行，{_size(backup.size)}"

    async def found() -> Sequence[str]:
        return await in_thread(lambda: _listed(folder))

    return Caretaker(made, found, lambda: tuple(lines))


def _listed(folder: Path) -> list[str]:
    files = [each for each in folder.iterdir() if begun(each.name) is not None] if folder.is_dir() else []
    return [_format_backup(each, begun(each.name)) for each in sorted(files, reverse=True)]


def _format_backup(file: Path, at: datetime | None) -> str:
    when = f"{at:%Y-%m-%d %H:%M}" if at is not None else file.name
    return f"{when}，{_size(file.stat().st_size)}"


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB" if count >= 1024 * 1024 else f"{max(count, 1024) // 1024} KB"
