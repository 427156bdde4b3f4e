"""A SQLite file with all tables in it, made once a process and copied: making it anew takes most tests longer
than what they are about."""

from __future__ import annotations

import tempfile
from pathlib import Path

from nonebot_plugin_mishu.storage import Storage, default_url

_made: bytes | None = None


async def ready_url(folder: Path) -> str:
    """Put such a file where a bot with this data directory looks for it; the address to open."""
    global _made
    if _made is None:
        with tempfile.TemporaryDirectory() as place:
            await (await Storage.open(default_url(Path(place)), on_trouble=print)).close()
            _made = _file(place).read_bytes()
    _put(folder, _made)
    return default_url(folder)


def _put(folder: Path, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    assert not _file(folder).exists(), "there is a database already"
    _file(folder).write_bytes(content)


def _file(folder: Path | str) -> Path:
    return Path(folder, "mishu.db")
