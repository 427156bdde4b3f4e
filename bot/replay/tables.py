"""The tables of a new stage: made once and put there as a file; making them takes longer than a sample."""

from __future__ import annotations

import tempfile
from pathlib import Path

from nonebot_plugin_mishu.storage import Storage, default_url, parse_address

_made: bytes | None = None


async def laid_out(folder: Path) -> str:
    """The address of an empty database with all tables, in a folder that has none yet."""
    global _made
    if _made is None:
        with tempfile.TemporaryDirectory(prefix="mishu-replay-") as place:
            url = default_url(Path(place))
            await (await Storage.open(url, on_trouble=_never)).close()
            _made = _file(url).read_bytes()
    url = default_url(folder)
    _file(url).write_bytes(_made)
    return url


def _file(url: str) -> Path:
    return Path(parse_address(url).database or "")


def _never(sentence: str) -> None:
    """A file nobody else knows gives no trouble; where it does, opening fails."""
