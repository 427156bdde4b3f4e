"""The command line of backup, restore and move: exit 0 and counts, or 1 and one sentence."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .configured import Unconfigured, database

if TYPE_CHECKING:
    from nonebot_plugin_mishu.storage.copies import Backup, MoveCounts, Restored

COMMANDS = {
    "backup": "python -m bot backup 文件",
    "restore": "python -m bot restore 文件 [--replace]",
    "move": "python -m bot move 新的数据库地址",
}
"""How each is written."""
_METHODS = {"sqlite": "SQLite 在线备份", "pg_dump": "pg_dump", "rows": "逐行复制成的 SQLite 文件"}


def main(name: str, arguments: Sequence[str]) -> int:
    """Run one of `COMMANDS`; the exit code."""
    replace = name == "restore" and "--replace" in arguments
    rest = [one for one in arguments if not (replace and one == "--replace")]
    if len(rest) != 1 or rest[0].startswith("-"):
        return _failed(f"用法：{COMMANDS[name]}")
    try:
        url = database()
    except Unconfigured as error:
        return _failed(*error.lines)
    from nonebot_plugin_mishu.storage import StorageError

    try:
        for line in asyncio.run(_done(name, url, rest[0], replace=replace)):
            print(line)
    except StorageError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"没有做成：{error.strerror or '读写文件时出错'}。")
    except KeyboardInterrupt:
        return _failed("中断了，没有做完。")
    return 0


def _failed(*lines: str) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return 1


async def _done(name: str, url: str, what: str, *, replace: bool) -> list[str]:
    from nonebot_plugin_mishu.storage.copies import back_up, move, restore

    if name == "backup":
        return _backed_up(await back_up(url, Path(what)))
    if name == "restore":
        return _restored(await restore(url, Path(what), replace=replace))
    return _moved(await move(url, what))


def _backed_up(made: Backup) -> list[str]:
    how = f"{_METHODS[made.method]}，{made.size / 1e6:.1f} MB，已打开核对"
    return [f"备份好了：{made.file}（{how}），{_total(made.counts)}：", *_table(made.counts)]


def _restored(done: Restored) -> list[str]:
    aside = f"；原来的文件留在 {done.aside}" if done.aside is not None else ""
    return [f"恢复好了，{_total(done.counts)}{aside}：", *_table(done.counts)]


def _moved(done: MoveCounts) -> list[str]:
    resumed = "接着上次没搬完的，" if done.resumed else ""
    return [
        f"搬好了，{resumed}两边逐行相同，{_total(done.counts)}；把 MISHU__DATABASE_URL 改成新地址再启动：",
        *_table(done.counts),
    ]


def _total(counts: Mapping[str, int]) -> str:
    return f"共 {sum(counts.values())} 行"


def _table(counts: Mapping[str, int]) -> list[str]:
    return [f"{name} {rows}" for name, rows in counts.items()]
